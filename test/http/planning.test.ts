/** Plans whose clients leave: each child has read measurements that the next plan needs. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PlanRequest, PlanService, StoredPlan } from '../../src/domain/plan-preview.ts';
import { Planning } from '../../src/http/routes/plan-previews.ts';
import { Semaphore } from '../../src/http/server/semaphore.ts';

const REQUEST = {} as PlanRequest;
const PLAN = {} as StoredPlan;

/** Plans that end when the test ends them, or with their signal. */
function slowPlans() {
  const begun: { readonly id: string; readonly signal: AbortSignal; end(): void }[] = [];
  const plan: PlanService['plan'] = (id, _request, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<StoredPlan>();
    signal.addEventListener('abort', () => reject(signal.reason));
    begun.push({ id, signal, end: () => resolve(PLAN) });
    return promise;
  };
  return { begun, plans: { plan } as PlanService };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('planning', () => {
  test('is finished when its client leaves, and the next one waits for it', async () => {
    const { begun, plans } = slowPlans();
    const planning = new Planning(new Semaphore(1), new AbortController().signal);
    const client = new AbortController();
    const first = planning.of(plans, 'first', REQUEST, client.signal);
    await turn();
    client.abort();
    await assert.rejects(first, { name: 'AbortError' });
    const second = planning.of(plans, 'second', REQUEST, new AbortController().signal);
    await turn();
    assert.deepEqual([begun.length, begun[0]!.signal.aborted], [1, false]);
    begun[0]!.end();
    await turn();
    assert.equal(begun[1]?.id, 'second');
    begun[1]!.end();
    assert.equal(await second, PLAN);
  });

  test('does not begin for a client that has left, and ends with the service', async () => {
    const { begun, plans } = slowPlans();
    const closing = new AbortController();
    const planning = new Planning(new Semaphore(1), closing.signal);
    const running = planning.of(plans, 'running', REQUEST, new AbortController().signal);
    const client = new AbortController();
    const waiting = planning.of(plans, 'waiting', REQUEST, client.signal);
    await turn();
    client.abort();
    await assert.rejects(waiting, { name: 'AbortError' });
    closing.abort();
    await assert.rejects(running, { name: 'AbortError' });
    await turn();
    assert.deepEqual(
      begun.map(({ id }) => id),
      ['running'],
    );
  });
});
