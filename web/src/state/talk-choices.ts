/** Another job with a person's decisions about the parts that a talk leaves out. */
import type { EditSummary, JobCreateRequest, JobDetail } from '../../../src/client/api-types.ts';
import { USUAL_TALK } from '../../../src/domain/talk-options.ts';

/** Start and end, in seconds of the source. */
type Span = [start: number, end: number];

export type TalkPart = NonNullable<EditSummary['talk']>['removals'][number];

/** The job again, with the `restored` removals kept and the `removed` proposals left out. */
export function jobWithTalk(
  job: JobDetail,
  restored: readonly TalkPart[],
  removed: readonly TalkPart[],
): JobCreateRequest {
  const { mode, keep, remove } = talkOf(job);
  const isRestored = (range: Span) => restored.some((part) => overlaps(rangeOf(part), range));
  const config = {
    ...job.config,
    talk: {
      mode,
      keep: [...keep, ...restored.filter(({ reason }) => reason !== 'requested').map(rangeOf)],
      remove: [...remove.filter((range) => !isRestored(range)), ...removed.map(rangeOf)],
    },
  };
  return { video_id: job.video_id, ...lookOf(job), config };
}

function talkOf({ config }: JobDetail): {
  readonly mode: 'auto' | 'on' | 'off';
  readonly keep: readonly Span[];
  readonly remove: readonly Span[];
} {
  return { ...USUAL_TALK, ...(config['talk'] as object | undefined) };
}

/** A Style DNA that was sent is the result's; of a job without a look that is the source's own, which changes nothing. */
function lookOf(job: JobDetail): Partial<JobCreateRequest> {
  if (job.template_video_id !== null) return { template_video_id: job.template_video_id };
  if (job.style_id !== null) return { style_id: job.style_id };
  if (job.preset !== null) return { preset: job.preset as JobCreateRequest['preset'] };
  return job.style_json === null ? {} : { style_json: job.style_json };
}

function rangeOf({ start_seconds: start, end_seconds: end }: TalkPart): Span {
  return [start, end];
}

function overlaps(one: Span, other: Span): boolean {
  return one[0] < other[1] && other[0] < one[1];
}
