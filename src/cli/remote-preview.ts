import type { StyleDnaClient } from '../client/client.ts';
import { type DraftPiece, MAX_DRAFT_SECONDS } from '../domain/preview.ts';
import type { DirectOptions } from '../pipeline/engine/direct-results.ts';
import { progressParts } from '../pipeline/stages/stage-tools.ts';
import { receiveFile } from '../received/received-file.ts';
import { receivedPreview } from '../received/received-job.ts';
import { receivedShare } from '../received/received-progress.ts';
import type { Edit } from '../studio.ts';
import { UsageError } from './command.ts';
import { sendEdit } from './remote-apply.ts';

/** Progress weights: sending template and source, and drawing. */
const WEIGHTS = [8, 12, 80] as const;

/** Lets a service draw a preview; returns the fields that the command prints as JSON. `piece`: range of a draft; null: frames. */
export async function previewThere(
  client: StyleDnaClient,
  work: Edit & { readonly output: string; readonly atSeconds?: readonly number[] },
  piece: Partial<DraftPiece> | null,
  { signal, onProgress }: Required<DirectOptions>,
) {
  const { output, atSeconds } = work;
  if (piece === null && /\.png$/i.test(output))
    throw new UsageError(`--server draws previews as JPEG, so ${output} must end in .jpg`, { file: output });
  const [forTemplate, forSource, forDrawing] = progressParts(onProgress, WEIGHTS);
  const request = await sendEdit(client, work, { signal, onProgress: forSource }, forTemplate);
  const { startSeconds: start_seconds = 0, durationSeconds: duration_seconds = MAX_DRAFT_SECONDS } =
    piece ?? {};
  const wanted =
    piece === null
      ? { kind: 'frames' as const, ...(atSeconds === undefined ? {} : { at_seconds: [...atSeconds] }) }
      : { kind: 'draft' as const, start_seconds, duration_seconds };
  const preview = await client.waitForPreview(
    { ...request, ...wanted },
    { signal, onUpdate: ({ progress_percent }) => forDrawing(receivedShare(progress_percent)) },
  );
  const { warnings, picture } = receivedPreview(preview);
  await receiveFile(await client.getPreviewFile(preview.preview_id, { signal }), output, { signal });
  return piece === null ? { ...picture, warnings } : { start_seconds, duration_seconds, warnings };
}
