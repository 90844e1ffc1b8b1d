import type { TextCue } from './footage.ts';

/** Finds the words in a sound. */
export interface TranscriptionEngine {
  /** Part of the key of cached words: another engine or model returns other words. */
  readonly identity: readonly string[];
  /**
   * The words of a sound. `wave`: a WAV file of at most some tens of megabytes. Throws `TranscriptionFailure`, and the signal's reason.
   */
  transcribe(wave: Buffer, durationSeconds: number, signal: AbortSignal): Promise<Transcript>;
}

export interface Transcript {
  /** In seconds of the sound and in time order; none where nobody speaks. */
  readonly words: readonly TextCue[];
  readonly omitted: OmittedWords;
}

/** Numbers of words that the engine invented, which are not among the words. */
export interface OmittedWords {
  /** Repetitions of a phrase in a loop. */
  readonly looped: number;
  /** They begin after the end of the sound. */
  readonly afterEnd: number;
}

/** The engine returned no words. The message continues "The transcription engine failed: …". */
export class TranscriptionFailure extends Error {
  override readonly name = 'TranscriptionFailure';
  /** A later request may succeed. */
  readonly isPassing: boolean;
  /** The engine answered, and would answer the same again. */
  readonly isAnswerUnusable: boolean;
  /** The least wait before it, as the engine requests; 0: none. */
  readonly retryAfterSeconds: number;

  constructor(message: string, { isPassing = false, isAnswerUnusable = false, retryAfterSeconds = 0 } = {}) {
    super(message);
    this.isPassing = isPassing;
    this.isAnswerUnusable = isAnswerUnusable;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A WAV file with a part of a clip's sound. */
export interface SoundPiece {
  readonly path: string;
  /** In the clip. */
  readonly startSeconds: number;
  readonly durationSeconds: number;
}
