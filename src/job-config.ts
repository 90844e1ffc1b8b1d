import { z } from 'zod';

/** What the quality names mean to the encoder; `maxLines` is the shorter side, null the source's own. */
export const QUALITIES = {
  low: { maxLines: 480, preset: 'veryfast', crf: 28 },
  medium: { maxLines: 1080, preset: 'veryfast', crf: 22 },
  high: { maxLines: null, preset: 'medium', crf: 19 },
  ultra: { maxLines: null, preset: 'slow', crf: 16 },
} as const;

export type Quality = keyof typeof QUALITIES;

const QUALITY_ALIASES = {
  draft: 'low',
  preview: 'low',
  standard: 'medium',
  balanced: 'medium',
  best: 'ultra',
  max: 'ultra',
} as const satisfies Record<string, Quality>;

export const qualitySchema = z
  .enum([...Object.keys(QUALITIES), ...Object.keys(QUALITY_ALIASES)] as [string, ...string[]])
  .transform((name) => (QUALITY_ALIASES[name as keyof typeof QUALITY_ALIASES] ?? name) as Quality);

/** Names of sizes: the lines of the shorter side, whatever the ratio. */
export const RESOLUTION_LINES = { '720p': 720, '1080p': 1080, '1440p': 1440, '2160p': 2160 } as const;

export const RESOLUTIONS = ['auto', 'source', '720p', '1080p', '1440p', '2160p'] as const satisfies readonly (
  | 'auto'
  | 'source'
  | keyof typeof RESOLUTION_LINES
)[];

/** Components of a style that can be followed part of the way. */
export const GRADUAL_COMPONENTS = ['color', 'audio', 'pacing', 'transitions', 'motion'] as const;
/** Components that are there or not: half an aspect ratio is none. */
const SWITCHED_COMPONENTS = ['aspect_ratio', 'frame_rate', 'subtitles'] as const;
export const COMPONENT_NAMES = [...GRADUAL_COMPONENTS, ...SWITCHED_COMPONENTS] as const;

export type GradualComponent = (typeof GRADUAL_COMPONENTS)[number];
export type ComponentName = (typeof COMPONENT_NAMES)[number];

const GRADUAL_ERROR =
  'Expected true (as strong as style_strength), false (left out), or a strength of its own from 0 to 1';
const ownStrength = z.number().min(0, GRADUAL_ERROR).max(1, GRADUAL_ERROR);
const gradualSchema = z.union([z.boolean(), ownStrength], { error: GRADUAL_ERROR }).default(true);
const switchedSchema = z.boolean({ error: 'Expected true or false: it has no strength' }).default(true);

const componentsSchema = z
  .object({
    ...schemasOf(GRADUAL_COMPONENTS, gradualSchema),
    ...schemasOf(SWITCHED_COMPONENTS, switchedSchema),
  })
  .loose();

function schemasOf<Name extends string, Schema>(names: readonly Name[], schema: Schema) {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;
}

export const FRAMINGS = ['auto', 'crop', 'pad'] as const;
export const PACINGS = ['punch_in', 'trim', 'keep'] as const;
export const MAX_SEED = 4294967295;

/** A job's `config`. Unknown keys are kept: the caller names them in warnings, or refuses them. */
export const jobConfigSchema = z
  .object({
    // Given before it is read, so that the OpenAPI document tells it: after a transformation there is none of the request.
    quality: qualitySchema.prefault('medium'),
    style_strength: z.number().min(0).max(1).default(0.8),
    components: componentsSchema.default(() => componentsSchema.parse({})),
    resolution: z
      .enum(RESOLUTIONS)
      .default('auto')
      .describe(
        'Lines of the shorter side, capped by `quality`. `auto`: as the larger of source and template has, at most 1080 and at most twice what is shown of the source; `source` never scales up',
      ),
    framing: z
      .enum(FRAMINGS)
      .default('auto')
      .describe(
        'How another aspect ratio is filled, one way for the whole video. `auto` crops, and pads where more than a third of the time would not fit',
      ),
    pacing: z.enum(PACINGS).default('punch_in'),
    seed: z.int().min(0).max(MAX_SEED).default(0),
    comparison: z
      .boolean()
      .default(false)
      .describe('Also make `comparison.mp4`: source and output side by side'),
    priority: z.int().min(0).max(100).default(50),
    labels: z.record(z.string().max(64), z.string().max(256)).default(() => ({})),
  })
  .loose();

/** As a caller gives it: everything may be left out. */
export type JobConfigInput = z.input<typeof jobConfigSchema>;
export type JobConfig = z.output<typeof jobConfigSchema>;

/** 0..1: how far a style is followed in one of its components; 0 is not at all. */
export function strengthOf(
  { style_strength, components }: Pick<JobConfig, 'style_strength' | 'components'>,
  component: ComponentName,
): number {
  const said = components[component];
  return typeof said === 'number' ? said : said ? style_strength : 0;
}

/** All that is known, components by their paths. */
export const CONFIG_KEYS: readonly string[] = [
  ...Object.keys(jobConfigSchema.shape),
  ...COMPONENT_NAMES.map((name) => `components.${name}`),
];

/** Dotted paths of the keys of a raw `config` that nothing reads. */
export function unknownConfigKeys(raw: Record<string, unknown>): string[] {
  const top = Object.keys(raw).filter((key) => !(key in jobConfigSchema.shape));
  const components = raw['components'];
  const below =
    typeof components === 'object' && components !== null
      ? Object.keys(components)
          .filter((key) => !(COMPONENT_NAMES as readonly string[]).includes(key))
          .map((key) => `components.${key}`)
      : [];
  return [...top, ...below];
}
