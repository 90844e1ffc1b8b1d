import { join } from 'node:path';
import type { ColorMoments, VideoFacts } from '../../analysis/facts.ts';
import type { Size } from '../../domain/footage.ts';
import { QUALITIES } from '../../domain/job-choices.ts';
import {
  DRAFT_QUALITY,
  type DraftPiece,
  type PictureFormat,
  type PreviewPicture,
} from '../../domain/preview.ts';
import type { JobWork, Warning } from '../../domain/stage.ts';
import { type PreviewLayout, previewFrameSize, previewLayout } from '../../render/previews/preview-layout.ts';
import { timelineDurationSeconds } from '../../style/model/timeline.ts';
import type { Plan } from '../engine/direct-results.ts';
import { localClip, localMedia, videoOf } from './clip-facts.ts';
import { largestTake } from './each-clip.ts';
import type { WorkTools } from './stage-tools.ts';
import { type PlanBasis, planBasis, withPlanInput } from './style-application.ts';

/** Default number of moments. */
const USUAL_MOMENTS = 3;

/** Inputs and layout of a preview. */
export interface PreviewPlan {
  readonly basis: PlanBasis;
  readonly momentsSeconds: readonly number[];
  readonly frameSize: Size;
  readonly layout: PreviewLayout;
}

/** Plans a preview. `chosenSeconds`: moments of the source; null: three typical ones. Measures the source if needed. */
export async function planPreview(
  tools: WorkTools,
  work: JobWork,
  chosenSeconds: readonly number[] | null,
): Promise<PreviewPlan> {
  // Its picture shows no captions, and nobody waits for a transcription at a preview.
  const basis = await planBasis(tools, { ...work, config: { ...work.config, captions: 'auto' } });
  const facts = await videoOf(tools, work.source, { signal: work.signal });
  const startSeconds = work.source.range?.[0] ?? 0;
  const momentsSeconds = chosenSeconds ?? typicalMoments(facts).map((seconds) => startSeconds + seconds);
  const frameSize = previewFrameSize(facts, momentsSeconds.length);
  return { basis, momentsSeconds, frameSize, layout: previewLayout(frameSize, momentsSeconds.length) };
}

/**
 * Draws the preview into the working folder. `framesPath`: the source's frames from an earlier call; null:
 * they are decoded into the folder.
 */
export async function drawPreview(
  tools: WorkTools,
  work: JobWork,
  { basis, momentsSeconds, frameSize, layout }: PreviewPlan,
  options: { readonly folder: string; readonly format: PictureFormat; readonly framesPath: string | null },
): Promise<{ picture: PreviewPicture; picturePath: string; framesPath: string }> {
  const { folder, format } = options;
  const picturePath = join(folder, `preview.${format}`);
  const framesPath = options.framesPath ?? join(folder, 'frames.yuv');
  const { source, signal, onProgress } = work;
  await using file = await localClip(tools, source, signal);
  const drawn = await withPlanInput(tools, work, basis, (plan) =>
    tools.engine.run(
      'previewPicture',
      {
        plan,
        sourcePath: file.path,
        sourceSeconds: source.durationSeconds,
        momentsSeconds,
        frameSize,
        framesPath,
        hasFrames: options.framesPath !== null,
        format,
        picturePath,
      },
      {
        ...{ signal, onProgress, folder, source, mediaSeconds: source.durationSeconds },
        child: tools.sourceChild,
      },
    ),
  );
  const moments = momentsSeconds.map((atSeconds, index) => {
    const shown = drawn.moments[index] ?? null;
    const { outputSeconds = null, framing = null } = shown ?? {};
    return { atSeconds, ...layout.cells[index], outputSeconds, framing };
  });
  const { width, height } = layout;
  return {
    picture: { width, height, moments, output: drawn.output, warnings: drawn.warnings },
    picturePath,
    framesPath,
  };
}

/** The middle of each third of the usable frames, which are neither black nor title cards. */
export function typicalMoments({
  durationSeconds,
  color,
}: Pick<VideoFacts, 'durationSeconds'> & {
  readonly color: { readonly moments: Pick<ColorMoments, 'timesSeconds'> };
}): readonly number[] {
  const usable = color.moments.timesSeconds;
  const shares = Array.from({ length: USUAL_MOMENTS }, (_, index) => (index + 0.5) / USUAL_MOMENTS);
  if (usable.length < USUAL_MOMENTS) return shares.map((share) => share * durationSeconds);
  return shares.map((share) => usable[Math.floor(share * usable.length)]);
}

/** Renders a piece of the plan into the working folder. Throws the errors of the task `draft`. */
export async function renderDraft(
  tools: WorkTools,
  work: JobWork,
  { timeline, warnings }: Plan,
  { startSeconds, durationSeconds, folder }: DraftPiece & { readonly folder: string },
): Promise<{ draft: DraftPiece; warnings: readonly Warning[]; path: string }> {
  const { signal, onProgress } = work;
  await using media = await localMedia(tools, work);
  const path = join(folder, 'draft.mp4');
  const { compression } = QUALITIES[DRAFT_QUALITY];
  const mediaSeconds = timelineDurationSeconds(timeline);
  const draft = await tools.engine.run(
    'draft',
    { ...media.files, timeline, startSeconds, durationSeconds, ...compression, outputPath: path },
    { signal, onProgress, folder, source: largestTake(work), mediaSeconds, child: tools.sourceChild },
  );
  return { draft, warnings, path };
}
