import type { CallOptions } from './transport.ts';

export interface CreateOptions extends CallOptions {
  /** The same key and request give the same answer for 24 h; default: a new one for each call. */
  readonly idempotencyKey?: string;
  /** Keys of `config` that the service does not know are refused, in place of a warning. */
  readonly strict?: boolean;
}

export interface WaitOptions<Work> extends CallOptions {
  /** Called with the progress of the work, from its start to its end. */
  readonly onUpdate?: ((work: Work) => void) | undefined;
}

export interface FileOptions extends CallOptions {
  /** One byte range, as `bytes=0-1023`. */
  readonly range?: string;
}

export interface AnalysisOptions extends CallOptions {
  /** Measures only this part of the video, from start to end; left out: all of it. */
  readonly partSeconds?: readonly [start: number, end: number] | undefined;
}
