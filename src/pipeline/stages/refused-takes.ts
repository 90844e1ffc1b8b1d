/** Takes of an edit that cannot be measured: remembered by content, so that each stage, plan and preview leaves them out. */
import { type ErrorCode, Failure, isUnusableInput } from '../../domain/errors.ts';
import { isRequestedTake, leftOutWarnings, withoutTakes } from '../../domain/left-out-takes.ts';
import type { JobWork, VideoReference, Warning } from '../../domain/stage.ts';
import { contentKey } from '../../domain/time-range.ts';
import type { EditResult } from '../../style/model/edit-result.ts';
import type { WorkTools } from './stage-tools.ts';

interface Refusal {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly atMs: number;
}

/** A later job measures the take again: its file may have been restored, or the machine may have more memory. */
const VALID_MS = 3_600_000;

/** The name of a take in messages. Default: that of its file. */
type NameOf = (take: VideoReference) => string;
const fileName: NameOf = ({ filename }) => filename;

type Work = Pick<JobWork, 'edit' | 'signal'>;

/**
 * Measures a take of an edit, unless it was refused. A refusal is cached; it is thrown only if the edit cannot do without the take. The
 * source of a job without an edit is measured in any case.
 */
export async function measureUnlessRefused(
  tools: WorkTools,
  { edit, signal }: Work,
  take: VideoReference,
  measure: () => Promise<unknown>,
  nameOf: NameOf = fileName,
): Promise<void> {
  const using = edit?.takes.filter(({ sha256 }) => sha256 === take.sha256) ?? [];
  if (edit === undefined || using.length === 0) {
    await measure();
    return;
  }
  const known = await refusalOf(tools, take);
  const refusal = known !== null && isValid(known) ? known : await refusalNow(tools, take, signal, measure);
  if (refusal === null) return;
  const requested = using.find(({ videoId }) => isRequestedTake(edit.options, videoId));
  if (requested !== undefined) throw failureOf(refusal, nameOf(requested));
}

/** The work without refused takes. Throws the refusal of a requested take, and if no take is left. */
export async function usableWork<W extends Pick<JobWork, 'edit' | 'source'>>(
  tools: Pick<WorkTools, 'results'>,
  work: W,
  nameOf: NameOf = fileName,
): Promise<W> {
  if (work.edit === undefined) return work;
  const refusals = await Promise.all(
    work.edit.takes.map(async (take) => [take, await refusalOf(tools, take)] as const),
  );
  const refused = new Map(
    refusals.flatMap(([take, refusal]) =>
      refusal === null ? [] : [[take.videoId, failureOf(refusal, nameOf(take))] as const],
    ),
  );
  if (refused.size === 0) return work;
  const edit = withoutTakes(work.edit, refused);
  return { ...work, source: edit.takes[0], edit };
}

/** Whether a take was refused a short time ago. */
export async function isRefused(tools: Pick<WorkTools, 'results'>, take: VideoReference): Promise<boolean> {
  const refusal = await refusalOf(tools, take);
  return refusal !== null && isValid(refusal);
}

/** A plan that names the takes that were left out of it, in its warnings and among the takes of its edit. */
export function withLeftOut<
  Plan extends { readonly edit?: EditResult | null; readonly warnings: readonly Warning[] },
>(
  plan: Plan,
  { edit: { leftOut = [] } = {} }: { readonly edit?: Pick<NonNullable<Work['edit']>, 'leftOut'> },
): Plan {
  if (leftOut.length === 0) return plan;
  const takes = leftOut.map(({ videoId, reason }) => ({
    ...{ video_id: videoId, used: [], passed_over: [], left_out: reason },
  }));
  const edit = plan.edit == null ? plan.edit : { ...plan.edit, takes: [...plan.edit.takes, ...takes] };
  return { ...plan, edit, warnings: [...leftOutWarnings(leftOut), ...plan.warnings] };
}

/** Null: the take is measured now. */
async function refusalNow(
  { results }: WorkTools,
  take: VideoReference,
  signal: AbortSignal,
  measure: () => Promise<unknown>,
): Promise<Refusal | null> {
  const content = contentKey(take);
  try {
    await measure();
  } catch (error) {
    if (signal.aborted || !isUnusableInput(error)) throw error;
    const refusal = { code: error.code, detail: error.detail, atMs: Date.now() };
    await results.save('refusal', content, refusal);
    return refusal;
  }
  // An earlier refusal holds no more.
  if (await results.has('refusal', content)) await results.save('refusal', content, null);
  return null;
}

async function refusalOf(
  { results }: Pick<WorkTools, 'results'>,
  take: VideoReference,
): Promise<Refusal | null> {
  return (await results.load<Refusal | null>('refusal', contentKey(take))) ?? null;
}

function isValid({ atMs }: Refusal): boolean {
  return Date.now() - atMs < VALID_MS;
}

function failureOf({ code, detail }: Refusal, name: string): Failure {
  return new Failure(code, `"${name}": ${detail}`, { file: name });
}
