import { Readable } from 'node:stream';
import { confidentFacts } from '../../analysis/confident-facts.ts';
import type { Artifact, JobWork, StageWork, VideoReference } from '../../domain/stage.ts';
import { outputTimelineBlobKey } from '../../storage/blob-names.ts';
import type { EditSummary } from '../../style/model/edit-summary.ts';
import type { Style } from '../../style/model/schema.ts';
import type { Timeline } from '../../style/model/timeline.ts';
import { summariseEdit } from '../../style/plan/edit-summary.ts';
import type { PlannedEdit } from '../engine/direct-results.ts';
import { assertRoom } from '../engine/disk-need.ts';
import type { PreviewInput } from '../engine/tasks.ts';
import { openWorkspace } from '../engine/workspace.ts';
import { artifactFiles } from './artifacts.ts';
import { clipFactsOf, localMedia } from './clip-facts.ts';
import { largestTake } from './each-clip.ts';
import { drawJobReport, type FilmAddresses, type JobReport, reportPicturesWanted } from './job-report.ts';
import { LiveFrames } from './live-frames.ts';
import { makeProduct, pictureTimeline } from './products.ts';
import { type DrawPlan, type RenderedPlan, renderPlan } from './render-plan.ts';
import { type HashedFile, hashedAddress } from './report.ts';
import { segmentedDrawing } from './segmented-rendering.ts';
import type { Stage, StageTools, WorkTools } from './stage-tools.ts';
import { storeFile } from './store-file.ts';
import { planOf, reportedStyleOf } from './style-application.ts';
import { drawTakesReport, takesPicturesWanted } from './takes-report.ts';

/** Renders the plan and stores the output and its artifacts, or makes the job's product (analysis, draft). */
export const rendering: Stage = async (tools, work) => {
  if (work.product !== null) return makeProduct(tools, work, work.product);
  const style = await reportedStyleOf(tools, work);
  await using workspace = await openWorkspace(tools.engine.workRoot);
  const preview = work.edit === undefined ? await reportPicturesWanted(tools, work) : undefined;
  const edit = await renderWatched(workspace.folder, tools, work, preview);
  const { rendered, summary } = edit;
  const store = (name: string, path: string, contentType: string) =>
    storeFile(tools, work, { name, path, contentType });
  const report = await reportOfJob(tools, work, edit, style);
  const output = await store('output.mp4', rendered.outputPath, 'video/mp4');
  await storePictureTimeline(tools, work, edit.plan.timeline);
  const artifacts: Artifact[] = [];
  for (const { name, path, contentType } of await artifactFiles(workspace.folder, edit, style, report.page))
    artifacts.push(await store(name, path, contentType));
  return {
    warnings: [...rendered.warnings, ...report.warnings],
    publication: {
      style,
      ...(summary === null ? {} : { summary }),
      ...(edit.plan.edit === undefined ? {} : { edit: edit.plan.edit }),
      output: { ...output, sha256: rendered.output.sha256 },
      artifacts,
    },
  };
};

function reportOfJob(
  tools: StageTools,
  work: StageWork,
  { summary, ...drawn }: DrawnEdit,
  style: Style | null,
): Promise<JobReport> {
  const films = servedFilms(work, drawn.rendered.output);
  if (summary !== null) return drawJobReport(tools, work, { ...drawn, summary }, style, films);
  return drawTakesReport(tools, { ...work, edit: work.edit! }, drawn, style, films.output);
}

/** For comparisons, and for players of before and after. */
async function storePictureTimeline(
  { blobs, retryWhileStorageDown }: StageTools,
  { jobId, attempt }: StageWork,
  timeline: Timeline,
): Promise<void> {
  const text = JSON.stringify(pictureTimeline(timeline));
  await retryWhileStorageDown(() => blobs.put(outputTimelineBlobKey(jobId, attempt), Readable.from([text])));
}

/** Addresses relative to `jobs/{id}/artifacts/report.html`, the report's address in a service. */
function servedFilms({ source, template }: JobWork, output: HashedFile): FilmAddresses {
  const fileOf = (video: VideoReference) => hashedAddress(`../../../videos/${video.videoId}/file`, video);
  return {
    source: fileOf(source),
    template: template === null ? null : fileOf(template),
    output: hashedAddress('../output', output),
  };
}

/** The plan, the rendered files and the summary. */
export interface DrawnEdit {
  readonly plan: PlannedEdit;
  readonly rendered: RenderedPlan;
  /** Null: an edit from many takes, whose result is `plan.edit`. */
  readonly summary: EditSummary | null;
}

/** Renders and stores live frames meanwhile. */
async function renderWatched(
  folder: string,
  tools: StageTools,
  work: StageWork,
  preview: RenderOptions['preview'],
) {
  await using frames = new LiveFrames(tools.blobs, work, folder);
  const onProgress = (fraction: number) => {
    work.onProgress(fraction);
    frames.storeNewest();
  };
  // All segments need the same encoder parameters; those of a hardware encoder differ by machine.
  const { encoder } = await tools.engine.encoder();
  const plan = await planOf(tools, work);
  const draw = encoder === null ? segmentedDrawing(tools, work, plan) : null;
  return await renderInto(folder, tools, { ...work, onProgress }, plan, {
    ...{ liveFrames: true, isReported: true, preview, draw },
  });
}

export interface RenderOptions {
  readonly liveFrames?: boolean;
  /** Pictures of the source to make during the rendering; undefined: none. */
  readonly preview?: Omit<PreviewInput, 'path'> | undefined;
  /** Whether to make the pictures of an edit from many takes for its report. */
  readonly isReported?: boolean;
  /** Undefined or null: one process renders all. */
  readonly draw?: DrawPlan | null;
}

/** Renders the plan of a job into files in the working folder. */
export async function renderInto(
  folder: string,
  tools: WorkTools,
  work: JobWork,
  plan: PlannedEdit,
  { preview, isReported = false, ...options }: RenderOptions = {},
): Promise<DrawnEdit> {
  const { config } = work;
  const { quality, comparison } = config;
  await assertRoom(folder, plan.timeline, config);
  await using media = await localMedia(tools, work);
  const { signal, onProgress } = work;
  const rendered = await renderPlan(
    tools.engine,
    {
      ...{ plan, files: media.files, quality, comparison: comparison && work.edit === undefined, ...options },
      encoder: await tools.engine.encoder(),
      outputPreview: isReported && work.edit !== undefined ? takesPicturesWanted(plan) : undefined,
      ...(preview === undefined ? {} : { preview: { ...preview, path: media.files.takePaths[0] } }),
    },
    { signal, onProgress, folder, source: largestTake(work), child: tools.sourceChild },
  );
  if (work.edit !== undefined) return { plan, rendered, summary: null };
  const facts = await clipFactsOf(tools, work.source, { signal });
  const { timeline } = plan;
  const summary = summariseEdit({ source: confidentFacts(facts), timeline, config, output: rendered.output });
  return { plan, rendered, summary };
}
