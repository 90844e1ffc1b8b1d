import { isSound, type RunPart, type RunStage, type StageName, type StageWork } from '../../domain/stage.ts';
import { fileFailure } from '../../storage/file-failure.ts';
import type { StorageWatch } from '../../storage/storage-watch.ts';
import { audioAnalysis } from './audio-analysis.ts';
import { motionAnalysis } from './motion-analysis.ts';
import { usableWork } from './refused-takes.ts';
import { rendering } from './rendering.ts';
import { Results, type RetryWhileStorageDown } from './results.ts';
import { partRenderer } from './segmented-rendering.ts';
import { NO_WARNINGS, type Stage, type StageTools } from './stage-tools.ts';
import { styleApplication } from './style-application.ts';
import { styleExtraction } from './style-extraction.ts';
import { takeAnalyser } from './take-analysis.ts';
import { videoAnalysis } from './video-analysis.ts';

/** The implementation of each stage of `domain/stage.ts`. */
const STAGES = {
  video_analysis: videoAnalysis,
  audio_analysis: audioAnalysis,
  motion_analysis: motionAnalysis,
  style_extraction: styleExtraction,
  style_application: styleApplication,
  rendering,
} as const satisfies Record<StageName, Stage>;

/** Grace time for a use of the storage after an abort; one that hangs must not delay a cancellation. */
const ABANDON_MS = 2_000;

export interface StageParts
  extends Pick<StageTools, 'engine' | 'blobs' | 'segmentSeconds' | 'transcription'> {
  readonly storage: StorageWatch;
}

/**
 * Runs the stages by name. Failures of working files become a `Failure`; a stage waits while its storage is away.
 */
export function stageRunner(parts: StageParts): RunStage {
  return (work) => {
    if (!hasPart(work)) return Promise.resolve(NO_WARNINGS);
    return withTools(parts, work.signal, async (tools) =>
      STAGES[work.stage](tools, await usableInStage(tools, work)),
    );
  };
}

/** Other workers help with the first stage: all have to count the same takes, refused ones included. */
async function usableInStage(tools: StageTools, work: StageWork): Promise<StageWork> {
  return work.stage === 'video_analysis' ? work : usableWork(tools, work);
}

/** Whether the stage does anything for the job. */
function hasPart({ product, source, stage }: StageWork): boolean {
  if (stage === 'rendering') return true;
  // Nothing is measured or planned for a comparison, which reads finished files, and for a proxy.
  if (product?.kind === 'comparison' || product?.kind === 'proxy') return false;
  return !isSound(source) || stage === 'audio_analysis';
}

/** Like `stageRunner`, for parts of a stage that another worker runs. */
export function partRunner(parts: StageParts): RunPart {
  return (work, part) =>
    withTools(parts, work.signal, async (tools) => {
      const runOne = (work.stage === 'video_analysis' ? takeAnalyser : partRenderer)(tools);
      return runOne(await usableInStage(tools, work), part);
    });
}

function withTools<T>(
  { engine, blobs, storage, segmentSeconds, transcription }: StageParts,
  signal: AbortSignal,
  run: (tools: StageTools) => Promise<T>,
): Promise<T> {
  const retryWhileStorageDown: RetryWhileStorageDown = (part) =>
    storage.retryWhileStorageDown(signal, () => unlessAbandoned(part(), signal));
  const tools = {
    engine,
    blobs,
    retryWhileStorageDown,
    segmentSeconds,
    transcription,
    results: new Results(blobs, retryWhileStorageDown),
  };
  return storage.retryWhileStorageDown(signal, async () => {
    const startedMs = performance.now();
    try {
      return await run(tools);
    } catch (error) {
      if (signal.aborted) throw error;
      throw await storage.attributeToStorage(fileFailure(error), startedMs);
    }
  });
}

/** Throws the signal's reason if the use has not ended `ABANDON_MS` after the abort. */
async function unlessAbandoned<T>(use: Promise<T>, signal: AbortSignal): Promise<T> {
  const abandoned = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => {
    timer = setTimeout(() => abandoned.reject(signal.reason), ABANDON_MS);
  };
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([use, abandoned.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
