import type { RunPart, RunStage, StageName } from '../../domain/stage.ts';
import { fileFailure } from '../../storage/file-failure.ts';
import type { StorageWatch } from '../../storage/storage-watch.ts';
import { audioAnalysis } from './audio-analysis.ts';
import { motionAnalysis } from './motion-analysis.ts';
import { rendering } from './rendering.ts';
import { type Patiently, Results } from './results.ts';
import { partRenderer } from './segmented-rendering.ts';
import type { Stage, StageTools } from './stage-tools.ts';
import { styleApplication } from './style-application.ts';
import { styleExtraction } from './style-extraction.ts';
import { videoAnalysis } from './video-analysis.ts';

/** Every stage of `domain/stage.ts`, and what does it. */
const STAGES = {
  video_analysis: videoAnalysis,
  audio_analysis: audioAnalysis,
  motion_analysis: motionAnalysis,
  style_extraction: styleExtraction,
  style_application: styleApplication,
  rendering,
} as const satisfies Record<StageName, Stage>;

/** A use of the storage may end by itself after its stage was told to; one that hangs must not keep a cancellation waiting. */
const ABANDON_MS = 2_000;

export interface StageParts extends Pick<StageTools, 'engine' | 'blobs' | 'segmentSeconds'> {
  readonly storage: StorageWatch;
}

/**
 * The six stages as the worker sees them: names. Trouble with the files of the work is a foreseen failure, and a stage whose
 * storage is away waits for it.
 */
export function stageRunner(parts: StageParts): RunStage {
  return (work) => withTools(parts, work.signal, (tools) => STAGES[work.stage](tools, work));
}

/** The same for parts of a stage that another worker runs. */
export function partRunner(parts: StageParts): RunPart {
  return (work, part) => withTools(parts, work.signal, (tools) => partRenderer(tools)(work, part));
}

function withTools<T>(
  { engine, blobs, storage, segmentSeconds }: StageParts,
  signal: AbortSignal,
  run: (tools: StageTools) => Promise<T>,
): Promise<T> {
  const patiently: Patiently = (part) =>
    storage.retryWhileStorageDown(signal, () => unlessAbandoned(part(), signal));
  const tools = { engine, blobs, patiently, segmentSeconds, results: new Results(blobs, patiently) };
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

/** Throws the signal's reason when the use has not ended some time after it. */
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
