/** The report of an edit of takes. */

import { confidentAudio } from '../../analysis/confident-facts.ts';
import { songOf } from '../../analysis/music/song-of.ts';
import { type EditWork, type JobWork, picturedTemplate, type Warning } from '../../domain/stage.ts';
import { framesPerSecond } from '../../domain/time.ts';
import { VERSION } from '../../package/version.ts';
import { reportTime } from '../../report/report.ts';
import { takesPage } from '../../report/takes-page.ts';
import { type ReportedSong, takesView } from '../../report/takes-view.ts';
import type { ReportView } from '../../report/view.ts';
import type { EditResult } from '../../style/model/edit-result.ts';
import type { Style } from '../../style/model/schema.ts';
import { clipStartFrames, type Timeline, type TimelineTransition } from '../../style/model/timeline.ts';
import type { PlannedEdit } from '../engine/direct-results.ts';
import type { OutputPreviewInput } from '../engine/tasks.ts';
import { audioOf } from './clip-facts.ts';
import { type JobReport, reportOrWarning, viewOfClip } from './job-report.ts';
import type { RenderedPlan } from './render-plan.ts';
import type { WorkTools } from './stage-tools.ts';

/** Pixels of a slot's picture: with many slots, smaller ones keep the page below about two megabytes. */
const STILL_PIXELS = { few: 256 * 144, many: 160 * 90 };
const MANY_SLOTS = 60;
const ENVELOPE_COLUMNS = 1600;

/** An edit of takes that was rendered with the pictures of `takesPicturesWanted`. */
export interface RenderedTakes {
  readonly plan: PlannedEdit;
  readonly rendered: RenderedPlan;
}

/** The output's pictures for `drawTakesReport`: a still of each slot. */
export function takesPicturesWanted({ edit }: PlannedEdit): OutputPreviewInput {
  const { slots } = edit!;
  return {
    stillTimesSeconds: slots.map(({ start_seconds, end_seconds }) => (start_seconds + end_seconds) / 2),
    stillAreaPixels: slots.length > MANY_SLOTS ? STILL_PIXELS.many : STILL_PIXELS.few,
    envelopeColumns: ENVELOPE_COLUMNS,
  };
}

/**
 * Draws the storyboard of an edit with its template, its song and the parts of its takes, from cached facts and the output's pictures. A
 * failure gives a warning, not a failed job; throws only the signal's reason.
 */
export function drawTakesReport(
  tools: WorkTools,
  work: JobWork & { readonly edit: EditWork },
  made: RenderedTakes,
  style: Style | null,
  outputAddress: string | null,
): Promise<JobReport> {
  return reportOrWarning(work.signal, () => reportOf(tools, work, made, style, outputAddress));
}

async function reportOf(
  tools: WorkTools,
  work: JobWork & { readonly edit: EditWork },
  { plan, rendered }: RenderedTakes,
  style: Style | null,
  outputAddress: string | null,
): Promise<string> {
  const { signal } = work;
  const template = picturedTemplate(work);
  const { timeline } = plan;
  const edit = plan.edit!;
  const { stills, envelope } = rendered.outputPreview!;
  const followed =
    template === null || style === null
      ? null
      : await viewOfClip(tools, signal, template, 'template', style, null);
  const view = takesView({
    edit,
    takes: work.edit.takes.map(({ videoId, filename: name, durationSeconds }) => ({
      ...{ videoId, name, durationSeconds },
    })),
    song: await heardSong(tools, work),
    template: followed === null ? null : { ...templateOf(followed, style!), name: template!.filename },
    output: {
      ...timeline,
      framesPerSecond: framesPerSecond(timeline.frameRate),
      transitions: slotTransitions(timeline, edit),
      stills,
      envelope,
    },
    outputAddress,
    warnings: [...plan.warnings, ...rendered.warnings] satisfies readonly Warning[],
    createdAt: reportTime(new Date()),
    version: VERSION,
  });
  return takesPage(view, followed?.time.shots ?? []);
}

/** The transition into each slot; a slot may have several clips. */
function slotTransitions(timeline: Timeline, { slots }: EditResult): readonly (TimelineTransition | null)[] {
  const rate = framesPerSecond(timeline.frameRate);
  const starts = clipStartFrames(timeline);
  return slots.map(({ start_seconds }) => {
    const first = starts.indexOf(Math.round(start_seconds * rate));
    return timeline.transitions.find(({ clipIndex }) => clipIndex === first) ?? null;
  });
}

/** Null: there is none, or the takes alone are heard. */
async function heardSong(
  tools: WorkTools,
  { edit: { music, options }, signal }: JobWork & { readonly edit: EditWork },
): Promise<ReportedSong | null> {
  if (music === null || options.sound === 'takes') return null;
  const measured = await audioOf(tools, music, { signal });
  if (measured === null) return null;
  const { sections } = songOf(measured.facts);
  return { name: music.filename, beats: confidentAudio(measured.facts).beats, sections };
}

/** The slots of a style have the order of the shots from which they were measured. */
function templateOf({ time }: ReportView, { edit }: Style) {
  let end = 0;
  const slotSeconds = (edit?.slots ?? []).map(({ length_seconds: length }) => {
    end += length;
    return end - length / 2;
  });
  return { shots: time.shots, slotSeconds };
}
