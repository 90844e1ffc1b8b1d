/** Subscriptions to changes of a job. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/database/database.ts';
import { JobChanges } from '../../src/jobs/model/job-changes.ts';
import { JOB_CHANGED_CHANNEL } from '../../src/jobs/model/job-store.ts';

/** Changes that a test sends like another process. */
async function listening() {
  let hear: (payload: string) => void = () => {};
  let channel = '';
  const database = {
    async listen(name: string, onPayload: (payload: string) => void) {
      [channel, hear] = [name, onPayload];
      return async () => {
        hear = () => {};
      };
    },
  } as Pick<Database, 'listen'> as Database;
  const changes = new JobChanges();
  await changes.start(database);
  return { changes, channel, report: (payload: string) => hear(payload) };
}

test('each watcher receives the changes of its job only, until it unsubscribes', async () => {
  const { changes, report } = await listening();
  const heard: string[] = [];
  const first = changes.watch('a', (status) => heard.push(`first ${status}`));
  const second = changes.watch('a', (status) => heard.push(`second ${status}`));
  using _other = changes.watch('b', (status) => heard.push(`other ${status}`));
  const heardOf = (payload: string) => {
    heard.length = 0;
    report(payload);
    return [...heard];
  };
  assert.deepEqual(heardOf('a processing'), ['first processing', 'second processing']);
  assert.deepEqual(heardOf('b failed'), ['other failed']);
  assert.deepEqual(heardOf('c completed'), []);
  first[Symbol.dispose]();
  assert.deepEqual(heardOf('a completed'), ['second completed']);
  second[Symbol.dispose]();
  assert.deepEqual(heardOf('a completed'), []);
  assert.deepEqual(heardOf('b cancelled'), ['other cancelled']);
});

test('unsubscribing twice does not affect later subscribers', async () => {
  const { changes, report } = await listening();
  const heard: string[] = [];
  const removed = changes.watch('a', () => heard.push('gone'));
  removed[Symbol.dispose]();
  using _later = changes.watch('a', () => heard.push('later'));
  removed[Symbol.dispose]();
  report('a completed');
  assert.deepEqual(heard, ['later']);
});

test('no change arrives after a stop, and a stop before the start does not fail', async () => {
  const { changes, channel, report } = await listening();
  assert.equal(channel, JOB_CHANGED_CHANNEL);
  const heard: string[] = [];
  using _watch = changes.watch('a', (status) => heard.push(status));
  await changes.stop();
  report('a completed');
  assert.deepEqual(heard, []);
  await new JobChanges().stop();
});
