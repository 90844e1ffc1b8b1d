import { mean } from '../../signal/statistics.ts';
import { MIN_BEATS } from './passage.ts';
import type { Pulse } from './pulse.ts';

/** Beats of a segment, which is the unit of the decision. */
const SEGMENT_BEATS = 12;
/** A segment continues the grid if its beat salience is at least this share of the reference. */
const MIN_SALIENCE_RATIO = 0.5;
/**
 * Segments below that share that are bridged if a later one continues the grid: speech over the music, a
 * break.
 */
const MAX_BRIDGED_SEGMENTS = 1;

/** Frames `from` to `to`, the end exclusive. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Extends constant grids into ranges without a pulse, earlier ones first. `wide`: the activation, widened by a frame or two. */
export function extendGrids(pulses: readonly Pulse[], wide: Float32Array): readonly Pulse[] {
  let freeFrom = 0;
  return pulses.map((pulse, i) => {
    const bounds = {
      from: Math.min(freeFrom, pulse.from),
      to: Math.max(pulse.to, pulses[i + 1]?.from ?? wide.length),
    };
    const extended = pulse.grid.isConstant ? extendedPulse(pulse, wide, bounds) : pulse;
    freeFrom = extended.to;
    return extended;
  });
}

function extendedPulse(pulse: Pulse, wide: Float32Array, bounds: Range): Pulse {
  const { interval } = pulse.grid;
  const beatFrame = pulse.from + pulse.grid.beats[0];
  const { from, to } = extendBeatGrid(wide, { beatFrame, interval }, pulse, bounds);
  if (from === pulse.from && to === pulse.to) return pulse;
  const first = beatFrame - Math.floor((beatFrame - from) / interval) * interval;
  const beats: number[] = [];
  for (let k = 0; first + k * interval < to; k++) beats.push(first + k * interval - from);
  return { ...pulse, from, to, grid: { ...pulse.grid, beats } };
}

/**
 * Extends a constant beat grid to both sides of `found`, up to `bounds`. Music under speech is too noisy to
 * find a tempo in, but clear enough to confirm a known one. `beatFrame`: one beat of the grid.
 */
export function extendBeatGrid(
  wide: Float32Array,
  grid: { readonly beatFrame: number; readonly interval: number },
  found: Range,
  bounds: Range,
): Range {
  const minSalience = MIN_SALIENCE_RATIO * beatSalience(wide, grid, found);
  const segmentFrames = Math.round(SEGMENT_BEATS * grid.interval);
  const reach = (edge: number, end: number, direction: 1 | -1) => {
    let confirmed = edge;
    let at = edge;
    for (let bridged = 0; bridged <= MAX_BRIDGED_SEGMENTS; ) {
      const next = direction > 0 ? Math.min(end, at + segmentFrames) : Math.max(end, at - segmentFrames);
      if (Math.abs(next - at) < MIN_BEATS * grid.interval) {
        // The remainder is too short to score.
        return bridged === 0 ? end : confirmed;
      }
      const segment = { from: Math.min(at, next), to: Math.max(at, next) };
      at = next;
      if (beatSalience(wide, grid, segment) < minSalience) bridged += 1;
      else {
        bridged = 0;
        confirmed = next;
      }
    }
    return confirmed;
  };
  return { from: reach(found.from, bounds.from, -1), to: reach(found.to, bounds.to, 1) };
}

/** Mean activation on beats less the mean of all frames. */
function beatSalience(
  wide: Float32Array,
  { beatFrame, interval }: { beatFrame: number; interval: number },
  { from, to }: Range,
): number {
  const on: number[] = [];
  for (let k = Math.ceil((from - beatFrame) / interval); beatFrame + k * interval < to; k++) {
    on.push(wide[Math.round(beatFrame + k * interval)] ?? 0);
  }
  return mean(on) - mean(wide.subarray(from, to));
}
