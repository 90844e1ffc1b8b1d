/** Share of the marked regions that a punch-in contains, relative to the framing without it. */

import { confidentFacts } from '../../src/analysis/confident-facts.ts';
import type { ClipFacts } from '../../src/analysis/facts.ts';
import type { Size } from '../../src/domain/footage.ts';
import { closerFraming, closerZoom } from '../../src/style/plan/closer-framing.ts';
import { baseReframe, chooseFraming, viewOf } from '../../src/style/plan/framing.ts';
import { frameGrid, type Segment, secondsAt, segmentsOf } from '../../src/style/plan/segments.ts';
import { heldShare, type Mark, NEARLY_HELD } from './score.ts';

export interface SecondCamera {
  /** Marked moments at which captions permit it. */
  readonly moments: number;
  /** Mean share of the box in view, of the most that a framing of its size could show: of the first camera, and of the second. */
  readonly first: number;
  readonly second: number;
  /** Share of the moments at which the second shows seven tenths of that most. */
  readonly nearlyHolds: number;
  /** Share of the moments at which the second shows the top of the box, where people have their heads, if the first does. */
  readonly keepsTop: number;
}

/** Marks are exact to about a fiftieth of the picture. */
const MARK_TOLERANCE = 0.02;
/** Of the time before and after the moment. */
const REACH_SECONDS = 0.75;

/** `ratio`: width over height of the output, not enlarged; null: the source's own. */
export function scoreSecondCamera(facts: ClipFacts, marks: readonly Mark[], ratio: number | null): Shown[] {
  const source = confidentFacts(facts);
  const grid = frameGrid(source.video.frameRate, source.video.durationSeconds);
  const shots = segmentsOf(source.video, grid);
  const framing = chooseFraming(source, { ratio, manner: 'crop', focus: null }, shots, grid);
  return marks.flatMap(({ seconds, box }) => {
    if (box === null) return [];
    const shot = shots.find(({ endFrame }) => seconds < secondsAt(grid, endFrame))!;
    const run = around(shot, seconds, shot.endFrame / secondsAt(grid, shot.endFrame));
    const spanOf = ({ startFrame, endFrame }: Segment) => ({
      startSeconds: secondsAt(grid, startFrame),
      endSeconds: secondsAt(grid, endFrame),
    });
    const first = baseReframe(source, framing, grid, run);
    const output = { width: first.width * source.video.width, height: first.height * source.video.height };
    const second = closerFraming(source, spanOf(run), [first], {
      shot: spanOf(shot),
      area: viewOf(framing, run).area,
      maxZoom: closerZoom([first], output, source.video),
      focus: null,
      previous: null,
    });
    if (second === null) return [];
    return [
      {
        first: heldShare(box, first) / most(box, first),
        second: heldShare(box, second) / most(box, second),
        isTopKept: second.y <= Math.max(box[1], first.y) + MARK_TOLERANCE,
      },
    ];
  });
}

interface Shown {
  readonly first: number;
  readonly second: number;
  readonly isTopKept: boolean;
}

export function sumOf(shown: readonly Shown[]): SecondCamera {
  const mean = (of: (one: Shown) => number) => shown.reduce((sum, one) => sum + of(one), 0) / shown.length;
  return {
    moments: shown.length,
    first: mean(({ first }) => first),
    second: mean(({ second }) => second),
    nearlyHolds: mean(({ second }) => (second >= NEARLY_HELD ? 1 : 0)),
    keepsTop: mean(({ isTopKept }) => (isTopKept ? 1 : 0)),
  };
}

function around(shot: Segment, seconds: number, rate: number): Segment {
  return {
    startFrame: Math.max(shot.startFrame, Math.round((seconds - REACH_SECONDS) * rate)),
    endFrame: Math.min(shot.endFrame, Math.round((seconds + REACH_SECONDS) * rate)),
  };
}

/** Share of a box that a framing of a size can show. */
function most([left, top, right, bottom]: NonNullable<Mark['box']>, { width, height }: Size): number {
  return Math.min(1, width / (right - left)) * Math.min(1, height / (bottom - top));
}
