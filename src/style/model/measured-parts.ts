import type { Style } from './schema.ts';

export type StylePart = keyof NonNullable<Style['confidence']> & string;

/** Fields that a Style DNA always has, by the part whose confidence speaks for them: at 0 they are neutral and say nothing. */
const PART_FIELDS = {
  color: ['color_grade'],
  pacing: ['cut_frequency'],
  motion: ['motion_intensity', 'zoom_usage'],
  subtitles: ['use_subtitles'],
} as const satisfies Record<string, readonly (keyof Style)[]>;

/** Whether a part says anything. Written styles have no confidences: they mean what they say. */
export function isMeasured({ confidence }: Pick<Style, 'confidence'>, part: StylePart): boolean {
  return confidence?.[part] !== 0;
}

/** Names of the fields that are there only because they must be. */
export function neutralFields(style: Pick<Style, 'confidence' | 'source_kind'>): readonly string[] {
  const always = style.source_kind === 'image' ? ['frame_rate', 'source_duration_seconds'] : [];
  const ofParts = Object.entries(PART_FIELDS).flatMap(([part, fields]) =>
    isMeasured(style, part) ? [] : fields,
  );
  return [...always, ...ofParts];
}
