import { dirname, isAbsolute, relative, sep } from 'node:path';
import type { TimeRange } from '../../domain/time-range.ts';
import { reportPage } from '../../report/page.ts';
import { reportView } from '../../report/report.ts';
import { planStills } from '../../report/still-plan.ts';
import type { ReportView } from '../../report/view.ts';
import { audioFields } from '../../style/extract/audio.ts';
import type { Style } from '../../style/model/schema.ts';
import type { FileAnalysis } from '../engine/direct-results.ts';
import type { MediaEngine, TaskOptions } from '../engine/engine.ts';
import type { TaskInput, TaskOutput } from '../engine/tasks.ts';

/** Columns of a report's waveform: about the pixels of a wide window. */
const ENVELOPE_COLUMNS = 1600;
/** Columns if a page has several files. */
const FEWER_COLUMNS = 800;

/** A stored file, by its content. */
export interface HashedFile {
  /** In hexadecimal. */
  readonly sha256: string;
}

/** The address of a file that a report in a service plays: with its hash the service allows that, although the report has no origin. */
export function hashedAddress(address: string, { sha256 }: HashedFile): string {
  return `${address}?sha256=${sha256}`;
}

/**
 * Relative address (`src`) of a file beside or below a page; null for other files, whose addresses break when the page
 * is moved.
 */
export function addressFrom(page: string, file: string): string | null {
  const path = relative(dirname(page), file);
  if (path === '' || path.startsWith('..') || isAbsolute(path)) return null;
  return path.split(sep).map(encodeURIComponent).join('/');
}

export interface ReportedFile {
  /** Absolute. */
  readonly path: string;
  /** The part that was measured; left out: all of it. */
  readonly range?: TimeRange | undefined;
  readonly name: string | null;
  readonly analysis: FileAnalysis;
  /** Null for sound alone. */
  readonly style: Style | null;
  /** Address of the video relative to the page; undefined: only its pictures are shown. */
  readonly videoAddress?: string;
  /**
   * Identifies the file on a page of several files, which show fewer pictures each; undefined: the page shows one file.
   */
  readonly key?: string;
}

/** Stills and waveform of a file, as a report shows them. */
export type ReportPictures = TaskOutput<'preview'>;

/** All findings of a file as one HTML page without other files. */
export async function drawReport(
  engine: MediaEngine,
  measured: ReportedFile,
  options: Pick<TaskOptions, 'signal' | 'onProgress'>,
): Promise<string> {
  return reportPage(viewOf(measured, await picturesOf(engine, measured, options)));
}

/** Decodes the whole file. */
export function picturesOf(
  engine: MediaEngine,
  file: Pick<ReportedFile, 'path' | 'range' | 'analysis' | 'key'>,
  options: Pick<TaskOptions, 'signal' | 'onProgress'>,
): Promise<ReportPictures> {
  const { clip } = factsIn(file.analysis);
  const wanted = picturesWanted(file);
  const source = clip === null ? {} : { source: clip.video };
  return engine.run('preview', wanted, { ...options, mediaSeconds: wanted.durationSeconds, ...source });
}

/** The pictures that `viewOf` shows of a file. */
export function picturesWanted({
  path,
  range,
  analysis,
  key,
}: Pick<ReportedFile, 'path' | 'range' | 'analysis' | 'key'>): TaskInput<'preview'> {
  const { clip, audio } = factsIn(analysis);
  const { stills, areaPixels } = planStills(clip?.video.shots ?? [], detailOf(key));
  return {
    path,
    startSeconds: range?.[0] ?? 0,
    durationSeconds: clip?.video.durationSeconds ?? audio?.durationSeconds ?? 0,
    stillTimesSeconds: stills.map(({ timeSeconds }) => timeSeconds),
    stillAreaPixels: areaPixels,
    envelopeColumns: key === undefined ? ENVELOPE_COLUMNS : FEWER_COLUMNS,
  };
}

/** The findings and pictures of a file as a page shows them. */
export function viewOf(measured: Omit<ReportedFile, 'path' | 'range'>, pictures: ReportPictures): ReportView {
  const { name, analysis, videoAddress, key } = measured;
  const { clip, audio } = factsIn(analysis);
  const plan = planStills(clip?.video.shots ?? [], detailOf(key)).stills;
  const style = measured.style ?? (audio === null ? {} : audioFields(audio));
  return reportView({
    ...{ name, clip, audio, style, ...pictures, plan, createdAt: new Date() },
    ...(videoAddress === undefined ? {} : { videoAddress }),
    ...(key === undefined ? {} : { key }),
  });
}

function factsIn(analysis: FileAnalysis) {
  return analysis.kind === 'audio'
    ? { clip: null, audio: analysis.audio }
    : { clip: analysis.facts, audio: analysis.facts.audio };
}

function detailOf(key: string | undefined): 'all' | 'some' {
  return key === undefined ? 'all' : 'some';
}
