/** A job that is deleted before its receiver has heard of it: what was promised is kept. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newJob, openHouse, stagesThat } from '../support/jobs.ts';
import { waitFor } from '../support/processes.ts';
import { openReceiver } from '../support/receiver.ts';

const never = new AbortController().signal;

test('its pending delivery is still made, once, with the body it had', async () => {
  await using receiver = await openReceiver();
  await using house = await openHouse();
  const { jobId } = await newJob(house, { webhookUrl: receiver.url });
  await house.jobs.startWorker(stagesThat(), { concurrency: 1 });
  await house.jobs.desk.waitForEnd(jobId, 30_000, never);
  const [promised] = await house.webhooks.desk.list(jobId);
  assert.equal(promised?.state, 'pending');
  await house.jobs.desk.remove(jobId);
  assert.equal(await house.jobs.desk.get(jobId), null);
  await house.webhooks.startSender();
  await waitFor('it is delivered', () => receiver.calls.length > 0);
  const [call] = receiver.calls;
  assert.equal(call?.webhookId, promised.webhookId);
  assert.equal(call?.event, 'job.completed');
  assert.equal(call?.body.data.job_id, jobId);
  const stateOf = async () =>
    (await house.database.query('select state from webhook_deliveries where job_id = $1', [jobId]))[0];
  await waitFor('it is recorded', async () => (await stateOf())?.['state'] === 'delivered');
  assert.equal(receiver.calls.length, 1);
});
