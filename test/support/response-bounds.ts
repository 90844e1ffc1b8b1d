/** Response times of a service under load, compared with those without it. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from './figures.ts';

/** The target is 100 ms on an idle machine: 23 to 53 were seen. A service that starves takes seconds on any. */
const BOUND_MS = 1_000;
/** On a busy machine: this multiple of the times without the load, in the same run. */
const MAX_RATIO = 3;

/** Milliseconds of `count` responses, one after the other. */
export async function responseTimes(
  count: number,
  request: () => Promise<unknown>,
  pauseMs = 0,
): Promise<number[]> {
  const took: number[] = [];
  for (let index = 0; index < count; index++) {
    const startedMs = performance.now();
    await request();
    took.push(performance.now() - startedMs);
    await sleep(pauseMs);
  }
  return took;
}

/** Returns p99 of `loaded`. Throws if it exceeds the bound and also the multiple of `alone`. */
export function assertBounded(what: string, loaded: readonly number[], alone: readonly number[]): number {
  const p99 = percentile(loaded, 0.99);
  const bound = Math.max(BOUND_MS, MAX_RATIO * percentile(alone, 0.99));
  assert.ok(p99 <= bound, `${what}: p99 ${p99} ms, at most ${bound} ms`);
  return p99;
}
