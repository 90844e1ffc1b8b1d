import type { StageOutcome, StageWork } from '../../domain/stage.ts';
import type { TranscriptionEngine } from '../../domain/transcription.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import type { ClipChild } from '../engine/clip-child.ts';
import type { MediaEngine } from '../engine/engine.ts';
import type { ResultStore, RetryWhileStorageDown } from './results.ts';

/** Tools that all stages share: those of a service, or of a `DirectContext` for local files. */
export interface WorkTools {
  readonly engine: MediaEngine;
  /** Clips and caption files. */
  readonly blobs: Pick<BlobStore, 'head' | 'get' | 'localPath'>;
  readonly results: ResultStore;
  /** Wraps each use of `blobs`, so that a stage survives a short outage of the store. */
  readonly retryWhileStorageDown: RetryWhileStorageDown;
  /** The child that runs all tasks of the source; undefined: each task has its own. */
  readonly sourceChild?: ClipChild;
  /** Undefined: none is configured. */
  readonly transcription?: TranscriptionEngine | undefined;
}

/** Tools of a service's stages, which also store the results of a job. */
export interface StageTools extends WorkTools {
  readonly blobs: BlobStore;
  /** Approximate length of the segments in which idle workers render long outputs. */
  readonly segmentSeconds: number;
}

/** One stage: does its work, caches its result, returns warnings for the client. */
export type Stage = (tools: StageTools, work: StageWork) => Promise<StageOutcome>;

export const NO_WARNINGS: StageOutcome = { warnings: [] };

/** Merges the progress of concurrent works, weighted. */
export function progressTogether(
  onProgress: (fraction: number) => void,
  weights: readonly number[],
): ((fraction: number) => void)[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const reached = weights.map(() => 0);
  return weights.map((weight, index) => (fraction) => {
    reached[index] = weight * fraction;
    onProgress(reached.reduce((sum, part) => sum + part, 0) / total);
  });
}

/** Splits one progress into consecutive parts with these weights. */
export function progressParts(
  onProgress: (fraction: number) => void,
  weights: readonly number[],
): ((fraction: number) => void)[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  let before = 0;
  return weights.map((weight) => {
    const start = before;
    before += weight;
    return (fraction) => onProgress((start + weight * fraction) / total);
  });
}

/**
 * Runs works concurrently. When one fails, the controller ends the others; throws the first failure.
 */
export async function atOnce(
  ending: AbortController,
  works: readonly (() => Promise<unknown>)[],
): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  await Promise.all(
    works.map((work) =>
      work().catch((error: unknown) => {
        failure ??= { error };
        ending.abort(error);
      }),
    ),
  );
  if (failure !== undefined) throw failure.error;
}
