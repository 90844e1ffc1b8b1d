import type * as api from './api-types.ts';
import { part } from './path-part.ts';
import { StyleOperations } from './style-operations.ts';
import type { CallOptions, Query } from './transport.ts';

const ADMIN = '/api/v1/admin';

/**
 * The part of the client that steers the queue. A service has it where `ADMIN_TOKEN` is set, for clients whose `headers`
 * send it: `{ authorization: 'Bearer …' }`. Never give the token to a page.
 */
export class AdminOperations extends StyleOperations {
  getQueue(query: api.GetQueueQuery = {}, options?: CallOptions): Promise<api.Queue> {
    return this.transport.data({ method: 'GET', path: `${ADMIN}/queue`, query: query as Query, options });
  }

  /** Pauses the queue; running jobs continue. */
  pauseQueue(options?: CallOptions): Promise<api.Queue> {
    return this.#order('queue/pause', options);
  }

  resumeQueue(options?: CallOptions): Promise<api.Queue> {
    return this.#order('queue/resume', options);
  }

  /** The worker finishes what it has and takes nothing more. */
  drainWorker(workerId: string, options?: CallOptions): Promise<api.Queue> {
    return this.#order(`workers/${part(workerId)}/drain`, options);
  }

  resumeWorker(workerId: string, options?: CallOptions): Promise<api.Queue> {
    return this.#order(`workers/${part(workerId)}/resume`, options);
  }

  /** A new job like this one, which failed or was cancelled. */
  requeueJob(jobId: string, options?: CallOptions): Promise<api.Job> {
    return this.transport.data({ method: 'POST', path: `${ADMIN}/jobs/${part(jobId)}/requeue`, options });
  }

  setJobPriority(jobId: string, request: api.JobPriority, options?: CallOptions): Promise<api.Job> {
    const path = `${ADMIN}/jobs/${part(jobId)}/priority`;
    return this.transport.data({ method: 'PUT', path, json: request, options });
  }

  #order(path: string, options: CallOptions | undefined): Promise<api.Queue> {
    return this.transport.data({ method: 'POST', path: `${ADMIN}/${path}`, options, isRepeatable: true });
  }
}
