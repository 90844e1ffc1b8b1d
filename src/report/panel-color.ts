import { chromaPlot } from './chroma-plot.ts';
import { bandPath, linePath } from './curve.ts';
import { dial } from './dial.ts';
import { type Markup, markup } from './markup.ts';
import { figure, panel, readingTable } from './panel.ts';
import type { ColorView } from './view.ts';
import { percent } from './wording.ts';

export function colorPanel(view: ColorView): Markup {
  return panel(
    'color',
    'Color',
    view.confidence,
    figure('Palette, share of the picture', palette(view)),
    markup`<div class="dials">${view.dials.map(dial)}</div><p class="caption">Dials from −100 to +100; 0 is an ungraded picture</p>`,
    markup`<div class="pair">${figure('Lightness, L* 0 to 100', view.lightness === null ? null : lightnessPlot(view.lightness))}${figure('Chroma', view.chroma === null ? null : markup`${chromaPlot(view.chroma)}<p class="caption">CIELAB a and b in units; S M H: means of shadows, mid-tones, highlights; + neutral; dashed: skin</p>`)}</div>`,
    readingTable(view.readings, view.confidence),
  );
}

function palette({ palette }: ColorView): Markup {
  const total = palette.reduce((sum, { weight }) => sum + weight, 0) || 1;
  let before = 0;
  const parts = palette.map(({ hex, weight }) => {
    const x = (before / total) * 100;
    before += weight;
    return markup`<rect x="${x.toFixed(2)}%" width="${((weight / total) * 100 + 0.1).toFixed(2)}%" height="100%" fill="${hex}"/>`;
  });
  return markup`<svg class="palette-bar" width="100%" height="44" aria-hidden="true">${parts}</svg><ul class="swatches">${palette.map(
    ({ hex, weight }) =>
      markup`<li><svg width="28" height="28" aria-hidden="true"><rect class="chip" width="28" height="28" rx="6" fill="${hex}"/></svg><code>${hex}</code><span>${percent(weight)}</span></li>`,
  )}</ul>`;
}

/** The scale below a plot of lightness: once per page. */
export const GREYS = markup`<linearGradient id="greys"><stop offset="0" stop-color="#000"/><stop offset="1" stop-color="#fff"/></linearGradient>`;

const BINS = 50;
const HEIGHT = 170;
/** Share of the picture between two percentiles. */
const SLICE = 0.05;

/** Density over L from its percentiles, with the 5th, 50th and 95th marked. */
function lightnessPlot(percentiles: readonly number[]): Markup {
  const density = new Array<number>(BINS).fill(0);
  for (let slice = 1; slice < percentiles.length; slice++) {
    const from = percentiles[slice - 1];
    // A slice of one lightness needs some width.
    const to = Math.max(from + 0.5, percentiles[slice]);
    for (let bin = 0; bin < BINS; bin++) {
      const low = (bin * 100) / BINS;
      const overlap = Math.min(to, low + 100 / BINS) - Math.max(from, low);
      if (overlap > 0) density[bin] += (SLICE * overlap) / (to - from);
    }
  }
  const smooth = density.map(
    (value, bin) => (2 * value + (density[bin - 1] ?? value) + (density[bin + 1] ?? value)) / 4,
  );
  const top = Math.max(...smooth) || 1;
  const y = (value: number) => HEIGHT - 4 - (value / top) * (HEIGHT - 12);
  const marks = [1, 10, 19].map((at) => {
    const lightness = percentiles[at];
    return markup`<g><title>P${at * 5}: L* ${lightness.toFixed(0)}</title><line class="mark" x1="${lightness.toFixed(1)}%" x2="${lightness.toFixed(1)}%" y1="0" y2="${HEIGHT}"/></g>`;
  });
  const names = [1, 10, 19].map((at) => markup`<li>P${at * 5} <b>L* ${percentiles[at].toFixed(0)}</b></li>`);
  return markup`<svg class="lightness" width="100%" height="${HEIGHT + 12}" role="img" aria-label="Distribution of lightness"><svg width="100%" height="${HEIGHT}" viewBox="0 0 ${BINS} ${HEIGHT}" preserveAspectRatio="none"><path class="density" d="${bandPath(
    smooth,
    smooth.map(() => 0),
    y,
  )}"/><path class="outline" d="${linePath(smooth, y)}"/></svg>${marks}<rect y="${HEIGHT}" width="100%" height="12" rx="3" fill="url(#greys)"/></svg><ul class="keys">${names}</ul>`;
}
