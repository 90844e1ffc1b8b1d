/** What shows a style before anything is rendered, on files at hand: for the command line and the library. */
import {
  assertDraft,
  assertMoments,
  DRAFT_QUALITY,
  type DraftPiece,
  type PictureFormat,
  type PreviewPicture,
} from '../preview.ts';
import type { Warning } from '../stage.ts';
import { type EditRequest, memoryCheck, openEdit, placeCopy } from './direct-edit.ts';
import type { DirectOptions } from './direct-results.ts';
import type { MediaEngine } from './engine.ts';
import { drawPreview, planPreview, renderDraft } from './preview.ts';
import { progressParts } from './stage-tools.ts';

/** Measuring takes longer than drawing a few frames. */
const PICTURE_WEIGHTS = [90, 10] as const;
const DRAFT_WEIGHTS = [60, 40] as const;

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

export interface DraftRequest extends EditRequest, DraftPiece {
  readonly output: string;
}

/**
 * Renders a piece of what `applyStyle` would render, at the quality of drafts. The file appears whole, or not at all. Throws
 * `Failure` VALIDATION_ERROR for a piece that the output does not have, and as `applyStyle`.
 */
export async function draftStyle(
  engine: MediaEngine,
  { output, startSeconds, durationSeconds, ...request }: DraftRequest,
  { signal, onProgress = () => {} }: DirectOptions,
): Promise<DraftPiece & { readonly warnings: readonly Warning[] }> {
  const [forPlan, forDraft] = progressParts(onProgress, DRAFT_WEIGHTS);
  const config = { ...request.config, quality: DRAFT_QUALITY } as const;
  const piece = { startSeconds, durationSeconds };
  await using edit = await openEdit(
    engine,
    { ...request, config },
    {
      signal,
      onProgress: forPlan!,
      assertSource: memoryCheck(engine, { ...request, config }, { signal }),
      assertClip: (clip) => assertDraft(piece, clip.durationSeconds),
    },
  );
  const { context, work } = edit;
  const drawn = await renderDraft(
    context.tools,
    { ...work, onProgress: forDraft! },
    { ...piece, folder: context.folder },
  );
  await placeCopy(output, drawn.path);
  return { ...drawn.draft, warnings: drawn.warnings };
}
