/** Previews and drafts of local files, for the command line and the library. */
import {
  assertDraft,
  assertMoments,
  DRAFT_QUALITY,
  type DraftPiece,
  type PictureFormat,
  type PreviewPicture,
} from '../../domain/preview.ts';
import type { Warning } from '../../domain/stage.ts';
import { countingSeconds, spanOf } from '../../domain/time-range.ts';
import { drawingSeconds } from '../../domain/work-estimate.ts';
import type { DirectOptions } from '../engine/direct-results.ts';
import type { MediaEngine } from '../engine/engine.ts';
import { drawPreview, planPreview, renderDraft } from '../stages/preview.ts';
import { type EditRequest, memoryCheck, openEdit, placeCopy } from './direct-edit.ts';

/** Time to draw a few frames. */
const PICTURE_SECONDS = 0.6;

export interface PreviewRequest extends EditRequest {
  readonly output: string;
  readonly format: PictureFormat;
  /** Seconds of the source; undefined: three typical moments. */
  readonly atSeconds?: readonly number[];
}

/**
 * Draws frames of the source, original and graded, into one picture, which appears when it is complete. Throws `Failure`
 * VALIDATION_ERROR for moments that the source does not have, and as `applyStyle`.
 */
export async function previewStyle(
  engine: MediaEngine,
  { output, format, atSeconds, ...request }: PreviewRequest,
  { signal, onProgress = () => {} }: DirectOptions,
): Promise<PreviewPicture> {
  await using edit = await openEdit(engine, request, {
    signal,
    onProgress,
    restSeconds: () => PICTURE_SECONDS,
    assertClip: (clip) => {
      if (atSeconds !== undefined) assertMoments(atSeconds, spanOf(clip), 'at_seconds');
    },
  });
  const { context, work } = edit;
  const plan = await planPreview(context.tools, work, atSeconds ?? null);
  const drawn = await drawPreview(context.tools, { ...work, onProgress: edit.onRest }, plan, {
    folder: context.folder,
    format,
    framesPath: null,
  });
  await placeCopy(output, drawn.picturePath);
  return drawn.picture;
}

/** Typical size of a draft in pixels. */
const DRAFT_SIZE = { width: 854, height: 480 };

export interface DraftRequest extends EditRequest, DraftPiece {
  readonly output: string;
}

/**
 * Renders a piece of the output of `applyStyle` at the quality of drafts. The file appears when it is complete. Throws
 * `Failure` VALIDATION_ERROR for a piece that the output does not have, and as `applyStyle`.
 */
export async function draftStyle(
  engine: MediaEngine,
  { output, startSeconds, durationSeconds, ...request }: DraftRequest,
  { signal, onProgress = () => {} }: DirectOptions,
): Promise<DraftPiece & { readonly warnings: readonly Warning[] }> {
  const config = { ...request.config, quality: DRAFT_QUALITY, comparison: false } as const;
  const piece = { startSeconds, durationSeconds };
  await using edit = await openEdit(
    engine,
    { ...request, config },
    {
      signal,
      onProgress,
      restSeconds: () => drawingSeconds({ durationSeconds }, DRAFT_SIZE, config),
      assertSource: memoryCheck(engine, { ...request, config }),
      assertClip: (clip) => assertDraft(piece, countingSeconds(clip.durationSeconds, clip.range)),
    },
  );
  const { context, work } = edit;
  const drawn = await renderDraft(context.tools, { ...work, onProgress: edit.onRest }, await edit.plan(), {
    ...piece,
    folder: context.folder,
  });
  await placeCopy(output, drawn.path);
  return { ...drawn.draft, warnings: drawn.warnings };
}
