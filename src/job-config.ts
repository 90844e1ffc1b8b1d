import { z } from 'zod';
import {
  COMPONENT_NAMES,
  GRADUAL_COMPONENTS,
  QUALITIES,
  type Quality,
  RESOLUTIONS,
  SWITCHED_COMPONENTS,
} from './job-choices.ts';

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
