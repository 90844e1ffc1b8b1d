/** What shows a style before anything is rendered, on files at hand: for the command line and the library. */
import type { PictureFormat } from '../render/preview-layout.ts';
import { type EditRequest, openEdit, placeCopy } from './direct-edit.ts';
import type { DirectOptions, PreviewPicture } from './direct-results.ts';
import type { MediaEngine } from './engine.ts';
import { assertMoments, drawPreview, planPreview } from './preview.ts';
import { progressParts } from './stage-tools.ts';

/** Measuring takes longer than drawing a few frames. */
const PICTURE_WEIGHTS = [90, 10] as const;

export interface PreviewRequest extends EditRequest {
  readonly output: string;
  readonly format: PictureFormat;
  /** Seconds of the source; left out: three moments that are typical of it. */
  readonly atSeconds?: readonly number[];
}

/**
 * Draws frames of the source as they are and graded into one picture, which appears whole or not at all. Throws `Failure`
 * VALIDATION_ERROR for moments that the source does not have, and as `applyStyle`.
 */
export async function previewStyle(
  engine: MediaEngine,
  { output, format, atSeconds, ...request }: PreviewRequest,
  { signal, onProgress = () => {} }: DirectOptions,
): Promise<PreviewPicture> {
  const [forPlan, forPicture] = progressParts(onProgress, PICTURE_WEIGHTS);
  await using edit = await openEdit(engine, request, {
    signal,
    onProgress: forPlan!,
    assertClip: ({ durationSeconds }) => {
      if (atSeconds !== undefined) assertMoments(atSeconds, durationSeconds, 'at_seconds');
    },
  });
  const { context, work } = edit;
  const plan = await planPreview(context.tools, work, atSeconds ?? null);
  const drawn = await drawPreview(context.tools, { ...work, onProgress: forPicture! }, plan, {
    folder: context.folder,
    format,
    framesPath: null,
  });
  await placeCopy(output, drawn.picturePath);
  return drawn.picture;
}
