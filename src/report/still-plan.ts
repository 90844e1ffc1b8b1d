import type { Shot } from '../analysis/facts.ts';

/** A picture to take: of which shot, when. */
export interface PlannedStill {
  readonly shot: number;
  readonly timeSeconds: number;
}

export interface StillPlan {
  /** In time order. */
  readonly stills: readonly PlannedStill[];
  readonly areaPixels: number;
}

/** So many pictures at least where the shots are fewer: a filmstrip that can be zoomed into. */
const USUAL_STILLS = 44;
/** More would make the page of a long clip larger than 1.5 MB. */
const MAX_STILLS = 140;
/** Pixels of each picture by how many there are, 256×144 at best: half a megabyte in all. */
const AREAS = [
  { upTo: 60, pixels: 256 * 144 },
  { upTo: 120, pixels: 176 * 99 },
  { upTo: MAX_STILLS, pixels: 128 * 72 },
];
/** All that a report of one clip has, or fewer, for pages that show several clips. */
const DETAILS = {
  all: { usual: USUAL_STILLS, most: MAX_STILLS },
  some: { usual: 20, most: 60 },
} as const;
/** Within a shot pictures closer than this show the same. */
const MIN_STEP_SECONDS = 0.2;

/**
 * When to take pictures: the middle of each shot, and more of the long ones, evenly, where the lengths per picture
 * are greatest. Of too many shots the longest have theirs.
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
