import type { Analysis, Video, VideoOrImport } from './api-types.ts';
import { reportedError, StyleDnaError } from './error.ts';
import type { WaitOptions } from './options.ts';
import { sleep } from './sleep.ts';

/** The service's own interval, by `Retry-After`. */
export const POLL_MS = 1000;

interface PollOptions<Work> extends WaitOptions<Work> {
  /** Resolves when the next request is due. Default: after the service's own interval. */
  readonly pause?: (work: Work) => Promise<void>;
}

/** Polls until the work has completed. Throws the error of its failure, or JOB_CANCELLED. */
export async function ended<Work extends Pick<Analysis, 'status' | 'error'>>(
  name: string,
  first: Work,
  ask: () => Promise<Work>,
  { onUpdate, signal, pause = () => sleep(POLL_MS, signal) }: PollOptions<Work>,
): Promise<Work> {
  for (let work = first; ; work = await ask()) {
    assertStatus(name, work);
    onUpdate?.(work);
    if (work.status === 'completed') return work;
    if (work.error != null) throw reportedError(work.error);
    if (work.status === 'cancelled' || work.status === 'failed')
      throw new StyleDnaError({
        code: 'JOB_CANCELLED',
        message: `The ${name} was ${work.status}`,
        detail: '',
      });
    await pause(work);
  }
}

/** Throws UNEXPECTED_ANSWER, where polling would never end. */
function assertStatus(name: string, { status }: { readonly status: unknown }): void {
  if (typeof status === 'string') return;
  throw new StyleDnaError({
    code: 'UNEXPECTED_ANSWER',
    message: `The ${name} is not from this service`,
    detail: 'it has no status',
  });
}

/** Throws VIDEO_IMPORTING, or the error of a failed import. */
export function imported(found: VideoOrImport): Video {
  if (found.status === 'ready') return found;
  if (found.error != null) throw reportedError(found.error);
  throw new StyleDnaError({
    code: 'VIDEO_IMPORTING',
    message: 'The video is still being imported',
    detail: `${found.received_bytes} bytes have come`,
    retryable: true,
  });
}
