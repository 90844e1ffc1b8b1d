/**
 * Real edited clips, cut again: their shots in another order, some of two frames, jump cuts within a shot, and within shots what
 * looks like a cut and is none. Truth to the frame costs nothing so, and what moves is what moves in real shots.
 */
import { resolve } from 'node:path';
import { framesPerSecond } from '../../src/domain/time.ts';
import type { Truth } from '../lib/truth.ts';
import { recordingOf } from '../shots/recording.ts';
import { writeGeneratedClip } from './clip.ts';
import { viewed } from './edit-drawing.ts';
import { type RgbPicture, readFootage } from './footage.ts';
import { Random } from './random.ts';
import { RECUT_TRAPS, type RecutTrap, trapped } from './recut-traps.ts';

/** A stretch of a clip without cut or transition; frames of the clip. */
export interface SourceShot {
  readonly path: string;
  readonly framesPerSecond: number;
  readonly first: number;
  /** The frame after its last. */
  readonly end: number;
}

/** A run of frames of a shot. */
interface Piece {
  readonly shot: SourceShot;
  readonly first: number;
  readonly length: number;
  readonly scale: number;
  readonly trap: RecutTrap | null;
}

const SIZE = { width: 640, height: 360 } as const;
export const RECUT_RATES = [24, 25, 30, 24, 25, 30, 60] as const;
/** Frames beside a boundary that may still belong to it: truths are exact to one. */
const MARGIN_FRAMES = 2;
const MIN_SHOT_FRAMES = 6;
const MAX_SHOT_SECONDS = 20;
/** A jump of less is a stutter. */
const MIN_JUMP_SECONDS = 0.4;
/** Mean change, levels of 255, below which nobody sees a cut. */
const SEEN_LEVELS = 2.5;
const MIN_TRAP_FRAMES = 12;

export async function shotsOf(truths: readonly Truth[]): Promise<SourceShot[]> {
  const shots: SourceShot[] = [];
  for (const truth of truths) {
    const { presentation, frames } = await recordingOf(truth.path);
    const rate = framesPerSecond(presentation.frameRate);
    const frameAt = (seconds: number) => Math.round(seconds * rate);
    const cuts = [...(truth.cutsSeconds ?? []), ...truth.optionalCutsSeconds].map((seconds) => ({
      from: frameAt(seconds),
      to: frameAt(seconds),
    }));
    const changes = truth.transitions.map(({ startSeconds, endSeconds }) => ({
      from: frameAt(startSeconds),
      to: frameAt(endSeconds),
    }));
    const last = Math.min(frames.length, Math.round(MAX_SHOT_SECONDS * rate));
    let first = 0;
    for (const { from, to } of [...cuts, ...changes, { from: last, to: last }].sort(
      (a, b) => a.from - b.from,
    )) {
      const end = Math.min(last, from) - MARGIN_FRAMES;
      if (end - first >= MIN_SHOT_FRAMES)
        shots.push({ path: resolve(truth.path), framesPerSecond: rate, first, end });
      first = Math.max(first, to + MARGIN_FRAMES);
    }
  }
  return shots;
}

/** Writes `recut-SEED.mp4`, about ten seconds, and its truth. */
export async function writeRecut(folder: string, seed: number, shots: readonly SourceShot[]): Promise<void> {
  const random = new Random(seed);
  const rate = random.pick(RECUT_RATES);
  const pieces = piecesOf(random, shots, rate);
  const starts = pieces.map((_, k) => pieces.slice(0, k).reduce((sum, { length }) => sum + length, 0));
  const unseen = new Set<number>();
  let [pictures, before]: [readonly RgbPicture[], RgbPicture | null] = [[], null];
  await writeGeneratedClip(folder, {
    name: `recut-${seed}`,
    ...SIZE,
    frameRate: { numerator: rate, denominator: 1 },
    frameCount: starts.at(-1)! + pieces.at(-1)!.length,
    crf: random.whole(18, 31),
    frameAt: async (frame) => {
      const k = starts.indexOf(frame);
      if (k >= 0) pictures = await drawn(pieces[k], new Random(1000 * seed + k));
      const picture = pictures[frame - starts.findLast((start) => start <= frame)!];
      if (k > 0 && difference(before!, picture) < SEEN_LEVELS) unseen.add(frame);
      before = picture;
      return picture;
    },
    // Read once all frames are drawn.
    get truth() {
      const seconds = (frames: readonly number[]) => frames.map((frame) => frame / rate);
      const cuts = starts.slice(1);
      return {
        family: 'recut',
        hard_cuts_s: seconds(cuts.filter((cut) => !unseen.has(cut))),
        optional_cuts_s: seconds(cuts.filter((cut) => unseen.has(cut))),
      };
    },
  });
}

/** Of a few clips only, so that shots look alike. */
function piecesOf(random: Random, shots: readonly SourceShot[], rate: number): Piece[] {
  const paths = [...new Set(shots.map(({ path }) => path))];
  const chosen = new Set(Array.from({ length: random.whole(1, 3) }, () => random.pick(paths)));
  const own = shots.filter(({ path }) => chosen.has(path));
  const shortest = random.chance(0.5) ? 3 : 12;
  const pieces: Piece[] = [];
  let left = Math.round(rate * random.between(8, 13));
  while (left >= 2) {
    const last = pieces.at(-1);
    const place =
      (last !== undefined && random.chance(0.35) && jumpFrom(random, last, rate)) || anywhere(random, own);
    const expected = Math.round(shortest * Math.exp(random.between(0, 3.2)));
    const length = Math.min(expected, place.shot.end - place.first, left);
    if (length < 2) continue;
    const trap = length >= MIN_TRAP_FRAMES && random.chance(0.4) ? random.pick(RECUT_TRAPS) : null;
    pieces.push({ ...place, length, trap });
    left -= length;
  }
  return pieces;
}

function anywhere(random: Random, shots: readonly SourceShot[]): Pick<Piece, 'shot' | 'first' | 'scale'> {
  const shot = random.pick(shots);
  return { shot, first: random.whole(shot.first, shot.end - MIN_SHOT_FRAMES), scale: 1 };
}

/** Later in the same shot, at times closer by a step; null where it is over by then. */
function jumpFrom(random: Random, last: Piece, rate: number): Pick<Piece, 'shot' | 'first' | 'scale'> | null {
  const { shot } = last;
  const first = last.first + last.length + Math.round(rate * random.between(MIN_JUMP_SECONDS, 2.2));
  if (first > shot.end - MIN_SHOT_FRAMES) return null;
  return { shot, first, scale: last.scale === 1 && random.chance(0.4) ? random.between(1.08, 1.38) : 1 };
}

async function drawn({ shot, first, length, scale, trap }: Piece, random: Random): Promise<RgbPicture[]> {
  const footage = await readFootage({
    name: shot.path,
    fromSeconds: first / shot.framesPerSecond,
    frameCount: Math.min(trap === 'fast' ? 4 * length : length, shot.end - first),
    framesPerSecond: shot.framesPerSecond,
    ...SIZE,
  });
  const view = { x: 0.5, y: 0.5, scale };
  if (trap === null) return footage.slice(0, length).map((picture) => viewed(picture, picture, view));
  return trapped(trap, footage, length, view, random);
}

/** Mean distance of two pictures, levels of 255. */
export function difference(a: RgbPicture, b: RgbPicture): number {
  let sum = 0;
  for (let i = 0; i < a.data.length; i++) sum += Math.abs(a.data[i] - b.data[i]);
  return sum / a.data.length;
}
