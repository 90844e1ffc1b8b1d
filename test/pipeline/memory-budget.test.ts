import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { MemoryBudget } from '../../src/pipeline/memory-budget.ts';

/** Takes room and notes it; `end` gives it back. */
function taker(budget: MemoryBudget) {
  const running = new Map<string, Disposable>();
  const { signal } = new AbortController();
  return {
    running: () => [...running.keys()].sort(),
    async begin(name: string, bytes: number, given = signal) {
      running.set(name, await budget.take(bytes, given));
    },
    async end(name: string) {
      running.get(name)![Symbol.dispose]();
      running.delete(name);
      await turn();
    },
  };
}

test('tasks begin while there is room, and then in order', async () => {
  const { begin, end, running } = taker(new MemoryBudget(10));
  for (const [name, bytes] of [
    ['a', 6],
    ['b', 4],
    ['c', 5],
    ['d', 1],
  ] as const)
    void begin(name, bytes);
  await turn();
  assert.deepEqual(running(), ['a', 'b']);
  await end('b');
  assert.deepEqual(running(), ['a'], 'd would fit, but c came first');
  await end('a');
  assert.deepEqual(running(), ['c', 'd']);
});

test('what is larger than all the room runs alone, and is not passed for ever', async () => {
  const { begin, end, running } = taker(new MemoryBudget(10));
  void begin('small', 1);
  void begin('huge', 50);
  void begin('later', 1);
  await turn();
  assert.deepEqual(running(), ['small']);
  await end('small');
  assert.deepEqual(running(), ['huge']);
  await end('huge');
  assert.deepEqual(running(), ['later']);
});

test('who goes away while waiting makes way; room is given back once', async () => {
  const budget = new MemoryBudget(10);
  const { begin, end, running } = taker(budget);
  const abort = new AbortController();
  void begin('a', 6);
  const left = assert.rejects(begin('huge', 10, abort.signal), { message: 'no more' });
  void begin('b', 4);
  await turn();
  assert.deepEqual(running(), ['a']);
  abort.abort(new Error('no more'));
  await left;
  await turn();
  assert.deepEqual(running(), ['a', 'b']);
  const twice = await budget.take(0, new AbortController().signal);
  twice[Symbol.dispose]();
  twice[Symbol.dispose]();
  await end('a');
  await end('b');
  void begin('c', 10);
  await turn();
  assert.deepEqual(running(), ['c']);
  await assert.rejects(budget.take(1, AbortSignal.abort(new Error('gone'))), { message: 'gone' });
});
