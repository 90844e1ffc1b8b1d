/** Traces by OpenTelemetry's packages. Loaded only if configured: loading takes a quarter of a second. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DiagLogLevel,
  diag,
  SpanKind as Kind,
  type Span as OtelSpan,
  type TracerProvider as Provider,
  ROOT_CONTEXT,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ConsoleSpanExporter,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { guardedAgent } from '../network/guarded-http.ts';
import type { SamplerName, TracingSettings } from '../settings/tracing-settings.ts';
import { currentTrace, readTraceparent, type TraceContext } from './trace-context.ts';
import type { SpanKind, Tracing } from './tracing.ts';

const KINDS = {
  internal: Kind.INTERNAL,
  server: Kind.SERVER,
  client: Kind.CLIENT,
  consumer: Kind.CONSUMER,
} as const satisfies Record<SpanKind, Kind>;

const SAMPLERS = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
} as const satisfies Record<SamplerName, (ratio: number) => Sampler>;

/** Limit for sending the last spans at the end of the process; later ones are dropped. */
const STOP_MS = 5_000;

/** Limit of a whole answer. The exporter's own limit, 10 s by default, is one on silence. */
const RESPONSE_MS = 60_000;

/** The exporter itself reads the other variables (address, headers, timeout, compression). */
export function openTelemetryTracing(
  { exporter, sampler, samplerRatio }: TracingSettings,
  version: string,
  logger: Logger,
): Tracing {
  diag.setLogger(
    {
      error: (message) => logger.warn({ message }, 'OpenTelemetry error'),
      warn: (message) => logger.warn({ message }, 'OpenTelemetry warning'),
      info() {},
      debug() {},
      verbose() {},
    },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const spanExporter: SpanExporter =
    exporter === 'console'
      ? new ConsoleSpanExporter()
      : new OTLPTraceExporter({
          httpAgentOptions: (protocol) => guardedAgent(protocol, { keepAlive: true }, RESPONSE_MS),
        });
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'styledna', 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: SAMPLERS[sampler](samplerRatio),
    spanProcessors: [new BatchSpanProcessor({ exporter: spanExporter })],
  });
  const stop = () => Promise.race([provider.shutdown(), sleep(STOP_MS, undefined, { ref: false })]);
  return tracingOf(provider, version, stop);
}

function tracingOf(provider: Provider, version: string, stop: () => Promise<void>): Tracing {
  const tracer = provider.getTracer('styledna', version);
  return {
    start(name, { kind = 'internal', parent = currentTrace(), attributes = {}, startedAt } = {}) {
      const span = tracer.startSpan(
        name,
        { kind: KINDS[kind], attributes, ...(startedAt === undefined ? {} : { startTime: startedAt }) },
        contextOf(parent),
      );
      return {
        context: traceContextOfSpan(span, parent),
        set: (more) => void span.setAttributes(more),
        fail: (type) => {
          span.setAttribute('error.type', type);
          span.setStatus({ code: SpanStatusCode.ERROR });
        },
        end: () => span.end(),
      };
    },
    stop,
  };
}

function contextOf(parent: TraceContext | null) {
  const read = parent === null ? null : readTraceparent(parent.traceparent);
  if (read === null) return ROOT_CONTEXT;
  const { traceId, spanId, flags } = read;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: flags, isRemote: true });
}

function traceContextOfSpan(span: OtelSpan, parent: TraceContext | null): TraceContext {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const sampled = (traceFlags & TraceFlags.SAMPLED) === 0 ? '00' : '01';
  const traceparent = `00-${traceId}-${spanId}-${sampled}`;
  const isSameTrace = parent !== null && readTraceparent(parent.traceparent)?.traceId === traceId;
  return isSameTrace && parent.tracestate !== undefined
    ? { traceparent, tracestate: parent.tracestate }
    : { traceparent };
}
