import { z } from 'zod';
import {
  AUTOMATIC_COMPONENTS,
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
const gradualSchema = z.union([z.boolean(), ownStrength], { error: GRADUAL_ERROR });
const switchedSchema = z.boolean({ error: 'Expected true or false: it has no strength' });

const automaticSchema = z.union([z.boolean(), z.literal('auto')], {
  error: 'Expected true, false or "auto" (followed only where it does no harm)',
});

const componentFields = {
  ...schemasOf(GRADUAL_COMPONENTS, gradualSchema),
  ...schemasOf(AUTOMATIC_COMPONENTS, automaticSchema),
  ...schemasOf(SWITCHED_COMPONENTS, switchedSchema),
};

function schemasOf<Name extends string, Schema>(names: readonly Name[], schema: Schema) {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;
}

export const FRAMINGS = ['auto', 'crop', 'pad'] as const;
/** Points of a focus track. */
export const MAX_FOCUS_POINTS = 200;
export const PACINGS = ['punch_in', 'trim', 'keep'] as const;
export const MAX_SEED = 4294967295;

const share = z.number().min(0).max(1);
const focusSchema = z.union(
  [
    z.object({ x: share, y: share }),
    z
      .array(z.object({ at_seconds: z.number().min(0), x: share, y: share }))
      .min(1)
      .max(MAX_FOCUS_POINTS),
  ],
  { error: 'Expected {x, y}, or a list of {at_seconds, x, y}; x and y from 0 to 1' },
);

const componentsPatchSchema = z.object(componentFields).partial().loose();

/** Every field of a `config`, without its default. */
const fields = {
  quality: qualitySchema.describe('Default: `medium`'),
  style_strength: z.number().min(0).max(1).describe('Default: 0.8'),
  components: componentsPatchSchema.describe(
    'Those that are left out are as the preset has them; without a preset: `true`, and `auto` for `aspect_ratio` and `frame_rate`, which then follow the style only where crops hold the subjects without padding, and where the source has a whole multiple of the rate',
  ),
  resolution: z
    .enum(RESOLUTIONS)
    .describe(
      'Lines of the shorter side, capped by `quality`. `auto` (default): as the larger of source and template has, at most 1080 and at most twice what is shown of the source; `source` never scales up',
    ),
  framing: z
    .enum(FRAMINGS)
    .describe(
      'How another aspect ratio is filled, one way for the whole video. `auto` (default) crops, and pads where more than a third of the time would not fit',
    ),
  framing_focus: focusSchema
    .nullable()
    .describe(
      'What crops keep in view, in shares of the source picture: one `{x, y}`, or points in time. Points count for the shot that they lie in: one holds, several are panned between; a shot without any is framed automatically. Default: null, all automatic',
    ),
  pacing: z.enum(PACINGS).describe('Default: `punch_in`, by which nothing of the source is lost'),
  seed: z.int().min(0).max(MAX_SEED).describe('Another edit of the same kind. Default: 0'),
  comparison: z
    .boolean()
    .describe('Also make `comparison.mp4`: source and output side by side. Default: false'),
  priority: z.int().min(0).max(100).describe('Default: 50'),
  labels: z.record(z.string().max(64), z.string().max(256)).describe('Default: none'),
};

/**
 * A `config` as a caller sends it, and nothing more: a missing field stays missing, because a preset may have a value for it. Unknown keys
 * are kept: the caller names them in warnings, or refuses them.
 */
export const jobConfigPatchSchema = z.object(fields).partial().loose();

const componentsSchema = z
  .object({
    ...schemasOf(GRADUAL_COMPONENTS, gradualSchema.default(true)),
    ...schemasOf(AUTOMATIC_COMPONENTS, automaticSchema.default('auto')),
    ...schemasOf(SWITCHED_COMPONENTS, switchedSchema.default(true)),
  })
  .loose();

/** A whole `config`: what is missing gets its default. */
export const jobConfigSchema = z
  .object({
    quality: fields.quality.default('medium'),
    style_strength: fields.style_strength.default(0.8),
    components: componentsSchema.default(() => componentsSchema.parse({})),
    resolution: fields.resolution.default('auto'),
    framing: fields.framing.default('auto'),
    framing_focus: fields.framing_focus.default(null),
    pacing: fields.pacing.default('punch_in'),
    seed: fields.seed.default(0),
    comparison: fields.comparison.default(false),
    priority: fields.priority.default(50),
    labels: fields.labels.default(() => ({})),
  } satisfies Record<keyof typeof fields, z.ZodDefault>)
  .loose();

/** As a caller gives it: everything may be left out. */
export type JobConfigInput = z.input<typeof jobConfigPatchSchema>;
export type JobConfig = z.output<typeof jobConfigSchema>;

/** Fields that change nothing of an edit. Every other field counts as one that does, a new one too. */
const NOT_OF_THE_EDIT = [
  'comparison',
  'priority',
  'labels',
] as const satisfies readonly (keyof typeof fields)[];

type EditConfig = Pick<JobConfig, Exclude<keyof typeof fields, (typeof NOT_OF_THE_EDIT)[number]>>;

/** The part of a stored `config` on which the edit depends, with defaults, for keys of caches. */
export function editConfig(raw: unknown): EditConfig {
  const config = jobConfigSchema.parse(raw);
  const names = Object.keys(fields).filter((name) => !(NOT_OF_THE_EDIT as readonly string[]).includes(name));
  return Object.fromEntries(names.map((name) => [name, config[name]])) as EditConfig;
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
