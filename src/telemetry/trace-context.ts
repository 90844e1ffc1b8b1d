import { AsyncLocalStorage } from 'node:async_hooks';

/** Position in a trace, passed between processes: W3C Trace Context, level 1. */
export interface TraceContext {
  readonly traceparent: string;
  /** Vendors' data, passed on without parsing. */
  readonly tracestate?: string;
}

/** Version 00; of a later version the first four fields are read, as specified (section 3.2.4). */
const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
const VERSION_0_LENGTH = 55;
/** The minimum length that a participant must pass on (section 3.3.1.5). */
const MAX_TRACESTATE = 512;

/** The parts of a traceparent; null if it is invalid. */
export function readTraceparent(
  text: string,
): { readonly traceId: string; readonly spanId: string; readonly flags: number } | null {
  const match = TRACEPARENT.exec(text);
  if (match === null || (text.startsWith('00') && text.length !== VERSION_0_LENGTH)) return null;
  const [, traceId, spanId, flags] = match;
  return { traceId: traceId!, spanId: spanId!, flags: Number.parseInt(flags!, 16) };
}

/** The trace context in a request's headers; null if it is missing or invalid. */
export function traceContextOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): TraceContext | null {
  const { traceparent, tracestate } = headers;
  if (typeof traceparent !== 'string' || readTraceparent(traceparent) === null) return null;
  const state = [tracestate ?? []].flat().join(',');
  return /^[\x20-\x7e]+$/.test(state) && state.length <= MAX_TRACESTATE
    ? { traceparent, tracestate: state }
    : { traceparent };
}

const current = new AsyncLocalStorage<TraceContext | null>();

/** The context of the running work; null: no trace. */
export function currentTrace(): TraceContext | null {
  return current.getStore() ?? null;
}

export function withinTrace<T>(context: TraceContext | null, work: () => T): T {
  return current.run(context, work);
}

/** Fields of a log line that identify the trace; empty without a trace. */
export function traceLogFields(): { trace_id?: string; span_id?: string } {
  const context = currentTrace();
  const parsed = context === null ? null : readTraceparent(context.traceparent);
  return parsed === null ? {} : { trace_id: parsed.traceId, span_id: parsed.spanId };
}
