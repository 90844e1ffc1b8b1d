import { dirname, isAbsolute, relative, sep } from 'node:path';
import { reportPage } from '../../report/page.ts';
import { reportView } from '../../report/report.ts';
import { planStills } from '../../report/still-plan.ts';
import type { ReportView } from '../../report/view.ts';
import { audioFields } from '../../style/extract/audio.ts';
import type { Style } from '../../style/model/schema.ts';
import type { FileAnalysis } from '../engine/direct-results.ts';
import type { MediaEngine, TaskOptions } from '../engine/engine.ts';
import type { TaskInput, TaskOutput } from '../engine/tasks.ts';

/** Columns of a report's waveform: about as many as a wide window has pixels. */
const ENVELOPE_COLUMNS = 1600;
/** Of each file on a page of several. */
const FEWER_COLUMNS = 800;

/** Of a file beside a page or below it, for its `src`; null for one elsewhere, which would be gone with the page's next move. */
export function addressFrom(page: string, file: string): string | null {
  const path = relative(dirname(page), file);
  if (path === '' || path.startsWith('..') || isAbsolute(path)) return null;
  return path.split(sep).map(encodeURIComponent).join('/');
}

export interface ReportedFile {
  /** Absolute. */
  readonly path: string;
  readonly name: string | null;
  readonly analysis: FileAnalysis;
  /** Null for sound alone. */
  readonly style: Style | null;
  /** Where the file can be played from, from the page; left out: its pictures alone are shown. */
  readonly videoAddress?: string;
  /** Tells it apart from others on a page, which have fewer pictures each; left out: it has the page for itself. */
  readonly key?: string;
}

/** Stills and waveform of a file, as a report shows them. */
export type ReportPictures = TaskOutput<'preview'>;

/** All that was found in a file as one HTML page that needs nothing else. */
export async function drawReport(
  engine: MediaEngine,
  measured: ReportedFile,
  options: Pick<TaskOptions, 'signal' | 'onProgress'>,
): Promise<string> {
  return reportPage(viewOf(measured, await picturesOf(engine, measured, options)));
}

/** Decodes the file from its beginning to its end. */
export function picturesOf(
  engine: MediaEngine,
  file: Pick<ReportedFile, 'path' | 'analysis' | 'key'>,
  options: Pick<TaskOptions, 'signal' | 'onProgress'>,
): Promise<ReportPictures> {
  const { clip } = factsIn(file.analysis);
  const wanted = picturesWanted(file);
  const source = clip === null ? {} : { source: clip.video };
  return engine.run('preview', wanted, { ...options, mediaSeconds: wanted.durationSeconds, ...source });
}

/** What `viewOf` shows of such a file. */
export function picturesWanted({
  path,
  analysis,
  key,
}: Pick<ReportedFile, 'path' | 'analysis' | 'key'>): TaskInput<'preview'> {
  const { clip, audio } = factsIn(analysis);
  const { stills, areaPixels } = planStills(clip?.video.shots ?? [], detailOf(key));
  return {
    path,
    durationSeconds: clip?.video.durationSeconds ?? audio?.durationSeconds ?? 0,
    stillTimesSeconds: stills.map(({ timeSeconds }) => timeSeconds),
    stillAreaPixels: areaPixels,
    envelopeColumns: key === undefined ? ENVELOPE_COLUMNS : FEWER_COLUMNS,
  };
}

/** What a page shows of a file. */
export function viewOf(measured: Omit<ReportedFile, 'path'>, pictures: ReportPictures): ReportView {
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
