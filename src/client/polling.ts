import type { Analysis } from './api-types.ts';
import { StyleDnaError } from './error.ts';
import type { WaitOptions } from './options.ts';
import { sleep } from './sleep.ts';

/** As the service itself asks, by `Retry-After`. */
const POLL_MS = 1000;

/** Asks again until the work has completed. Throws what it failed with, or JOB_CANCELLED. */
export async function ended<Work extends Pick<Analysis, 'status' | 'error'>>(
  name: string,
  first: Work,
  ask: () => Promise<Work>,
  { onUpdate, signal }: WaitOptions<Work>,
): Promise<Work> {
  for (let work = first; ; work = await ask()) {
    onUpdate?.(work);
    if (work.status === 'completed') return work;
    if (work.error !== null) throw new StyleDnaError(work.error);
    if (work.status === 'cancelled' || work.status === 'failed')
      throw new StyleDnaError({
        code: 'JOB_CANCELLED',
        message: `The ${name} was ${work.status}`,
        detail: '',
      });
    await sleep(POLL_MS, signal);
  }
}
