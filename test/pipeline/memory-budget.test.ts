import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { MemoryBudget } from '../../src/pipeline/engine/memory-budget.ts';

/** Takes memory and records it; `end` returns it. */
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

test('tasks begin while memory is free, then in order', async () => {
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

test('a task larger than the budget runs alone, and is not postponed without end', async () => {
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

test('an aborted wait lets the next task run; memory is returned once', async () => {
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

describe('lent memory', () => {
  function lender(bytes: number) {
    const budget = new MemoryBudget(bytes);
    const asked: string[] = [];
    const lend = (name: string, size: number) => budget.lend(size, () => asked.push(name));
    return { ...taker(budget), asked, lend };
  }

  test('is recalled for a task, the oldest first, and only as much as the task needs', async () => {
    const { begin, running, asked, lend } = lender(10);
    const [old] = [lend('old', 3)!, lend('middle', 3), lend('new', 3)];
    void begin('task', 4);
    await turn();
    assert.deepEqual([asked, running()], [['old'], []], 'it has one byte and needs three more');
    old[Symbol.dispose]();
    await turn();
    assert.deepEqual([asked, running()], [['old'], ['task']]);
  });

  test('is recalled completely for a task that must run alone, each once', async () => {
    const { begin, end, running, asked, lend } = lender(10);
    const lent = [lend('one', 2)!, lend('other', 2)!];
    await begin('small', 2);
    void begin('huge', 50);
    void begin('later', 1);
    await turn();
    assert.deepEqual([asked, running()], [['one', 'other'], ['small']]);
    for (const room of lent) room[Symbol.dispose]();
    await end('small');
    assert.deepEqual([asked, running()], [['one', 'other'], ['huge']]);
    await end('huge');
    assert.deepEqual(running(), ['later']);
  });

  test('is refused while tasks need it, and returned once', async () => {
    const { begin, running, lend } = lender(10);
    await begin('a', 6);
    assert.equal(lend('large', 5), null);
    const fits = lend('fits', 4)!;
    void begin('b', 4);
    assert.equal(lend('late', 0), null, 'somebody waits');
    fits[Symbol.dispose]();
    fits[Symbol.dispose]();
    await turn();
    assert.deepEqual(running(), ['a', 'b']);
    void begin('c', 1);
    await turn();
    assert.deepEqual(running(), ['a', 'b'], 'nothing is given back twice');
  });

  test('is recalled by the task that becomes first in the queue', async () => {
    const { begin, end, running, asked, lend } = lender(10);
    await begin('a', 5);
    const lent = lend('lent', 5)!;
    void begin('b', 4);
    void begin('c', 6);
    await end('a');
    assert.deepEqual([asked, running()], [['lent'], ['b']]);
    lent[Symbol.dispose]();
    await turn();
    assert.deepEqual(running(), ['b', 'c']);
  });
});
