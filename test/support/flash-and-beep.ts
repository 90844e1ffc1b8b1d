/** Clips that flash and beep at the same moments, and when a file does either. */
import { join } from 'node:path';
import { openInput } from '../../src/media/av/open-input.ts';
import { StreamDecoder } from '../../src/media/av/stream-decoder.ts';
import { openSamples } from '../../src/media/decode/samples.ts';
import { makeClip } from './clips.ts';
import { type OddAudio, writeOddClip } from './odd-clips.ts';

const RATE = 48_000;
const FLASH_SECONDS = 0.12;
/** A beep of a full scale tenth, and its echo in the codec. */
const LOUD = 0.02;
const QUIET_SECONDS = 0.3;

const isAt = (seconds: number, moments: readonly number[]) =>
  moments.some((moment) => seconds >= moment - 1e-6 && seconds < moment + FLASH_SECONDS - 1e-6);

const beep = (seconds: number, moments: readonly number[]) =>
  isAt(seconds, moments) ? 0.5 * Math.sin(2 * Math.PI * 1000 * seconds) : 0;

export function flashingClip(
  folder: string,
  name: string,
  durationSeconds: number,
  moments: readonly number[],
): Promise<string> {
  return makeClip(folder, {
    name,
    durationSeconds,
    draw: (rgb, seconds) => {
      rgb.fill(isAt(seconds, moments) ? 235 : 60);
    },
    audio: (seconds) => beep(seconds, moments),
  });
}

/** The same with sound of another format. `container`: by FFmpeg's name of it. */
export function flashingOddClip(
  folder: string,
  name: string,
  durationSeconds: number,
  moments: readonly number[],
  format: Pick<OddAudio, 'channels' | 'sampleRate'>,
  container = 'mpegts',
): Promise<string> {
  return writeOddClip(join(folder, `${name}.piece`), {
    container,
    width: 160,
    height: 96,
    timesSeconds: Array.from({ length: 25 * durationSeconds }, (_, frame) => frame / 25),
    luma: (_x, _y, frame) => (isAt(frame / 25, moments) ? 0.9 : 0.2),
    audioStreams: [{ ...format, durationSeconds, sample: (seconds) => beep(seconds, moments) }],
  });
}

/** When the picture turns white, and how many frames there are. */
export async function flashesOf(path: string) {
  using input = await openInput(path);
  using decoder = await StreamDecoder.open(input, input.video!);
  const seconds: number[] = [];
  let frames = 0;
  let wasWhite = false;
  for (let frame = decoder.next(); frame !== null; frame = decoder.next(), frames++) {
    const luma = frame.data![0];
    const isWhite = luma[(frame.height >> 1) * frame.linesize[0] + (frame.width >> 2)] > 150;
    if (isWhite && !wasWhite) seconds.push(decoder.frameSeconds(frame));
    wasWhite = isWhite;
  }
  return { seconds, frames };
}

/** When a sound begins after silence. */
export async function beepsOf(path: string): Promise<number[]> {
  const found: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for await (const { startSeconds, channels } of openSamples(path, { sampleRate: RATE, channels: 'mono' })) {
    for (const [n, value] of channels[0].entries()) {
      if (Math.abs(value) < LOUD) continue;
      const seconds = startSeconds + n / RATE;
      if (seconds - last > QUIET_SECONDS) found.push(seconds);
      last = seconds;
    }
  }
  return found;
}
