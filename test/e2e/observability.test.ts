/** One job of a real service, as an operator sees it: traces at a collector, lines of the log, metrics, dashboard and alerts. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { STAGE_NAMES } from '../../src/domain/stage.ts';
import { call, upload } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { type Collector, type ReceivedSpan, startCollector } from '../support/collector.ts';
import { readSamples, unknownIn } from '../support/metrics-text.ts';
import { waitFor } from '../support/processes.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { type Service, startService } from '../support/service.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const DEPLOY = new URL('../../deploy/observability/', import.meta.url);

let collector: Collector;
let receiver: Receiver;
let service: Service;
let jobId: string;
let metrics: string;
before(async () => {
  collector = await startCollector();
  receiver = await openReceiver();
  service = await startService({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SERVICE_NAME: 'styledna-test',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  });
  const clip = await makeClip(temporaryFolder(), { name: 'clip', durationSeconds: 1 });
  const uploaded = await upload(service.baseUrl, clip);
  const created = await call(service.baseUrl, 'POST', '/api/v1/jobs', {
    json: { video_id: uploaded.body.data.video_id, config: { quality: 'low' }, webhook_url: receiver.url },
    headers: {
      traceparent: `00-${TRACE}-${CALLER}-01`,
      tracestate: 'vendor=of-the-caller',
      'x-request-id': 'request-of-the-test',
    },
  });
  jobId = created.body.data.job_id;
  const { body } = await call(service.baseUrl, 'GET', `/api/v1/jobs/${jobId}/result?wait=60`);
  assert.equal(body.data.status, 'completed', JSON.stringify(body));
  await waitFor('a webhook', () => receiver.calls.length > 0);
  await waitFor('the last spans', () => ['job', 'webhook job.completed'].every(spanOf));
  metrics = await (await fetch(`${service.baseUrl}/metrics`)).text();
});
after(async () => {
  await service?.[Symbol.asyncDispose]();
  await receiver?.[Symbol.asyncDispose]();
  await collector?.[Symbol.asyncDispose]();
});

const ofTrace = () => collector.spans.filter(({ traceId }) => traceId === TRACE);
const spanOf = (name: string) => ofTrace().find((span) => span.name === name);

test('one trace leads from the request through job, stages and media processes to the webhook', () => {
  const names = ofTrace().map(({ name }) => name);
  const parentName = ({ parentSpanId }: ReceivedSpan) =>
    parentSpanId === CALLER ? 'the caller' : ofTrace().find(({ spanId }) => spanId === parentSpanId)?.name;
  const expected: readonly (readonly [string, string])[] = [
    ['POST /api/v1/jobs', 'the caller'],
    ['job', 'POST /api/v1/jobs'],
    ...STAGE_NAMES.map((stage) => [`stage ${stage}`, 'job'] as const),
    ['webhook job.completed', 'job'],
  ];
  for (const [name, parent] of expected) {
    const span = spanOf(name);
    assert.ok(span, `${name} is among ${names.join(', ')}`);
    assert.equal(parentName(span), parent, name);
    assert.equal(span.service, 'styledna-test');
    assert.equal(span.status, 0);
    assert.ok(span.nanoseconds > 0n);
  }
  const media = ofTrace().filter(({ name }) => name.startsWith('media '));
  assert.ok(media.length >= 3, names.join(', '));
  for (const span of media) assert.match(parentName(span)!, /^stage /);
  assert.equal(spanOf('job')!.attributes['styledna.job.id'], jobId);
  assert.equal(spanOf('POST /api/v1/jobs')!.attributes['http.response.status_code'], '201');
  assert.deepEqual([...collector.contentTypes], ['/v1/traces application/x-protobuf']);
});

test('routine requests of machines create no trace', async () => {
  assert.ok(collector.spans.some(({ name }) => name === 'GET /api/v1/jobs/:job_id/result'));
  await fetch(`${service.baseUrl}/livez`);
  const polled = collector.spans.filter(({ name }) => /livez|readyz|metrics|health/.test(name));
  assert.deepEqual(polled, []);
});

test('the webhook carries its span and what vendors added', () => {
  const { headers } = receiver.calls[0];
  const { spanId } = spanOf('webhook job.completed')!;
  assert.equal(headers['traceparent'], `00-${TRACE}-${spanId}-01`);
  assert.equal(headers['tracestate'], 'vendor=of-the-caller');
});

test('lines of the log lead from the request to the job and back, and to the trace', () => {
  const line = (message: string) => {
    const found = service.log.find((one) => one['msg'] === message && one['jobId'] === jobId);
    assert.ok(found, message);
    return found;
  };
  for (const message of ['job created', 'job taken', 'job completed']) {
    assert.equal(line(message)['request_id'], 'request-of-the-test', message);
    assert.equal(line(message)['trace_id'], TRACE, message);
  }
  assert.equal(line('webhook sent')['trace_id'], TRACE);
});

test('the metrics count this one job', () => {
  const value = (series: string) => {
    const found = metrics.split('\n').find((text) => text.startsWith(`${series} `));
    return found === undefined ? undefined : Number(found.split(' ').at(-1));
  };
  const counted: readonly (readonly [string, number])[] = [
    ['styledna_jobs_created_total{making="video"}', 1],
    ['styledna_jobs_ended_total{making="video",outcome="completed",code=""}', 1],
    ['styledna_jobs_ended_total{making="video",outcome="failed",code="INPUT_CORRUPT"}', 0],
    ['styledna_jobs_taken_total', 1],
    ['styledna_job_takeovers_total{why="lost"}', 0],
    ['styledna_job_wait_seconds_count', 1],
    ['styledna_job_real_time_factor_count{making="video"}', 1],
    ...STAGE_NAMES.map(
      (stage) => [`styledna_stage_seconds_count{stage="${stage}",outcome="done"}`, 1] as const,
    ),
    ['styledna_webhook_tries_total{outcome="delivered"}', 1],
    ['styledna_webhooks_ended_total{event="job.completed",state="delivered"}', 1],
    ['styledna_cluster_jobs{status="queued"}', 0],
    ['styledna_cluster_workers{state="working"}', 1],
    ['styledna_cluster_queue_paused', 0],
    ['styledna_cluster_worker_slots', 1],
    ['styledna_cluster_webhooks_pending', 0],
    ['styledna_webhook_secrets_differ', 0],
    ['styledna_media_tasks', 0],
    ['styledna_http_request_duration_seconds_count{method="POST",route="/api/v1/jobs",status="201"}', 1],
  ];
  assert.deepEqual(
    counted.map(([series]) => [series, value(series)]),
    counted.map(([series, count]) => [series, count]),
  );
  // The clip arrived by HTTP, was written and read; the style, the poster and the output were written.
  for (const series of [
    'styledna_http_bytes_total{direction="in"}',
    'styledna_http_bytes_total{direction="out"}',
    'styledna_storage_bytes_total{direction="written"}',
    'styledna_storage_bytes_total{direction="read"}',
  ]) {
    assert.ok(value(series)! > 1000, `${series} ${value(series)}`);
  }
  assert.ok(value('styledna_job_video_seconds_total{making="video"}')! > 0.9);
});

test('no label holds an id, an address or a client’s text', () => {
  const values = [...readSamples(metrics).entries()]
    .filter(([name]) => name.startsWith('styledna_'))
    .flatMap(([, rows]) => rows.flatMap((labels) => Object.values(labels)));
  const strange = values.filter((value) => /[0-9a-f]{8}-|127\.0|request-of|clip/.test(value));
  assert.deepEqual(strange, []);
});

test('dashboard and alerts name only existing metrics', () => {
  const samples = readSamples(metrics);
  // What shows with its first event, by the same names as these.
  const observed = `${metrics}
styledna_stage_retries_total{stage="rendering",code="ENCODER_FAILED"} 1
styledna_storage_errors_total{operation="get",code="SERVICE_UNAVAILABLE"} 1
styledna_imports_failed_total{code="IMPORT_FAILED"} 1
`;
  assert.equal(samples.has('styledna_stage_retries_total'), false);
  const dashboard = readFileSync(new URL('grafana-dashboard.json', DEPLOY), 'utf8');
  const panels = JSON.parse(dashboard).panels as { targets?: { expr: string }[] }[];
  const drawn = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const rules = [...readFileSync(new URL('alerts.yaml', DEPLOY), 'utf8').matchAll(/^\s*expr: (.+)$/gm)];
  // What workers are scaled by.
  const autoscaling = readFileSync(new URL('../kubernetes/autoscaling.yaml', DEPLOY), 'utf8');
  const scaling = [...autoscaling.matchAll(/^\s*query: (.+)$/gm)].map(([, query]) => query!);
  assert.equal(scaling.length, 2);
  const queries = [...scaling, ...drawn, ...rules.map(([, query]) => query!)];
  assert.ok(drawn.length >= 50 && rules.length > 15, `${drawn.length} and ${rules.length}`);
  assert.deepEqual(
    queries.flatMap((query) => unknownIn(query, readSamples(observed))),
    [],
  );
});

test('every metric of ours is on the dashboard or in a rule', () => {
  const shown = readFileSync(new URL('grafana-dashboard.json', DEPLOY), 'utf8');
  const watched = readFileSync(new URL('alerts.yaml', DEPLOY), 'utf8');
  const named = new Set(`${shown}${watched}`.match(/styledna_\w+/g));
  const observed = (name: string) => ['', '_bucket', '_sum', '_count'].some((end) => named.has(name + end));
  const reported = [...metrics.matchAll(/^# TYPE (styledna_\w+) /gm)].map(([, name]) => name!);
  assert.ok(reported.length >= 41, `${reported.length}`);
  assert.deepEqual(
    reported.filter((name) => !observed(name)),
    [],
  );
});

test('misspelt names in a query are found', () => {
  const samples = readSamples(metrics);
  const wrong = [
    'sum(rate(styledna_jobs_ended[5m]))',
    'sum(styledna_jobs_ended_total{outcome="complete"})',
    'sum(styledna_jobs_ended_total{result=~"x"})',
    'sum by (reason) (styledna_jobs_ended_total)',
  ];
  for (const query of wrong) assert.equal(unknownIn(query, samples).length, 1, query);
});
