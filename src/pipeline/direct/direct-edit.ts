/** Edits of local files, for the command line and the library. */

import { copyFile, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type ErrorCode, Failure } from '../../domain/errors.ts';
import type { CubeGrade, Size } from '../../domain/footage.ts';
import type { JobConfig } from '../../domain/job-config.ts';
import { type JobWork, picturedTemplate, type VideoReference } from '../../domain/stage.ts';
import { contentKey, countingSeconds, rangeErrors } from '../../domain/time-range.ts';
import type { TranscriptionEngine } from '../../domain/transcription.ts';
import { drawingSeconds, measuringSeconds, PLANNING_SECONDS } from '../../domain/work-estimate.ts';
import { writeAtomically } from '../../storage/whole-file.ts';
import { MAX_CAPTION_BYTES, parseCaptionFile } from '../../style/captions/file.ts';
import { parseCubeFile } from '../../style/look/cube-file.ts';
import type { Style } from '../../style/model/schema.ts';
import type { AppliedStyle, DirectOptions, FileAnalysis, PlannedEdit } from '../engine/direct-results.ts';
import { assertRoom } from '../engine/disk-need.ts';
import type { MediaEngine } from '../engine/engine.ts';
import { largestOutputOf } from '../engine/memory-need.ts';
import { artifactFiles } from '../stages/artifacts.ts';
import { cacheFacts, clipFactsOf } from '../stages/clip-facts.ts';
import { drawJobReport, type FilmAddresses, reportPicturesWanted } from '../stages/job-report.ts';
import { renderInto } from '../stages/rendering.ts';
import { addressFrom } from '../stages/report.ts';
import { atOnce, progressParts, progressTogether } from '../stages/stage-tools.ts';
import { planOf, reportedStyleOf } from '../stages/style-application.ts';
import { styleOf } from '../stages/style-extraction.ts';
import { assertFile, measureTemplateClip } from './direct.ts';
import { openClips } from './direct-clips.ts';
import { type DirectContext, openDirectContext } from './direct-context.ts';

const ignore = () => {};

/** A cube of 129 with 40 characters an entry. */
const MAX_CUBE_BYTES = 100_000_000;

export interface EditRequest {
  readonly source: string;
  /** A template clip, or a style with an optional LUT; null: a clean re-encode. */
  readonly look:
    | { readonly template: string; readonly measured?: Extract<FileAnalysis, { kind: 'clip' }> }
    | { readonly style: Style; readonly cube?: CubeGrade }
    | null;
  readonly config: JobConfig;
  /** A SubRip or WebVTT file; undefined: the source's own text track. */
  readonly captions?: string;
  /** Undefined: none is configured. */
  readonly transcription?: TranscriptionEngine;
}

export interface ApplyRequest extends EditRequest {
  readonly output: string;
  /** Path of the comparison (source and output side by side); undefined: none. */
  readonly comparison?: string;
  /** Folder of the artifacts; undefined: none are written. */
  readonly artifacts?: string;
}

/** An edit whose clips are measured; disposing it removes its working files. */
export interface OpenEdit extends AsyncDisposable {
  readonly context: DirectContext;
  readonly work: JobWork;
  /** Plans the edit. A preview does not call it: the task that draws its picture plans as well. */
  plan(): Promise<PlannedEdit>;
  /** 0..1 of the work after the plan. */
  readonly onRest: (fraction: number) => void;
}

/**
 * Renders a file in a style. The output appears at its path when it is complete. Throws `Failure` before long work for a source that
 * cannot be rendered on this machine, and for an unusable template; a job of the service only loses its style then.
 */
export async function applyStyle(
  engine: MediaEngine,
  request: ApplyRequest,
  { signal, onProgress = ignore }: DirectOptions,
): Promise<AppliedStyle> {
  const { comparison, artifacts } = request;
  const config = { ...request.config, comparison: comparison !== undefined };
  const assertSource = memoryCheck(engine, { ...request, config });
  const restSeconds = (source: VideoReference, template: Size | null) => {
    const style = request.look !== null && 'style' in request.look ? request.look.style : null;
    const output = largestOutputOf({ source, template, config, style });
    const durationSeconds = countingSeconds(source.durationSeconds, source.range);
    return drawingSeconds({ durationSeconds }, output, config);
  };
  await using edit = await openEdit(
    engine,
    { ...request, config },
    { signal, onProgress, assertSource, restSeconds },
  );
  const { context, work } = edit;
  const preview = artifacts === undefined ? undefined : await reportPicturesWanted(context.tools, work);
  const plan = await edit.plan();
  await assertOutputRoom(request.output, plan, config);
  const drawing = { ...work, onProgress: edit.onRest };
  const drawn = await renderInto(context.folder, context.tools, drawing, plan, { preview });
  const { rendered } = drawn;
  const summary = drawn.summary!;
  const { output, outputPath, comparisonPath } = rendered;
  const written: string[] = [];
  const warnings = [...plan.warnings, ...rendered.warnings];
  if (artifacts !== undefined) {
    const style = await reportedStyleOf(context.tools, work);
    const report = await drawJobReport(
      context.tools,
      work,
      { ...drawn, summary },
      style,
      filmsBeside(artifacts, request),
    );
    warnings.push(...report.warnings);
    for (const { name, path } of await artifactFiles(context.folder, drawn, style, report.page)) {
      await placeCopy(join(artifacts, name), path);
      written.push(name);
    }
  }
  await placeCopy(request.output, outputPath);
  if (comparison !== undefined && comparisonPath !== null) await placeCopy(comparison, comparisonPath);
  return { plan, output, summary, artifacts: written, warnings };
}

/** Addresses of the files in the folder of the report or below it; null for others. */
function filmsBeside(folder: string, { source, look, output }: ApplyRequest): FilmAddresses {
  const from = (file: string) => addressFrom(resolve(folder, 'report.html'), resolve(file));
  return {
    source: from(source),
    template: look !== null && 'template' in look ? from(look.template) : null,
    output: from(output),
  };
}

/** The plan that `applyStyle` would render. Throws as it does, without the checks that only rendering needs. */
export async function planEdit(
  engine: MediaEngine,
  request: EditRequest,
  options: DirectOptions,
): Promise<PlannedEdit> {
  await using edit = await openEdit(engine, request, options);
  return await edit.plan();
}

export interface EditOptions extends DirectOptions {
  /**
   * Both run before long work and throw for a source that cannot be processed: `assertSource` checks its picture with the template's (null:
   * unreadable or none), `assertClip` its length.
   */
  readonly assertSource?: (picture: Size, template: Size | null) => void;
  readonly assertClip?: (clip: VideoReference) => void;
  /** Expected time of the work after the plan, in the seconds of `domain/work-estimate.ts`; undefined: 0. */
  readonly restSeconds?: (source: VideoReference, template: Size | null) => number;
}

/** Measures both clips. Throws the failures of `applyStyle` and of the options' checks. */
export async function openEdit(
  engine: MediaEngine,
  request: EditRequest,
  options: EditOptions,
): Promise<OpenEdit> {
  const { look, config, captions, transcription } = request;
  const { signal, onProgress = ignore } = options;
  if (captions !== undefined) await assertCaptionFile(captions);
  await using opened = new AsyncDisposableStack();
  const context = opened.use(
    await openDirectContext(engine, { source: resolve(request.source), transcription }),
  );
  const { tools } = context;
  const { template = null, measured } = look !== null && 'template' in look ? look : {};
  const clips = await openClips(
    context,
    {
      ...{ source: request.source, sourceRange: config.source_range },
      ...{ template, templateRange: config.template_range, isTemplateMeasured: measured === undefined },
    },
    { signal, assertSource: options.assertSource ?? ignore, assertClip: options.assertClip ?? ignore },
    opened,
  );
  const { ending, either } = clips;
  const source = clips.source.clip;
  const templateClip = clips.template?.clip ?? null;
  assertRanges(config, { source, template: templateClip, isEdit: false });
  if (templateClip !== null && measured !== undefined) await cacheFacts(tools, templateClip, measured);
  const measuring = [
    templateClip === null || measured !== undefined ? 0 : measuringSeconds(templateClip),
    measuringSeconds(source),
  ];
  const [forClips, forPlan, onRest] = progressParts(onProgress, [
    Math.max(...measuring),
    PLANNING_SECONDS,
    options.restSeconds?.(source, picturedTemplate({ template: templateClip })) ?? 0,
  ]);
  const [forTemplate, forSource] = progressTogether(forClips, measuring);
  if (captions !== undefined) context.addCaptions(source, resolve(captions));
  const style = look !== null && 'style' in look ? look.style : null;
  const cube = look !== null && 'style' in look ? look.cube : undefined;
  const inputs = { source, template: templateClip, style, config };
  const work: JobWork = { ...inputs, ...(cube === undefined ? {} : { cube }), signal, onProgress: ignore };
  const isSame = templateClip !== null && contentKey(templateClip) === contentKey(source);
  const measureTemplate = async () => {
    if (templateClip === null) return;
    await clips.template!.measured(forTemplate);
    await measureTemplateClip(tools, templateClip, {
      ...{ signal: either, onProgress: forTemplate, withSubjects: isSame },
    });
    // Throws here; the plan would continue without a style.
    await styleOf(tools, { ...work, signal: either });
  };
  const measureSource = async () => {
    await clips.source.measured(forSource);
    await clipFactsOf(tools, source, { signal: either, onProgress: forSource });
  };
  // The same file: its measurements serve as source and template.
  if (isSame) await measureTemplate();
  await atOnce(ending, isSame ? [measureSource] : [measureTemplate, measureSource]);
  const resources = opened.move();
  return {
    context,
    work,
    plan: () => planOf(tools, { ...work, onProgress: forPlan }),
    onRest: onRest,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Throws VALIDATION_ERROR for ranges that the clips do not have. */
export function assertRanges(
  config: JobConfig,
  { source, template, isEdit }: Pick<JobWork, 'source' | 'template'> & { readonly isEdit: boolean },
): void {
  const named = (clip: VideoReference) => ({
    // An image has no duration.
    kind: clip.durationSeconds === 0 ? ('image' as const) : ('video' as const),
    durationSeconds: clip.durationSeconds,
  });
  const fields = rangeErrors({
    ...{ config, isEdit, source: named(source) },
    template: template === null ? undefined : named(template),
  });
  if (fields.length === 0) return;
  const detail = fields.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new Failure('VALIDATION_ERROR', detail, { fields });
}

/** Throws INPUT_LIMIT_EXCEEDED for a source that cannot be rendered here. */
export function memoryCheck(
  engine: MediaEngine,
  { look, config }: Pick<EditRequest, 'look' | 'config'>,
): NonNullable<EditOptions['assertSource']> {
  const style = look !== null && 'style' in look ? look.style : null;
  return (source, template) => engine.assertMemory({ source, template, config, style });
}

/** Reads a LUT. Throws `Failure` INPUT_UNSUPPORTED with the fault of the file. */
export async function readCubeFile(file: string): Promise<CubeGrade> {
  const bytes = await readSmallFile(file, MAX_CUBE_BYTES, 'INPUT_UNSUPPORTED', '.cube file');
  return naming(file, () => parseCubeFile(bytes.toString('utf8')));
}

/** Checks a caption file before long work. Throws `Failure` INPUT_UNSUPPORTED or INVALID_CAPTIONS. */
export async function assertCaptionFile(file: string): Promise<void> {
  const bytes = await readSmallFile(file, MAX_CAPTION_BYTES, 'INVALID_CAPTIONS', 'caption file');
  naming(file, () => parseCaptionFile(bytes));
}

/** Adds the file to errors of `read`. */
function naming<Result>(file: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.code, error.detail, { file, cause: error });
  }
}

/** Throws FILE_NOT_FOUND if there is no such file, `code` if it is larger than `most` bytes. */
async function readSmallFile(file: string, most: number, code: ErrorCode, kind: string): Promise<Buffer> {
  const path = resolve(file);
  await assertFile(path, file);
  if ((await stat(path)).size > most)
    throw new Failure(code, `"${file}" is larger than the ${most} bytes of a ${kind}`, { file });
  return readFile(path);
}

/** Before the work: the output is drawn in the working folder, and copied. Throws as `assertRoom`. */
export function assertOutputRoom(
  outputFile: string,
  { timeline }: Pick<PlannedEdit, 'timeline'>,
  { quality }: Pick<JobConfig, 'quality'>,
): Promise<void> {
  return assertRoom(dirname(resolve(outputFile)), timeline, { quality, comparison: false, outputFile });
}

/** Copies `path` to `file` atomically; a rename does not cross file systems. */
export function placeCopy(file: string, path: string): Promise<void> {
  return writeAtomically(file, (beside) => copyFile(path, beside));
}
