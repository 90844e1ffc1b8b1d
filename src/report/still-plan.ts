import type { Shot } from '../analysis/facts.ts';

/** Shot and time of a picture to extract. */
export interface PlannedStill {
  readonly shot: number;
  readonly timeSeconds: number;
}

export interface StillPlan {
  /** In time order. */
  readonly stills: readonly PlannedStill[];
  readonly areaPixels: number;
}

/** Least number of pictures, even with fewer shots: a filmstrip for zooming. */
const USUAL_STILLS = 44;
/** More would make the page of a long clip larger than 1.5 MB. */
const MAX_STILLS = 140;
/** Pixels of each picture by their number, at most 256×144: half a megabyte in all. */
const AREAS = [
  { upTo: 60, pixels: 256 * 144 },
  { upTo: 120, pixels: 176 * 99 },
  { upTo: MAX_STILLS, pixels: 128 * 72 },
];
/** Share of the pictures of a report of one clip, for pages with several clips. */
const DETAILS = {
  all: { usual: USUAL_STILLS, most: MAX_STILLS },
  some: { usual: 20, most: 60 },
} as const;
/** Closer pictures within a shot look the same. */
const MIN_STEP_SECONDS = 0.2;

/**
 * Times of the pictures: the middle of each shot, and more in long shots, evenly, where the length per picture is
 * greatest. With too many shots, only the longest have pictures.
 */
export function planStills(shots: readonly Shot[], detail: 'all' | 'some' = 'all'): StillPlan {
  const { usual, most } = DETAILS[detail];
  const pictured = shots
    .map((shot, index) => ({
      index,
      start: shot.startSeconds,
      length: shot.endSeconds - shot.startSeconds,
      stills: 1,
    }))
    .sort((one, other) => other.length - one.length || one.index - other.index)
    .slice(0, most);
  for (let left = usual - pictured.length; left > 0 && pictured.length > 0; left--) {
    const next = pictured.reduce((best, shot) =>
      shot.length / shot.stills > best.length / best.stills ? shot : best,
    );
    if (next.length / (next.stills + 1) < MIN_STEP_SECONDS) break;
    next.stills++;
  }
  const stills = pictured
    .flatMap(({ index, start, length, stills: many }) =>
      Array.from({ length: many }, (_, at) => ({
        shot: index,
        timeSeconds: start + ((at + 0.5) * length) / many,
      })),
    )
    .sort((one, other) => one.timeSeconds - other.timeSeconds);
  return {
    stills,
    areaPixels: AREAS.find(({ upTo }) => stills.length * (MAX_STILLS / most) <= upTo)!.pixels,
  };
}
