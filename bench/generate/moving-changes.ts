/**
 * Shots of real edited clips that move, joined again by every kind of gradual transition: the pictures at both ends of such a
 * change are not those that are mixed in its middle. Cuts among them, and within shots what looks like a change and is none.
 */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { DIRECTIONS, EASINGS, type TransitionType } from '../../src/analysis/facts.ts';
import { readTruths } from '../lib/truth.ts';
import { writeGeneratedClip } from './clip.ts';
import { curveOf } from './curves.ts';
import * as draw from './edit-drawing.ts';
import { madeFolder, seedsOf } from './families.ts';
import { type RgbPicture, readFootage } from './footage.ts';
import { Random } from './random.ts';
import { trapped } from './recut-traps.ts';
import { difference, RECUT_RATES, type SourceShot, shotsOf } from './recuts.ts';

interface Change {
  readonly words: string;
  readonly frames: number;
  readonly drawing: draw.Drawing;
  readonly ease: (share: number) => number;
}

interface Piece {
  readonly pictures: readonly RgbPicture[];
  /** Mean distance of pictures half a second apart, levels of 255. */
  readonly motion: number;
}

/** Kinds that are often missed occur several times. */
const TYPES = [
  ...['wipe', 'wipe', 'wipe', 'wipe', 'slide', 'slide', 'circle', 'circle'],
  ...['dissolve', 'dissolve', 'zoom', 'cut', 'cut'],
] as Exclude<TransitionType, 'fade_black' | 'fade_white' | 'fade_color'>[];
const SIZE = { width: 480, height: 270 } as const;
const PIECES = 7;
/** Changes that end before the shot continues unchanged. */
const TRAPS = ['flash', 'repeat', 'overlay', 'overlay'] as const;
const MIN_TRAP_FRAMES = 14;
/** Of this many places the one that moves most is used. */
const PLACES = 2;
/** Less motion than this is a still. */
const STILL_LEVELS = 1;

/**
 * The folders of clips made of the shots in `FOLDER`, written as `FOLDER:1-4`, made where they are not there. Folders of one
 * name count as the same.
 */
export async function movingClips(expected: readonly string[]): Promise<string[]> {
  const made: string[] = [];
  for (const text of expected) {
    const [source, seeds] = text.split(':');
    if (seeds === undefined)
      throw new Error(`"${text}" names no seeds; write FOLDER:SEEDS, such as clips:1-4`);
    let shots: readonly SourceShot[] | null = null;
    for (const seed of seedsOf(seeds)) {
      const folder = madeFolder(`moving-${basename(source!)}-${seed}`);
      made.push(folder);
      if (existsSync(folder)) continue;
      shots ??= await shotsOf(
        readTruths(source!).filter(
          ({ cutsSeconds, excluded }) => cutsSeconds !== null && !excluded.has('cuts'),
        ),
      );
      console.error(`making moving changes ${seed}`);
      await writeMovingChanges(folder, seed, shots);
    }
  }
  return made;
}

/** Writes `moving-SEED.mp4`, about ten seconds, and its truth. */
async function writeMovingChanges(folder: string, seed: number, shots: readonly SourceShot[]): Promise<void> {
  const random = new Random(seed);
  const rate = random.pick(RECUT_RATES);
  const changes = Array.from({ length: PIECES - 1 }, () => changeOf(random, rate));
  const pieces: (readonly RgbPicture[])[] = [];
  for (let k = 0; k < PIECES; k++) {
    const alone = Math.round(rate * random.between(0.7, 1.5));
    const shared = (changes[k - 1]?.frames ?? 0) + (changes[k]?.frames ?? 0);
    pieces.push(await movingPiece(random, shots, alone + shared));
  }
  const frames: RgbPicture[] = [];
  const cuts: number[] = [];
  const transitions: { type: string; start_s: number; end_s: number }[] = [];
  for (const [k, piece] of pieces.entries()) {
    const change = changes[k];
    const before = changes[k - 1]?.frames ?? 0;
    frames.push(...piece.slice(before, piece.length - (change?.frames ?? 0)));
    if (change === undefined) break;
    if (change.frames === 0) cuts.push(frames.length / rate);
    else {
      // Whole on both sides: the last frame that is all old, and the first that is all new.
      const start = frames.length - 1;
      transitions.push({
        type: change.words,
        start_s: start / rate,
        end_s: (start + change.frames + 1) / rate,
      });
    }
    for (let i = 0; i < change.frames; i++)
      frames.push(
        change.drawing(
          piece[piece.length - change.frames + i],
          pieces[k + 1][i],
          change.ease((i + 1) / (change.frames + 1)),
        ),
      );
  }
  await writeGeneratedClip(folder, {
    name: `moving-${seed}`,
    ...SIZE,
    frameRate: { numerator: rate, denominator: 1 },
    frameCount: frames.length,
    crf: random.whole(18, 31),
    frameAt: (frame) => frames[frame],
    truth: { family: 'moving', hard_cuts_s: cuts, transitions },
  });
}

function changeOf(random: Random, rate: number): Change {
  const type = random.pick(TYPES);
  if (type === 'cut') return { words: 'cut', frames: 0, drawing: draw.dissolve, ease: (x) => x };
  const most = type === 'zoom' ? 0.8 : 1.4;
  const frames = Math.max(3, Math.round(rate * 0.2 * (most / 0.2) ** random.next()));
  const ease = type === 'zoom' ? (x: number) => x : curveOf(random.pick(EASINGS), random);
  return { ...drawingOf(random, type), frames, ease };
}

function drawingOf(
  random: Random,
  type: Exclude<(typeof TYPES)[number], 'cut'>,
): Pick<Change, 'words' | 'drawing'> {
  const direction = random.pick(DIRECTIONS);
  const soft = random.chance(0.5) ? 0 : random.between(0.05, 0.35);
  if (type === 'dissolve') return { words: 'dissolve', drawing: draw.dissolve };
  if (type === 'wipe') {
    if (random.chance(0.7)) return { words: `wipe${direction}`, drawing: draw.wipe(direction, soft) };
    return { words: 'wipecorner', drawing: draw.cornerWipe(random.chance(0.5), random.chance(0.5), soft) };
  }
  if (type === 'circle') {
    const opens = random.chance(0.6);
    return { words: opens ? 'circleopen' : 'circleclose', drawing: draw.circle(opens, 2 * soft) };
  }
  if (type === 'slide') {
    const kind = random.pick(['push', 'push', 'cover', 'reveal'] as const);
    return { words: `slide${direction}_${kind}`, drawing: draw.slide(direction, kind) };
  }
  const kind = random.pick(draw.ZOOMS);
  return { words: `zoom_${kind}`, drawing: draw.zoom(kind, random.between(1.8, 4)) };
}

/** `length` pictures of a shot that moves, at times with a trap among them, in the middle third. */
async function movingPiece(
  random: Random,
  shots: readonly SourceShot[],
  length: number,
): Promise<readonly RgbPicture[]> {
  const found: Piece[] = [];
  while (found.length < PLACES) {
    const shot = random.pick(shots.filter(({ first, end }) => end - first >= length));
    const from = random.whole(shot.first, shot.end - length);
    const pictures = await readFootage({
      name: shot.path,
      fromSeconds: from / shot.framesPerSecond,
      frameCount: length,
      framesPerSecond: shot.framesPerSecond,
      ...SIZE,
    });
    const motion = motionOf(pictures, Math.min(length - 1, Math.round(shot.framesPerSecond / 2)));
    if (motion >= STILL_LEVELS) found.push({ pictures, motion });
  }
  const { pictures } = found.reduce((a, b) => (b.motion > a.motion ? b : a));
  const part = Math.floor(length / 3);
  if (part < MIN_TRAP_FRAMES || !random.chance(0.3)) return pictures;
  const middle = trapped(
    random.pick(TRAPS),
    pictures.slice(part, 2 * part),
    part,
    { x: 0.5, y: 0.5, scale: 1 },
    random,
  );
  return [...pictures.slice(0, part), ...middle, ...pictures.slice(2 * part)];
}

function motionOf(pictures: readonly RgbPicture[], apart: number): number {
  let sum = 0;
  let count = 0;
  for (let i = 0; i + apart < pictures.length; i += apart, count++)
    sum += difference(pictures[i], pictures[i + apart]);
  return sum / Math.max(1, count);
}
