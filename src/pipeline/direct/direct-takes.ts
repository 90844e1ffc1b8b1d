/** Edits of many local takes, for the command line and the library. */
import { join, resolve } from 'node:path';
import type { EditOptions } from '../../domain/edit-options.ts';
import { musicStartFault, withTemplateSong } from '../../domain/edit-takes.ts';
import { Failure } from '../../domain/errors.ts';
import type { JobConfig } from '../../domain/job-config.ts';
import { leaveOutTakes } from '../../domain/left-out-takes.ts';
import { pictureFormatOf } from '../../domain/preview.ts';
import {
  type EditWork,
  isSound,
  type JobWork,
  picturedTemplate,
  type VideoReference,
  type Warning,
} from '../../domain/stage.ts';
import { isTalkEdit, talkTakesErrors } from '../../domain/talk-takes.ts';
import { contentKey, partOf } from '../../domain/time-range.ts';
import type { TranscriptionEngine } from '../../domain/transcription.ts';
import { drawingSeconds, measuringSeconds, PLANNING_SECONDS } from '../../domain/work-estimate.ts';
import type { Style } from '../../style/model/schema.ts';
import type { AppliedTakes, DirectOptions, PlannedEdit, TakesInput } from '../engine/direct-results.ts';
import type { MediaEngine } from '../engine/engine.ts';
import { largestOutputOf } from '../engine/memory-need.ts';
import { artifactFiles } from '../stages/artifacts.ts';
import { audioOf, clipFactsOf } from '../stages/clip-facts.ts';
import { largestTake, takesOf } from '../stages/each-clip.ts';
import { measureUnlessRefused, usableWork } from '../stages/refused-takes.ts';
import { renderInto } from '../stages/rendering.ts';
import { addressFrom } from '../stages/report.ts';
import { atOnce, progressParts, progressTogether } from '../stages/stage-tools.ts';
import { planStoryboard } from '../stages/storyboard.ts';
import { planOf, reportedStyleOf } from '../stages/style-application.ts';
import { styleOf } from '../stages/style-extraction.ts';
import { drawTakesReport } from '../stages/takes-report.ts';
import {
  assertFile,
  isRefusedInput,
  measureTemplateClip,
  named,
  probedClip,
  soundFile,
  templateClip,
} from './direct.ts';
import { type DirectContext, openDirectContext } from './direct-context.ts';
import {
  assertCaptionFile,
  assertOutputRoom,
  assertRanges,
  type EditRequest,
  placeCopy,
} from './direct-edit.ts';

interface TakesRequest extends TakesInput {
  readonly look: NonNullable<EditRequest['look']>;
  readonly config: JobConfig;
  /** For `captions: "transcribe"`; left out: none. */
  readonly transcription?: TranscriptionEngine | undefined;
}

export interface PlanTakesRequest extends TakesRequest {
  /** Where to write a picture with a moment of each slot; undefined: nowhere. */
  readonly storyboard?: string;
}

export interface RenderTakesRequest extends PlanTakesRequest {
  readonly output: string;
  /** Folder of the artifacts; undefined: none are written. */
  readonly artifacts?: string;
}

/** Length of a usual reel, for the share of drawing in the progress of an edit whose length is not known yet. */
const USUAL_SECONDS = 30;
/** Measuring keeps about one core busy (eleven takes in turn: 30 CPU s in 28 s); more at once need memory that a laptop lacks. */
const MEASURED_AT_ONCE = 2;

interface OpenTakes {
  readonly work: JobWork & { readonly edit: EditWork };
  readonly files: Readonly<Record<string, string>>;
}

/** Plans and renders an edit. Throws `Failure` with the file that cannot be used, and as the plan does. */
export async function renderTakes(
  engine: MediaEngine,
  request: RenderTakesRequest,
  { signal, onProgress = () => {} }: DirectOptions,
): Promise<AppliedTakes> {
  await using context = await openDirectContext(engine, { transcription: request.transcription });
  const opened = await openTakes(context, request, signal);
  const { files } = opened;
  const [forMeasuring, forPlan, forDrawing] = progressParts(onProgress, weightsOf(opened.work));
  const work = await measureTakes(context, opened, forMeasuring!);
  const plan = await planAndSketch(context, { ...work, onProgress: forPlan! }, request.storyboard);
  await assertOutputRoom(request.output, plan, request.config);
  const isReported = request.artifacts !== undefined;
  const drawing = { ...work, onProgress: forDrawing! };
  const drawn = await renderInto(context.folder, context.tools, drawing, plan, { isReported });
  const { output, outputPath, warnings } = drawn.rendered;
  const written: string[] = [];
  const notes: Warning[] = [];
  if (request.artifacts !== undefined) {
    const style = await reportedStyleOf(context.tools, work);
    const address = addressFrom(resolve(request.artifacts, 'report.html'), resolve(request.output));
    const report = await drawTakesReport(context.tools, work, drawn, style, address);
    notes.push(...report.warnings);
    for (const { name, path } of await artifactFiles(context.folder, drawn, style, report.page)) {
      await placeCopy(join(request.artifacts, name), path);
      written.push(name);
    }
  }
  await placeCopy(request.output, outputPath);
  return {
    ...{ plan, files, output, artifacts: written },
    edit: plan.edit!,
    warnings: [...plan.warnings, ...warnings, ...notes],
  };
}

/** The plan that `renderTakes` would render. The storyboard appears when it is complete. */
export async function planTakes(
  engine: MediaEngine,
  request: PlanTakesRequest,
  { signal, onProgress = () => {} }: DirectOptions,
): Promise<Pick<AppliedTakes, 'plan' | 'edit' | 'files'>> {
  await using context = await openDirectContext(engine, { transcription: request.transcription });
  const opened = await openTakes(context, request, signal);
  const { files } = opened;
  const [forMeasuring, forPlan] = progressParts(onProgress, weightsOf(opened.work));
  const work = await measureTakes(context, opened, forMeasuring!);
  const plan = await planAndSketch(context, { ...work, onProgress: forPlan! }, request.storyboard);
  return { plan, edit: plan.edit!, files };
}

/** The plan; its storyboard is written to the path, if there is one. */
async function planAndSketch(
  { tools, folder }: DirectContext,
  work: OpenTakes['work'],
  storyboard: string | undefined,
): Promise<PlannedEdit> {
  if (storyboard === undefined) return planOf(tools, work);
  const format = pictureFormatOf(storyboard);
  const { plan, picturePath } = await planStoryboard(tools, work, { folder, format });
  await placeCopy(storyboard, picturePath);
  return plan;
}

async function openTakes(
  context: DirectContext,
  request: TakesRequest,
  signal: AbortSignal,
): Promise<OpenTakes> {
  await addWords(context, request);
  const takes: VideoReference[] = [];
  const files: Record<string, string> = {};
  const refused = new Map<string, Failure>();
  for (const { file } of request.takes) {
    const { videoId } = context.handle(resolve(file));
    if (videoId in files) continue;
    files[videoId] = file;
    const take = await openTake(context, file, signal).catch((error: unknown) => {
      if (!isRefusedInput(error)) throw error;
      return error;
    });
    if (take instanceof Failure) refused.set(videoId, take);
    else takes.push(take);
  }
  const { options: wishes, leftOut } = leaveOutTakes(wishesOf(context, request), refused);
  const { look, config } = request;
  const templateFile = 'template' in look ? look.template : null;
  const whole = templateFile === null ? null : await openTemplate(context, templateFile, signal);
  const template = whole === null ? null : partOf(whole, config.template_range);
  assertRanges(config, { source: takes[0], template, isEdit: true });
  const song = request.music === null ? null : await openSong(context, request.music, signal);
  if (song !== null) assertMusicStart(request, song);
  const isSong = whole !== null && isSound(whole);
  const options = withTemplateSong(
    { ...wishes, music: songWish(song, request.options.musicStartSeconds) },
    whole === null ? null : { videoId: whole.videoId, kind: isSong ? 'audio' : 'video' },
    config.template_range,
    request.options.musicStartSeconds,
  );
  if (options.music === null && request.options.musicStartSeconds !== null)
    throw new Failure(
      'VALIDATION_ERROR',
      'A start in the song needs a song: name one as the music, or as the template',
      { fields: [{ path: 'edit.music', message: 'is missing' }] },
    );
  assertTalk(config, options, takes);
  const music = song ?? (isSong ? whole : null);
  if (music !== null) files[music.videoId] = request.music ?? templateFile!;
  const work = {
    source: takes[0],
    template,
    style: 'style' in look ? look.style : null,
    ...('style' in look && look.cube !== undefined ? { cube: look.cube } : {}),
    config,
    edit: { takes, music, options, leftOut },
    signal,
    onProgress: () => {},
  };
  return { work, files };
}

/** Registers the caption files of takes. Before long work. Throws `Failure` with the file that cannot be used. */
async function addWords(context: DirectContext, { takes, config }: TakesRequest): Promise<void> {
  for (const [at, { file, captions }] of takes.entries()) {
    if (captions === undefined) continue;
    if (!isTalkEdit(config.talk, takes)) {
      const message = `is ${captions}, but the words of takes are used in a talk only: set config.talk to "on"`;
      const path = `takes.${at}.captions`;
      throw new Failure('VALIDATION_ERROR', `${path} ${message}`, { fields: [{ path, message }] });
    }
    await assertCaptionFile(captions);
    context.addCaptions(context.handle(resolve(file)), resolve(captions));
  }
}

/** Before the measurement. Whether a take has sound is reported by the plan. */
function assertTalk({ talk }: JobConfig, options: EditOptions, takes: readonly VideoReference[]): void {
  const fields = talkTakesErrors(talk, options, options.takes, (id) => {
    const take = takes.find(({ videoId }) => videoId === id);
    if (take === undefined) return null;
    return { kind: take.durationSeconds === 0 ? 'image' : 'video', hasAudio: true };
  });
  if (fields.length === 0) return;
  const detail = fields.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new Failure('VALIDATION_ERROR', detail, { fields });
}

async function inspectedFile(context: DirectContext, file: string, signal: AbortSignal) {
  const path = resolve(file);
  await assertFile(path, file);
  return named(file, context.tools.engine.run('inspect', { path }, { signal }));
}

async function openTake(context: DirectContext, file: string, signal: AbortSignal): Promise<VideoReference> {
  const inspected = await inspectedFile(context, file, signal);
  if (inspected.outline.video === null)
    throw new Failure(
      'INVALID_VIDEO',
      `"${file}" has no picture, so it cannot be shown: name a song with --music`,
      { file },
    );
  return probedClip(context, file, inspected);
}

async function openTemplate(
  context: DirectContext,
  file: string,
  signal: AbortSignal,
): Promise<VideoReference> {
  return templateClip(context, file, await inspectedFile(context, file, signal));
}

async function openSong(context: DirectContext, file: string, signal: AbortSignal): Promise<VideoReference> {
  const path = resolve(file);
  await assertFile(path, file);
  const outline = await named(file, context.tools.engine.run('outline', { path }, { signal }));
  if (!outline.hasAudio)
    throw new Failure('INPUT_UNSUPPORTED', `"${file}" has no sound, so it cannot be the song`, { file });
  return soundFile(context, file, outline);
}

/** Before the measurement. The headers of a song can lack its length; then the plan reports the fault. */
function assertMusicStart({ music, options }: TakesRequest, { durationSeconds }: VideoReference): void {
  const fault = durationSeconds > 0 ? musicStartFault(options.musicStartSeconds, durationSeconds) : null;
  if (fault === null) return;
  const fields = [{ path: 'options.musicStartSeconds', message: fault }];
  throw new Failure('VALIDATION_ERROR', `"${music}": the start of the music: ${fault}`, { fields });
}

function songWish(song: VideoReference | null, startSeconds: number | null): EditOptions['music'] {
  return song === null ? null : { video_id: song.videoId, start_seconds: startSeconds };
}

/** The options by video ids, without the song. */
function wishesOf(context: DirectContext, { takes, options }: TakesInput): EditOptions {
  const idOf = (file: string) => context.handle(resolve(file)).videoId;
  const { musicStartSeconds: _, pins, lengths, bans, replan = false, ...rest } = options;
  return {
    ...rest,
    takes: takes.map(({ file, exclude, mustUse, role }) => ({
      video_id: idOf(file),
      exclude: exclude.map(([from, to]): [number, number] => [from, to]),
      must_use: mustUse,
      ...(role === undefined ? {} : { role }),
    })),
    music: null,
    pins: pins.map(({ slot, file, startSeconds = null, focus = null }) => ({
      slot,
      video_id: idOf(file),
      start_seconds: startSeconds,
      ...(focus === null ? {} : { focus: { ...focus } }),
    })),
    ...(lengths === undefined ? {} : { lengths: lengths.map((length) => ({ ...length })) }),
    bans: bans.map(({ file, range: [from, to] }) => ({
      video_id: idOf(file),
      range: [from, to] as [number, number],
    })),
    replan,
    revises: null,
  };
}

/** Measures takes, song and template. The work without the takes that cannot be measured. */
async function measureTakes(
  { tools }: DirectContext,
  { work, files }: OpenTakes,
  onProgress: (fraction: number) => void,
): Promise<OpenTakes['work']> {
  const { edit, template } = work;
  const ending = new AbortController();
  const signal = AbortSignal.any([work.signal, ending.signal]);
  const takes = takesOf(work);
  const isTake = template !== null && takes.some((take) => contentKey(take) === contentKey(template));
  const clips = template === null || isTake ? takes : [...takes, template];
  const progress = progressTogether(onProgress, clips.map(measuringSeconds));
  // Each worker takes the next unmeasured take.
  const left = takes.entries();
  const nameOf = ({ videoId }: VideoReference) => files[videoId];
  const measureSome = async () => {
    for (const [index, take] of left) {
      const measure = () => clipFactsOf(tools, take, { signal, onProgress: progress[index] });
      await measureUnlessRefused(tools, { ...work, signal }, take, measure, nameOf);
    }
  };
  const measureTemplate = async () => {
    if (edit.music !== null) await named(files[edit.music.videoId], audioOf(tools, edit.music, { signal }));
    if (template !== null && !isTake)
      await measureTemplateClip(tools, template, { signal, onProgress: progress.at(-1)! });
  };
  await atOnce(ending, [measureTemplate, ...Array.from({ length: MEASURED_AT_ONCE }, () => measureSome)]);
  // Throws here; the plan would continue without a style.
  if (template !== null) await styleOf(tools, work);
  return usableWork(tools, work, nameOf);
}

/** Expected seconds of measuring, planning and drawing. */
function weightsOf(work: OpenTakes['work']): readonly number[] {
  const { template, config, style } = work;
  const clips = template === null ? takesOf(work) : [...takesOf(work), template];
  const pictured = picturedTemplate(work);
  const source = largestTake(work);
  const output = largestOutputOf({ source, template: pictured, config, style: style as Style | null });
  const { duration } = work.edit.options;
  const seconds = typeof duration === 'number' ? duration : (pictured?.durationSeconds ?? USUAL_SECONDS);
  return [
    clips.reduce((sum, clip) => sum + measuringSeconds(clip), 0),
    PLANNING_SECONDS,
    drawingSeconds({ durationSeconds: seconds }, output, config),
  ];
}
