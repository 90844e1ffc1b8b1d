/**
 * Implements the tasks of a media child. Imported only by the child, which loads only the modules of its task: loading
 * all takes twice as long as starting.
 */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import type { AudioAnalysis } from '../../analysis/audio.ts';
import { Failure, isFailure } from '../../domain/errors.ts';
import type { Still } from '../../domain/footage.ts';
import { MODULE_EXTENSION } from '../../package/package-files.ts';
import { ordinaryDuration } from './ordinary-clip.ts';
import type { Preview, PreviewInput, TaskFound, TaskInput, TaskName, TaskOutput } from './tasks.ts';

/** Modules with code of the tasks. */
const TASK_MODULES = ['signal', 'analysis', 'style', 'media', 'render'] as const;

type OnProgress = (fraction: number) => void;
type OnFound<T extends TaskName> = (found: TaskFound<T>) => void;
type Runner<T extends TaskName> = (
  input: TaskInput<T>,
  onProgress: OnProgress,
  onFound: OnFound<T>,
) => Promise<TaskOutput<T>> | TaskOutput<T>;

/** The sample rate of the sound analysis, for any file. */
const ANALYSIS_SAMPLE_RATE = 44_100;
/** Share of decoding and measuring; the rest is for combining the findings. */
const PASS_SHARE = 0.95;
/** Shares of measuring a clip; the rest is for motion. */
const MEASURED_SHARES = { video: 0.75, audio: 0.2 };
/** Share of a preview for decoding the picture; the rest is for the sound. */
const THUMBNAIL_SHARE = 0.9;
/** Share of a preview picture for decoding its moments; the rest is for planning and drawing. */
const MOMENTS_SHARE = 0.7;

const RUNNERS: { readonly [T in TaskName]: Runner<T> } = {
  ping: () => 'pong',
  compile: compileAll,
  outline: async ({ path }) => (await import('../../media/read/outline.ts')).outlineOf(path),
  probe: async ({ path, maxDurationSeconds }) =>
    (await import('../../media/read/probe.ts')).probeFile(path, { maxDurationSeconds }),
  inspect: inspectFile,
  measure: measureClip,
  analyse: analyseFile,
  video: measureVideo,
  audio: measureAudio,
  speechSound: writeSpeechSound,
  motion: measureMotion,
  style: styleOfFacts,
  soundStyle: styleOfSound,
  preview: makePreview,
  pictures: makePictures,
  proxy: async (input, onProgress) => (await import('./proxy-task.ts')).makeProxy(input, onProgress),
  plan: async (input) => (await import('./plan-tasks.ts')).planEdit(input),
  planTakes: async (input) => (await import('./plan-tasks.ts')).planTakes(input),
  planData: async (input) => (await import('./plan-data-task.ts')).planData(input),
  previewPicture: drawPreviewPicture,
  storyboard: async (request, onProgress) =>
    (await import('../../render/storyboard.ts')).drawStoryboard(request, onProgress),
  draft: async (request, onProgress) =>
    (await import('../../render/draft.ts')).renderDraft(request, onProgress),
  compare: async (request, onProgress) => {
    const { renderComparison } = await import('../../render/comparison.ts');
    await renderComparison(request, onProgress);
    return null;
  },
  segments: async (request, onProgress) =>
    (await import('../../render/segment.ts')).renderSegments(request, onProgress),
  sound: async (request, onProgress) =>
    (await import('../../render/sound/audio-file.ts')).writeAudio(request, request.outputPath, onProgress),
  tryEncoder: async (trial) => {
    await (await import('../../render/verify/encoder-trial.ts')).tryEncoder(trial);
    return null;
  },
  join: async (request, onProgress) => (await import('./join-task.ts')).joinParts(request, onProgress),
  render: renderOutput,
};

export function runTask<T extends TaskName>(
  task: T,
  input: TaskInput<T>,
  onProgress: OnProgress,
  onFound: OnFound<T>,
): Promise<TaskOutput<T>> | TaskOutput<T> {
  const runner: Runner<T> = RUNNERS[task];
  return runner(input, onProgress, onFound);
}

/** Declarations are in the same folder, but contain no code. */
function isModule(name: string): boolean {
  return name.endsWith(MODULE_EXTENSION) && !name.endsWith('.d.ts');
}

async function compileAll() {
  for (const module of TASK_MODULES) {
    const folder = new URL(`../../${module}/`, import.meta.url);
    const names = await readdir(folder, { recursive: true });
    const modules = names.filter(isModule);
    for (const name of modules) await import(new URL(name, folder).href);
  }
  flushCompileCache();
  return null;
}

async function inspectFile({ path }: TaskInput<'inspect'>) {
  const { outlineOf } = await import('../../media/read/outline.ts');
  const { probeFile } = await import('../../media/read/probe.ts');
  const outline = await outlineOf(path).catch(async (error: unknown) => {
    // The probe distinguishes a damaged file from one of another format.
    await probeFile(path, { maxDurationSeconds: Number.POSITIVE_INFINITY }).catch((refusal: unknown) => {
      throw isFailure(refusal, 'INVALID_VIDEO') ? refusal : error;
    });
    throw error;
  });
  if (outline.video === null) return { outline, probe: null };
  const probe = await probeFile(path, { maxDurationSeconds: Number.POSITIVE_INFINITY }).catch((error) => {
    if (!(error instanceof Failure)) throw error;
    return { refusal: [error.code, error.detail] } as const;
  });
  return { outline, probe };
}

async function measureClip(input: TaskInput<'measure'>, onProgress: OnProgress) {
  const video = await measureVideo(input, (part) => onProgress(part * MEASURED_SHARES.video));
  const audio = await measureAudio(input, (part) =>
    onProgress(MEASURED_SHARES.video + part * MEASURED_SHARES.audio),
  );
  const motion = await measureMotion({ ...input, video });
  const { styleAt } = input;
  if (styleAt === null) return { video, audio, motion, style: null };
  const facts = { video, audio: audio?.facts ?? null, motion };
  const fingerprint = audio?.fingerprint ?? null;
  return { video, audio, motion, style: await styleOfFacts({ facts, fingerprint, createdAt: styleAt }) };
}

async function analyseFile(input: TaskInput<'analyse'>, onProgress: OnProgress, onFound: OnFound<'analyse'>) {
  const inspected = await inspectFile(input);
  onFound(inspected);
  const durationSeconds = ordinaryDuration(inspected);
  const measured =
    durationSeconds === null ? null : await measureClip({ ...input, durationSeconds }, onProgress);
  return { inspected, measured };
}

async function styleOfSound({ audio, ...options }: TaskInput<'soundStyle'>) {
  const { extractSoundStyle } = await import('../../style/extract/extract.ts');
  return extractSoundStyle(audio, options);
}

async function styleOfFacts({ facts, fingerprint, createdAt }: TaskInput<'style'>) {
  const { extractStyle } = await import('../../style/extract/extract.ts');
  return extractStyle(facts, { fingerprint, createdAt });
}

async function measureMotion({ motionLogPath, video }: TaskInput<'motion'>) {
  const { analyseMotion } = await import('../../analysis/motion.ts');
  const { readMotionLog } = await import('../../analysis/optical-flow/log.ts');
  return analyseMotion(readMotionLog(await readFile(motionLogPath)), video);
}

async function measureVideo(
  { path, range, motionLogPath, withSubjects }: TaskInput<'video'>,
  onProgress: OnProgress,
) {
  const { discardOtherStreams } = await import('../../media/av/input.ts');
  const { VIDEO_AND_IMAGE_DEMUXERS } = await import('../../media/av/open-input.ts');
  const { openInputAt } = await import('../../media/av/open-at.ts');
  const { inputOutline } = await import('../../media/read/outline.ts');
  const { framesOf } = await import('../../media/decode/frames.ts');
  const { VideoAnalysis } = await import('../../analysis/video.ts');
  const [startSeconds, endSeconds] = range ?? [0, Number.POSITIVE_INFINITY];
  using input = await openInputAt(path, startSeconds, VIDEO_AND_IMAGE_DEMUXERS);
  const outline = inputOutline(input);
  if (outline.video === null) throw new Failure('INPUT_UNSUPPORTED', 'The file has no video stream');
  discardOtherStreams(input, input.video!);
  const ending = outline.durationSeconds;
  const durationSeconds = ending === null ? null : Math.min(ending, endSeconds) - startSeconds;
  const clip = { ...outline.video, containerDurationSeconds: durationSeconds };
  const analysis = new VideoAnalysis(clip, { withSubjects });
  const { DecodeLosses } = await import('../../media/av/decode-losses.ts');
  const losses = new DecodeLosses();
  for await (const frame of framesOf(input, { thinned: true, losses, range })) {
    analysis.push(frame);
    onProgress(passed(frame.timeSeconds, durationSeconds));
  }
  losses.finish(range);
  const { facts: measured, motionLog } = analysis.finish();
  await writeFile(motionLogPath, motionLog);
  const { withTitleDetails } = await import('./title-details.ts');
  const facts = await withTitleDetails(path, measured, startSeconds);
  const { inputWarnings, lossWarnings, pictureGapWarnings, silentTrackWarnings } = await import(
    '../../media/read/input-warnings.ts'
  );
  const { recordingMarks } = await import('../../media/read/start-timecode.ts');
  const { readXmp } = await import('../../media/read/xmp.ts');
  const { unreadFileWarnings } = await import('../../media/read/unread-files.ts');
  const { readProfileWarnings } = await import('../../media/read/profile-warnings.ts');
  const { unreadAlphaWarnings } = await import('../../media/read/alpha-warnings.ts');
  const fileWarnings = [
    ...inputWarnings(input),
    ...lossWarnings('picture', losses),
    ...pictureGapWarnings(losses, facts),
    ...(await silentTrackWarnings(path)),
    ...(await unreadFileWarnings(path)),
    ...(await readProfileWarnings(path)),
    ...(await unreadAlphaWarnings(path, input)),
  ];
  return {
    ...facts,
    ...(fileWarnings.length > 0 && { fileWarnings }),
    ...(input.formatName === 'mpegts' && { mpegStartSeconds: input.startSeconds }),
    marks: recordingMarks(input, await readXmp(path)),
  };
}

async function measureAudio({ path, range, durationSeconds }: TaskInput<'audio'>, onProgress: OnProgress) {
  const { discardOtherStreams } = await import('../../media/av/input.ts');
  const { openInput } = await import('../../media/av/open-input.ts');
  using input = await openInput(path);
  if (input.audio === null) return null;
  discardOtherStreams(input, input.audio);
  const { samplesForAll } = await import('../../media/decode/samples.ts');
  const { Fingerprint, FINGERPRINT_SAMPLES } = await import('../../media/read/fingerprint.ts');
  const { AudioAnalysis } = await import('../../analysis/audio.ts');
  await using print = await Fingerprint.open(process.cwd());
  let analysis: AudioAnalysis | null = null;
  const kinds = [{ sampleRate: ANALYSIS_SAMPLE_RATE, channels: 'source' }, FINGERPRINT_SAMPLES] as const;
  const { DecodeLosses } = await import('../../media/av/decode-losses.ts');
  const losses = new DecodeLosses();
  for await (const [kind, block] of samplesForAll(input, kinds, { losses, range })) {
    if (kind === 1) {
      print.push(block);
      continue;
    }
    analysis ??= new AudioAnalysis({ sampleRate: ANALYSIS_SAMPLE_RATE, channels: block.channels.length });
    analysis.push(block);
    onProgress(passed(block.startSeconds, durationSeconds));
  }
  losses.finish(range);
  // A sound stream without samples counts as none.
  if (analysis === null) return null;
  const { invalidSampleWarnings, lossWarnings, soundGapWarnings } = await import(
    '../../media/read/input-warnings.ts'
  );
  const measured = analysis.finish();
  const fileWarnings = [
    ...lossWarnings('sound', losses),
    ...soundGapWarnings(losses, measured.silence.spans, range?.[0]),
    ...invalidSampleWarnings(losses),
  ];
  const facts = { ...measured, ...(fileWarnings.length > 0 && { fileWarnings }) };
  return { facts, fingerprint: await print.finish() };
}

async function writeSpeechSound(
  { path, durationSeconds, folder }: TaskInput<'speechSound'>,
  onProgress: OnProgress,
) {
  const { discardOtherStreams } = await import('../../media/av/input.ts');
  const { openInput } = await import('../../media/av/open-input.ts');
  using input = await openInput(path);
  if (input.audio === null) return null;
  discardOtherStreams(input, input.audio);
  const { writeSpeechSound: write } = await import('../../media/read/speech-sound.ts');
  return await write(input, {
    folder,
    onProgress: (seconds) => onProgress(passed(seconds, durationSeconds)),
  });
}

async function makePreview(input: TaskInput<'preview'>, onProgress: OnProgress): Promise<Preview> {
  const { readThumbnails } = await import('../../media/read/thumbnails.ts');
  const { path, startSeconds = 0, durationSeconds } = input;
  const videoShare = input.stillTimesSeconds.length > 0 ? THUMBNAIL_SHARE : 0;
  const stills =
    videoShare === 0
      ? []
      : await readThumbnails(path, {
          timesSeconds: fileTimes(input),
          areaPixels: input.stillAreaPixels,
          onProgress: (seconds) => onProgress(passed(seconds, startSeconds + durationSeconds) * videoShare),
        });
  return previewWith(stills, input, (part) => onProgress(videoShare + part * (1 - videoShare)));
}

async function previewWith(
  read: readonly Still[],
  { path, startSeconds = 0, durationSeconds, envelopeColumns: columns }: PreviewInput,
  onProgress: OnProgress,
): Promise<Preview> {
  const { readEnvelope } = await import('../../media/read/envelope.ts');
  const { streamFormatOf } = await import('../../media/av/stream-format.ts');
  const format = await streamFormatOf(path);
  const envelope =
    format.audio === null
      ? null
      : await readEnvelope(path, {
          ...{ startSeconds, durationSeconds, columns },
          onProgress: (seconds) => onProgress(passed(seconds, durationSeconds)),
        });
  const stills = read.map((still) => ({ ...still, timeSeconds: still.timeSeconds - startSeconds }));
  return { format, stills, envelope };
}

function fileTimes({ startSeconds = 0, stillTimesSeconds }: PreviewInput): number[] {
  return stillTimesSeconds.map((seconds) => startSeconds + seconds);
}

async function renderOutput(
  { preview: wanted, outputPreview: reported, ...request }: TaskInput<'render'>,
  onProgress: OnProgress,
) {
  const { render } = await import('../../render/render.ts');
  const { outputPreviewOf, outputStills: stillsIn } = await import('./output-preview.ts');
  const areaPixels = wanted?.stillAreaPixels ?? 0;
  const stillsOf = wanted === undefined ? {} : { stills: { timesSeconds: fileTimes(wanted), areaPixels } };
  const ofOutput = reported === undefined ? {} : { outputStills: stillsIn(reported) };
  const { stills, outputStills, ...rendered } = await render(
    { ...request, ...stillsOf, ...ofOutput },
    onProgress,
  );
  const outputPreview =
    reported === undefined
      ? null
      : await outputPreviewOf(request, rendered.durationSeconds, outputStills, reported);
  const preview =
    wanted === undefined || stills === null
      ? null
      : // A failed preview is made by a task of its own, which reports the fault.
        await previewWith(stills, wanted, () => onProgress(1)).catch(() => null);
  const { sha256Of } = await import('../../render/verify/file-hash.ts');
  return { ...rendered, preview, outputPreview, sha256: await sha256Of(request.outputPath) };
}

async function makePictures(input: TaskInput<'pictures'>, onProgress: OnProgress) {
  const { readVideoPictures } = await import('../../media/read/video-pictures.ts');
  const { path, durationSeconds, posterPath, filmstripPath } = input;
  const { poster, filmstrip, tile, tileSeconds } = await readVideoPictures(path, durationSeconds, onProgress);
  await writeFile(posterPath, poster);
  await writeFile(filmstripPath, filmstrip);
  return { tile, tileSeconds };
}

/** Completed share of a pass; if the length is not known, it approaches 1 ever more slowly. */
function passed(seconds: number, durationSeconds: number | null): number {
  const share =
    durationSeconds === null ? 1 - Math.exp(-seconds / 60) : Math.min(1, seconds / durationSeconds);
  return share * PASS_SHARE;
}

async function drawPreviewPicture(input: TaskInput<'previewPicture'>, onProgress: OnProgress) {
  const { drawPreview, readFrames, writeFrames } = await import('../../render/previews/preview-picture.ts');
  const { outputMoment } = await import('../../style/model/output-moment.ts');
  const { sourcePath, framesPath, frameSize, momentsSeconds } = input;
  if (!input.hasFrames) {
    const { readMomentFrames } = await import('../../render/picture/moment-frames.ts');
    const frames = await readMomentFrames(sourcePath, momentsSeconds, frameSize, (part) =>
      onProgress(part * MOMENTS_SHARE),
    );
    await writeFrames(frames, framesPath);
    for (const frame of frames) frame.free();
  }
  const { timelineOf } = await import('./plan-tasks.ts');
  const { timeline, warnings } = await timelineOf(input.plan);
  const frames = await readFrames(framesPath, frameSize);
  await drawPreview(frames, timeline.takes[0].grade, input.format, input.picturePath);
  const { timelineDurationSeconds } = await import('../../style/model/timeline.ts');
  const { motionIntensity } = await import('../../style/extract/extract.ts');
  const { framesPerSecond } = await import('../../domain/time.ts');
  const { sourceDensity } = await import('../../domain/work-estimate.ts');
  const { video, audio } = input.plan.source;
  const source = { ...video, frameRate: framesPerSecond(video.frameRate), hasAudio: audio !== null };
  // Of the part that counts.
  const sizeBytes = (await stat(sourcePath)).size * Math.min(1, video.durationSeconds / input.sourceSeconds);
  const output = {
    ...{ width: timeline.width, height: timeline.height, hasAudio: timeline.audio !== null },
    durationSeconds: timelineDurationSeconds(timeline),
    frameRate: framesPerSecond(timeline.frameRate),
    motionIntensity: motionIntensity(input.plan.source.motion),
    sourceDensity: sourceDensity({ ...source, sizeBytes }),
  };
  return { moments: momentsSeconds.map((seconds) => outputMoment(timeline, seconds)), output, warnings };
}
