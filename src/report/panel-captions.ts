import { luma709 } from '../signal/color-space.ts';
import { type Markup, markup } from './markup.ts';
import { figure, panel, readingTable } from './panel.ts';
import type { CaptionView } from './view.ts';

export function captionPanel(view: CaptionView, ratio: number): Markup {
  return panel(
    'captions',
    'Captions',
    view.confidence,
    figure('Look', view.look === null ? null : mockUp(view.look, ratio)),
    readingTable(view.readings, view.confidence),
  );
}

const AREA = 240 * 135;
/** Share of the line height, half of it hidden behind the letters. */
const OUTLINE = 0.22;
const BASELINES = { top: 0.16, middle: 0.53, bottom: 0.88 } as const;

/** A frame of the clip's ratio with a caption in the measured place, size and color. */
function mockUp(look: NonNullable<CaptionView['look']>, ratio: number): Markup {
  const width = Math.round(Math.sqrt(AREA * ratio));
  const height = Math.round(width / ratio);
  const size = Math.max(6, look.lineHeight * height);
  const outline = look.outlined
    ? markup` stroke="${isDark(look.color) ? '#fff' : '#000'}" stroke-width="${(size * OUTLINE).toFixed(1)}"`
    : null;
  return markup`<svg class="caption-look" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="Captions at the ${look.position}"><rect class="frame" width="${width}" height="${height}" rx="4"/><g fill="${look.color}"${outline} font-size="${size.toFixed(1)}"><text x="${width / 2}" y="${(height * BASELINES[look.position]).toFixed(1)}" text-anchor="middle">Caption</text></g></svg>`;
}

/** The outline of a text has the opposite lightness. */
function isDark(hex: string): boolean {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [
    number,
    number,
    number,
  ];
  // Luma of BT.709.
  return luma709(red, green, blue) < 128;
}
