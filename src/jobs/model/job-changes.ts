import type { Database } from '../../database/database.ts';
import type { JobStatus } from './job.ts';
import { JOB_CHANGED_CHANNEL } from './job-store.ts';

type OnChange = (status: JobStatus) => void;

/** Distributes notifications of job changes from all processes to watchers in this one. A notification can be lost. */
export class JobChanges {
  readonly #watchers = new Map<string, Set<OnChange>>();
  #stop: () => Promise<void> = async () => {};

  async start(database: Database): Promise<void> {
    this.#stop = await database.listen(JOB_CHANGED_CHANNEL, (payload) => {
      const [jobId, status] = payload.split(' ');
      for (const onChange of this.#watchers.get(jobId!) ?? []) onChange(status as JobStatus);
    });
  }

  stop(): Promise<void> {
    return this.#stop();
  }

  /** Calls back for each change of a job until disposed. */
  watch(jobId: string, onChange: OnChange): Disposable {
    const watchers = this.#watchers.get(jobId) ?? new Set();
    this.#watchers.set(jobId, watchers.add(onChange));
    return {
      [Symbol.dispose]: () => {
        watchers.delete(onChange);
        if (watchers.size === 0 && this.#watchers.get(jobId) === watchers) this.#watchers.delete(jobId);
      },
    };
  }
}
