/** Which slot of the template begins at which point of a song: the cheapest path over both. */

/** A place where a cut may lie. */
export interface GridPoint {
  /** In the song. */
  readonly seconds: number;
  /** Fractional number of the beat. */
  readonly position: number;
  readonly isBeat: boolean;
  /** Longest slot that may begin here. */
  readonly maxBeats: number;
  /** Quiet, medium or loud third of the window: 0, 1 or 2. */
  readonly third: number;
}

export interface PathSlot {
  /** Wanted and longest length, in beats of the song. */
  readonly beats: number;
  readonly maxBeats: number;
  /** Whether its cut lies on a beat (within the grid's finest step). */
  readonly startsOnBeat: boolean;
}

export interface PathStep {
  readonly slot: number;
  readonly point: number;
}

export interface PathOptions {
  readonly minSeconds: number;
  /** Of the first slot. */
  readonly minStartSeconds: number;
  /** Of the last slot. */
  readonly minEndSeconds: number;
  /** Of a cut that is on a beat and should not be, or the reverse. */
  readonly phaseCost: number;
  /** Natural logarithm of the lengths in a third of the energy, relative to the mean; null: not known. */
  readonly energyShifts: readonly number[] | null;
}

/** Spread of the logarithm of lengths that counts as following: a third longer costs about .5. */
const LENGTH_SPREAD = 0.3;
/** Of a slot that is not the next of the template: more than one distorted length, less than two. */
const JUMP_COST = 1.2;
/** Where the music turns louder or quieter: a part of the template with that density may follow. */
const TURN_JUMP_COST = 0.3;
/** Later jumps cost less, so that a piece that is inserted lies before the ending. */
const EARLY_JUMP_COST = 0.4;
const ENERGY_WEIGHT = 0.5;
/** Of another last slot than the template's. */
const WRONG_ENDING_COST = 2.5;
const MAX_STRETCH = 2;

/**
 * Steps in order; the last slot ends at the last point. Null: no path has slots of allowed lengths. Semi-Markov dynamic programming:
 * a state is (point, slot that begins there).
 */
export function beatPath(
  points: readonly GridPoint[],
  slots: readonly PathSlot[],
  options: PathOptions,
): PathStep[] | null {
  const [width, last] = [slots.length, points.length - 1];
  const costs = new Float64Array(points.length * width).fill(Number.POSITIVE_INFINITY);
  const from = new Int32Array(points.length * width).fill(-1);
  const arrivals = new Float64Array(points.length).fill(Number.POSITIVE_INFINITY);
  const arrivedFrom = new Int32Array(points.length).fill(-1);
  const meanLog = slots.reduce((sum, { beats }) => sum + Math.log(beats), 0) / width;
  const { startSeconds, endSeconds } = leastAtEnds(points, options);
  let end = { cost: Number.POSITIVE_INFINITY, state: -1 };
  costs[0] = 0;
  for (let point = 0; point < last; point++) {
    const isTurn = options.energyShifts !== null && points[point].third !== points[point - 1]?.third;
    const jumpCost = isTurn ? TURN_JUMP_COST : JUMP_COST;
    // Jumps arrive at any slot but the first, whose place is the beginning.
    for (let slot = Math.min(1, width - 1); slot < width; slot++) {
      const cost = arrivals[point] + jumpCost;
      if (cost < costs[point * width + slot]) {
        costs[point * width + slot] = cost;
        from[point * width + slot] = arrivedFrom[point];
      }
    }
    for (let slot = 0; slot < width; slot++) {
      const state = point * width + slot;
      if (costs[state] === Number.POSITIVE_INFINITY) continue;
      const base =
        costs[state] +
        (points[point].isBeat === slots[slot].startsOnBeat || point === 0 ? 0 : options.phaseCost);
      const isLatestEnd =
        points[last].seconds - points[point].seconds >= endSeconds &&
        points[last].seconds - points[point + 1].seconds < endSeconds;
      let hasLength = false;
      for (let next = point + 1; next <= last; next++) {
        const beats = points[next].position - points[point].position;
        const seconds = points[next].seconds - points[point].seconds;
        const least = Math.max(point === 0 ? startSeconds : 0, next === last ? endSeconds : 0);
        if (seconds < Math.max(options.minSeconds, least)) continue;
        // Without the first possible length, or last slot, there may be no path at all.
        if (hasLength && beats > maxBeats(slots[slot], points[point])) {
          if (!isLatestEnd) break;
          if (next < last) continue;
        }
        hasLength = true;
        const cost = base + lengthCost(beats, slots[slot].beats, points[point].third, meanLog, options);
        if (next === last) {
          const ended = cost + (slot === width - 1 ? 0 : WRONG_ENDING_COST);
          if (ended < end.cost) end = { cost: ended, state };
          continue;
        }
        if (slot + 1 < width && cost < costs[next * width + slot + 1]) {
          costs[next * width + slot + 1] = cost;
          from[next * width + slot + 1] = state;
        }
        const jump =
          cost +
          EARLY_JUMP_COST * (1 - point / last) +
          (slot === width - 1 && width > 1 ? WRONG_ENDING_COST : 0);
        if (jump < arrivals[next]) {
          arrivals[next] = jump;
          arrivedFrom[next] = state;
        }
      }
    }
  }
  return end.state < 0 ? null : pathTo(end.state, from, width);
}

/** Least lengths of the first and the last slot. An edit that is shorter has one slot. */
function leastAtEnds(points: readonly GridPoint[], { minStartSeconds, minEndSeconds }: PathOptions) {
  const total = points.at(-1)!.seconds - points[0].seconds;
  return { startSeconds: Math.min(minStartSeconds, total), endSeconds: Math.min(minEndSeconds, total) };
}

function maxBeats(slot: PathSlot, point: GridPoint): number {
  return Math.min(slot.maxBeats, slot.beats * MAX_STRETCH, point.maxBeats) + 1e-9;
}

function lengthCost(
  beats: number,
  wanted: number,
  third: number,
  meanLog: number,
  { energyShifts }: PathOptions,
): number {
  const length = Math.log(beats);
  const follows = (length - Math.log(wanted)) ** 2 / (2 * LENGTH_SPREAD ** 2);
  if (energyShifts === null) return follows;
  return follows + ENERGY_WEIGHT * Math.abs(length - meanLog - energyShifts[third]);
}

function pathTo(end: number, from: Int32Array, width: number): PathStep[] {
  const steps: PathStep[] = [];
  for (let state = end; state >= 0; state = from[state])
    steps.push({ slot: state % width, point: Math.floor(state / width) });
  return steps.reverse();
}
