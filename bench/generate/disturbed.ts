/**
 * Family `disturbed`: real footage under captions, lower thirds, flashes, fireworks and picture faults, none of which is a cut,
 * in stills, in calm edits and in edits of one to four cuts a second.
 */
import { writeGeneratedClip } from './clip.ts';
import { captions, type Disturbance, flashes, glitches, lowerThirds, type Size } from './disturbances.ts';
import { dissolve } from './edit-drawing.ts';
import { fireworks } from './fast-traps.ts';
import { type RgbPicture, readFootage, SHOTS } from './footage.ts';
import { Random } from './random.ts';

const SIZES: readonly Size[] = [
  { width: 320, height: 180 },
  { width: 320, height: 180 },
  { width: 180, height: 320 },
];
const SECONDS = 12;
/** Levels of mean change below which a cut is hard to see. */
const SEEN_LEVELS = 6;

interface Edit {
  /** Shots a second. */
  readonly pace: readonly [least: number, most: number];
  /** Share of shots that are one held frame. */
  readonly stills: number;
  /** Share of shot changes that are dissolves. */
  readonly dissolves: number;
  readonly disturb: (random: Random, size: Size, rate: number, frameCount: number) => Disturbance;
}

const KINDS: readonly (Edit & { readonly name: string })[] = [
  { name: 'captions', pace: [0.1, 0.5], stills: 0.8, dissolves: 0.3, disturb: captions },
  { name: 'lowerthirds', pace: [0.2, 0.7], stills: 0.3, dissolves: 0.3, disturb: lowerThirds },
  {
    ...{ name: 'flashes', pace: [0.5, 4], stills: 0, dissolves: 0 },
    disturb: (random, _size, rate, frameCount) => flashes(random, rate, frameCount),
  },
  {
    ...{ name: 'fireworks', pace: [0.3, 3], stills: 0, dissolves: 0 },
    disturb: (random, _size, rate, frameCount) => fireworks(random, rate, frameCount / rate),
  },
  {
    ...{ name: 'glitches', pace: [0.3, 2], stills: 0.1, dissolves: 0.1 },
    disturb: (random, _size, rate, frameCount) => glitches(random, rate, frameCount),
  },
];

interface Shot {
  readonly pictures: readonly RgbPicture[];
  readonly length: number;
  /** Frames of the dissolve from the shot before; 0: a cut. */
  readonly dissolve: number;
}

async function shotsOf(random: Random, { pace, stills, dissolves }: Edit, rate: number, size: Size) {
  const shots: Shot[] = [];
  let before = '';
  for (let left = Math.round(SECONDS * rate); left > 0; ) {
    const perSecond = pace[0] * (pace[1] / pace[0]) ** random.next();
    const expected = Math.max(5, Math.round(rate / perSecond));
    const { name, from, to } = random.pick(SHOTS.filter((one) => one.name !== before));
    const seconds = Math.min(to - from, expected / rate);
    const isStill = random.chance(stills);
    const length = isStill ? expected : Math.floor(seconds * rate);
    const pictures = await readFootage({
      ...{ name, fromSeconds: random.between(from, Math.min(to, from + 8) - Math.min(8, seconds)) },
      ...{ frameCount: isStill ? 1 : length, framesPerSecond: rate, ...size },
    });
    const mixes = shots.length > 0 && random.chance(dissolves);
    const room = Math.min(length, shots.at(-1)?.length ?? 0) / 3;
    shots.push({
      pictures,
      length,
      dissolve: mixes ? Math.floor(Math.min(room, rate * random.between(0.3, 1))) : 0,
    });
    left -= length;
    before = name;
  }
  return shots;
}

const pictureAt = ({ pictures }: Shot, at: number): RgbPicture =>
  pictures[Math.max(0, Math.min(pictures.length - 1, at))];

function difference(a: RgbPicture, b: RgbPicture): number {
  let [sum, count] = [0, 0];
  for (let i = 0; i < a.data.length; i += 7, count++) sum += Math.abs(a.data[i] - b.data[i]);
  return sum / count;
}

/** Writes the clips of one seed. */
export async function generateDisturbed(folder: string, seed: number): Promise<void> {
  for (const [place, kind] of KINDS.entries()) {
    const random = new Random(seed * 100 + 50 + place);
    const rate = random.pick([24, 25, 30, 30, 60]);
    const size = random.pick(SIZES);
    const shots = await shotsOf(random, kind, rate, size);
    const starts = shots.map((_, k) => shots.slice(0, k).reduce((sum, { length }) => sum + length, 0));
    const frameCount = shots.reduce((sum, { length }) => sum + length, 0);
    const disturb = kind.disturb(random, size, rate, frameCount);
    const cleanAt = (frame: number): RgbPicture => {
      const k = starts.findLastIndex((start) => start <= frame);
      const fresh = pictureAt(shots[k], frame - starts[k]);
      const at = frame - starts[k] + 1;
      if (k === 0 || at > shots[k].dissolve) return fresh;
      return dissolve(
        pictureAt(shots[k - 1], shots[k - 1].length + at - 1),
        fresh,
        at / (shots[k].dissolve + 1),
      );
    };
    // Faults draw random numbers: each frame is disturbed once.
    const frames = Array.from({ length: frameCount }, (_, frame) => disturb(cleanAt(frame), frame));
    const seconds = (frame: number) => Math.round((frame / rate) * 1e6) / 1e6;
    const joins = starts.slice(1).map((start, k) => ({ start, frames: shots[k + 1].dissolve }));
    const cuts = joins.filter((one) => one.frames === 0).map(({ start }) => start);
    const isSeen = (cut: number) => difference(frames[cut - 1], frames[cut]) >= SEEN_LEVELS;
    await writeGeneratedClip(folder, {
      ...{ name: `disturbed-${seed}-${kind.name}`, ...size, frameCount },
      frameRate: { numerator: rate, denominator: 1 },
      frameAt: (index) => frames[index],
      crf: random.whole(18, 30),
      truth: {
        family: 'disturbed',
        hard_cuts_s: cuts.filter(isSeen).map(seconds),
        optional_cuts_s: cuts.filter((cut) => !isSeen(cut)).map(seconds),
        transitions: joins
          .filter((one) => one.frames > 0)
          .map(({ start, frames: length }) => ({
            ...{ type: 'dissolve', start_s: seconds(start - 1), end_s: seconds(start + length) },
          })),
      },
    });
  }
}
