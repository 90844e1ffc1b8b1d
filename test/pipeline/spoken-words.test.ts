import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { isFailure } from '../../src/domain/errors.ts';
import type { TextCue } from '../../src/domain/footage.ts';
import {
  type Transcript,
  type TranscriptionEngine,
  TranscriptionFailure,
} from '../../src/domain/transcription.ts';
import { jobErrorOf } from '../../src/jobs/model/job-failure.ts';
import { MediaEngine } from '../../src/pipeline/engine/engine.ts';
import { Results } from '../../src/pipeline/stages/results.ts';
import { spokenWordsOf } from '../../src/pipeline/stages/spoken-words.ts';
import { openFileStore } from '../../src/storage/file-store.ts';
import { temporaryFolder } from '../support/clips.ts';
import { writeWave } from '../support/wave-file.ts';

const folder = temporaryFolder();
const engine = new MediaEngine({ workRoot: join(folder, 'work'), idleSeconds: 60 });
const blobs = await openFileStore(join(folder, 'blobs'));
const RATE = 8000;
/** Longer than one piece, with a pause from 570 to 571 s. */
const SECONDS = 605;

let count = 0;
/** A stored sound with content of its own. */
async function stored(durationSeconds: number) {
  const sha256 = (++count).toString(16).padStart(64, '0');
  const samples = Float32Array.from({ length: durationSeconds * RATE }, (_, n) =>
    n >= 570 * RATE && n < 571 * RATE ? 0 : 0.3 * Math.sin(n / 5),
  );
  const path = writeWave(join(folder, `${sha256}.wav`), RATE, [samples]);
  const blobKey = `videos/${sha256}`;
  await blobs.putFile(blobKey, path);
  return { videoId: sha256, sha256, blobKey, filename: 'a.wav', durationSeconds, width: 0, height: 0 };
}

type Hear = (seconds: number, call: number) => TextCue[];

class Engine implements TranscriptionEngine {
  readonly identity: readonly string[];
  readonly calls: number[] = [];
  readonly #hear: Hear;

  constructor(hear: Hear, model = 'a') {
    this.#hear = hear;
    this.identity = [model];
  }

  async transcribe(wave: Buffer, durationSeconds: number): Promise<Transcript> {
    assert.equal(wave.length, 44 + 2 * Math.round(durationSeconds * 16_000));
    this.calls.push(durationSeconds);
    return { words: this.#hear(durationSeconds, this.calls.length), omitted: { looped: 2, afterEnd: 1 } };
  }
}

const hello = (): TextCue[] => [{ startSeconds: 0.5, endSeconds: 1, text: 'hello' }];
const transcriptOf = (source: Awaited<ReturnType<typeof stored>>, transcription?: Engine) =>
  spokenWordsOf(
    { engine, blobs, results: new Results(blobs), retryWhileStorageDown: (use) => use(), transcription },
    { source, signal: AbortSignal.timeout(60_000), onProgress: () => {} },
  );

describe('spoken words', () => {
  test('are requested once for a content, an engine and a model', async () => {
    const source = await stored(2);
    const [first, other] = [new Engine(hello), new Engine(hello, 'b')];
    for (let time = 0; time < 2; time++)
      assert.deepEqual(await transcriptOf(source, first), {
        words: hello(),
        omitted: { looped: 2, afterEnd: 1 },
      });
    assert.equal(first.calls.length, 1);
    await transcriptOf(source, other);
    assert.equal(other.calls.length, 1);
  });

  test('of a long sound are in its own time, and a failure repeats only the piece that failed', async () => {
    const source = await stored(SECONDS);
    const failing = new Engine((_seconds, call) => {
      if (call === 2) throw new TranscriptionFailure('it is away');
      return hello();
    });
    await assert.rejects(transcriptOf(source, failing), (error) => {
      assert.ok(isFailure(error, 'TRANSCRIPTION_FAILED'));
      assert.equal(error.detail, 'The transcription engine failed: it is away');
      return true;
    });
    const working = new Engine(hello);
    const { words, omitted } = await transcriptOf(source, working);
    const [one, two] = words;
    assert.deepEqual(omitted, { looped: 4, afterEnd: 2 });
    assert.equal(working.calls.length, 1);
    assert.equal(one.startSeconds, 0.5);
    const startSeconds = SECONDS - working.calls[0];
    assert.ok(startSeconds > 570 && startSeconds < 571, `${startSeconds}`);
    assert.ok(Math.abs(two.startSeconds - startSeconds - 0.5) < 1e-6);
  });

  test('are not more than people say in four hours, and the failure is final', async () => {
    const source = await stored(SECONDS);
    const talkative = new Engine(() => Array(60_000).fill(hello()[0]));
    await assert.rejects(transcriptOf(source, talkative), (error) => {
      assert.ok(isFailure(error, 'TRANSCRIPTION_FAILED'));
      assert.match(error.detail, /more than 100000 words$/);
      assert.equal(jobErrorOf(error, 'style_application', 1, new Date()).retryable, false);
      return true;
    });
  });

  test('are empty for a too short sound, without a request', async () => {
    const silent = new Engine(hello);
    assert.deepEqual((await transcriptOf(await stored(0.1), silent)).words, []);
    assert.equal(silent.calls.length, 0);
  });

  test('need an engine', async () => {
    const source = await stored(2);
    await assert.rejects(transcriptOf(source), (error) => isFailure(error, 'TRANSCRIPTION_UNAVAILABLE'));
  });
});
