import { mean } from '../../signal/statistics.ts';
import { MIN_BEATS } from './passage.ts';

/** Beats that are judged together. */
const STRETCH_BEATS = 12;
/** A stretch in which the beats stand out by this share of what is usual goes on in time. */
const KEPT_SHARE = 0.5;
/** Stretches without, which are bridged when one that goes on in time follows: talk over the music, a break. */
const BRIDGED_STRETCHES = 1;

/** Frames from..to, `to` left out. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * How far a constant grid goes on either side of the range in which it was found, within `bounds`: music under speech
 * or noise is not clear enough to find a pulse in, but to go on counting. `wide` is the activation, widened by a frame
 * or two; `place` a beat of the grid.
 */
export function carryOn(
  wide: Float32Array,
  grid: { readonly place: number; readonly interval: number },
  found: Range,
  bounds: Range,
): Range {
  const least = KEPT_SHARE * standingOut(wide, grid, found);
  const stretch = Math.round(STRETCH_BEATS * grid.interval);
  const reach = (edge: number, end: number, direction: 1 | -1) => {
    let kept = edge;
    let at = edge;
    for (let missed = 0; missed <= BRIDGED_STRETCHES; ) {
      const next = direction > 0 ? Math.min(end, at + stretch) : Math.max(end, at - stretch);
      if (Math.abs(next - at) < MIN_BEATS * grid.interval) {
        // What is left is too little to judge.
        return missed === 0 ? end : kept;
      }
      const part = { from: Math.min(at, next), to: Math.max(at, next) };
      at = next;
      if (standingOut(wide, grid, part) < least) missed += 1;
      else {
        missed = 0;
        kept = next;
      }
    }
    return kept;
  };
  return { from: reach(found.from, bounds.from, -1), to: reach(found.to, bounds.to, 1) };
}

/** How much stronger the activation is on beats than on the whole. */
function standingOut(
  wide: Float32Array,
  { place, interval }: { place: number; interval: number },
  { from, to }: Range,
): number {
  const on: number[] = [];
  for (let k = Math.ceil((from - place) / interval); place + k * interval < to; k++) {
    on.push(wide[Math.round(place + k * interval)] ?? 0);
  }
  return mean(on) - mean(wide.subarray(from, to));
}
