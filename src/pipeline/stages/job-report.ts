import { readFile } from 'node:fs/promises';
import { Failure } from '../../domain/errors.ts';
import type { Still } from '../../domain/footage.ts';
import { type JobWork, picturedTemplate, type VideoReference, type Warning } from '../../domain/stage.ts';
import { contentKey } from '../../domain/time-range.ts';
import { FILMSTRIP_TILES, tileSize } from '../../media/read/filmstrip-layout.ts';
import { outcomePage } from '../../report/outcome-page.ts';
import type { ReportView } from '../../report/view.ts';
import type { EditSummary } from '../../style/model/edit-summary.ts';
import type { Style } from '../../style/model/schema.ts';
import type { PlannedEdit } from '../engine/direct-results.ts';
import type { PreviewInput } from '../engine/tasks.ts';
import { audioOf, clipFactsOf, localClip } from './clip-facts.ts';
import type { RenderedPlan } from './render-plan.ts';
import { picturesOf, picturesWanted, type ReportedFile, type ReportPictures, viewOf } from './report.ts';
import type { WorkTools } from './stage-tools.ts';
import { styleOf } from './style-extraction.ts';

/** Addresses of the videos relative to the report; null: not playable. */
export interface FilmAddresses {
  readonly source: string | null;
  readonly template: string | null;
  readonly output: string | null;
}

/** The plan, the rendered files and the summary of a job. */
export interface JobOutcome {
  readonly plan: PlannedEdit;
  readonly rendered: RenderedPlan;
  readonly summary: EditSummary;
}

export interface JobReport {
  /** HTML; null: it could not be made. */
  readonly page: string | null;
  readonly warnings: readonly Warning[];
}

/**
 * Draws the report of a job: style and output side by side, with the reports of template and source, from cached facts and the
 * measurements of the output's verification. A failure gives a warning, not a failed job; throws only the signal's reason.
 */
export function drawJobReport(
  tools: WorkTools,
  work: JobWork,
  outcome: JobOutcome,
  targetStyle: Style | null,
  addresses: FilmAddresses,
): Promise<JobReport> {
  return reportOrWarning(work.signal, () => reportOf(tools, work, outcome, targetStyle, addresses));
}

/** The page that `draw` makes; a failure of it as a warning. Throws only the signal's reason. */
export async function reportOrWarning(signal: AbortSignal, draw: () => Promise<string>): Promise<JobReport> {
  try {
    return { page: await draw(), warnings: [] };
  } catch (error) {
    if (signal.aborted) throw error;
    const reason = error instanceof Failure ? error.detail : 'an internal error';
    const message = `The report was left out: ${reason}. The output is not affected`;
    return { page: null, warnings: [{ code: 'REPORT_FAILED', message }] };
  }
}

async function reportOf(
  tools: WorkTools,
  work: JobWork,
  { plan, rendered, summary }: JobOutcome,
  targetStyle: Style | null,
  addresses: FilmAddresses,
): Promise<string> {
  const template = picturedTemplate(work);
  const { source, signal } = work;
  if (rendered.sourcePreview !== null) await cachePictures(tools, source, rendered.sourcePreview);
  const sourceStyle = await styleOf(tools, { ...work, template: null, style: null });
  const isStyled = work.style !== null || work.template !== null;
  const ofTemplate =
    template === null || targetStyle === null
      ? null
      : await viewOfClip(tools, signal, template, 'template', targetStyle, addresses.template);
  const ofSource = await viewOfClip(tools, signal, source, 'source', sourceStyle, addresses.source);
  const warnings: readonly Warning[] = [...plan.warnings, ...rendered.warnings];
  return outcomePage({
    template: ofTemplate,
    source: ofSource,
    requested: isStyled ? targetStyle : null,
    sourceStyle,
    summary,
    truePeakDbtp: rendered.output.truePeakDbtp,
    warnings,
    filmstrip: {
      jpeg: await readFile(rendered.filmstripPath),
      tiles: FILMSTRIP_TILES,
      ...tileSize(plan.timeline),
    },
    outputAddress: addresses.output,
  });
}

/** The report of a clip as a part of a page; its pictures are cached. */
export async function viewOfClip(
  tools: WorkTools,
  signal: AbortSignal,
  video: VideoReference,
  key: 'template' | 'source',
  style: Style,
  videoAddress: string | null,
): Promise<ReportView> {
  const facts = await clipFactsOf(tools, video, { signal });
  const fingerprint = (await audioOf(tools, video, { signal }))?.fingerprint ?? null;
  const analysis = { kind: 'clip', facts, fingerprint } as const;
  // The report's clock is that of the part, a player's that of the file.
  const address = videoAddress === null || video.range !== undefined ? {} : { videoAddress };
  const pictures = await cachedPictures(tools, video, { analysis, key }, signal);
  return viewOf({ name: key, analysis, style, key, ...address }, pictures);
}

interface CachedPictures extends Omit<ReportPictures, 'stills'> {
  readonly stills: readonly (Omit<Still, 'jpeg'> & { readonly jpeg: string })[];
}

/** Pictures of the source that rendering is to make for the report; undefined: they are cached. */
export async function reportPicturesWanted(
  tools: WorkTools,
  { source, signal }: JobWork,
): Promise<Omit<PreviewInput, 'path'> | undefined> {
  if (await tools.results.has('report', contentKey(source))) return undefined;
  const facts = await clipFactsOf(tools, source, { signal });
  const { path: _, ...wanted } = picturesWanted({
    path: '',
    range: source.range,
    analysis: { kind: 'clip', facts, fingerprint: null },
    key: 'source',
  });
  return wanted;
}

/** Pictures of a clip for its report, cached by its content. */
async function cachedPictures(
  tools: WorkTools,
  video: VideoReference,
  clip: Pick<ReportedFile, 'analysis' | 'key'>,
  signal: AbortSignal,
): Promise<ReportPictures> {
  const cached = await tools.results.load<CachedPictures>('report', contentKey(video));
  if (cached !== undefined) {
    const stills = cached.stills.map(({ jpeg, ...still }) => ({
      ...still,
      jpeg: Buffer.from(jpeg, 'base64'),
    }));
    return { ...cached, stills };
  }
  await using file = await localClip(tools, video, signal);
  const pictures = await picturesOf(
    tools.engine,
    { path: file.path, range: video.range, ...clip },
    { signal },
  );
  await cachePictures(tools, video, pictures);
  return pictures;
}

async function cachePictures(
  tools: WorkTools,
  video: VideoReference,
  pictures: ReportPictures,
): Promise<void> {
  const stills = pictures.stills.map(({ jpeg, ...still }) => ({
    ...still,
    jpeg: Buffer.from(jpeg).toString('base64'),
  }));
  await tools.results.save('report', contentKey(video), { ...pictures, stills } satisfies CachedPictures);
}
