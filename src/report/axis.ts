import { type Markup, markup } from './markup.ts';
import { clock } from './wording.ts';

/** Width, in CSS pixels, of the page's layout before its script runs. */
export const USUAL_WIDTH = 1060;

/** Layout values shared by the page and its script, which repeats the layout for each width and zoom. */
export const LAYOUT = {
  tickSteps: [0.02, 0.04, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200],
  minTickPixels: 76,
  /** Approximate width of a character of the page's small size. */
  characterPixels: 6.4,
  /** Denser beats are not drawn through the waveform, which they would hide. */
  densePixels: 9,
  /** Rows of names above gradual transitions. */
  labelLanes: 3,
  laneHeight: 13,
} as const;
/** Finer ticks appear with the script's zoom. */
const MIN_STILL_STEP = 0.1;

/** Seconds → position on the axis, `12.345%`, so that rows stretch with their width and stay aligned. */
export function at(seconds: number, durationSeconds: number): string {
  return `${round((seconds / durationSeconds) * 100)}%`;
}

export function span(startSeconds: number, endSeconds: number, durationSeconds: number): string {
  return at(Math.max(0, endSeconds - startSeconds), durationSeconds);
}

function round(value: number): number {
  return Number(value.toFixed(3));
}

function tickStep(durationSeconds: number): number {
  const least = Math.max(MIN_STILL_STEP, (durationSeconds * LAYOUT.minTickPixels) / USUAL_WIDTH);
  return LAYOUT.tickSteps.find((step) => step >= least) ?? LAYOUT.tickSteps.at(-1)!;
}

export function ruler(durationSeconds: number): Markup {
  const step = tickStep(durationSeconds);
  const digits = step < 1 ? 1 : 0;
  const ticks = Array.from({ length: Math.floor(durationSeconds / step) + 1 }, (_, index) => index * step);
  return markup`<svg class="track ruler" height="26" aria-hidden="true">${ticks.map((seconds) => {
    const x = at(seconds, durationSeconds);
    const nearEnd = seconds / durationSeconds > 0.97;
    const anchor = seconds === 0 ? 'start' : nearEnd ? 'end' : 'middle';
    return markup`<line x1="${x}" x2="${x}" y1="19" y2="26"/><text x="${x}" y="14" text-anchor="${anchor}">${clock(seconds, digits)}</text>`;
  })}</svg>`;
}

/**
 * Lanes for labels, in pixels and in order: each in the first lane without an overlap, or none (−1). A label that
 * would leave the axis ends where its span ends. The page's script calls it too.
 */
export function placeLabels(
  labels: readonly { readonly start: number; readonly end: number; readonly width: number }[],
  lanes: number,
  axisWidth: number,
): { lane: number; fromEnd: boolean }[] {
  const gap = 10;
  const laneEnds = new Array(lanes).fill(-gap);
  return labels.map(({ start, end, width }) => {
    const fromEnd = start + width > axisWidth && end - width >= 0;
    const left = fromEnd ? end - width : start;
    const lane = left + width > axisWidth + 1 ? -1 : laneEnds.findIndex((right) => right + gap <= left);
    if (lane >= 0) laneEnds[lane] = left + width;
    return { lane, fromEnd };
  });
}

/**
 * Attributes of a text that is shown only if its share of the axis is wide enough. The page's script decides again for
 * each zoom.
 */
export function fitting(text: string, roomShare: number, kind = ''): Markup {
  const tight = text.length * LAYOUT.characterPixels > roomShare * USUAL_WIDTH;
  return markup`class="fit ${kind}${tight ? ' tight' : ''}" data-room="${roomShare.toFixed(5)}"`;
}
