/** A job that is deleted before its receiver has heard of it: what was promised is kept. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newJob, openService, stagesThat } from '../support/jobs.ts';
import { waitFor } from '../support/processes.ts';
import { openReceiver } from '../support/receiver.ts';

const never = new AbortController().signal;

test('its pending delivery is still made, once, with the body it had', async () => {
  await using receiver = await openReceiver();
  await using service = await openService();
  const { jobId } = await newJob(service, { webhookUrl: receiver.url });
  await service.jobs.startWorker(stagesThat(), { concurrency: 1 });
  await service.jobs.desk.waitForEnd(jobId, 30_000, never);
  const [promised] = await service.webhooks.desk.list(jobId);
  assert.equal(promised?.state, 'pending');
  await service.jobs.desk.remove(jobId);
  assert.equal(await service.jobs.desk.get(jobId), null);
  await service.webhooks.startSender();
  await waitFor('it is delivered', () => receiver.calls.length > 0);
  const [call] = receiver.calls;
  assert.equal(call?.webhookId, promised.webhookId);
  assert.equal(call?.event, 'job.completed');
  assert.equal(call?.body.data.job_id, jobId);
  const stateOf = async () =>
    (await service.database.query('select state from webhook_deliveries where job_id = $1', [jobId]))[0];
  await waitFor('it is recorded', async () => (await stateOf())?.['state'] === 'delivered');
  assert.equal(receiver.calls.length, 1);
});
