/** Opens source and template as local files: inspects them, and starts to measure those that one child can measure at once. */
import { resolve } from 'node:path';
import { Failure } from '../../domain/errors.ts';
import type { Size } from '../../domain/footage.ts';
import type { VideoReference } from '../../domain/stage.ts';
import { partOf, type TimeRange } from '../../domain/time-range.ts';
import type { InspectedFile } from '../engine/tasks.ts';
import { openWorkspace } from '../engine/workspace.ts';
import { cacheMeasured } from '../stages/clip-facts.ts';
import {
  type AnalysisAtOnce,
  analysedAtOnce,
  assertFile,
  named,
  probedClip,
  templateClip,
} from './direct.ts';
import type { DirectContext } from './direct-context.ts';

export interface ClipFiles {
  readonly source: string;
  /** The part of the source that counts; null: all of it. */
  readonly sourceRange: TimeRange | null;
  /** Null: the style has another source. */
  readonly template: string | null;
  readonly templateRange: TimeRange | null;
  /** False: the facts of the template are known, so only its headers are read. */
  readonly isTemplateMeasured: boolean;
}

export interface ClipChecks {
  readonly signal: AbortSignal;
  /** Throws for a source whose picture, with the template's if that can be read, cannot be processed. */
  readonly assertSource: (picture: Size, template: Size | null) => void;
  /** Throws for a source whose length cannot be processed. */
  readonly assertClip: (clip: VideoReference) => void;
}

/** Clips that have passed all checks; ordinary ones are being measured. */
export interface OpenClips {
  readonly source: OpenClip;
  readonly template: OpenClip | null;
  /** Ends the measurement of both. */
  readonly ending: AbortController;
  /** Aborted by `ending` and by the caller's signal. */
  readonly either: AbortSignal;
}

interface OpenClip {
  readonly clip: VideoReference;
  /** Resolves when the context holds the measurements, or the clip is not measured. Rejects as the analyses do. */
  measured(onProgress: (fraction: number) => void): Promise<void>;
}

/** An analysis that reports the headers of its file first. */
interface ClipAnalysis {
  readonly inspected: Promise<InspectedFile>;
  readonly done: Promise<void>;
  onProgress: (fraction: number) => void;
}

/**
 * Throws the failures of the probe and of the checks; faults of the source come first. Disposing `opened` ends the
 * measurement and waits for its end.
 */
export async function openClips(
  context: DirectContext,
  files: ClipFiles,
  { signal, assertSource, assertClip }: ClipChecks,
  opened: AsyncDisposableStack,
): Promise<OpenClips> {
  const { source: file, template, sourceRange, templateRange } = files;
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
  // Faults of the template are reported after those of the source.
  assertSource(video, other.status === 'rejected' ? null : (other.value?.outline.video ?? null));
  const clip = partOf(await probedClip(context, file, inspected), sourceRange);
  assertClip(clip);
  const found = settled(other);
  const source = openClip(clip, analysis);
  if (template === null || templateAnalysis === null) return { source, template: null, ending, either };
  const look = partOf(await templateClip(context, template, found!), templateRange);
  return { source, template: openClip(look, templateAnalysis), ending, either };
}

/** One analysis if both are the same file. A template with known facts is not measured again. */
function readBoth(
  context: DirectContext,
  { source, sourceRange, template, templateRange, isTemplateMeasured }: ClipFiles,
  signal: AbortSignal,
): readonly [ClipAnalysis, ClipAnalysis | null] {
  const child = context.tools.sourceChild;
  const isSame =
    template !== null && resolve(template) === resolve(source) && isEqual(sourceRange, templateRange);
  const wanted = { signal, withSubjects: true, range: sourceRange ?? undefined, child };
  if (isSame) {
    const both = isTemplateMeasured
      ? read(context, source, { ...wanted, withStyle: true })
      : inspectOnly(context, source, signal);
    return [both, both];
  }
  const analysis = read(context, source, { ...wanted, withStyle: false });
  if (template === null) return [analysis, null];
  const other = isTemplateMeasured
    ? read(context, template, {
        ...{ signal, withStyle: true, withSubjects: false, range: templateRange ?? undefined },
      })
    : inspectOnly(context, template, signal);
  return [analysis, other];
}

function isEqual(one: TimeRange | null, other: TimeRange | null): boolean {
  return one?.[0] === other?.[0] && one?.[1] === other?.[1];
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

/** Starts to inspect and measure. A clip that is not ordinary is only inspected. */
function read(
  context: DirectContext,
  file: string,
  wanted: Pick<AnalysisAtOnce, 'signal' | 'withStyle' | 'withSubjects' | 'range' | 'child'>,
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
    // The tasks of a long or large clip need higher limits than this child has.
    if (measured === null) await child?.[Symbol.asyncDispose]();
    else await cacheMeasured(tools, partOf(context.handle(path), wanted.range), measured, motionLogPath);
  };
  const done = assertFile(path, file).then(() => named(file, measure()));
  done.catch(found.reject);
  // The caller may have stopped because of the other file.
  found.promise.catch(() => {});
  const analysis: ClipAnalysis = { inspected: found.promise, done, onProgress: () => {} };
  return analysis;
}

function inspectOnly({ tools }: DirectContext, file: string, signal: AbortSignal): ClipAnalysis {
  const path = resolve(file);
  const inspect = () => tools.engine.run('inspect', { path }, { signal });
  const inspected = assertFile(path, file).then(() => named(file, inspect()));
  // `inspected` rejects with the fault.
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
