/** What later versions of the service tell of a job, and earlier ones do not. */
import type { Job, JobDetail } from '../../../src/client/api-types.ts';

export interface Moment {
  readonly at_seconds: number;
  readonly kind: string;
  readonly text: string;
}

export interface Summary {
  readonly text: string;
  readonly output: { readonly frame_rate: number };
  readonly entries: readonly Moment[];
}

export interface NewestFrame {
  readonly sequence: number;
  readonly at_seconds: number;
}

interface Additions {
  readonly summary?: Summary | null;
  readonly frame?: NewestFrame | null;
  readonly source_filename?: string | null;
  readonly template_filename?: string | null;
  readonly preset?: string | null;
}

export function additionsOf(job: Job | JobDetail): Additions {
  return job as Additions;
}
