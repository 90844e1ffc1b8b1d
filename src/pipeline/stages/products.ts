/** Products: analyses, drafts, storyboards, plans, comparisons and proxies, which run on the queue of jobs in place of a styled video. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { QUALITIES } from '../../domain/job-choices.ts';
import {
  isSound,
  type Product,
  type Publication,
  type StageOutcome,
  type StageWork,
} from '../../domain/stage.ts';
import { outputBlobKey, outputTimelineBlobKey } from '../../storage/blob-names.ts';
import { type Timeline, timelineDurationSeconds } from '../../style/model/timeline.ts';
import type { FileAnalysis } from '../engine/direct-results.ts';
import { assertRoom } from '../engine/disk-need.ts';
import { openWorkspace } from '../engine/workspace.ts';
import { audioOf, clipFactsOf, localClip, soundFileOf } from './clip-facts.ts';
import { publishPlan } from './plan-data.ts';
import { renderDraft } from './preview.ts';
import { publishProxy } from './proxy.ts';
import { drawReport, hashedAddress } from './report.ts';
import type { StageTools } from './stage-tools.ts';
import { storeFile } from './store-file.ts';
import { planStoryboard } from './storyboard.ts';
import { planOf, reportedStyleOf } from './style-application.ts';
import { styleOf } from './style-extraction.ts';

/** A comparison is shown on a page, so it does not need the output's quality. */
const COMPARISON_QUALITY = 'medium';

/** The last stage of a product: makes its file and stores it as the output. */
export function makeProduct(tools: StageTools, work: StageWork, product: Product): Promise<StageOutcome> {
  switch (product.kind) {
    case 'analysis':
      return publishReport(tools, work);
    case 'draft':
      return publishDraft(tools, work, product);
    case 'storyboard':
      return publishStoryboard(tools, work);
    case 'comparison':
      return publishComparison(tools, work, product);
    case 'plan':
      return publishPlan(tools, work);
    case 'proxy':
      return publishProxy(tools, work);
  }
}

async function publishReport(tools: StageTools, work: StageWork): Promise<StageOutcome> {
  const { source, signal, onProgress } = work;
  const analysis = isSound(source) ? await soundOf(tools, work) : await clipOf(tools, work);
  const style = await styleOf(tools, work);
  await using workspace = await openWorkspace(tools.engine.workRoot);
  await using file = await localClip(tools, source, signal);
  // The service has the report at `videos/{id}/analysis/report`, beside the file.
  const { range } = source;
  // The report's clock is that of the part, a player's that of the file.
  const played = range === undefined ? { videoAddress: hashedAddress('../file', source) } : {};
  // The report of a sound file reads the sound's measurements alone.
  const shown = isSound(source) ? null : style;
  const measured = { path: file.path, range, name: null, analysis, style: shown, ...played };
  const page = await drawReport(tools.engine, measured, { signal, onProgress });
  const path = join(workspace.folder, 'report.html');
  await writeFile(path, page);
  return await published(tools, work, style, {
    name: 'report.html',
    path,
    contentType: 'text/html; charset=utf-8',
  });
}

async function clipOf(tools: StageTools, { source, signal }: StageWork): Promise<FileAnalysis> {
  const facts = await clipFactsOf(tools, source, { signal });
  const fingerprint = (await audioOf(tools, source, { signal }))?.fingerprint ?? null;
  return { kind: 'clip', facts, fingerprint };
}

async function soundOf(tools: StageTools, { source, signal }: StageWork): Promise<FileAnalysis> {
  const { facts: audio, fingerprint } = await soundFileOf(tools, source, { signal });
  return { kind: 'audio', audio, fingerprint };
}

async function publishDraft(
  tools: StageTools,
  work: StageWork,
  piece: Product & { readonly kind: 'draft' },
): Promise<StageOutcome> {
  const style = await reportedStyleOf(tools, work);
  await using workspace = await openWorkspace(tools.engine.workRoot);
  const plan = await planOf(tools, work);
  const { path } = await renderDraft(tools, work, plan, { ...piece, folder: workspace.folder });
  return await published(tools, work, style, { name: 'draft.mp4', path, contentType: 'video/mp4' });
}

async function publishStoryboard(tools: StageTools, work: StageWork): Promise<StageOutcome> {
  await using workspace = await openWorkspace(tools.engine.workRoot);
  const { edit: planned } = work;
  if (planned === undefined) throw new Error(`job ${work.jobId}: a storyboard without an edit`);
  const { folder } = workspace;
  const { plan, edit, picturePath } = await planStoryboard(tools, { ...work, edit: planned }, { folder });
  const file = { name: 'storyboard.jpg', path: picturePath, contentType: 'image/jpeg' };
  const { publication } = await published(tools, work, null, file);
  return { warnings: plan.warnings, publication: { ...publication, edit } };
}

/** Which moment of which take each frame of an output shows, in which framing; without grades, captions and the sound of an edit. */
export type PictureTimeline = Omit<Timeline, 'captionLook' | 'sound'>;

export function pictureTimeline({ captionLook: _, sound: _sound, ...timeline }: Timeline): PictureTimeline {
  return { ...timeline, takes: timeline.takes.map(() => ({ grade: null })), captions: [] };
}

async function publishComparison(
  tools: StageTools,
  work: StageWork,
  { jobId, attempt }: Product & { readonly kind: 'comparison' },
): Promise<StageOutcome> {
  const { engine, blobs, retryWhileStorageDown } = tools;
  const { source, signal, onProgress } = work;
  const timeline = await retryWhileStorageDown(
    async () => (await json(await blobs.get(outputTimelineBlobKey(jobId, attempt)))) as PictureTimeline,
  );
  await using workspace = await openWorkspace(engine.workRoot);
  const { folder } = workspace;
  await assertRoom(folder, timeline, { quality: COMPARISON_QUALITY, comparison: false });
  await using sourceFile = await localClip(tools, source, signal);
  const rendered = { ...source, blobKey: outputBlobKey(jobId, attempt) };
  await using renderedFile = await localClip(tools, rendered, signal);
  const path = join(folder, 'comparison.mp4');
  await engine.run(
    'compare',
    {
      ...{ sourcePath: sourceFile.path, renderedPath: renderedFile.path, timeline, comparisonPath: path },
      ...QUALITIES[COMPARISON_QUALITY].compression,
    },
    { signal, onProgress, folder, source, mediaSeconds: timelineDurationSeconds(timeline) },
  );
  return await published(tools, work, null, { name: 'comparison.mp4', path, contentType: 'video/mp4' });
}

/** Stores a product's file. */
async function published(
  tools: StageTools,
  work: StageWork,
  style: unknown,
  file: { readonly name: string; readonly path: string; readonly contentType: string },
): Promise<StageOutcome & { readonly publication: Publication }> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file.path), hash);
  const output = await storeFile(tools, work, file);
  const publication = { style, output: { ...output, sha256: hash.digest('hex') }, artifacts: [] };
  return { warnings: [], publication };
}
