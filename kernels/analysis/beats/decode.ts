/** Viterbi decoding of beats in double precision. States and memory layout: `src/analysis/beats/decode.ts`. */

const VALUE_BYTES: usize = 8;
const INTEGER_BYTES: usize = 4;
const MOVE_BYTES: usize = 2;

/**
 * Scores of the frames from `frame` up to `end`, for which one set of interval scores holds.
 *
 * `sums`, `rest`: running sums of the two parts of a beat over `total` frames. `turns`: end of the first part
 * of each interval. `bonuses`: additional score of each of `count` intervals from `shortest` on. `arrivals`:
 * memory for `count` numbers. `moves`: for each interval the first reachable interval and their number (two
 * i32). `costs`: the costs of all moves, one after the other.
 *
 * Scores and predecessors (`from`, i16) have a row of `count` for each frame. Paths whose score is `beam`
 * below the best are dropped.
 */
export function forward(
  frame: i32,
  end: i32,
  sums: usize,
  rest: usize,
  total: i32,
  shortest: i32,
  count: i32,
  turns: usize,
  bonuses: usize,
  arrivals: usize,
  moves: usize,
  costs: usize,
  beam: f64,
  scores: usize,
  from: usize,
): void {
  for (; frame < end; frame++) {
    let best = -Infinity;
    for (let i = 0; i < count; i++) {
      const at = VALUE_BYTES * i;
      const start = frame - shortest - i;
      // Before the first frame, all positions within a beat are equally likely.
      const earlier: f64 = start < 0 ? 0 : f64.load(scores + VALUE_BYTES * (start * count + i));
      const turn = i32.load(turns + INTEGER_BYTES * i);
      const arrival =
        earlier + segment(sums, rest, start, shortest + i, turn, total) + f64.load(bonuses + at);
      f64.store(arrivals + at, arrival);
      if (arrival > best) best = arrival;
    }
    follow(arrivals, count, best - beam, moves, costs, frame * count, scores, from);
  }
}

/** Extends all intervals whose arrival score is above `least` to the row of scores with number `row`. */
function follow(
  arrivals: usize,
  count: i32,
  least: f64,
  moves: usize,
  costs: usize,
  row: i32,
  scores: usize,
  from: usize,
): void {
  for (let i = 0; i < count; i++) {
    const arrival = f64.load(arrivals + VALUE_BYTES * i);
    const move = moves + 2 * INTEGER_BYTES * i;
    const to = row + i32.load(move);
    const bytes = VALUE_BYTES * i32.load(move, INTEGER_BYTES);
    if (arrival > least) {
      let score = scores + VALUE_BYTES * to;
      let before = from + MOVE_BYTES * to;
      for (let cost: usize = 0; cost < bytes; cost += VALUE_BYTES) {
        const value = arrival + f64.load(costs + cost);
        if (value > f64.load(score)) {
          f64.store(score, value);
          i32.store16(before, i);
        }
        score += VALUE_BYTES;
        before += MOVE_BYTES;
      }
    }
    costs += bytes;
  }
}

/** Log likelihood of the frames [max(0, start), min(total, start + interval)) of a beat whose first part is `first` frames long. */
function segment(sums: usize, rest: usize, start: i32, interval: i32, first: i32, total: i32): f64 {
  const from = max(0, start);
  const to = min(total, start + interval);
  const turn = min(to, max(from, start + first));
  const beat = f64.load(sums + VALUE_BYTES * turn) - f64.load(sums + VALUE_BYTES * from);
  return beat + f64.load(rest + VALUE_BYTES * to) - f64.load(rest + VALUE_BYTES * turn);
}

/**
 * Number of the (frame, interval) pair with the best score, −1 if there is none. Only frames from `frame` on
 * count, and only beats that are not over at the end. The score is stored at `best`.
 */
export function bestEnd(
  frame: i32,
  sums: usize,
  rest: usize,
  total: i32,
  shortest: i32,
  count: i32,
  turns: usize,
  bonuses: usize,
  scores: usize,
  best: usize,
): i32 {
  let most = -Infinity;
  let found = -1;
  for (; frame < total; frame++) {
    for (let i = max(0, total - frame - shortest); i < count; i++) {
      const pair = frame * count + i;
      const turn = i32.load(turns + INTEGER_BYTES * i);
      const last = segment(sums, rest, frame, shortest + i, turn, total);
      const score = f64.load(scores + VALUE_BYTES * pair) + last + f64.load(bonuses + VALUE_BYTES * i);
      if (score > most) {
        most = score;
        found = pair;
      }
    }
  }
  f64.store(best, most);
  return found;
}
