/** The default source of `job.ts`: a minute of 1080p30, joined from real clips, or drawn where there are none. */
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LinearGraph } from '../../src/media/av/graph.ts';
import { openInput } from '../../src/media/av/open-input.ts';
import { OUTPUT_SAMPLE_RATE } from '../../src/media/av/output-sample-rate.ts';
import { openSamples } from '../../src/media/decode/samples.ts';
import { Mp4Writer } from '../../src/media/encode/encode.ts';
import { SourceFrames } from '../../src/render/picture/source-frames.ts';
import { writeDrawnClip } from '../../test/support/drawn-clip.ts';

export const MEDIA = fileURLToPath(new URL('../../../shared/media/', import.meta.url));

/** The clips in order, and how many seconds of each: together 60. */
const PARTS = [
  { name: 'video/sam2_dog.mp4', seconds: 9 },
  { name: 'video/mdn_crystal.mp4', seconds: 12 },
  { name: 'video/bbb_opening_30s_vp8.webm', seconds: 29 },
  { name: 'video/mdn_flower.mp4', seconds: 5 },
  { name: 'video/mdn_friday_speech.mp4', seconds: 5 },
] as const;
const SIZE = { width: 1920, height: 1080 } as const;
const RATE = 30;
const ENCODING = {
  ...SIZE,
  frameRate: { numerator: RATE, denominator: 1 },
  preset: 'veryfast',
  crf: 18,
} as const;

/** The path of the clip, made at the first call and cached in the folder for temporary files. */
export async function longClip(): Promise<string> {
  const real = PARTS.every(({ name }) => existsSync(MEDIA + name));
  const folder = join(tmpdir(), 'styledna-bench');
  const path = join(folder, real ? 'joined-60s-1080p30.mp4' : 'drawn-60s-1080p30.mp4');
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const unfinished = `${path}.${process.pid}.mp4`;
  if (real) await joinParts(unfinished);
  else await drawClip(unfinished);
  renameSync(unfinished, path);
  return path;
}

async function joinParts(path: string): Promise<void> {
  using writer = await Mp4Writer.open(path, ENCODING, true);
  for (const part of PARTS) await appendPart(writer, MEDIA + part.name, part.seconds);
  await writer.finish();
}

async function appendPart(writer: Mp4Writer, path: string, seconds: number): Promise<void> {
  using input = await openInput(path);
  using source = await SourceFrames.open(input);
  using scaler = new LinearGraph(
    'video',
    { num: 1, den: RATE },
    () => `scale=${SIZE.width}:${SIZE.height}:flags=bicubic,format=yuv420p`,
  );
  const audio = openSamples(path, { sampleRate: OUTPUT_SAMPLE_RATE, channels: 'stereo' });
  let missing = Math.round(seconds * OUTPUT_SAMPLE_RATE);
  const frameCount = Math.round(seconds * RATE);
  for (let number = 0; number < frameCount; number++) {
    const expected = ((frameCount - number - 1) / RATE) * OUTPUT_SAMPLE_RATE;
    while (missing > expected) {
      const block = await audio.next();
      const empty = new Float32Array(missing);
      const [left, right] = block.done === true ? [empty, empty] : block.value.channels;
      const count = Math.min(missing, left!.length);
      writer.writeSamples(left!.subarray(0, count), right!.subarray(0, count));
      missing -= count;
    }
    const frame = source.at(number / RATE, 0.5 / RATE, number / RATE).clone()!;
    frame.pts = BigInt(number);
    scaler.push(frame, (scaled) => writer.writeFrame(scaled));
    frame.free();
  }
  await audio.return(undefined);
}

/** Moving stripes over a slow gradient, a click a second: cheap to encode, so less telling than real clips. */
function drawClip(path: string): Promise<void> {
  return writeDrawnClip(path, {
    ...ENCODING,
    durationSeconds: 60,
    draw: (rgb, timeSeconds) => {
      for (let y = 0, at = 0; y < SIZE.height; y++) {
        for (let x = 0; x < SIZE.width; x++, at += 3) {
          const stripe = ((x + timeSeconds * 200) >> 5) & 1 ? 40 : 0;
          rgb[at] = ((x * 160) / SIZE.width + stripe) | 0;
          rgb[at + 1] = ((y * 160) / SIZE.height + stripe) | 0;
          rgb[at + 2] = 90;
        }
      }
    },
    audio: (timeSeconds) => (timeSeconds % 1 < 0.01 ? Math.sin(timeSeconds * 6283) * 0.5 : 0),
  });
}
