/** The sound of a file as a transcription engine takes it: WAV, 16 kHz, mono, in pieces of bounded size. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SoundPiece } from '../../domain/transcription.ts';
import type { Input } from '../av/input.ts';
import { samplesOf } from '../decode/samples.ts';

/** Sample rate of the training data of speech models; they resample all others. */
const SAMPLE_RATE = 16_000;
/** FFmpeg mixes two equal channels to √2 of one: loud stereo would clip. */
const GAIN = Math.SQRT1_2 * 32767;
/** 19 MB: hosted engines take 25 MB. */
const MAX_PIECE_SECONDS = 600;
/** A piece ends at the quietest moment of its last minute, so that no word is divided. */
const SPLIT_SECONDS = 60;
const QUIET_SECONDS = 0.1;
/** Engines refuse less than .1 s. */
const MIN_PIECE_SECONDS = 0.2;

export interface SpeechSoundOptions {
  readonly folder: string;
  /** Seconds of the sound that are decoded. */
  readonly onProgress: (seconds: number) => void;
  readonly maxPieceSeconds?: number;
  readonly splitSeconds?: number;
}

/** Writes the pieces into the folder; none where there is no sample. Throws `Failure` INPUT_UNSUPPORTED if there is no sound stream. */
export async function writeSpeechSound(
  input: Input,
  { folder, onProgress, ...lengths }: SpeechSoundOptions,
): Promise<readonly SoundPiece[]> {
  const { maxPieceSeconds = MAX_PIECE_SECONDS, splitSeconds = SPLIT_SECONDS } = lengths;
  const samples = new Int16Array(maxPieceSeconds * SAMPLE_RATE);
  const pieces: SoundPiece[] = [];
  let held = 0;
  let writtenSamples = 0;
  const write = async (length: number) => {
    if (length < MIN_PIECE_SECONDS * SAMPLE_RATE) return;
    const path = join(folder, `speech-${pieces.length}.wav`);
    await writeFile(path, waveOf(samples.subarray(0, length)));
    pieces.push({
      path,
      startSeconds: writtenSamples / SAMPLE_RATE,
      durationSeconds: length / SAMPLE_RATE,
    });
  };
  for await (const block of samplesOf(input, { sampleRate: SAMPLE_RATE, channels: 'mono' })) {
    for (const value of block.channels[0]) {
      if (held === samples.length) {
        const end = quietestMoment(samples, samples.length - splitSeconds * SAMPLE_RATE);
        await write(end);
        samples.copyWithin(0, end);
        held -= end;
        writtenSamples += end;
      }
      samples[held++] = Math.max(-32768, Math.min(32767, Math.round(value * GAIN)));
    }
    onProgress(block.startSeconds);
  }
  await write(held);
  return pieces;
}

/** The middle of the quietest tenth of a second from sample `from` on. */
function quietestMoment(samples: Int16Array, from: number): number {
  const length = QUIET_SECONDS * SAMPLE_RATE;
  let best = samples.length;
  let least = Number.POSITIVE_INFINITY;
  for (let start = from; start + length <= samples.length; start += length) {
    let energy = 0;
    for (let n = start; n < start + length; n++) energy += samples[n] ** 2;
    if (energy < least) {
      least = energy;
      best = start + length / 2;
    }
  }
  return best;
}

/** RIFF WAVE with one chunk of PCM. */
function waveOf(samples: Int16Array): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + samples.byteLength, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(SAMPLE_RATE, 24);
  header.writeUInt32LE(SAMPLE_RATE * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(samples.byteLength, 40);
  return Buffer.concat([header, Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)]);
}
