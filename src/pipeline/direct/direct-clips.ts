/** Source and template as files at hand: inspected, and measured at once where that takes no child of its own. */
import { resolve } from 'node:path';
import { Failure } from '../../domain/errors.ts';
import type { Size } from '../../domain/footage.ts';
import type { VideoReference } from '../../domain/stage.ts';
import type { InspectedFile } from '../engine/tasks.ts';
import { openWorkspace } from '../engine/workspace.ts';
import { cacheMeasured } from '../stages/clip-facts.ts';
import { type AnalysisAtOnce, analysedAtOnce, assertFile, named, probedClip } from './direct.ts';
import type { DirectContext } from './direct-context.ts';

export interface ClipFiles {
  readonly source: string;
  /** Null: the style comes from elsewhere. */
  readonly template: string | null;
  /** Whether the template is to be measured; false: its facts are known, and its headers are enough. */
  readonly isTemplateMeasured: boolean;
}

export interface ClipChecks {
  readonly signal: AbortSignal;
  /** Throws for a source that cannot be worked on, by its picture and the template's, where that can be read. */
  readonly assertSource: (picture: Size, template: Size | null) => void;
  /** The same by its length as well. */
  readonly assertClip: (clip: VideoReference) => void;
}

/** Clips of which everything that can be refused has been, while ordinary ones are being measured. */
export interface OpenClips {
  readonly source: OpenClip;
  readonly template: OpenClip | null;
  /** Ends all that is measured of either. */
  readonly ending: AbortController;
  /** Aborted by that, and by whoever wants the whole no more. */
  readonly either: AbortSignal;
}

export interface OpenClip {
  readonly clip: VideoReference;
  /** Resolves when the context holds what was measured of it, or nobody measures it. Rejects as the analyses do. */
  measured(onProgress: (fraction: number) => void): Promise<void>;
}

/** A file of which headers are told first. */
interface ClipAnalysis {
  readonly inspected: Promise<InspectedFile>;
  readonly done: Promise<void>;
  onProgress: (fraction: number) => void;
}

/**
 * Throws `Failure` as the probe does, and what the checks throw: for the source first. `opened`: what is disposed when nothing more is
 * wanted, the context after it: it ends the measuring, and waits until nothing of it is left.
 */
export async function openClips(
  context: DirectContext,
  files: ClipFiles,
  { signal, assertSource, assertClip }: ClipChecks,
  opened: AsyncDisposableStack,
): Promise<OpenClips> {
  const { source: file, template } = files;
  const ending = new AbortController();
  const either = AbortSignal.any([signal, ending.signal]);
  const [analysis, templateAnalysis] = readBoth(context, files, either);
  opened.defer(async () => {
    ending.abort();
    await Promise.allSettled([analysis.done, templateAnalysis?.done]);
  });
  const [ours, other] = await Promise.allSettled([analysis.inspected, templateAnalysis?.inspected ?? null]);
  const inspected = settled(ours);
  const { video } = inspected.outline;
  if (video === null)
    throw new Failure('INVALID_VIDEO', `"${file}" has no video stream, so it cannot be the source`);
  if (video.isStill) throw new Failure('INVALID_VIDEO', `"${file}" is an image; only a template may be one`);
  // What is wrong with a template is told when nothing is wrong with the source.
  assertSource(video, other.status === 'rejected' ? null : (other.value?.outline.video ?? null));
  const clip = await probedClip(context, file, inspected);
  assertClip(clip);
  const found = settled(other);
  const source = openClip(clip, analysis);
  if (template === null || templateAnalysis === null) return { source, template: null, ending, either };
  const templateClip = await templateIn(context, template, found!);
  return { source, template: openClip(templateClip, templateAnalysis), ending, either };
}

/** One analysis where both are the same file. What is known of the template already is not measured again. */
function readBoth(
  context: DirectContext,
  { source, template, isTemplateMeasured }: ClipFiles,
  signal: AbortSignal,
): readonly [ClipAnalysis, ClipAnalysis | null] {
  const child = context.tools.sourceChild;
  const isSame = template !== null && resolve(template) === resolve(source);
  if (isSame) {
    const both = isTemplateMeasured
      ? read(context, source, { signal, withStyle: true, withSubjects: true, child })
      : inspectOnly(context, source, signal);
    return [both, both];
  }
  const analysis = read(context, source, { signal, withStyle: false, withSubjects: true, child });
  if (template === null) return [analysis, null];
  const other = isTemplateMeasured
    ? read(context, template, { signal, withStyle: true, withSubjects: false })
    : inspectOnly(context, template, signal);
  return [analysis, other];
}

function openClip(clip: VideoReference, analysis: ClipAnalysis): OpenClip {
  return {
    clip,
    measured(onProgress) {
      analysis.onProgress = onProgress;
      return analysis.done;
    },
  };
}

/** Starts at once. What one child cannot measure as well it only inspects. */
function read(
  context: DirectContext,
  file: string,
  wanted: Pick<AnalysisAtOnce, 'signal' | 'withStyle' | 'withSubjects' | 'child'>,
): ClipAnalysis {
  const { tools } = context;
  const path = resolve(file);
  const found = Promise.withResolvers<InspectedFile>();
  const measure = async () => {
    const { child } = wanted;
    await using workspace = child === undefined ? await openWorkspace(tools.engine.workRoot) : null;
    const { folder } = child ?? workspace!;
    const { measured, motionLogPath } = await analysedAtOnce(tools.engine, path, {
      ...wanted,
      folder,
      onFound: found.resolve,
      onProgress: (fraction) => analysis.onProgress(fraction),
    });
    // The tasks of a long or large clip have limits that this child was not given.
    if (measured === null) await child?.[Symbol.asyncDispose]();
    else await cacheMeasured(tools, context.handle(path), measured, motionLogPath);
  };
  const done = assertFile(path, file).then(() => named(file, measure()));
  done.catch(found.reject);
  // Who asks for it may have been stopped by what is wrong with the other file.
  found.promise.catch(() => {});
  const analysis: ClipAnalysis = { inspected: found.promise, done, onProgress: () => {} };
  return analysis;
}

function inspectOnly({ tools }: DirectContext, file: string, signal: AbortSignal): ClipAnalysis {
  const path = resolve(file);
  const inspect = () => tools.engine.run('inspect', { path }, { signal });
  const inspected = assertFile(path, file).then(() => named(file, inspect()));
  // What is wrong with it is told by `inspected`.
  const done = inspected.then(
    () => {},
    () => {},
  );
  return { inspected, done, onProgress: () => {} };
}

function settled<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

async function templateIn(
  context: DirectContext,
  file: string,
  inspected: InspectedFile,
): Promise<VideoReference> {
  if (inspected.outline.video === null)
    throw new Failure('INVALID_VIDEO', `"${file}" has no video stream, so it cannot be the template`);
  return probedClip(context, file, inspected);
}
