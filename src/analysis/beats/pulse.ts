import { FITTING_SHARE, type ResolvedGrid, resolveGrid } from './grid.ts';
import { type PulseWindow, pulseWindows, SAME_TEMPO, straighten } from './tempo.ts';

/** A passage with one pulse: its grid before interpretation, in frames from its beginning. */
export interface Pulse {
  readonly from: number;
  readonly to: number;
  readonly grid: ResolvedGrid;
  /** Windows of the passage resampled to even beats of the grid's interval. */
  readonly windows: readonly PulseWindow[];
  /** Mean clarity of its windows. */
  readonly clarity: number;
}

/** Largest distance of a beat from a grid's beat, as a share of its interval. */
const NEAR_BEAT = 0.25;

/** Resolves the grid of a path, in frames from `from`, within a passage. */
export function pulseOf(
  activation: Float32Array,
  { from, to, clarity }: Pick<Pulse, 'from' | 'to' | 'clarity'>,
  path: readonly number[],
  interval: number,
): Pulse {
  const own = activation.subarray(from, to);
  const grid = resolveGrid(path, own, interval);
  return { from, to, grid, windows: pulseWindows(straighten(own, grid.beats, grid.interval)), clarity };
}

/**
 * Joins neighboring passages whose grids are equal except for octaves: a tracker may change to every other
 * beat within a song, and the whole is easier to interpret than its parts.
 */
export function joinOctaves(pulses: readonly Pulse[], activation: Float32Array): readonly Pulse[] {
  const whole: Pulse[] = [];
  for (const pulse of pulses) {
    const last = whole.at(-1);
    const both = last === undefined ? null : joinedPair(last, pulse, activation);
    if (both === null) whole.push(pulse);
    else whole[whole.length - 1] = both;
  }
  return whole;
}

/** Null: their tempi differ. */
function joinedPair(a: Pulse, b: Pulse, activation: Float32Array): Pulse | null {
  const octaves = Math.log2(a.grid.interval / b.grid.interval);
  // The same, half or double tempo; not a quarter or four times.
  const isRelated =
    Math.abs(octaves - Math.round(octaves)) < SAME_TEMPO && Math.abs(Math.round(octaves)) <= 1;
  if (!a.grid.isConstant || !b.grid.isConstant || !isRelated) return null;
  const interval = Math.min(a.grid.interval, b.grid.interval);
  const path = [a, b]
    .flatMap((pulse) => placesOf(pulse, interval).map((place) => place - a.from))
    .filter((place) => place < b.to - a.from);
  const lengths = [a.to - a.from, b.to - b.from];
  const clarity = (a.clarity * lengths[0] + b.clarity * lengths[1]) / (lengths[0] + lengths[1]);
  const both = pulseOf(activation, { from: a.from, to: b.to, clarity }, path, interval);
  return both.grid.isConstant && [a, b].every((part) => matchesGrid(part, both)) ? both : null;
}

/**
 * Whether a part's beats match beats of the whole: a grid may fit one part and fall between the other's
 * beats.
 */
function matchesGrid(part: Pulse, { from, grid }: Pulse): boolean {
  const places = part.grid.beats.map((beat) => (beat + part.from - from - grid.beats[0]) / grid.interval);
  const near = places.filter((place) => Math.abs(place - Math.round(place)) < NEAR_BEAT);
  return near.length >= FITTING_SHARE * places.length;
}

/** Frames of a pulse's beats, and of beats in between according to the interval. */
function placesOf({ from, grid }: Pulse, interval: number): number[] {
  const parts = Math.round(grid.interval / interval);
  return grid.beats.flatMap((beat) =>
    Array.from({ length: parts }, (_, part) => from + Math.round(beat + (part / parts) * grid.interval)),
  );
}
