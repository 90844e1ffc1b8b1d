import { answerJson } from './answer-json.ts';
import type { Job, JobDetail } from './api-types.ts';
import { StyleDnaError } from './error.ts';
import { part } from './path-part.ts';
import { sleep } from './sleep.ts';
import type { CallOptions, Transport } from './transport.ts';

/** An event of a job, with the whole job at that time. The last event is `done`. */
export type JobEvent =
  | { readonly type: 'status' | 'progress'; readonly id: string; readonly job: Job }
  | { readonly type: 'done'; readonly id: string; readonly job: JobDetail };

/** The service sends a comment every 15 s: after three missing ones the connection is broken. */
const SILENCE_MS = 45_000;
const RECONNECT_MS = 1000;
/** The last event holds a whole result, of some hundred kB. */
const MAX_EVENT_CHARACTERS = 1 << 23;

interface ServerSentEvent {
  readonly id: string;
  readonly name: string;
  readonly data: string;
}

/**
 * Follows a job by server-sent events until it has ended. A broken connection is opened again, and continues after the last
 * received event. Fetch is used instead of EventSource: it sends headers, and it is available everywhere.
 */
export async function* jobEvents(
  transport: Transport,
  jobId: string,
  options: CallOptions = {},
): AsyncGenerator<JobEvent, void, undefined> {
  const path = `/api/v1/jobs/${part(jobId)}`;
  let lastId = '';
  let job: Job | undefined;
  for (;;) {
    for await (const event of connection(transport, `${path}/events`, lastId, options)) {
      const changed = changedOf(event.data);
      // An event may contain only changes.
      job ??= isWhole(changed) ? changed : await transport.data<Job>({ method: 'GET', path, options });
      job = { ...job, ...changed };
      lastId = event.id;
      if (event.name === 'done') {
        yield { type: 'done', id: event.id, job: job as JobDetail };
        return;
      }
      yield { type: event.name === 'status' ? 'status' : 'progress', id: event.id, job };
    }
    // Ended without `done`: the service stopped, or a proxy had enough.
    await sleep(RECONNECT_MS, options.signal);
  }
}

/** Throws UNEXPECTED_ANSWER. */
function changedOf(data: string): Partial<Job> {
  const changed = answerJson(data);
  if (typeof changed === 'object' && changed !== null) return changed;
  throw unexpectedEvent(`an event is no JSON object: ${JSON.stringify(data.slice(0, 100))}`);
}

/** Another server's page would be requested again without end. */
function assertEvents({ headers }: Response): void {
  const type = headers.get('content-type');
  if (type?.startsWith('text/event-stream') === true) return;
  throw unexpectedEvent(`they are of the type ${JSON.stringify(type?.slice(0, 100) ?? 'none')}`);
}

function unexpectedEvent(detail: string): StyleDnaError {
  return new StyleDnaError({
    code: 'UNEXPECTED_ANSWER',
    message: 'The events are not those of this service',
    detail,
  });
}

function isWhole(job: Partial<Job>): job is Job {
  return job.job_id !== undefined && job.created_at !== undefined;
}

/** The events of one connection; ends when it breaks. */
async function* connection(
  transport: Transport,
  path: string,
  lastId: string,
  options: CallOptions,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const ended = new AbortController();
  const signals = options.signal === undefined ? [ended.signal] : [options.signal, ended.signal];
  const headers = { accept: 'text/event-stream', ...(lastId === '' ? {} : { 'last-event-id': lastId }) };
  try {
    const response = await transport.response({
      method: 'GET',
      path,
      headers,
      options: { ...options, signal: AbortSignal.any(signals) },
      isPatient: true,
    });
    assertEvents(response);
    if (response.body !== null) yield* eventsIn(response.body, () => ended.abort());
  } catch (error) {
    options.signal?.throwIfAborted();
    // A refusal by the service is final; a broken stream is opened again.
    if (error instanceof StyleDnaError) throw error;
  } finally {
    ended.abort();
  }
}

/** Reads a stream of events (WHATWG HTML, 9.2.6). Calls `silent` when nothing arrived for too long. */
async function* eventsIn(
  body: ReadableStream<Uint8Array>,
  silent: () => void,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const timer = setTimeout(silent, SILENCE_MS);
    const { done, value } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    text = (text + decoder.decode(value, { stream: true })).replaceAll('\r\n', '\n');
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    if (text.length > MAX_EVENT_CHARACTERS) {
      await reader.cancel().catch(() => {});
      throw unexpectedEvent(`an event is longer than ${MAX_EVENT_CHARACTERS} characters`);
    }
    for (const block of blocks) {
      const event = eventOf(block);
      if (event !== null) yield event;
    }
  }
}

/** Null for a comment, the service's sign of life. */
function eventOf(block: string): ServerSentEvent | null {
  const fields = { id: '', event: 'message', data: '' };
  for (const line of block.split('\n')) {
    // A text in JSON can hold U+2028, which ends a line only for `.` without the flag.
    const [, name, value = ''] = /^(\w+):? ?(.*)$/s.exec(line) ?? [];
    if (name === 'data') fields.data += (fields.data === '' ? '' : '\n') + value;
    else if (name === 'id' || name === 'event') fields[name] = value;
  }
  return fields.data === '' ? null : { id: fields.id, name: fields.event, data: fields.data };
}
