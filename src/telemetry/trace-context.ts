import { AsyncLocalStorage } from 'node:async_hooks';

/** Where in a trace something happens, as it travels between processes: W3C Trace Context, level 1. */
export interface TraceContext {
  readonly traceparent: string;
  /** What vendors add; passed on unread. */
  readonly tracestate?: string;
}

/** Version 00; of a later one the first four fields are read, as the specification says (section 3.2.4). */
const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
const VERSION_0_LENGTH = 55;
/** The least that whoever passes it on must take (section 3.3.1.5). */
const MAX_TRACESTATE = 512;

/** The parts of a traceparent; null for what is none. */
export function readTraceparent(
  text: string,
): { readonly traceId: string; readonly spanId: string; readonly flags: number } | null {
  const match = TRACEPARENT.exec(text);
  if (match === null || (text.startsWith('00') && text.length !== VERSION_0_LENGTH)) return null;
  const [, traceId, spanId, flags] = match;
  return { traceId: traceId!, spanId: spanId!, flags: Number.parseInt(flags!, 16) };
}

/** What a request's headers say; null when they say nothing, or nothing valid. */
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

/** Where what is running now stands; null: in no trace. */
export function currentTrace(): TraceContext | null {
  return current.getStore() ?? null;
}

export function withinTrace<T>(context: TraceContext | null, work: () => T): T {
  return current.run(context, work);
}

/** Fields of a line of the log that lead to the trace; none outside of one. */
export function traceLogFields(): { trace_id?: string; span_id?: string } {
  const context = currentTrace();
  const read = context === null ? null : readTraceparent(context.traceparent);
  return read === null ? {} : { trace_id: read.traceId, span_id: read.spanId };
}
