/** Shots of a template that show a view again. */
import type { Shot } from '../../analysis/facts.ts';
import { sameViewsOf } from '../../analysis/material/views.ts';
import type { PictureFacts } from '../../analysis/picture-facts.ts';

/**
 * Per shot the number of the first one that shows the same view; null: none does. Views are about a second apart: a shot without one shows no
 * known view.
 */
export function returningViews(picture: PictureFacts, shots: readonly Shot[]): (number | null)[] {
  const isSame = sameViewsOf(picture);
  const seen = shots.map(({ startSeconds, endSeconds }) =>
    picture.viewTimesSeconds.flatMap((time, view) =>
      time >= startSeconds && time < endSeconds ? [view] : [],
    ),
  );
  const first: number[] = [];
  return seen.map((own, at) => {
    const earlier = seen
      .slice(0, at)
      .findIndex((others) => others.some((other) => own.some((view) => isSame(view, other))));
    first.push(earlier < 0 ? at : first[earlier]);
    return earlier < 0 ? null : first[at];
  });
}
