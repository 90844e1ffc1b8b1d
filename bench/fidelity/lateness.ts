/** Sound against picture, moment by moment: both are looked up in the source, by the timeline that was rendered. */
import { type Box, WHOLE_PICTURE } from '../../src/analysis/facts.ts';
import { framesPerSecond } from '../../src/domain/time.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { mean } from '../../src/signal/statistics.ts';
import { framingAt } from '../../src/style/model/framing.ts';
import type { Clip, Timeline } from '../../src/style/model/timeline.ts';
import { readMono } from '../lib/mono-audio.ts';
import { audioDelay, likenessOf, videoDelay } from '../score/sync.ts';

/** In seconds, late is positive; null if unknown: silence, or a still picture. */
export interface Lateness {
  readonly outputSeconds: number;
  readonly audio: number | null;
  readonly video: number | null;
}

const SAMPLE_RATE = 16_000;
const WINDOW_SECONDS = 2;
const MIN_WINDOW_SECONDS = 0.5;
/** The window shows more of other moments than of its own if it reaches far beyond a clip. */
const PICTURES = 9;
const MAX_FRAMES_LATE = 4;
const [COLUMNS, ROWS] = [48, 27];

/** At every clip of the output, and at its start, middle and end. */
export async function latenesses(source: string, output: string, timeline: Timeline): Promise<Lateness[]> {
  const rate = framesPerSecond(timeline.frameRate);
  const audio = (path: string) => readMono(path, SAMPLE_RATE);
  const [heard, heardNow] = [await audio(source), await audio(output)];
  const [seen, seenNow] = [await picturesOf(source), await picturesOf(output)];
  return momentsOf(timeline).map(({ clip, at, startSeconds, length }) => {
    const sourceSeconds = clip.sourceStartSeconds + at - startSeconds;
    const cut = (from: Float32Array, middle: number) => {
      const first = Math.max(0, Math.round((middle - length / 2) * SAMPLE_RATE));
      return from.subarray(first, first + Math.round(length * SAMPLE_RATE));
    };
    return {
      outputSeconds: at,
      audio: audioDelay(cut(heard, sourceSeconds), cut(heardNow, at), SAMPLE_RATE),
      video: lateFrames(clip, startSeconds, at, { seen, seenNow, rate }),
    };
  });
}

interface MomentToCheck {
  readonly clip: Clip;
  /** Of the clip, in the output. */
  readonly startSeconds: number;
  readonly at: number;
  readonly length: number;
}

function momentsOf({ clips }: Timeline): MomentToCheck[] {
  let startSeconds = 0;
  return clips.flatMap((clip) => {
    const duration = clip.sourceEndSeconds - clip.sourceStartSeconds;
    const start = startSeconds;
    startSeconds += duration;
    const length = Math.min(WINDOW_SECONDS, duration);
    if (length < MIN_WINDOW_SECONDS) return [];
    const middle = start + duration / 2;
    const places =
      duration < 3 * length ? [middle] : [start + length / 2, middle, start + duration - length / 2];
    return places.map((at) => ({ clip, startSeconds: start, at, length }));
  });
}

interface Picture {
  readonly timeSeconds: number;
  readonly grey: { readonly data: Uint8Array; readonly width: number; readonly height: number };
}

/** By the pictures around the moment, with the framing of the timeline. */
function lateFrames(
  clip: Clip,
  startSeconds: number,
  at: number,
  { seen, seenNow, rate }: { seen: readonly Picture[]; seenNow: readonly Picture[]; rate: number },
): number | null {
  if (clip.fit === 'pad') return null;
  const first = Math.max(0, Math.round((at - PICTURES / 2 / rate) * rate));
  const shown = seenNow.slice(first, first + PICTURES);
  if (shown.length === 0) return null;
  const duration = clip.sourceEndSeconds - clip.sourceStartSeconds;
  const lags = Array.from({ length: 2 * MAX_FRAMES_LATE + 1 }, (_, n) => (n - MAX_FRAMES_LATE) / rate);
  const likeness = lags.map((lag) => {
    const each = shown.map(({ timeSeconds, grey }) => {
      const inClip = timeSeconds - startSeconds;
      const then = pictureAt(seen, clip.sourceStartSeconds + inClip - lag + 0.25 / rate);
      const box = framingAt(
        clip,
        Math.min(1, Math.max(0, inClip / duration)),
        clip.sourceStartSeconds + inClip,
      );
      return likenessOf(sampled(grey, WHOLE_PICTURE), sampled(then.grey, box));
    });
    return mean(each);
  });
  return videoDelay(lags, likeness);
}

/** The last that was shown by then. */
function pictureAt(pictures: readonly Picture[], seconds: number): Picture {
  let found = 0;
  while (found + 1 < pictures.length && pictures[found + 1].timeSeconds <= seconds) found++;
  return pictures[found];
}

function sampled({ data, width, height }: Picture['grey'], box: Box): Float32Array {
  const out = new Float32Array(COLUMNS * ROWS);
  for (let row = 0; row < ROWS; row++) {
    const y = Math.min(height - 1, Math.floor((box.y + ((row + 0.5) / ROWS) * box.height) * height));
    for (let column = 0; column < COLUMNS; column++) {
      const x = Math.min(width - 1, Math.floor((box.x + ((column + 0.5) / COLUMNS) * box.width) * width));
      out[row * COLUMNS + column] = data[y * width + x];
    }
  }
  return out;
}

async function picturesOf(path: string): Promise<Picture[]> {
  const pictures: Picture[] = [];
  for await (const { timeSeconds, grey } of openFrames(path)) {
    const { width, height } = grey;
    pictures.push({ timeSeconds, grey: { data: grey.data.slice(), width, height } });
  }
  return pictures;
}
