import type { ClipFacts } from '../analysis/facts.ts';
import type { Style } from '../style/model/schema.ts';
import { found, maybe } from './reading.ts';
import type { ChromaView, ColorView, DialView } from './view.ts';
import { decimal, percent } from './wording.ts';

const DIALS: readonly Pick<DialView, 'name' | 'kind' | 'ends'>[] = [
  { name: 'Temperature', kind: 'temperature', ends: ['cool', 'warm'] },
  { name: 'Tint', kind: 'tint', ends: ['green', 'magenta'] },
  { name: 'Saturation', kind: 'saturation', ends: ['muted', 'vivid'] },
  { name: 'Contrast', kind: 'contrast', ends: ['flat', 'hard'] },
  { name: 'Highlights', kind: 'highlights', ends: ['held back', 'bright'] },
  { name: 'Shadows', kind: 'shadows', ends: ['deep', 'lifted'] },
];

export function colorView({ video }: ClipFacts, style: Partial<Style>): ColorView {
  const { clip, palette, confidence } = video.color;
  const isFound = confidence > 0;
  return {
    palette: palette.map(({ hex, weight }) => ({ hex, weight })),
    dials: DIALS.map((dial) => ({
      ...dial,
      value: (isFound ? style.color_grade?.[dial.kind] : undefined) ?? null,
    })),
    confidence,
    lightness: isFound ? clip.lightnessPercentiles : null,
    chroma: isFound ? chromaView(video.color.clip) : null,
    readings: [
      found('Median chroma', `${decimal(clip.medianChroma)} units`, confidence, 'CIELAB; 14 is usual'),
      found(
        'Skin',
        maybe(clip.skin, ({ share }) => percent(share)),
        confidence,
        'of the picture',
      ),
      found('Crushed to black', percent(clip.clipped[0], 1), confidence, 'of the picture'),
      found('Clipped to white', percent(clip.clipped[1], 1), confidence, 'of the picture'),
    ],
  };
}

function chromaView(clip: ClipFacts['video']['color']['clip']): ChromaView {
  const { shadows, midtones, highlights } = clip.tones;
  const tones = [
    { name: 'Shadows', at: shadows },
    { name: 'Mid-tones', at: midtones },
    { name: 'Highlights', at: highlights },
  ];
  return {
    mean: [clip.meanA, clip.meanB],
    covariance: clip.covariance,
    tones: tones.flatMap(({ name, at }) => (at === null ? [] : [{ name, at }])),
    neutral: clip.neutral.share > 0 ? [clip.neutral.a, clip.neutral.b] : null,
    skinDegrees: clip.skin?.hueDegrees ?? null,
  };
}
