import { readFile } from 'node:fs/promises';
import { Failure } from '../../domain/errors.ts';
import type { Still } from '../../domain/footage.ts';
import type { JobWork, VideoReference, Warning } from '../../domain/stage.ts';
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

/** Where films can be played from, from the report; null: nowhere. */
export interface FilmAddresses {
  readonly source: string | null;
  readonly template: string | null;
  readonly output: string | null;
}

/** What was planned, what came of it, and what was done. */
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
 * What was asked for beside what came out, with the reports of template and source: of what is kept, what the output's
 * verification measured, and a few pictures. The output is not measured anew. A job whose output is there does not fail for its
 * report, whatever happens: throws the signal's reason alone.
 */
export async function drawJobReport(
  tools: WorkTools,
  work: JobWork,
  outcome: JobOutcome,
  asked: Style | null,
  addresses: FilmAddresses,
): Promise<JobReport> {
  try {
    return { page: await reportOf(tools, work, outcome, asked, addresses), warnings: [] };
  } catch (error) {
    if (work.signal.aborted) throw error;
    const reason = error instanceof Failure ? error.detail : 'an internal error';
    const message = `The report was left out: ${reason}. The output is not affected`;
    return { page: null, warnings: [{ code: 'REPORT_FAILED', message }] };
  }
}

async function reportOf(
  tools: WorkTools,
  work: JobWork,
  { plan, rendered, summary }: JobOutcome,
  asked: Style | null,
  addresses: FilmAddresses,
): Promise<string> {
  const { template, source, signal } = work;
  if (rendered.sourcePreview !== null) await keepPictures(tools, source, rendered.sourcePreview);
  const sourceStyle = await styleOf(tools, { ...work, template: null, style: null });
  const isStyled = work.style !== null || template !== null;
  const ofTemplate =
    template === null || asked === null
      ? null
      : await viewOfClip(tools, signal, template, 'template', asked, addresses.template);
  const ofSource = await viewOfClip(tools, signal, source, 'source', sourceStyle, addresses.source);
  const warnings: readonly Warning[] = [...plan.warnings, ...rendered.warnings];
  return outcomePage({
    template: ofTemplate,
    source: ofSource,
    requested: isStyled ? asked : null,
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

async function viewOfClip(
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
  const address = videoAddress === null ? {} : { videoAddress };
  const pictures = await keptPictures(tools, video, { analysis, key }, signal);
  return viewOf({ name: key, analysis, style, key, ...address }, pictures);
}

interface KeptPictures extends Omit<ReportPictures, 'stills'> {
  readonly stills: readonly (Omit<Still, 'jpeg'> & { readonly jpeg: string })[];
}

/** What rendering shall take of the source on its way; undefined: it is kept already. */
export async function reportPicturesWanted(
  tools: WorkTools,
  { source, signal }: JobWork,
): Promise<Omit<PreviewInput, 'path'> | undefined> {
  if (await tools.results.has('report', source.sha256)) return undefined;
  const facts = await clipFactsOf(tools, source, { signal });
  const { path: _, ...wanted } = picturesWanted({
    path: '',
    analysis: { kind: 'clip', facts, fingerprint: null },
    key: 'source',
  });
  return wanted;
}

/** Kept by content: a template's are taken once, whatever is made after it. */
async function keptPictures(
  tools: WorkTools,
  video: VideoReference,
  clip: Pick<ReportedFile, 'analysis' | 'key'>,
  signal: AbortSignal,
): Promise<ReportPictures> {
  const kept = await tools.results.load<KeptPictures>('report', video.sha256);
  if (kept !== undefined) {
    const stills = kept.stills.map(({ jpeg, ...still }) => ({ ...still, jpeg: Buffer.from(jpeg, 'base64') }));
    return { ...kept, stills };
  }
  await using file = await localClip(tools, video, signal);
  const taken = await picturesOf(tools.engine, { path: file.path, ...clip }, { signal });
  await keepPictures(tools, video, taken);
  return taken;
}

async function keepPictures(tools: WorkTools, video: VideoReference, taken: ReportPictures): Promise<void> {
  const stills = taken.stills.map(({ jpeg, ...still }) => ({
    ...still,
    jpeg: Buffer.from(jpeg).toString('base64'),
  }));
  await tools.results.save('report', video.sha256, { ...taken, stills } satisfies KeptPictures);
}
