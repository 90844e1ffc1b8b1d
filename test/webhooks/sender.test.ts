/** Metrics, traces and polling of the sender, and its handling of lost database answers. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { v7 as newId } from 'uuid';
import { openTelemetryTracing } from '../../src/telemetry/open-telemetry.ts';
import { startCollector } from '../support/collector.ts';
import { type JobsService, newJob, openService, openShared } from '../support/jobs.ts';
import { waitFor } from '../support/processes.ts';
import { openReceiver } from '../support/receiver.ts';

let place: Awaited<ReturnType<typeof openShared>>;
before(async () => {
  place = await openShared();
});
after(() => place?.[Symbol.asyncDispose]());

const SETTINGS = { retryDelaysMs: [10], timeoutMs: 2_000 };

async function cancelledJob(service: JobsService, webhookUrl: string): Promise<string> {
  const { jobId } = await newJob(service, { webhookUrl });
  await service.jobs.service.cancel(jobId);
  return jobId;
}

const deliveryOf = async (service: JobsService, jobId: string) =>
  (await service.webhooks.service.list(jobId))[0];

async function ended(service: JobsService, jobId: string) {
  return waitFor('the delivery has ended', async () => {
    const delivery = await deliveryOf(service, jobId);
    return delivery.state !== 'pending' && delivery;
  });
}

/** The embedded database with a log of its statements; `around` can suppress a statement or its answer. */
function noting(around: (sql: string, run: () => Promise<unknown>) => Promise<unknown> = (_, run) => run()) {
  const requested: string[] = [];
  const database: (typeof place)['shared'] = {
    ...place.shared,
    query: async (sql, values) => {
      requested.push(sql);
      return (await around(sql, () => place.shared.query(sql, values))) as never;
    },
  };
  return { database, requested };
}
const isLook = (sql: string) => /^select extract\(epoch from min/.test(sql);
const isTake = (sql: string) => /set leased_until = now\(\) \+/.test(sql);
const isSweep = (sql: string) => /delete from webhook_deliveries using looked/.test(sql);

describe('a try', () => {
  const answers = {
    taken: (response: ServerResponse) => response.writeHead(204).end(),
    gone: (response: ServerResponse) => response.writeHead(410).end(),
    late: (response: ServerResponse) => setTimeout(() => response.writeHead(204).end(), 300),
    broken: (response: ServerResponse) => response.destroy(),
  } as const;

  test('is counted, timed and traced by its outcome', async () => {
    const spans: { webhookId: string; jobId: string; outcome: string; status: string | undefined }[] = [];
    await using collector = await startCollector();
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = collector.url;
    const settings = { exporter: 'otlp', sampler: 'always_on', samplerRatio: 1 } as const;
    const tracing = openTelemetryTracing(settings, '0.0.0-test', pino({ level: 'silent' }));
    await using service = await openService({
      shared: place.shared,
      webhooks: { settings: { ...SETTINGS, retryDelaysMs: [] }, tracing },
    });
    await service.webhooks.startSender();
    const { registry } = service.metrics;
    const valuesOf = async (name: string) => (await registry.getSingleMetric(name)!.get()).values;
    for (const [answer, outcome, state, status] of [
      ['taken', 'delivered', 'delivered', '204'],
      ['gone', 'refused', 'failed', '410'],
      ['broken', 'unanswered', 'failed', undefined],
      ['late', 'delivered', 'delivered', '204'],
    ] as const) {
      await using receiver = await openReceiver(answers[answer]);
      const counts = async () => [
        (await valuesOf('styledna_webhook_tries_total')).find(({ labels }) => labels['outcome'] === outcome)!
          .value,
        (await valuesOf('styledna_webhooks_ended_total')).find(
          ({ labels }) => labels['state'] === state && labels['event'] === 'job.cancelled',
        )!.value,
      ];
      const earlier = await counts();
      const jobId = await cancelledJob(service, receiver.url);
      const { webhookId } = await ended(service, jobId);
      await waitFor('it is counted', async () => (await counts())[1] === earlier[1] + 1);
      assert.deepEqual(await counts(), [earlier[0] + 1, earlier[1] + 1], answer);
      assert.match(String(receiver.calls[0].headers['traceparent']), /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
      spans.push({ webhookId, jobId, outcome, status });
    }
    const seconds = (await valuesOf('styledna_webhook_try_seconds')).filter((value) =>
      (value as { metricName?: string }).metricName?.endsWith('_sum'),
    );
    const attempts = await service.database.query<{ sum: number }>(
      'select sum(duration_ms)::double precision as sum from webhook_attempts',
    );
    assert.ok(attempts[0].sum >= 300, 'one of them was late');
    assert.ok(Math.abs(seconds[0].value - attempts[0].sum / 1000) < 1e-6, `${seconds[0].value} s`);
    await tracing.stop();
    for (const { webhookId, jobId, outcome, status } of spans) {
      const span = collector.spans.find(({ attributes }) => attributes['styledna.webhook.id'] === webhookId);
      assert.ok(span, `the try of ${webhookId} is traced`);
      assert.equal(span.name, 'webhook job.cancelled');
      assert.equal(span.attributes['styledna.job.id'], jobId);
      assert.equal(span.attributes['http.request.resend_count'], '0');
      assert.equal(span.attributes['http.response.status_code'], status);
      assert.equal(span.status, outcome === 'delivered' ? 0 : 2);
      const error = outcome === 'delivered' ? undefined : (status ?? 'unanswered');
      assert.equal(span.attributes['error.type'], error);
    }
  });
});

describe('the sender', () => {
  test('does not poll repeatedly without due deliveries', async () => {
    const { database, requested } = noting();
    await using service = await openService({ shared: database, webhooks: { settings: SETTINGS } });
    await service.webhooks.startSender();
    await waitFor('it has looked', () => requested.some(isLook));
    await sleep(150);
    assert.ok(requested.filter(isLook).length <= 2, `${requested.filter(isLook).length} looks`);
  });

  test('does not poll repeatedly for a host without a free slot, and serves the others', async () => {
    const { database, requested } = noting();
    await using hanging = await openReceiver(() => {});
    await using hook = await openReceiver();
    const settings = { ...SETTINGS, timeoutMs: 30_000 };
    await using service = await openService({ shared: database, webhooks: { settings } });
    for (let index = 0; index < 20; index++) await cancelledJob(service, hanging.url);
    await service.webhooks.startSender();
    await waitFor('its places are taken', () => hanging.calls.length === 8);
    await sleep(300);
    const looks = requested.filter(isTake).length;
    await sleep(300);
    assert.equal(requested.filter(isTake).length, looks);
    await cancelledJob(service, hook.url);
    await waitFor('the other receiver is called', () => hook.calls.length > 0, 2_000);
    assert.equal(hanging.calls.length, 8);
  });

  test('does not poll after a stop', async () => {
    const { database, requested } = noting();
    await using service = await openService({ shared: database, webhooks: { settings: SETTINGS } });
    await service.webhooks.startSender();
    await waitFor('it has looked', () => requested.some(isLook));
    await service.webhooks.stop();
    const looks = requested.filter(isTake).length;
    await cancelledJob(service, 'http://127.0.0.1:9/');
    await sleep(100);
    assert.equal(requested.filter(isTake).length, looks);
  });

  test('lets an active try end at a stop, so that nothing is sent twice', async () => {
    await using hook = await openReceiver((response) => setTimeout(() => response.writeHead(204).end(), 300));
    await using service = await openService({ shared: place.shared, webhooks: { settings: SETTINGS } });
    await service.webhooks.startSender();
    const jobId = await cancelledJob(service, hook.url);
    await waitFor('the receiver is called', () => hook.calls.length > 0);
    await service.webhooks.stop();
    assert.equal((await deliveryOf(service, jobId)).state, 'delivered');
  });

  test('interrupts a try that hangs at a stop, and leaves it due', async () => {
    await using hook = await openReceiver(() => {});
    const settings = { ...SETTINGS, timeoutMs: 30_000 };
    await using service = await openService({ shared: place.shared, webhooks: { settings } });
    await service.webhooks.startSender();
    const jobId = await cancelledJob(service, hook.url);
    await waitFor('the receiver is called', () => hook.calls.length > 0);
    const toldMs = performance.now();
    await service.webhooks.stop();
    assert.ok(performance.now() - toldMs < 10_000);
    const { state, attempts, nextAttemptAt } = await deliveryOf(service, jobId);
    assert.equal(state, 'pending');
    assert.deepEqual(attempts, []);
    assert.ok(nextAttemptAt! <= new Date());
  });

  test('removes all deliveries of deleted jobs, and stops after the present batch', async () => {
    let parts = 0;
    const { database } = noting(async (sql, run) => {
      const rows = await run();
      if (!isSweep(sql)) return rows;
      await sleep(50);
      parts++;
      return rows;
    });
    await using service = await openService({ shared: database, webhooks: { settings: SETTINGS } });
    const stored = await cancelledJob(service, 'http://127.0.0.1:9/');
    await database.query(`update webhook_deliveries set state = 'failed', next_attempt_at = null`);
    await database.query(
      `insert into webhook_deliveries (webhook_id, job_id, event, url, body, state, created_at)
       select gen_random_uuid(), $1, event, url, body, state, created_at
       from webhook_deliveries, generate_series(1, 600)`,
      [newId()],
    );
    const left = async () => (await database.query('select job_id from webhook_deliveries')).length;
    await service.webhooks.startSender();
    await waitFor('those of the job that lives are left', async () => (await left()) === 1);
    assert.equal((await deliveryOf(service, stored)).state, 'failed');
    await service.webhooks.stop();
    await using other = await openService({ shared: database, webhooks: { settings: SETTINGS } });
    parts = 0;
    await other.webhooks.startSender();
    await other.webhooks.stop();
    assert.equal(parts, 1, 'it has waited for what it had asked');
  });

  for (const [what, isLost, hasRun] of [
    ['its answer that deliveries were taken', isTake, true],
    ['a try that was to be recorded', (sql: string) => /insert into webhook_attempts/.test(sql), false],
  ] as const)
    test(`continues at once when the database loses ${what}, without waiting for the end of the lease`, async () => {
      await using receiver = await openReceiver();
      let losses = 0;
      const { database } = noting(async (sql, run) => {
        if (!isLost(sql) || losses > 0) return run();
        // The first poll finds no delivery; from then on there is one to lose.
        const rows = hasRun ? await run() : [{}];
        if (Array.isArray(rows) && rows.length === 0) return rows;
        losses++;
        throw new Error('the connection is gone');
      });
      await using service = await openService({ shared: database, webhooks: { settings: SETTINGS } });
      const jobId = await cancelledJob(service, receiver.url);
      await service.webhooks.startSender();
      await ended(service, jobId);
      assert.equal(losses, 1);
      assert.equal(receiver.calls.length, hasRun ? 1 : 2);
    });
});
