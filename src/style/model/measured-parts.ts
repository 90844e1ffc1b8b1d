import type { Style } from './schema.ts';

export type StylePart = keyof NonNullable<Style['confidence']> & string;

/**
 * Required fields of a Style DNA, by the part whose confidence applies to them: at confidence 0 they are neutral
 * defaults.
 */
const PART_FIELDS = {
  color: ['color_grade'],
  pacing: ['cut_frequency'],
  motion: ['motion_intensity', 'zoom_usage'],
  subtitles: ['use_subtitles'],
} as const satisfies Record<string, readonly (keyof Style)[]>;

/** Whether a part was measured. Authored styles have no confidences: all their fields count. */
export function isMeasured({ confidence }: Pick<Style, 'confidence'>, part: StylePart): boolean {
  return confidence?.[part] !== 0;
}

/** Whether the style has a picture: not that of a sound file. */
export function hasPicture({ source_kind: kind }: Pick<Style, 'source_kind'>): boolean {
  return kind !== 'audio';
}

/** Whether the style is that of moving pictures: not that of an image or of a sound file. */
export function isOfMovingPictures(style: Pick<Style, 'source_kind'>): boolean {
  return hasPicture(style) && style.source_kind !== 'image';
}

/** Required fields that are defaults, whatever the confidence. */
const UNMEASURED_FIELDS = {
  video: [],
  image: ['frame_rate', 'source_duration_seconds'],
  audio: ['aspect_ratio', 'frame_rate'],
} as const;

/** Names of the fields that are defaults. */
export function neutralFields(style: Pick<Style, 'confidence' | 'source_kind'>): readonly string[] {
  const always = UNMEASURED_FIELDS[style.source_kind ?? 'video'];
  const ofParts = Object.entries(PART_FIELDS).flatMap(([part, fields]) =>
    isMeasured(style, part) ? [] : fields,
  );
  return [...always, ...ofParts];
}
