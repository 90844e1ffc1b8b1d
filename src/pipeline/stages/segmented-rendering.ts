import { join } from 'node:path';
import { v7 as newId } from 'uuid';
import { isFailure } from '../../domain/errors.ts';
import { QUALITIES } from '../../domain/job-choices.ts';
import type { JobWork, RunPart, SharedParts, StageWork } from '../../domain/stage.ts';
import type { RenderedSegment } from '../../render/segment.ts';
import type { AudioOutcome } from '../../render/sound/audio-file.ts';
import { segmentsOf } from '../../render/timeline/segments.ts';
import { partBlobKey, partsBlobPrefix } from '../../storage/blob-names.ts';
import { timelineDurationSeconds } from '../../style/model/timeline.ts';
import type { PlannedEdit } from '../engine/direct-results.ts';
import { openWorkspace } from '../engine/workspace.ts';
import { localMedia } from './clip-facts.ts';
import { largestTake } from './each-clip.ts';
import type { DrawnFiles, DrawOptions, DrawPlan } from './render-plan.ts';
import { contentHash } from './results.ts';
import { progressParts, type StageTools } from './stage-tools.ts';
import { planOf } from './style-application.ts';

/** Joining costs more than fewer segments save. */
const MIN_SEGMENTS = 4;
/** Shares of the running time: parts, join, poster and filmstrip. */
const WEIGHTS = [94, 4, 2];

/** A rendered part: a blob and its measurements. */
type RenderedPart =
  | { readonly kind: 'segment'; readonly blobKey: string; readonly segment: RenderedSegment }
  | { readonly kind: 'sound'; readonly blobKey: string; readonly outcome: AudioOutcome };

/** How all idle workers render a long output in segments; null: the output is short and is rendered by one process. */
export function segmentedDrawing(tools: StageTools, work: StageWork, plan: PlannedEdit): DrawPlan | null {
  const { parts } = work;
  if (parts === undefined) return null;
  const segments = segmentsOf(plan.timeline, tools.segmentSeconds);
  if (segments.length < MIN_SEGMENTS) return null;
  return async (request, options) => {
    const [forParts, forJoin, forPictures] = progressParts(options.onProgress, WEIGHTS);
    const count = segments.length + (plan.timeline.audio === null ? 0 : 1);
    const results = await parts.all(
      planName(tools, plan, work),
      count,
      // Only segments rendered by this worker give live frames.
      (part, { signal, onProgress }) =>
        renderPart(tools, { ...work, signal, onProgress }, plan, part, request.framesFolder),
      forParts,
    );
    const output = await joined(
      tools,
      { plan, results: results as RenderedPart[], outputPath: request.outputPath },
      {
        ...options,
        onProgress: forJoin,
      },
    );
    await takePictures(tools, request, { ...options, onProgress: forPictures });
    await forget(tools, work.jobId, parts);
    // A separate task makes the source's pictures for the report: no process decodes the whole source.
    return { ...output, preview: null };
  };
}

/** Renders a part of a job that another worker runs. */
export function partRenderer(tools: StageTools): RunPart {
  return async (work, { plan: name, part }) => {
    const plan = await planOf(tools, work);
    if (planName(tools, plan, work) !== name)
      throw new Error(
        `job ${work.jobId}: its plan, or SEGMENT_SECONDS, is another here than where it is rendered`,
      );
    return renderPart(tools, work, plan, part);
  };
}

/** Identifies a plan at a quality with a division into segments. */
function planName({ segmentSeconds }: StageTools, { timeline }: PlannedEdit, { config }: JobWork): string {
  return contentHash(timeline, compressionOf(config), segmentSeconds);
}

function compressionOf({ quality }: JobWork['config']) {
  return QUALITIES[quality].compression;
}

/** The sound is part 0, so that it does not delay the end. */
async function renderPart(
  tools: StageTools,
  work: StageWork,
  { timeline }: PlannedEdit,
  part: number,
  framesFolder?: string,
): Promise<RenderedPart> {
  const segments = segmentsOf(timeline, tools.segmentSeconds);
  const { signal, onProgress, jobId } = work;
  await using workspace = await openWorkspace(tools.engine.workRoot);
  await using media = await localMedia(tools, work);
  const folder = framesFolder ?? workspace.folder;
  const blobKey = partBlobKey(jobId, newId());
  const outputPath = join(folder, `part-${part}.mp4`);
  const mediaSeconds = timelineDurationSeconds(timeline);
  const options = { signal, onProgress, folder, mediaSeconds, source: largestTake(work) };
  const store = () => tools.retryWhileStorageDown(() => tools.blobs.putFile(blobKey, outputPath));
  const range = segments[timeline.audio === null ? part : part - 1];
  if (range === undefined) {
    const sound = { ...media.files, timeline, plan: timeline.audio!, outputPath };
    const outcome = await tools.engine.run('sound', sound, options);
    await store();
    return { kind: 'sound', blobKey, outcome };
  }
  const request = {
    ...compressionOf(work.config),
    ...{ ...media.files, timeline, range, outputPath },
    ...(framesFolder === undefined ? {} : { framesFolder }),
  };
  const draw = () => tools.engine.run('segment', request, options);
  // A fault that recurs is not an accident.
  const segment = await draw().catch((error: unknown) => {
    if (signal.aborted || !isFailure(error, 'OUTPUT_VERIFY_FAILED')) throw error;
    return draw();
  });
  await store();
  return { kind: 'segment', blobKey, segment };
}

/** Joins the parts. Throws OUTPUT_VERIFY_FAILED if the result differs from the plan. */
async function joined(
  tools: StageTools,
  {
    plan,
    results,
    outputPath,
  }: { readonly plan: PlannedEdit; readonly results: readonly RenderedPart[]; readonly outputPath: string },
  options: DrawOptions,
) {
  await using files = new AsyncDisposableStack();
  const segments: (RenderedSegment & { readonly path: string })[] = [];
  let sound: { readonly path: string; readonly outcome: AudioOutcome } | null = null;
  for (const result of results) {
    const file = await tools.retryWhileStorageDown(() =>
      tools.blobs.localPath(result.blobKey, options.signal),
    );
    const { path } = files.use(file);
    if (result.kind === 'segment') segments.push({ ...result.segment, path });
    else sound = { path, outcome: result.outcome };
  }
  const { timeline } = plan;
  return await tools.engine.run('join', { timeline, segments, sound, outputPath }, options);
}

/** Makes poster and filmstrip from the finished output, because no worker rendered all of it. */
async function takePictures(
  { engine }: StageTools,
  { outputPath, posterPath, filmstripPath, timeline }: DrawnFiles,
  options: DrawOptions,
): Promise<void> {
  const durationSeconds = timelineDurationSeconds(timeline);
  await engine.run(
    'pictures',
    { path: outputPath, durationSeconds, posterPath, filmstripPath },
    { ...options, source: timeline },
  );
}

/** Removes the parts' rows and files. Leftovers are removed with the job's other files or by the sweep. */
async function forget(
  { blobs, retryWhileStorageDown }: StageTools,
  jobId: string,
  parts: SharedParts,
): Promise<void> {
  await parts.forget();
  await retryWhileStorageDown(() => blobs.removeAll(partsBlobPrefix(jobId)));
}
