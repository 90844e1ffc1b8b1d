/** Choices for the talk of a source: whether pauses are shortened, and parts that stay or go. */

import type { FieldError } from './errors.ts';
import { coveredSeconds } from './spans.ts';

export const TALK_MODES = ['auto', 'on', 'off'] as const;
/** Interfaces show times in tenths of a second, and callers send them back. */
const TOLERANCE_SECONDS = 0.1;
/** Equal to the shortest accepted video. */
export const SHORTEST_OUTPUT_SECONDS = 0.5;
/** A type, because an interface would not be accepted where other keys may be. */
export type TalkOptions = {
  readonly mode: (typeof TALK_MODES)[number];
  /** Parts of the source that stay, in its seconds. */
  readonly keep: [start: number, end: number][];
  readonly remove: [start: number, end: number][];
};

export const USUAL_TALK: TalkOptions = { mode: 'auto', keep: [], remove: [] };

/** Why the options do not fit the source. `durationSeconds`: null: not known yet; `part`: null: all of it counts. Empty: they do. */
export function talkErrors(
  { keep, remove }: TalkOptions,
  isEdit: boolean,
  durationSeconds: number | null,
  part: readonly [start: number, end: number] | null = null,
): FieldError[] {
  const path = 'config.talk';
  if (isEdit)
    return keep.length === 0 && remove.length === 0
      ? []
      : [
          {
            path,
            message:
              'has keep or remove, which are for a video of one source; in an edit, leave parts of a take out by its exclude in edit.takes',
          },
        ];
  const both = remove.flatMap((range) => {
    const kept = keep.find(([from, to]) => from < range[1] && to > range[0]);
    return kept === undefined ? [] : [{ range, kept }];
  })[0];
  if (both !== undefined) {
    const message = `[${both.range.join(', ')}] overlaps [${both.kept.join(', ')}] of keep; a second can only be in one of them`;
    return [{ path: `${path}.remove`, message }];
  }
  if (durationSeconds === null) return [];
  const beyond = [...keep, ...remove].find(([, end]) => end > durationSeconds + TOLERANCE_SECONDS);
  if (beyond !== undefined) {
    const message = `[${beyond.join(', ')}] reaches past the end of the video, which runs for ${durationSeconds.toFixed(2)} s`;
    return [{ path, message }];
  }
  const [from, to] = part ?? [0, durationSeconds];
  const left =
    Math.min(to, durationSeconds) -
    from -
    coveredSeconds(
      { startSeconds: from, endSeconds: to },
      remove.map(([startSeconds, endSeconds]) => ({ startSeconds, endSeconds })),
    );
  if (left >= SHORTEST_OUTPUT_SECONDS || remove.length === 0) return [];
  return [
    {
      path: `${path}.remove`,
      message: `leaves ${Math.max(0, left).toFixed(2)} s${part === null ? '' : ' of source_range'}; at least ${SHORTEST_OUTPUT_SECONDS} s must stay`,
    },
  ];
}
