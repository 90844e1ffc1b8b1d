/** The spoken words of a clip, from the operator's transcription engine. */
import { readFile } from 'node:fs/promises';
import { Failure } from '../../domain/errors.ts';
import type { TextCue } from '../../domain/footage.ts';
import type { JobWork } from '../../domain/stage.ts';
import {
  type OmittedWords,
  type SoundPiece,
  type Transcript,
  type TranscriptionEngine,
  TranscriptionFailure,
} from '../../domain/transcription.ts';
import { openWorkspace } from '../engine/workspace.ts';
import { localClip } from './clip-facts.ts';
import { contentHash } from './results.ts';
import { progressParts, type WorkTools } from './stage-tools.ts';

/** Decoding runs hundreds of times faster than real time, engines about at real time. */
const WEIGHTS = [5, 95] as const;
const TICK_MS = 1000;
/** Four hours of fast speech have 86,000. */
const MAX_WORDS = 100_000;

/**
 * The words of the source in its time, cached by its content, the engine and the model; none if nobody speaks. Each piece of a long sound is
 * cached as well, so that an interrupted job repeats one request at most. Throws `Failure` TRANSCRIPTION_UNAVAILABLE without an
 * engine, TRANSCRIPTION_FAILED, and the signal's reason.
 */
export async function spokenWordsOf(
  tools: WorkTools,
  { source, signal, onProgress }: Pick<JobWork, 'source' | 'signal' | 'onProgress'>,
): Promise<Transcript> {
  const { transcription, results } = tools;
  if (transcription === undefined) {
    throw new Failure(
      'TRANSCRIPTION_UNAVAILABLE',
      'captions: "transcribe" needs a transcription engine, and TRANSCRIPTION_URL names none here',
    );
  }
  const key = (...piece: readonly number[]) =>
    `${source.sha256}-${contentHash(transcription.identity, ...piece)}`;
  const cached = await results.load<Transcript>('words', key());
  if (cached !== undefined) return cached;
  await using workspace = await openWorkspace(tools.engine.workRoot);
  const [forSound, forEngine] = progressParts(onProgress, WEIGHTS);
  const pieces = await soundPieces(tools, source, workspace.folder, { signal, onProgress: forSound });
  const reports = progressParts(
    forEngine,
    pieces.map(({ durationSeconds }) => durationSeconds),
  );
  const words: TextCue[] = [];
  let omitted: OmittedWords = { looped: 0, afterEnd: 0 };
  for (const [index, piece] of pieces.entries()) {
    const { startSeconds, durationSeconds } = piece;
    const content = key(startSeconds, durationSeconds);
    let heard = await results.load<Transcript>('words', content);
    if (heard === undefined) {
      heard = await transcribed(transcription, piece, signal, reports[index]);
      await results.save('words', content, heard);
    }
    reports[index](1);
    for (const word of heard.words) words.push(moved(word, startSeconds));
    omitted = {
      looped: omitted.looped + heard.omitted.looped,
      afterEnd: omitted.afterEnd + heard.omitted.afterEnd,
    };
    if (words.length > MAX_WORDS) {
      const reason = `its answers have more than ${MAX_WORDS} words`;
      throw engineFailure(new TranscriptionFailure(reason, { isAnswerUnusable: true }));
    }
  }
  const transcript: Transcript = { words, omitted };
  await results.save('words', key(), transcript);
  return transcript;
}

async function soundPieces(
  tools: WorkTools,
  source: JobWork['source'],
  folder: string,
  options: Pick<JobWork, 'signal' | 'onProgress'>,
): Promise<readonly SoundPiece[]> {
  await using file = await localClip(tools, source, options.signal);
  const { durationSeconds } = source;
  const pieces = await tools.engine.run(
    'speechSound',
    { path: file.path, durationSeconds, folder },
    { ...options, folder, mediaSeconds: durationSeconds },
  );
  return pieces ?? [];
}

/** Reports estimated progress, because the engine reports none: ever more slowly, the longer it takes. */
async function transcribed(
  engine: TranscriptionEngine,
  { path, durationSeconds }: SoundPiece,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<Transcript> {
  const startedMs = performance.now();
  const timer = setInterval(() => {
    const seconds = (performance.now() - startedMs) / 1000;
    onProgress(1 - Math.exp(-seconds / (durationSeconds + 1)));
  }, TICK_MS);
  try {
    return await engine.transcribe(await readFile(path), durationSeconds, signal);
  } catch (error) {
    if (!(error instanceof TranscriptionFailure)) throw error;
    throw engineFailure(error);
  } finally {
    clearInterval(timer);
  }
}

function engineFailure(cause: TranscriptionFailure): Failure {
  const detail = `The transcription engine failed: ${cause.message}`;
  const more = cause.isAnswerUnusable ? { cause, retryable: false } : { cause };
  return new Failure('TRANSCRIPTION_FAILED', detail, more);
}

function moved({ startSeconds, endSeconds, text }: TextCue, bySeconds: number): TextCue {
  return { startSeconds: startSeconds + bySeconds, endSeconds: endSeconds + bySeconds, text };
}
