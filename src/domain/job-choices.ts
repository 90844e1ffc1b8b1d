/** Choices of a job's `config` and their meanings: plain data, which a start can load without the schema. */

import type { Compression } from './compression.ts';

export type Quality = 'low' | 'medium' | 'high' | 'ultra';

/** A preset that judges predictions as roughly as this one gains nothing by dividing those from other pictures: decision 0021. */
const VERY_FAST = { preset: 'veryfast', partitions: 'i8x8,i4x4' } as const;

/** Encoder settings of the quality names; `maxLines`: limit of the shorter side; null: no limit. */
export const QUALITIES: Readonly<
  Record<Quality, { readonly maxLines: number | null; readonly compression: Compression }>
> = {
  low: { maxLines: 480, compression: { ...VERY_FAST, crf: 28 } },
  medium: { maxLines: 1080, compression: { ...VERY_FAST, crf: 22 } },
  high: { maxLines: null, compression: { preset: 'medium', crf: 19 } },
  ultra: { maxLines: null, compression: { preset: 'slow', crf: 16 } },
};

/** Names of sizes: the lines of the shorter side, whatever the ratio. */
export const RESOLUTION_LINES = { '720p': 720, '1080p': 1080, '1440p': 1440, '2160p': 2160 } as const;

export const RESOLUTIONS = ['auto', 'source', '720p', '1080p', '1440p', '2160p'] as const satisfies readonly (
  | 'auto'
  | 'source'
  | keyof typeof RESOLUTION_LINES
)[];

/** Components of a style that can be followed in part. */
export const GRADUAL_COMPONENTS = ['color', 'audio', 'pacing', 'transitions', 'motion', 'talk'] as const;
/** Components that are on or off, or on only where they do no harm (`auto`): decision 0038. */
export const AUTOMATIC_COMPONENTS = ['aspect_ratio', 'frame_rate'] as const;
/** Components that are on or off. */
export const SWITCHED_COMPONENTS = ['subtitles'] as const;
export const COMPONENT_NAMES = [
  ...GRADUAL_COMPONENTS,
  ...AUTOMATIC_COMPONENTS,
  ...SWITCHED_COMPONENTS,
] as const;

export type GradualComponent = (typeof GRADUAL_COMPONENTS)[number];
export type AutomaticComponent = (typeof AUTOMATIC_COMPONENTS)[number];
export type ComponentName = (typeof COMPONENT_NAMES)[number];

/** Strength 0..1 at which a component follows the style; 0: not at all. An automatic component counts as on. */
export function strengthOf(
  {
    style_strength,
    components,
  }: {
    readonly style_strength: number;
    readonly components: Readonly<Record<ComponentName, boolean | number | 'auto'>>;
  },
  component: ComponentName,
): number {
  const setting = components[component];
  return typeof setting === 'number' ? setting : setting === false ? 0 : style_strength;
}
