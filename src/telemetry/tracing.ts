import { currentTrace, type TraceContext, withinTrace } from './trace-context.ts';

/** The role of a span (OpenTelemetry, "SpanKind"). */
export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';

type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanStart {
  /** Default: `internal`. */
  readonly kind?: SpanKind;
  /** Default: the context of the running work. Null: a new trace. */
  readonly parent?: TraceContext | null;
  readonly attributes?: SpanAttributes;
  /** Default: now. */
  readonly startedAt?: Date;
}

export interface Span {
  /** Context for child spans; null without a trace. */
  readonly context: TraceContext | null;
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed. `type`: one of few values. */
  fail(type: string): void;
  end(): void;
}

export interface Tracing {
  start(name: string, start?: SpanStart): Span;
  /** Sends the recorded spans. */
  stop(): Promise<void>;
}

/** Records nothing, and passes on the context of its parent. */
export const NO_TRACING: Tracing = {
  start: (_name, { parent = currentTrace() } = {}) => ({
    context: parent,
    set() {},
    fail() {},
    end() {},
  }),
  stop: async () => {},
};

/** Runs work within a span that ends with it. */
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

/** One of few values: the code of a `Failure`, else the class of the error. Never its text. */
export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return error.name === 'Failure' && 'code' in error ? String(error.code) : error.name;
}
