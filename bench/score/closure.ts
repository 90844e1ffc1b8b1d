/** How far an output went from its source to its template, field by field of the Style DNA. */
import type { Style } from '../../src/style/model/schema.ts';

/** Distance of two styles in one field, in that field's own unit; null where either has none. */
type Distance = (one: Style, other: Style) => number | null;

interface Field {
  readonly name: string;
  readonly distance: Distance;
  /** Sources nearer than this are not scored. */
  readonly least: number;
}

const plain =
  (read: (style: Style) => number | undefined): Distance =>
  (one, other) => {
    const [from, to] = [read(one), read(other)];
    return from === undefined || to === undefined ? null : Math.abs(from - to);
  };
const ratio =
  (read: (style: Style) => number | undefined): Distance =>
  (one, other) => {
    const [from, to] = [read(one), read(other)];
    return from === undefined || to === undefined || from <= 0 || to <= 0
      ? null
      : Math.abs(Math.log(from / to));
  };
const dial = (
  name: 'temperature' | 'tint' | 'saturation' | 'contrast' | 'highlights' | 'shadows',
): Field => ({
  name,
  distance: plain(({ color_grade }) => color_grade[name]),
  least: 10,
});
const aspect = ({ aspect_ratio }: Style) => {
  const [width, height] = aspect_ratio.split(':').map(Number);
  return width! / height!;
};

const FIELDS: readonly Field[] = [
  { name: 'aspect ratio', distance: ratio(aspect), least: 0.02 },
  { name: 'frame rate', distance: ratio(({ frame_rate }) => frame_rate), least: 0.02 },
  { name: 'cut frequency', distance: plain(({ cut_frequency }) => cut_frequency), least: 0.05 },
  { name: 'shot lengths', distance: ratio(({ shot_lengths }) => shot_lengths?.p50), least: 0.2 },
  { name: 'motion', distance: plain(({ motion_intensity }) => motion_intensity), least: 0.1 },
  { name: 'zoom', distance: plain(({ zoom_usage }) => zoom_usage), least: 0.1 },
  dial('temperature'),
  dial('tint'),
  dial('saturation'),
  dial('contrast'),
  dial('highlights'),
  dial('shadows'),
  { name: 'loudness', distance: plain(({ audio_style }) => audio_style?.normalization_level), least: 1 },
  { name: 'loudness range', distance: plain(({ loudness_range_lu }) => loudness_range_lu), least: 1.5 },
  { name: 'compression', distance: ratio(({ audio_style }) => audio_style?.compression_ratio), least: 0.2 },
  { name: 'bass', distance: plain(({ audio_style }) => audio_style?.bass_boost), least: 1.5 },
];

export const AUDIO_FIELDS: readonly string[] = ['loudness', 'loudness range', 'compression', 'bass'];

/** 1 − distance(output, template) / distance(source, template) by field; fields without a distance are left out. */
export function closure(source: Style, template: Style, output: Style): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { name, distance, least } of FIELDS) {
    const [before, after] = [distance(source, template), distance(output, template)];
    if (before !== null && after !== null && before >= least) found[name] = 1 - after / before;
  }
  return found;
}
