import type { Box, ClipFacts, Span } from '../../analysis/facts.ts';
import { FOCUS_STEPS, worthsAt } from './window-worth.ts';

/**
 * Cost of a move by the size of the framing, in seconds of the value of all figures in it. It makes a framing
 * rest until something leaves it for long. An L1 cost of the path's length, as in Grundmann, Kwatra and Essa,
 * "Auto-Directed Video Stabilization", 2011. Marked moments, tuning: .1 to .25 hold the same, .5 to 2 a
 * hundredth less.
 */
const MOVE_COST = 0.25;

/** Best position of a framing's middle at each time along an axis, with the cost of its moves. */
export function bestPath(
  source: ClipFacts,
  run: Span,
  times: readonly number[],
  along: { readonly axis: 'x' | 'y'; readonly area: Box; readonly size: number },
): number[] {
  const { axis, area, size } = along;
  const whole = axis === 'x' ? area.width : area.height;
  const stride = (whole - size) / FOCUS_STEPS;
  const seconds = (run.endSeconds - run.startSeconds) / times.length;
  const places = worthiest(worthsAt(source, run, times, along), seconds, (MOVE_COST * stride) / size);
  return places.map((place) => area[axis] + place * stride + size / 2);
}

/**
 * The path with the greatest worth over the time of a step, less `cost` for each place that it moves by
 * (dynamic programming).
 */
function worthiest(worths: readonly Float64Array[], seconds: number, cost: number): number[] {
  const from: Int32Array[] = [];
  let best = worths[0].map((worth) => seconds * worth);
  for (const worth of worths.slice(1)) {
    const [reached, origin] = reach(best, cost);
    from.push(origin);
    best = reached.map((value, place) => value + seconds * worth[place]);
  }
  const way = [best.indexOf(Math.max(...best))];
  for (const origin of from.toReversed()) way.push(origin[way.at(-1)!]);
  return way.reverse();
}

/** For each place the greatest reachable value, less the cost of the move, and the place before. */
function reach(values: Float64Array, cost: number): [Float64Array, Int32Array] {
  const reached = values.slice();
  const origin = Int32Array.from(values.keys());
  const pass = (place: number, beside: number) => {
    if (reached[beside] - cost <= reached[place]) return;
    reached[place] = reached[beside] - cost;
    origin[place] = origin[beside];
  };
  for (let place = 1; place < reached.length; place++) pass(place, place - 1);
  for (let place = reached.length - 2; place >= 0; place--) pass(place, place + 1);
  return [reached, origin];
}
