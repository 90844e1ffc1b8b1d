import { type Markup, markup } from './markup.ts';
import { clock } from './wording.ts';

/** The width, in CSS pixels, for which the page is laid out before its script knows better. */
export const USUAL_WIDTH = 1060;

/** What the page and its script, which lays it out anew for each width and zoom, go by. */
export const LAYOUT = {
  tickSteps: [0.02, 0.04, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200],
  minTickPixels: 76,
  /** About what a character of the page's small size takes. */
  characterPixels: 6.4,
  /** Closer than this, beats do not run through the waveform, or nothing else were seen. */
  densePixels: 9,
  /** Lines of names above gradual transitions. */
  labelLanes: 3,
  laneHeight: 13,
} as const;
/** Finer ticks are for the script's zoom. */
const MIN_STILL_STEP = 0.1;

/** Seconds → where on the axis, `12.345%`: rows stretch, and stay aligned, with their width. */
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
 * Lanes for labels over what they name, in pixels and in order: each in the first lane where it does not touch another, or
 * none (−1). One that would leave the axis ends where what it names ends. The page's script runs it too.
 */
export function placeLabels(
  labels: readonly { readonly start: number; readonly end: number; readonly width: number }[],
  lanes: number,
  axisWidth: number,
): { lane: number; fromEnd: boolean }[] {
  const gap = 10;
  const taken = new Array(lanes).fill(-gap);
  return labels.map(({ start, end, width }) => {
    const fromEnd = start + width > axisWidth && end - width >= 0;
    const left = fromEnd ? end - width : start;
    const lane = left + width > axisWidth + 1 ? -1 : taken.findIndex((right) => right + gap <= left);
    if (lane >= 0) taken[lane] = left + width;
    return { lane, fromEnd };
  });
}

/**
 * Attributes of a text that is shown where it has room: a share of the axis. The page's script decides anew for
 * each zoom.
 */
export function fitting(text: string, roomShare: number, kind = ''): Markup {
  const tight = text.length * LAYOUT.characterPixels > roomShare * USUAL_WIDTH;
  return markup`class="fit ${kind}${tight ? ' tight' : ''}" data-room="${roomShare.toFixed(5)}"`;
}
