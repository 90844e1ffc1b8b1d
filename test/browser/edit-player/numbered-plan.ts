/** A plan of takes whose frames show their numbers, and the expected frames of a player. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FrameSchedule } from '../../../src/render/timeline/frame-schedule.ts';
import { type Clip, type Timeline, timelineDurationSeconds } from '../../../src/style/model/timeline.ts';
import type { PlaybackPlan } from '../../../web/src/player/playback-plan.ts';
import { drawNumber, makeClip } from '../../support/clips.ts';
import { encodeImage } from '../../support/image.ts';
import { timelineClip, timelineOf } from '../../support/timeline-clip.ts';
import type { PlayerScope } from './opening.ts';

const SIZE = { width: 320, height: 180 };
const RATE = 25;
export const TAKE_SECONDS = 6;
/** Frames of take n are numbered from n × 200; the photo's number is 1000. */
const NUMBERS_PER_TAKE = 200;
const PHOTO_NUMBER = 1000;
/** Clips of the takes in any order, two of them next to each other in one take, one twice, and a photo. */
const CLIPS: readonly Clip[] = [
  slot(1, 2, 3.2),
  slot(0, 4, 5),
  slot(2, 0, 1),
  slot(1, 0.4, 1.4),
  slot(0, 5.2, 6),
  slot(0, 1, 2),
  slot(0, 2, 2.6),
];
export const TIMELINE: Timeline = {
  ...timelineOf(CLIPS),
  ...SIZE,
  frameRate: { numerator: RATE, denominator: 1 },
  takes: [{ grade: null }, { grade: null }, { grade: null }],
};
export const PLAN: PlaybackPlan = {
  timeline: TIMELINE,
  gainDb: 0,
  takes: [{ videoId: 'take-0.mp4' }, { videoId: 'take-1.mp4' }, { videoId: 'photo.jpg' }],
  music: null,
};

/** The same with a rendered output, whose frames show their own numbers. */
export const RENDERED_PLAN: PlaybackPlan = {
  ...PLAN,
  output: { kind: 'video', address: 'media/output.mp4', hasSound: true },
};

function slot(take: number, startSeconds: number, endSeconds: number): Clip {
  return timelineClip(startSeconds, endSeconds, { take, reason: 'slot' });
}

/** The number in the picture of each output frame. */
export function expectedNumbers({ clips }: Timeline): number[] {
  return clips.flatMap(({ take, sourceStartSeconds, sourceEndSeconds }) => {
    const first = Math.round(sourceStartSeconds * RATE);
    const count = Math.round((sourceEndSeconds - sourceStartSeconds) * RATE);
    return Array.from({ length: count }, (_, at) =>
      take === 2 ? PHOTO_NUMBER : take * NUMBERS_PER_TAKE + first + at,
    );
  });
}

/** First and last frame of each clip, and as many as are missing to twenty from the middles. */
export function moments({ clips }: Timeline): number[] {
  const { visible } = new FrameSchedule({ ...TIMELINE, clips });
  const ends = visible.flatMap(({ startFrame, endFrame }) => [startFrame, endFrame - 1]);
  const middles = visible.map(({ startFrame, endFrame }) => (startFrame + endFrame) >> 1);
  // Not in order: half of the seeks go back.
  return [...ends, ...middles].sort((a, b) => ((a * 7) % 31) - ((b * 7) % 31));
}

/** The files of the plan, by their names. */
export async function numberedFiles(folder: string): Promise<Record<string, string>> {
  return {
    'take-0.mp4': await numberedTake(folder, 0),
    'take-1.mp4': await numberedTake(folder, 1),
    'photo.jpg': await numberedPhoto(folder),
    'output.mp4': await makeClip(folder, {
      name: 'output',
      durationSeconds: timelineDurationSeconds(TIMELINE),
      draw: drawNumber(SIZE.width, SIZE.height),
    }),
  };
}

async function numberedTake(folder: string, take: number): Promise<string> {
  const draw = drawNumber(SIZE.width, SIZE.height);
  return makeClip(folder, {
    name: `take-${take}`,
    durationSeconds: TAKE_SECONDS,
    draw: (rgb, seconds, index) => draw(rgb, seconds, index + take * NUMBERS_PER_TAKE),
  });
}

async function numberedPhoto(folder: string): Promise<string> {
  const rgb = new Uint8Array(3 * SIZE.width * SIZE.height);
  drawNumber(SIZE.width, SIZE.height)(rgb, 0, PHOTO_NUMBER);
  const path = join(folder, 'photo.jpg');
  const at = (x: number, y: number) => {
    const from = 3 * (y * SIZE.width + x);
    return [rgb[from]!, rgb[from + 1]!, rgb[from + 2]!] as const;
  };
  writeFileSync(path, await encodeImage('jpeg', SIZE, at));
  return path;
}

/** Runs in the page: the number that the picture shows at each frame. */
export async function numbersAt(frames: readonly number[]): Promise<number[]> {
  const { player } = globalThis as unknown as PlayerScope;
  const numbers: number[] = [];
  for (const frame of frames) {
    await player.seekFrame(frame);
    const canvas = document.querySelector('canvas')!;
    const { width, height } = canvas;
    const copy = new OffscreenCanvas(width, 1).getContext('2d')!;
    copy.drawImage(canvas, 0, -(height >> 1));
    const row = copy.getImageData(0, 0, width, 1).data;
    let number = 0;
    for (let bit = 0; bit < 10; bit++)
      if (row[4 * Math.floor(((bit + 0.5) * width) / 10)]! > 125) number |= 1 << bit;
    numbers.push(number);
  }
  return numbers;
}

/** Runs in the page: the numbers before and after, next to each other, at each frame. */
export async function pairsAt(frames: readonly number[]): Promise<number[][]> {
  const { player } = globalThis as unknown as PlayerScope;
  player.setView('beside');
  const pairs: number[][] = [];
  for (const frame of frames) {
    await player.seekFrame(frame);
    const canvas = document.querySelector('canvas')!;
    const { width, height } = canvas;
    const copy = new OffscreenCanvas(width, 1).getContext('2d')!;
    copy.drawImage(canvas, 0, -(height >> 1));
    const row = copy.getImageData(0, 0, width, 1).data;
    const numberIn = (part: number) => {
      let number = 0;
      for (let bit = 0; bit < 10; bit++)
        if (row[4 * Math.floor(((part + (bit + 0.5) / 10) * width) / 2)]! > 125) number |= 1 << bit;
      return number;
    };
    pairs.push([numberIn(0), numberIn(1)]);
  }
  return pairs;
}
