/** When words begin in a clip, by the recognizer `pocketsphinx_continuous` (Debian: pocketsphinx, pocketsphinx-en-us). */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Span } from '../../src/analysis/facts.ts';
import { openSamples } from '../../src/media/decode/samples.ts';
import { writeWave } from '../generate/wave-file.ts';

const run = promisify(execFile);

/** The rate of its acoustic model. */
const SAMPLE_RATE = 16_000;
/** A cut within this of a word's beginning hides it. */
const WORD_BEGINNING_SECONDS = 0.12;
/** Times of words are known to about this. */
const KNOWN_SECONDS = 0.01;

/** Seconds at which words begin, ascending; null where there is no recognizer. */
export async function wordStarts(path: string): Promise<number[] | null> {
  return (await spokenWords(path))?.map(({ startSeconds }) => startSeconds) ?? null;
}

/** Words, ascending; null where there is no recognizer. English words are recognized; others by their sound. */
export async function spokenWords(path: string): Promise<Span[] | null> {
  const folder = mkdtempSync(join(tmpdir(), 'styledna-words-'));
  try {
    const wave = join(folder, 'speech.wav');
    writeWave(wave, [await monoSamples(path)], SAMPLE_RATE);
    const { stdout } = await run(
      'pocketsphinx_continuous',
      ['-infile', wave, '-time', 'yes', '-logfn', '/dev/null'],
      { maxBuffer: 2 ** 26 },
    );
    return [...stdout.matchAll(/^[^<[\s]\S* ([\d.]+) ([\d.]+) [\d.]+$/gm)].map(([, start, end]) => ({
      startSeconds: Number(start),
      endSeconds: Number(end),
    }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function monoSamples(path: string): Promise<Float32Array> {
  const blocks: Float32Array[] = [];
  for await (const block of openSamples(path, { sampleRate: SAMPLE_RATE, channels: 'mono' }))
    blocks.push(block.channels[0].slice());
  const samples = new Float32Array(blocks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const block of blocks) {
    samples.set(block, at);
    at += block.length;
  }
  return samples;
}

/** Whether a time lies in the beginning of a word, after its first 10 ms. */
function isInBeginning(seconds: number, starts: readonly number[]): boolean {
  return starts.some((start) => seconds > start + KNOWN_SECONDS && seconds < start + WORD_BEGINNING_SECONDS);
}

/** Cuts that were added inside speech, and how many of them hide the beginning of a word. */
export interface SpeechCuts {
  readonly cuts: number;
  /** Null: there is no recognizer, or it recognized nothing. */
  readonly inBeginnings: number | null;
  /** Share of the spoken time that lies in beginnings of words: what random cuts would hide. */
  readonly chance: number | null;
}

const STEP_SECONDS = 0.01;

/** `cuts`: in the source's time. */
export function speechCuts(
  cuts: readonly number[],
  spans: readonly Span[],
  starts: readonly number[] | null,
): SpeechCuts {
  const inside = cuts.filter((cut) =>
    spans.some(({ startSeconds, endSeconds }) => startSeconds < cut && cut < endSeconds),
  );
  if (starts === null || starts.length === 0)
    return { cuts: inside.length, inBeginnings: null, chance: null };
  let [all, hidden] = [0, 0];
  for (const { startSeconds, endSeconds } of spans)
    for (let time = startSeconds; time < endSeconds; time += STEP_SECONDS) {
      all++;
      if (isInBeginning(time, starts)) hidden++;
    }
  return {
    cuts: inside.length,
    inBeginnings: inside.filter((cut) => isInBeginning(cut, starts)).length,
    chance: all === 0 ? null : hidden / all,
  };
}
