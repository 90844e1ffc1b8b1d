import type { Span, VideoFacts } from '../../analysis/facts.ts';
import { median } from '../../signal/statistics.ts';

/**
 * Least share of flat pixels of a drawn picture, and of hard edges among its others: 21 of 29 drawn clips have .83 and more, .08 and more. Clips of
 * a camera have up to .79 flat pixels, or, before plain walls and in the dark, up to .9 with .03 hard edges among the others; two of 91 are taken
 * for drawn, a dark film with titles and a face with drawn boxes.
 */
const DRAWN = { flat: 0.82, hard: 0.05 } as const;

/** Quotients of shares are not exact. */
const ROUNDING = 1e-9;

/** Whether the picture is drawn: a page, a title, a cartoon. Those are laid out up to their edges, so that crops cut them. */
export function isDrawn(video: VideoFacts, span: Span): boolean {
  return isFlat(video, span, DRAWN);
}

/** Whether, in the middle of the samples, so much of the picture is flat, and so much of the rest hard edges. */
export function isFlat(
  { picture }: VideoFacts,
  { startSeconds, endSeconds }: Span,
  least: { readonly flat: number; readonly hard: number },
): boolean {
  const samples = [...picture.timesSeconds.keys()].filter((at) => {
    const seconds = picture.timesSeconds[at];
    return seconds >= startSeconds && seconds < endSeconds;
  });
  if (samples.length === 0) return false;
  const hardness = samples.map((at) => picture.hard[at] / Math.max(Number.EPSILON, 1 - picture.flat[at]));
  return (
    median(samples.map((at) => picture.flat[at])) > least.flat - ROUNDING &&
    median(hardness) > least.hard - ROUNDING
  );
}
