import { resolve } from 'node:path';
import { z } from 'zod';
import { ENCODER_CHOICES } from '../domain/encoder-choice.ts';
import { ConfigError } from '../domain/errors.ts';
import { type HostName, hostNameOf } from './host-name.ts';
import { ROLES } from './role.ts';
import { tracingEnvironment } from './tracing-settings.ts';

const bytes = z.coerce.number().int().positive();
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);
const origin = z.string().refine((text) => {
  try {
    return text === '*' || new URL(text).origin === text;
  } catch {
    return false;
  }
}, 'must be an origin such as https://app.example.com, without a path');
/** `*`: any host. */
const allowedHost = z.string().transform((text, context): HostName | '*' => {
  if (text === '*') return text;
  const host = hostNameOf(text);
  if (host !== null) return host;
  context.addIssue('must be a host such as videos.example.com or 10.0.0.5, without a scheme or path');
  return z.NEVER;
});
/** Number of proxies in front of the service, or their networks. */
const proxies = z.string().transform((text, context): number | string[] => {
  const simple = { true: 1, false: 0 }[text];
  if (simple !== undefined) return simple;
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const parsed = list.pipe(z.array(network)).safeParse(text);
  if (parsed.success) return parsed.data;
  context.addIssue('must be a number of proxies, or addresses and networks such as 10.0.0.0/8');
  return z.NEVER;
});
const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);
const httpUrl = z.url({ protocol: /^https?$/ });

/** An address of this service, without a slash at its end. */
export const baseUrlSchema = httpUrl.transform((url) => url.replace(/\/+$/, ''));

/** Networks in CIDR notation, apart by commas. */
export const networksSchema = list.pipe(
  z.array(z.union([z.cidrv4(), z.cidrv6()], 'must be a network such as 10.0.0.0/8')),
);

/** Every setting, with its default. `docs/operating.md` describes them. */
const environmentSchema = z.object({
  ROLE: z.enum(ROLES).default('all'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65535).default(8080),
  PUBLIC_BASE_URL: baseUrlSchema.optional(),
  DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .transform((path) => resolve(path)),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  MIGRATE_AT_START: z.stringbool().default(true),
  S3_ENDPOINT: httpUrl.optional(),
  S3_BUCKET: z.string().min(3).max(63).optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  CORS_ORIGINS: list.pipe(z.array(origin)).default([]),
  ALLOWED_HOSTS: list.pipe(z.array(allowedHost)).default([]),
  WORKER_CONCURRENCY: z.coerce.number().int().min(0).max(64).default(1),
  CACHE_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(5 * 2 ** 30),
  MAX_UPLOAD_BYTES: bytes.default(5 * 2 ** 30),
  DISK_RESERVE_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(2 ** 30),
  MAX_DURATION_SECONDS: z.coerce
    .number()
    .positive()
    .default(4 * 3600),
  MAX_OPEN_UPLOADS: z.coerce.number().int().min(1).default(1000),
  UPLOAD_IDLE_SECONDS: z.coerce.number().positive().default(30),
  UPLOAD_LEAST_BYTES_PER_SECOND: z.coerce.number().min(0).default(1024),
  WEBHOOK_SECRETS: list
    .pipe(
      z.array(
        z
          .string()
          .regex(/^whsec_[A-Za-z0-9+/=]{32,}$/, 'must be whsec_ followed by at least 24 bytes in base64'),
      ),
    )
    .default([]),
  WEBHOOK_ALLOWED_NETWORKS: networksSchema.optional(),
  TRANSCRIPTION_URL: httpUrl.optional(),
  TRANSCRIPTION_MODEL: z.string().min(1).default('whisper-1'),
  TRANSCRIPTION_API_KEY: z.string().min(1).optional(),
  ADMIN_TOKEN: z.string().min(24, 'must have at least 24 characters').optional(),
  MAX_WATCHERS_PER_CLIENT: z.coerce.number().int().min(1).default(500),
  RATE_LIMIT_PER_MINUTE: z.coerce.number().int().min(0).default(0),
  TRUST_PROXY: proxies.default(0),
  RETENTION_DAYS: z.coerce.number().positive().optional(),
  SEGMENT_SECONDS: z.coerce.number().min(1).default(30),
  DRAIN_SECONDS: z.coerce.number().min(0).default(25),
  STAGE_IDLE_SECONDS: z.coerce.number().positive().default(60),
  CHILD_MEMORY_BYTES: bytes.optional(),
  ENCODER: z.enum(ENCODER_CHOICES).default('software'),
  MEDIA_ISOLATION: z.enum(['auto', 'require', 'off']).default('auto'),
  ...tracingEnvironment,
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

/** The names of all settings. */
export const SETTINGS: readonly string[] = Object.keys(environmentSchema.shape);

export interface S3Settings {
  readonly endpoint: string | undefined;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export type Config = Readonly<Omit<z.output<typeof environmentSchema>, `S3_${string}`>> & {
  /** Null: files are on the local disk. */
  readonly s3: S3Settings | null;
};

/** Reads the settings. Takes the environment as an argument, so that it is read in one place only. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  // An empty variable means "not set", as compose files and shells write it.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = environmentSchema.safeParse(given);
  const problems = parsed.success
    ? []
    : parsed.error.issues.map((issue) => {
        const name = String(issue.path[0]);
        const secret = /SECRET|KEY|TOKEN|DATABASE_URL/.test(name);
        return `${name}: ${issue.message}${secret ? '' : ` (is "${given[name]}")`}`;
      });
  if (parsed.success) problems.push(...roleProblems(parsed.data));
  if (given['S3_BUCKET'] !== undefined) {
    for (const name of ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']) {
      if (given[name] === undefined) problems.push(`${name}: is needed when S3_BUCKET is set`);
    }
  }
  if (!parsed.success || problems.length > 0) {
    throw new ConfigError(`Bad settings:\n${problems.map((line) => `  ${line}`).join('\n')}`);
  }
  const { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, ...rest } = parsed.data;
  const s3 =
    S3_BUCKET === undefined
      ? null
      : {
          endpoint: S3_ENDPOINT,
          bucket: S3_BUCKET,
          region: S3_REGION,
          accessKeyId: S3_ACCESS_KEY_ID!,
          secretAccessKey: S3_SECRET_ACCESS_KEY!,
        };
  // All processes of a fleet may have the same environment.
  return { ...rest, ...(rest.ROLE === 'api' ? { WORKER_CONCURRENCY: 0 } : {}), s3 };
}

/** Required settings of a process with a partial role. */
function roleProblems({
  ROLE,
  DATABASE_URL,
  WORKER_CONCURRENCY,
}: z.output<typeof environmentSchema>): readonly string[] {
  if (ROLE === 'all') return [];
  const problems: string[] = [];
  if (DATABASE_URL === undefined) {
    problems.push(
      `ROLE: is "${ROLE}", but the embedded database belongs to one process, which does everything. Set DATABASE_URL, or leave ROLE out`,
    );
  }
  if (ROLE === 'worker' && WORKER_CONCURRENCY === 0)
    problems.push('WORKER_CONCURRENCY: is 0, but a worker needs at least 1');
  return problems;
}
