import type { Artifact, StageWork } from '../../domain/stage.ts';
import { attemptBlobPrefix } from '../../storage/blob-names.ts';
import type { StageTools } from './stage-tools.ts';

/** Stores a finished file under the attempt's own prefix. The file at `path` is gone afterwards. */
export async function storeFile(
  tools: StageTools,
  { jobId, attempt }: Pick<StageWork, 'jobId' | 'attempt'>,
  { name, path, contentType }: { readonly name: string; readonly path: string; readonly contentType: string },
): Promise<Artifact> {
  const blobKey = `${attemptBlobPrefix(jobId, attempt)}${name}`;
  const { sizeBytes } = await tools.retryWhileStorageDown(() => tools.blobs.putFile(blobKey, path));
  return { name, blobKey, contentType, sizeBytes };
}
