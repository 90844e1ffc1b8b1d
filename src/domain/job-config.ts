import { z } from 'zod';
import { ADJUSTMENT_NAMES, NO_ADJUSTMENTS } from './adjustment-names.ts';
import { adjustmentsPatchSchema, adjustmentsSchema } from './adjustments.ts';
import {
  AUTOMATIC_COMPONENTS,
  COMPONENT_NAMES,
  GRADUAL_COMPONENTS,
  QUALITIES,
  type Quality,
  RESOLUTIONS,
  SWITCHED_COMPONENTS,
} from './job-choices.ts';
import { USUAL_TALK } from './talk-options.ts';
import { talkSchema } from './talk-schema.ts';
import { MIN_RANGE_SECONDS, RANGE_FORM } from './time-range.ts';

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
  ...schemasOf(GRADUAL_COMPONENTS, gradualSchema.default(true)),
  ...schemasOf(AUTOMATIC_COMPONENTS, automaticSchema.default('auto')),
  ...schemasOf(SWITCHED_COMPONENTS, switchedSchema.default(true)),
};
const componentsSchema = z.looseObject(componentFields);

function schemasOf<Name extends string, Schema>(names: readonly Name[], schema: Schema) {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;
}

export const FRAMINGS = ['auto', 'crop', 'pad'] as const;
const CAPTION_ORIGINS = ['auto', 'transcribe'] as const;
export const PACINGS = ['punch_in', 'trim', 'keep'] as const;
export const MAX_SEED = 4294967295;
/** Points of a focus track. */
const MAX_FOCUS_POINTS = 200;

const share = z.number().min(0).max(1);
/** In shares of a picture, from its upper left corner. */
export const focusPointSchema = z.object({ x: share, y: share });
const focusSchema = z.union(
  [
    focusPointSchema,
    z
      .array(z.object({ at_seconds: z.number().min(0), x: share, y: share }))
      .min(1)
      .max(MAX_FOCUS_POINTS),
  ],
  { error: 'Expected {x, y}, or a list of {at_seconds, x, y}; x and y from 0 to 1' },
);

const seconds = z.number(RANGE_FORM).min(0, RANGE_FORM);
const rangeSchema = z
  .tuple([seconds, seconds], RANGE_FORM)
  .refine(([start, end]) => end - start >= MIN_RANGE_SECONDS, RANGE_FORM);

/**
 * Every field of a `config`: its values, its default and its description. Validation, the OpenAPI document, the client's types, the
 * tools for agents, `--help` and the table in docs/integration.md are made from these lines.
 */
const fields = {
  quality: qualitySchema
    .default('medium')
    .describe(
      'Size and compression. `low`: up to 480 lines, quick and small; `medium`: up to 1080 lines, for the web; `high`: as many lines as `resolution` gives, to publish, about twice the time and size; `ultra`: nearly as good as the source, to edit further, about three times both',
    ),
  style_strength: z
    .number()
    .min(0)
    .max(1)
    .default(0.8)
    .describe('How far the style is followed, from 0 (a clean copy) to 1 (all of the style)'),
  components: componentsSchema
    .default(() => componentsSchema.parse({}))
    .describe(
      'Parts of the style: `true` follows one at `style_strength`, `false` leaves it out; `color`, `audio`, `pacing`, `transitions`, `motion` and `talk` also take a strength of their own from 0 to 1. `aspect_ratio` and `frame_rate` are `true`, `false` or `auto`: only where crops hold the subjects without padding, and where the source has a whole multiple of the rate. A missing one is as the preset sets it, without a preset `auto` for these two and `true` for the others',
    ),
  adjust: adjustmentsSchema
    .default(NO_ADJUSTMENTS)
    .describe(
      'Dials that change the style before it is followed, each from -1 to 1, by default 0, the style as it is: `warmth`, `contrast`, `saturation`, `cuts` (half to twice as many), `zooms` (slow zooms of one video), `caption_size`',
    ),
  resolution: z
    .enum(RESOLUTIONS)
    .default('auto')
    .describe(
      'Lines of the shorter side, capped by `quality`. `auto`: as many as the larger of source and template, at most 1080 and at most twice the visible lines of the source, but at least 720 for an upright output of a wide source; `source` never scales up',
    ),
  framing: z
    .enum(FRAMINGS)
    .default('auto')
    .describe(
      'How another aspect ratio is filled, the same for the whole video. `auto` crops, and pads where more than a third of the time would not fit',
    ),
  framing_focus: focusSchema
    .nullable()
    .default(null)
    .describe(
      'The point that crops keep in view: `{x, y}`, from 0 (left, top) to 1 (right, bottom) of the source picture. One point holds for the whole video. A list of `{at_seconds, x, y}` gives a point to each shot: one point holds for its shot, between several the crop pans, and a shot without a point is framed automatically. By default all shots are framed automatically',
    ),
  source_range: rangeSchema
    .nullable()
    .default(null)
    .describe(
      'The part of the source that counts, `[start, end]` in seconds: only it is measured and shown. Not for an edit, whose takes have `exclude`. By default all of it',
    ),
  template_range: rangeSchema
    .nullable()
    .default(null)
    .describe(
      'The part of the template video that counts, `[start, end]` in seconds: only it is measured. By default all of it',
    ),
  pacing: z
    .enum(PACINGS)
    .default('punch_in')
    .describe(
      "How the style's pace is reached. `punch_in`: by cuts to closer framings of somebody whose face leads (at `components.pacing` 1 of anything), every frame of the source stays; `trim`: by leaving out parts of the source; `keep`: not at all",
    ),
  talk: talkSchema
    .default(USUAL_TALK)
    .describe(
      'Whether the pauses of somebody who speaks are shortened to those of the style, and first attempts and fillers left out. `auto` (default): only where the source is mostly speech with clear pauses and the template is an edited talk; `on`: wherever pauses are clear; `off`. With parts that stay or go: `{mode, keep, remove}`, both lists of `[start, end]` in seconds of the source, stronger than any finding. `components.talk` is the strength. An edit becomes a talk by `on`, or in `auto` by a take with the role `talk`; parts of its takes are left out by `edit.takes[].exclude`',
    ),
  captions: z
    .enum(CAPTION_ORIGINS)
    .default('auto')
    .describe(
      "Where the words of captions come from. `auto`: the video's caption file, else its text track, where the style has captions; `transcribe`: the video's caption file, else its speech, by the transcription engine that the operator has connected, always shown: in the style's manner, or plain where it has none",
    ),
  seed: z
    .int()
    .min(0)
    .max(MAX_SEED)
    .default(0)
    .describe('Another number gives another edit of the same kind'),
  comparison: z
    .boolean()
    .default(false)
    .describe('Also make `comparison.mp4`, with source and output side by side'),
  priority: z.int().min(0).max(100).default(50).describe('Jobs of a higher priority start first'),
  labels: z
    .record(z.string().max(64), z.string().max(256))
    .default(() => ({}))
    .describe(
      'Texts of the client, by default none. Jobs whose label `client` differs take turns in the queue',
    ),
};

export type ConfigField = keyof typeof fields;
export const CONFIG_FIELDS = Object.keys(fields) as readonly ConfigField[];

/** A whole `config`: a missing field gets its default. Unknown keys stay. */
export const jobConfigSchema = z.looseObject(fields);
export type JobConfig = z.output<typeof jobConfigSchema>;
export const DEFAULT_JOB_CONFIG: Readonly<JobConfig> = jobConfigSchema.parse({});

type WithoutDefaults<Shape extends Record<string, z.ZodDefault>> = {
  [Name in keyof Shape]: z.ZodOptional<ReturnType<Shape[Name]['unwrap']>>;
};

function withoutDefaults<Shape extends Record<string, z.ZodDefault>>(shape: Shape): WithoutDefaults<Shape> {
  const optional = Object.entries(shape).map(([name, schema]) => [name, z.optional(schema.unwrap())]);
  return Object.fromEntries(optional);
}

const patchFields = {
  ...withoutDefaults(fields),
  components: z.looseObject(withoutDefaults(componentFields)).optional(),
  adjust: adjustmentsPatchSchema.optional(),
};

/**
 * A `config` as a caller sends it. A missing field stays missing, because a preset may have a value for it. Unknown keys stay: the caller
 * names them in warnings or refuses them.
 */
export const jobConfigPatchSchema = z.looseObject(
  Object.fromEntries(
    CONFIG_FIELDS.map((name) => [name, patchFields[name].describe(describeField(name))]),
  ) as typeof patchFields,
);
export type JobConfigInput = z.input<typeof jobConfigPatchSchema>;

/** One field in words, with its default where that is one value; names and values are in backticks. */
export function describeField(name: ConfigField): string {
  const usual = DEFAULT_JOB_CONFIG[name];
  return typeof usual === 'object'
    ? fields[name].description!
    : `${fields[name].description}. Default: \`${usual}\``;
}

/** Fields that change nothing of an edit. Every other field counts as one that does, a new one too. */
const NOT_OF_THE_EDIT = ['comparison', 'priority', 'labels'] as const satisfies readonly ConfigField[];

type EditConfig = Pick<JobConfig, Exclude<ConfigField, (typeof NOT_OF_THE_EDIT)[number]>>;

/** The fields of a `config` on which the edit depends, in a fixed order, for keys of caches. */
export function editConfig(config: JobConfig): EditConfig {
  const names = CONFIG_FIELDS.filter((name) => !(NOT_OF_THE_EDIT as readonly string[]).includes(name));
  return Object.fromEntries(names.map((name) => [name, config[name]])) as EditConfig;
}

/** Fields that have keys of their own. */
const GROUPS = { components: COMPONENT_NAMES, adjust: ADJUSTMENT_NAMES } as const;

/** All known keys, those of groups by their paths. */
export const CONFIG_KEYS: readonly string[] = [
  ...Object.keys(jobConfigSchema.shape),
  ...Object.entries(GROUPS).flatMap(([group, names]) => names.map((name) => `${group}.${name}`)),
];

/** Dotted paths of the keys of a raw `config` that nothing reads. */
export function unknownConfigKeys(raw: Record<string, unknown>): string[] {
  const top = Object.keys(raw).filter((key) => !(key in jobConfigSchema.shape));
  const below = Object.entries(GROUPS).flatMap(([group, names]) => {
    const value = raw[group];
    if (typeof value !== 'object' || value === null) return [];
    return Object.keys(value)
      .filter((key) => !(names as readonly string[]).includes(key))
      .map((key) => `${group}.${key}`);
  });
  return [...top, ...below];
}
