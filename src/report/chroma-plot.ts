import { labToRgb } from '../signal/color-space.ts';
import { clamp } from '../signal/interpolation.ts';
import { type Markup, markup } from './markup.ts';
import type { ChromaView } from './view.ts';

const SIZE = 220;
const CELLS = 21;
/** Lightness of the background. */
const LIGHTNESS = 68;
const MIN_EXTENT = 30;
const RADIUS = SIZE / 2 - 8;

/** Definitions shared by all plots, once per page. */
export const CHROMA_DEFINITIONS = markup`<clipPath id="chroma-round"><circle cx="${SIZE / 2}" cy="${SIZE / 2}" r="${RADIUS}"/></clipPath><filter id="chroma-soft"><feGaussianBlur stdDeviation="5"/></filter>`;

/**
 * The plane of CIELAB's a (to the right) and b (upwards) in its own colors. It shows the spread of the
 * clip's colors (ellipses of one and two standard deviations), the means of tones, the neutral, and the hue
 * of skin.
 */
export function chromaPlot(view: ChromaView): Markup {
  const extent = extentOf(view);
  const scale = RADIUS / extent;
  const point = ([a, b]: readonly [number, number]) => ({
    x: (SIZE / 2 + a * scale).toFixed(1),
    y: (SIZE / 2 - b * scale).toFixed(1),
  });
  const tones = view.tones.map(({ name, at }) => {
    const { x, y } = point(at);
    return markup`<g><title>${name}: a ${at[0].toFixed(1)}, b ${at[1].toFixed(1)}</title><circle class="tone" cx="${x}" cy="${y}" r="8"/><text class="tone-name" x="${x}" y="${y}" dy="3.5" text-anchor="middle">${name.slice(0, 1)}</text></g>`;
  });
  const neutral = view.neutral === null ? null : point(view.neutral);
  return markup`<svg class="chroma" viewBox="0 0 ${SIZE} ${SIZE}" role="img" aria-label="Colors on the plane of a and b; mean a ${view.mean[0].toFixed(1)}, b ${view.mean[1].toFixed(1)}"><g clip-path="url(#chroma-round)"><g class="plane" filter="url(#chroma-soft)">${plane(extent)}</g><line class="axis" x1="0" x2="${SIZE}" y1="${SIZE / 2}" y2="${SIZE / 2}"/><line class="axis" x1="${SIZE / 2}" x2="${SIZE / 2}" y1="0" y2="${SIZE}"/>${skinLine(view.skinDegrees)}${ellipse(view, point(view.mean), scale)}${tones}${neutral && markup`<g class="neutral"><title>Neutral: a ${view.neutral![0].toFixed(1)}, b ${view.neutral![1].toFixed(1)}</title><svg x="${neutral.x}" y="${neutral.y}" overflow="visible"><path d="M-5 0H5M0 -5V5"/></svg></g>`}</g><circle class="rim" cx="${SIZE / 2}" cy="${SIZE / 2}" r="${RADIUS}"/><text class="end" x="${SIZE}" y="${SIZE - 2}" text-anchor="end">rim: ${extent} units</text></svg>`;
}

/** Half width that contains two deviations and every mark, in tens. */
function extentOf({ mean, covariance, tones, neutral }: ChromaView): number {
  const spread = 2 * Math.sqrt(Math.max(covariance[0], covariance[2]));
  const marks = [...tones.map(({ at }) => at), ...(neutral === null ? [] : [neutral])];
  const reach = Math.max(Math.hypot(...mean) + spread, ...marks.map((one) => Math.hypot(...one) + 6));
  return Math.max(MIN_EXTENT, Math.ceil(reach / 10) * 10);
}

function plane(extent: number): Markup[] {
  const rgb = new Float64Array(3);
  const side = (2 * RADIUS) / CELLS;
  return Array.from({ length: CELLS * CELLS }, (_, cell) => {
    const column = cell % CELLS;
    const row = Math.floor(cell / CELLS);
    const a = ((column + 0.5) / CELLS - 0.5) * 2 * extent;
    const b = (0.5 - (row + 0.5) / CELLS) * 2 * extent;
    if (Math.hypot(a, b) > extent * 1.15) return null;
    labToRgb(LIGHTNESS, a, b, rgb);
    const hex = Array.from(rgb, (value) => Math.round(255 * clamp(value, 0, 1)));
    const fill = `#${hex.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
    const x = SIZE / 2 - RADIUS + column * side;
    const y = SIZE / 2 - RADIUS + row * side;
    return markup`<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${(side + 0.3).toFixed(1)}" height="${(side + 0.3).toFixed(1)}" fill="${fill}"/>`;
  }).filter((cell) => cell !== null);
}

/** Principal axes of the covariance (the eigenvectors of a symmetric 2×2 matrix). */
function ellipse({ covariance }: ChromaView, centre: { x: string; y: string }, scale: number): Markup[] {
  const [aa, ab, bb] = covariance;
  const middle = (aa + bb) / 2;
  const half = Math.hypot((aa - bb) / 2, ab);
  const long = Math.sqrt(Math.max(0, middle + half)) * scale;
  const short = Math.sqrt(Math.max(0, middle - half)) * scale;
  // Screen rows grow downwards, b upwards.
  const degrees = (-0.5 * Math.atan2(2 * ab, aa - bb) * 180) / Math.PI;
  return [2, 1].map(
    (deviations) =>
      markup`<ellipse class="spread" cx="${centre.x}" cy="${centre.y}" rx="${(long * deviations).toFixed(1)}" ry="${(short * deviations).toFixed(1)}" transform="rotate(${degrees.toFixed(1)} ${centre.x} ${centre.y})"/>`,
  );
}

function skinLine(degrees: number | null): Markup | null {
  if (degrees === null) return null;
  const angle = (degrees * Math.PI) / 180;
  const x = (SIZE / 2 + Math.cos(angle) * RADIUS).toFixed(1);
  const y = (SIZE / 2 - Math.sin(angle) * RADIUS).toFixed(1);
  return markup`<g><title>Mean hue of skin, ${degrees.toFixed(0)} degrees</title><line class="skin" x1="${SIZE / 2}" y1="${SIZE / 2}" x2="${x}" y2="${y}"/></g>`;
}
