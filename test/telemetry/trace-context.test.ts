import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../src/settings/config.ts';
import { tracingSettings } from '../../src/settings/tracing-settings.ts';
import {
  readTraceparent,
  traceContextOf,
  traceLogFields,
  withinTrace,
} from '../../src/telemetry/trace-context.ts';
import { inSpan, NO_TRACING } from '../../src/telemetry/tracing.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

test('a traceparent is parsed by W3C Trace Context', () => {
  const table: readonly (readonly [string, boolean])[] = [
    [`00-${TRACE}-${SPAN}-01`, true],
    [`00-${TRACE}-${SPAN}-00`, true],
    // A later version may have further fields.
    [`01-${TRACE}-${SPAN}-01-more`, true],
    [`cc-${TRACE}-${SPAN}-01`, true],
    [`00-${TRACE}-${SPAN}-01-more`, false],
    [`cc-${TRACE}-${SPAN}-01.more`, false],
    [`ff-${TRACE}-${SPAN}-01`, false],
    [`00-${'0'.repeat(32)}-${SPAN}-01`, false],
    [`00-${TRACE}-${'0'.repeat(16)}-01`, false],
    [`00-${TRACE.toUpperCase()}-${SPAN}-01`, false],
    [`00-${TRACE.slice(1)}-${SPAN}-01`, false],
    [`00-${TRACE}-${SPAN}-1`, false],
    ['', false],
  ];
  for (const [text, isValid] of table) assert.equal(readTraceparent(text) !== null, isValid, text);
  assert.deepEqual(readTraceparent(`00-${TRACE}-${SPAN}-03`), { traceId: TRACE, spanId: SPAN, flags: 3 });
});

test('a tracestate travels along when it is one', () => {
  const traceparent = `00-${TRACE}-${SPAN}-01`;
  const table: readonly (readonly [string | string[] | undefined, string | undefined])[] = [
    [undefined, undefined],
    ['a=1', 'a=1'],
    [['a=1', 'b=2'], 'a=1,b=2'],
    ['a'.repeat(512), 'a'.repeat(512)],
    ['a'.repeat(513), undefined],
    ['a=\u00e9', undefined],
  ];
  for (const [tracestate, stored] of table) {
    const context = traceContextOf({ traceparent, tracestate });
    assert.deepEqual(context, stored === undefined ? { traceparent } : { traceparent, tracestate: stored });
  }
  assert.equal(traceContextOf({ tracestate: 'a=1' }), null);
});

test('without a recorder a trace is passed on unchanged, and the log contains it', async () => {
  assert.deepEqual(traceLogFields(), {});
  const input = { traceparent: `00-${TRACE}-${SPAN}-01` };
  const fields = await inSpan(NO_TRACING, 'outer', { parent: input }, () =>
    inSpan(NO_TRACING, 'inner', {}, async (span) => {
      assert.deepEqual(span.context, input);
      return traceLogFields();
    }),
  );
  assert.deepEqual(fields, { trace_id: TRACE, span_id: SPAN });
  assert.deepEqual(withinTrace(null, traceLogFields), {});
});

test('traces are recorded if the standard variables request it', () => {
  const address = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
  const table: readonly (readonly [Record<string, string>, string | null])[] = [
    [{}, null],
    [address, 'otlp'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector/v1/traces' }, 'otlp'],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, 'otlp'],
    [{ OTEL_TRACES_EXPORTER: 'console' }, 'console'],
    [{ ...address, OTEL_TRACES_EXPORTER: 'none' }, null],
    [{ ...address, OTEL_SDK_DISABLED: 'TRUE' }, null],
    [{ ...address, OTEL_SDK_DISABLED: 'no' }, 'otlp'],
    [{ OTEL_SERVICE_NAME: 'named' }, null],
  ];
  for (const [environment, exporter] of table) {
    assert.equal(
      tracingSettings(readConfig(environment))?.exporter ?? null,
      exporter,
      JSON.stringify(environment),
    );
  }
  assert.throws(
    () => readConfig({ ...address, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }),
    /OTEL_EXPORTER_OTLP_PROTOCOL/,
  );
  assert.throws(() => readConfig({ OTEL_TRACES_SAMPLER_ARG: '1.5' }), /OTEL_TRACES_SAMPLER_ARG/);
});
