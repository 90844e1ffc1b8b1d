import { join } from 'node:path';
import { v7 as newId } from 'uuid';
import { isFailure } from '../../domain/errors.ts';
import { QUALITIES } from '../../domain/job-choices.ts';
import type { DoPart, JobWork, RunPart, SharedParts, StageWork } from '../../domain/stage.ts';
import { framesPerSecond } from '../../domain/time.ts';
import type { RenderedSegment, SegmentsRequest } from '../../render/segment.ts';
import type { AudioOutcome } from '../../render/sound/audio-file.ts';
import type { SoundFiles } from '../../render/sound/output-sound.ts';
import type { FrameRange } from '../../render/timeline/frame-schedule.ts';
import { segmentsOf } from '../../render/timeline/segments.ts';
import { slotSegmentsOf } from '../../render/timeline/slot-segments.ts';
import { partBlobKey, partsBlobPrefix } from '../../storage/blob-names.ts';
import { type Timeline, timelineDurationSeconds } from '../../style/model/timeline.ts';
import type { PlannedEdit } from '../engine/direct-results.ts';
import type { JoinInput } from '../engine/tasks.ts';
import { openWorkspace } from '../engine/workspace.ts';
import { localMedia } from './clip-facts.ts';
import { largestTake } from './each-clip.ts';
import type { DrawnFiles, DrawOptions, DrawPlan } from './render-plan.ts';
import { contentHash } from './results.ts';
import { picturesKey, SegmentCache, type SegmentPaths, type StoredSegment } from './segment-cache.ts';
import { atOnce, progressParts, progressTogether, type StageTools } from './stage-tools.ts';
import { planOf } from './style-application.ts';

/** Joining costs more than fewer segments save. */
const MIN_SHARED = 4;
/** Shares of the running time: parts, join. */
const WEIGHTS = [96, 4];
/** Expected share of the sound in the work of the parts of an edit. */
const SOUND_SHARE = 0.06;

/** Rendered parts: blobs and their measurements. */
type RenderedPart =
  | { readonly kind: 'segments'; readonly segments: readonly StoredSegment[] }
  | { readonly kind: 'sound'; readonly blobKey: string; readonly outcome: AudioOutcome };

/** How an output is divided into parts. */
interface Division {
  /** Segments that one process renders one after the other. */
  readonly groups: readonly (readonly FrameRange[])[];
  /** Null: segments belong to the job. */
  readonly cache: SegmentCache | null;
}

/** How an output is rendered in segments, a long one by all idle workers; null: it is short, and no segment of it will be used again. */
export function segmentedDrawing(tools: StageTools, work: StageWork, plan: PlannedEdit): DrawPlan | null {
  const { parts } = work;
  const division = divisionOf(tools, work, plan);
  const { groups, cache } = division;
  const isShared = parts !== undefined && groups.length >= MIN_SHARED;
  if (!isShared && cache === null) return null;
  return async (request, options) => {
    const [forParts, forJoin] = progressParts(options.onProgress, WEIGHTS);
    const doPart: DoPart = (part, { signal, onProgress }) =>
      // Only segments rendered by this worker give live frames.
      renderPart(tools, { ...work, signal, onProgress }, { plan, division, part }, request.framesFolder);
    const results = isShared
      ? await parts.all(planName(tools, plan, work), partCount(plan, division), doPart, forParts!)
      : await renderHere(work.signal, plan, division, doPart, forParts!);
    const joining = { ...options, onProgress: forJoin! };
    const output = await joined(tools, request, results as RenderedPart[], joining).catch(
      async (error: unknown) => {
        if (isFailure(error, 'OUTPUT_VERIFY_FAILED')) await cache?.remove(groups.flat());
        throw error;
      },
    );
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
    return renderPart(tools, work, { plan, division: divisionOf(tools, work, plan), part });
  };
}

/** Identifies a plan at a quality with a division into segments. */
function planName({ segmentSeconds }: StageTools, { timeline }: PlannedEdit, { config }: JobWork): string {
  return contentHash(timeline, compressionOf(config), segmentSeconds);
}

function compressionOf({ quality }: JobWork['config']) {
  return QUALITIES[quality].compression;
}

function divisionOf(
  tools: StageTools,
  { edit, config }: Pick<JobWork, 'edit' | 'config'>,
  { timeline }: PlannedEdit,
): Division {
  const { segmentSeconds } = tools;
  if (edit === undefined)
    return { groups: segmentsOf(timeline, segmentSeconds).map((range) => [range]), cache: null };
  return {
    groups: groupsOf(
      slotSegmentsOf(timeline, segmentSeconds),
      segmentSeconds * framesPerSecond(timeline.frameRate),
    ),
    cache: new SegmentCache(tools, {
      ...{ timeline, takes: edit.takes, music: edit.music, compression: compressionOf(config) },
    }),
  };
}

/** Groups of neighbours of about `frames` frames. */
function groupsOf(ranges: readonly FrameRange[], frames: number): readonly (readonly FrameRange[])[] {
  const groups: FrameRange[][] = [];
  for (const range of ranges) {
    const last = groups.at(-1);
    if (last === undefined || range.to - last[0].from > frames) groups.push([range]);
    else last.push(range);
  }
  return groups;
}

function partCount({ timeline }: PlannedEdit, { groups }: Division): number {
  return groups.length + (timeline.audio === null ? 0 : 1);
}

/** Renders all parts in this process, the sound beside the picture. */
async function renderHere(
  signal: AbortSignal,
  plan: PlannedEdit,
  division: Division,
  doPart: DoPart,
  onProgress: (fraction: number) => void,
): Promise<readonly unknown[]> {
  const results: unknown[] = [];
  const numbers = [...Array(partCount(plan, division)).keys()];
  const [sounds, pictures] = plan.timeline.audio === null ? [[], numbers] : [[0], numbers.slice(1)];
  const ending = new AbortController();
  const signals = AbortSignal.any([signal, ending.signal]);
  const [forSound, forPicture] = progressTogether(onProgress, [SOUND_SHARE * sounds.length, 1]);
  const inTurn = (some: readonly number[], onPart: (fraction: number) => void) => async () => {
    const progress = progressParts(
      onPart,
      some.map(() => 1),
    );
    for (const [index, part] of some.entries())
      results[part] = await doPart(part, { signal: signals, onProgress: progress[index] });
  };
  await atOnce(ending, [inTurn(sounds, forSound!), inTurn(pictures, forPicture!)]);
  return results;
}

interface PartOfPlan {
  readonly plan: PlannedEdit;
  readonly division: Division;
  readonly part: number;
}

/** The sound is part 0, so that it does not delay the end. `framesFolder`: the working folder, for live frames too. */
async function renderPart(
  tools: StageTools,
  work: StageWork,
  { plan: { timeline }, division: { groups, cache }, part }: PartOfPlan,
  framesFolder?: string,
): Promise<RenderedPart> {
  const ranges = groups[timeline.audio === null ? part : part - 1];
  const stored = new Map<FrameRange, StoredSegment>();
  if (cache !== null)
    for (const range of ranges ?? []) {
      const found = await cache.find(range);
      if (found !== null) stored.set(range, found);
    }
  const missing = ranges?.filter((range) => !stored.has(range)) ?? null;
  const sound = missing === null ? ((await cache?.findSound()) ?? null) : null;
  if (sound !== null) return { kind: 'sound', ...sound };
  if (missing === null || missing.length > 0) {
    await using workspace = await openWorkspace(tools.engine.workRoot);
    await using media = await localMedia(tools, work);
    const folder = framesFolder ?? workspace.folder;
    const rendering = { tools, work, timeline, files: media.files, folder };
    if (missing === null) return await renderSound(rendering, cache);
    const request = framesFolder === undefined ? {} : { framesFolder };
    for (const segment of await renderMissing(rendering, missing, request)) {
      const paths = segmentPaths(folder, segment.range);
      const keep = () => (cache === null ? storeOwnSegment(rendering, paths) : cache.store(segment, paths));
      stored.set(segment.range, { blobKey: await keep(), segment });
    }
  }
  return { kind: 'segments', segments: ranges!.map((range) => stored.get(range)!) };
}

/** Inputs of the rendering of a part. */
interface PartRendering {
  readonly tools: StageTools;
  readonly work: StageWork;
  readonly timeline: Timeline;
  readonly files: SoundFiles;
  readonly folder: string;
}

async function renderSound(rendering: PartRendering, cache: Division['cache']): Promise<RenderedPart> {
  const { tools, timeline, files, folder } = rendering;
  const outputPath = join(folder, 'sound.mp4');
  const sound = { ...files, timeline, plan: timeline.audio!, outputPath };
  const outcome = await tools.engine.run('sound', sound, optionsOf(rendering));
  const cached = (await cache?.storeSound(outcome, outputPath)) ?? null;
  return { kind: 'sound', blobKey: cached ?? (await storeOwn(rendering, outputPath)), outcome };
}

async function renderMissing(
  rendering: PartRendering,
  ranges: readonly FrameRange[],
  more: Pick<SegmentsRequest, 'framesFolder'>,
): Promise<readonly RenderedSegment[]> {
  const { tools, work, timeline, files, folder } = rendering;
  const segments = ranges.map((range) => {
    const { path: outputPath, picturesPath } = segmentPaths(folder, range);
    return { range, outputPath, picturesPath };
  });
  const request = { ...compressionOf(work.config), ...files, ...more, timeline, segments };
  const draw = () => tools.engine.run('segments', request, optionsOf(rendering));
  // A fault that recurs is not an accident.
  const drawn = await draw().catch((error: unknown) => {
    if (work.signal.aborted || !isFailure(error, 'OUTPUT_VERIFY_FAILED')) throw error;
    return draw();
  });
  return drawn.map((segment, index) => ({ ...segment, range: ranges[index] }));
}

function optionsOf({ work, timeline, folder }: PartRendering) {
  const { signal, onProgress } = work;
  const mediaSeconds = timelineDurationSeconds(timeline);
  return { signal, onProgress, folder, mediaSeconds, source: largestTake(work) };
}

function segmentPaths(folder: string, { from }: FrameRange): SegmentPaths {
  const path = join(folder, `segment-${from}.mp4`);
  return { path, picturesPath: `${path}.jpg` };
}

/** Moves a part into the job's own blobs. */
async function storeOwn({ tools, work }: PartRendering, path: string): Promise<string> {
  const blobKey = partBlobKey(work.jobId, newId());
  await tools.retryWhileStorageDown(() => tools.blobs.putFile(blobKey, path));
  return blobKey;
}

async function storeOwnSegment(rendering: PartRendering, paths: SegmentPaths): Promise<string> {
  const { blobs, retryWhileStorageDown } = rendering.tools;
  const blobKey = await storeOwn(rendering, paths.path);
  await retryWhileStorageDown(() => blobs.putFile(picturesKey(blobKey), paths.picturesPath));
  return blobKey;
}

/** Joins the parts, and makes the output's pictures from those of the segments. Throws OUTPUT_VERIFY_FAILED if the result differs from the plan. */
async function joined(
  tools: StageTools,
  { timeline, outputPath, posterPath, filmstripPath, outputPreview }: DrawnFiles,
  results: readonly RenderedPart[],
  options: DrawOptions,
) {
  await using files = new AsyncDisposableStack();
  const segments: JoinInput['segments'][number][] = [];
  let sound: JoinInput['sound'] = null;
  const local = async (blobKey: string) => {
    const file = await tools.retryWhileStorageDown(() => tools.blobs.localPath(blobKey, options.signal));
    return files.use(file).path;
  };
  for (const result of results) {
    if (result.kind === 'sound') sound = { path: await local(result.blobKey), outcome: result.outcome };
    else
      for (const { blobKey, segment } of result.segments) {
        const picturesPath = await local(picturesKey(blobKey));
        segments.push({ ...segment, path: await local(blobKey), picturesPath });
      }
  }
  const preview = outputPreview === undefined ? {} : { outputPreview };
  const request = { timeline, segments, sound, outputPath, posterPath, filmstripPath, ...preview };
  return await tools.engine.run('join', request, options);
}

/** Removes the parts' rows and files. Leftovers are removed with the job's other files or by the sweep. */
async function forget(
  { blobs, retryWhileStorageDown }: StageTools,
  jobId: string,
  parts: SharedParts | undefined,
): Promise<void> {
  await parts?.forget();
  await retryWhileStorageDown(() => blobs.removeAll(partsBlobPrefix(jobId)));
}
