import { currentTrace, type TraceContext, withinTrace } from './trace-context.ts';

/** Whom a span waits for or works for (OpenTelemetry, "SpanKind"). */
export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanStart {
  /** Default: `internal`. */
  readonly kind?: SpanKind;
  /** Left out: what is running now; null: a trace begins here. */
  readonly parent?: TraceContext | null;
  readonly attributes?: SpanAttributes;
  /** Default: now. */
  readonly startedAt?: Date;
}

export interface Span {
  /** What those get that go on from here; null when there is no trace. */
  readonly context: TraceContext | null;
  set(attributes: SpanAttributes): void;
  /** It went wrong. `type`: few values. */
  fail(type: string): void;
  end(): void;
}

export interface Tracing {
  start(name: string, start?: SpanStart): Span;
  /** Sends what was recorded. */
  stop(): Promise<void>;
}

/** Records nothing, and passes on the trace that it was given. */
export const NO_TRACING: Tracing = {
  start: (_name, { parent = currentTrace() } = {}) => ({
    context: parent,
    set() {},
    fail() {},
    end() {},
  }),
  stop: async () => {},
};

/** Does work within a span that ends with it. */
export async function inSpan<T>(
  tracing: Tracing,
  name: string,
  start: SpanStart,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const span = tracing.start(name, start);
  try {
    return await withinTrace(span.context, () => work(span));
  } catch (error) {
    span.fail(errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Few values: the code of a failure of ours, else the class of the error. Never its text. */
export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return error.name === 'Failure' && 'code' in error ? String(error.code) : error.name;
}
