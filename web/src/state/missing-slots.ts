/** Wishes about slots that a plan does not have: pure. */
import type { EditRequest } from '../../../src/client/api-types.ts';

/** Message of the service's planner (`src/style/edit/edit-requests.ts`). */
const MISSING = /edit\.(pins|lengths)\.(\d+)\.slot is \d+, but this edit has/g;

/** The job without the wishes that an error says have no slot, and the numbers of these slots. */
export function withoutMissingSlots<Job extends { readonly edit: EditRequest }>(
  job: Job,
  detail: string,
): { readonly job: Job; readonly missing: readonly number[] } {
  const named = [...detail.matchAll(MISSING)].map(([, list, at]) => `${list}.${at}`);
  if (named.length === 0) return { job, missing: [] };
  const { pins = [], lengths = [] } = job.edit;
  const isMissing = (list: string, at: number) => named.includes(`${list}.${at}`);
  const gone = [
    ...pins.filter((_, at) => isMissing('pins', at)),
    ...lengths.filter((_, at) => isMissing('lengths', at)),
  ];
  const edit = {
    ...job.edit,
    pins: pins.filter((_, at) => !isMissing('pins', at)),
    lengths: lengths.filter((_, at) => !isMissing('lengths', at)),
  };
  return { job: { ...job, edit }, missing: gone.map(({ slot }) => slot) };
}
