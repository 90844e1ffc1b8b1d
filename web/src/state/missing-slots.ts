/** Wishes about slots that a plan does not have: pure. */
import type { EditRequest, FieldError } from '../../../src/client/api-types.ts';

/** The job without the wishes that an error says have no slot, and the numbers of these slots. */
export function withoutMissingSlots<Job extends { readonly edit: EditRequest }>(
  job: Job,
  fields: readonly FieldError[],
): { readonly job: Job; readonly missing: readonly number[] } {
  const named = fields.filter(({ code }) => code === 'SLOT_MISSING').map(({ path }) => path);
  if (named.length === 0) return { job, missing: [] };
  const { pins = [], lengths = [] } = job.edit;
  const isMissing = (list: string, at: number) => named.includes(`edit.${list}.${at}.slot`);
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
