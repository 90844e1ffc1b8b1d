import type { Span, VideoFacts } from '../../analysis/facts.ts';
import { oncePer } from '../../domain/once-per.ts';
import { median } from '../../signal/statistics.ts';

/**
 * Least share of flat cells of a drawn picture, and of hard edges among its others: 22 of 29 drawn clips have at least .61 and .19. Clips of a
 * camera have up to .55 flat cells, or, before plain walls and in the dark, up to .7 with .16 hard edges among the others; one of 91 is taken for
 * drawn, a face with drawn boxes.
 */
const DRAWN = { flat: 0.6, hard: 0.18 } as const;

/** Quotients of shares are not exact. */
const ROUNDING = 1e-9;

/** Whether the picture is drawn: a page, a title, a cartoon. Its layout extends to the edges, so that crops cut it. */
export function isDrawn({ picture }: VideoFacts, span: Span): boolean {
  const samples = samplesOf(picture.timesSeconds, span);
  if (samples.length === 0) return false;
  // A picture without other cells is plain.
  const hardness = samples.map((at) =>
    picture.flat[at] < 1 ? picture.hard[at] / (1 - picture.flat[at]) : 0,
  );
  return (
    median(samples.map((at) => picture.flat[at])) > DRAWN.flat - ROUNDING &&
    median(hardness) > DRAWN.hard - ROUNDING
  );
}

/** The same over its whole length: a screen, a cartoon. */
export const isMostlyDrawn = oncePer((video: VideoFacts) =>
  isDrawn(video, { startSeconds: 0, endSeconds: video.durationSeconds }),
);

/** Numbers of the samples of a time; of a time between two samples, the nearest one. */
function samplesOf(times: readonly number[], { startSeconds, endSeconds }: Span): number[] {
  const all = [...times.keys()];
  const inside = all.filter((at) => times[at] >= startSeconds && times[at] < endSeconds);
  if (inside.length > 0 || all.length === 0) return inside;
  const apart = (at: number) => Math.abs(times[at] - (startSeconds + endSeconds) / 2);
  return [all.reduce((nearest, at) => (apart(at) < apart(nearest) ? at : nearest))];
}
