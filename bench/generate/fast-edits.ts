/**
 * Family `fast`: real footage cut as trailers, reels and vlogs are, much of it in shots of a few frames; jump cuts within one
 * take; changes that are blurred, or fill a part of the picture alone; and light that changes without a cut.
 */
import { DIRECTIONS, type TransitionType } from '../../src/analysis/facts.ts';
import { type FrameRate, framesPerSecond } from '../../src/domain/time.ts';
import { writeGeneratedClip } from './clip.ts';
import * as draw from './edit-drawing.ts';
import { blurredDissolve, inPane, type Pane, paneOf, whip } from './fast-drawing.ts';
import { fireworks, glow, strobeOverBlack } from './fast-traps.ts';
import { type RgbPicture, readFootage, SHOTS } from './footage.ts';
import type { Random } from './random.ts';
import { Random as Numbers } from './random.ts';

const SIZES = [
  { width: 320, height: 180 },
  { width: 320, height: 180 },
  { width: 320, height: 180 },
  { width: 180, height: 320 },
  { width: 240, height: 240 },
] as const;
const rateOf = (value: number): FrameRate =>
  value === 29.97 ? { numerator: 30000, denominator: 1001 } : { numerator: value, denominator: 1 };
/** People and hand-held cameras: what jump cuts are made within. */
const TAKES = [
  'intel_asl_book',
  'mdn_friday_speech',
  'greenscreen_speech',
  'rotated270',
  'sam2_dog',
  'mdn_crystal',
  'mdn_rabbit',
  'nasa_webb',
  'bbb_2_cuts',
  'mdn_pig',
];

/** A run of footage for shots, and its framing. */
interface Take {
  readonly name: string;
  readonly pictures: readonly RgbPicture[];
}

/** A shot of the edit: frames `first` on of a take, at a speed, in a framing that may drift. */
interface Shot {
  readonly take: Take;
  readonly first: number;
  readonly speed: number;
  readonly view: draw.View;
  readonly drift: draw.View;
  readonly length: number;
  readonly grade: number;
  readonly pane?: Pane;
}

interface Change {
  readonly words: string;
  readonly type: TransitionType;
  /** Frames from the last that is all old to the first that is all new. */
  readonly length: number;
  readonly drawing: draw.Drawing;
  readonly ease: (share: number) => number;
}

const STILL = { x: 0, y: 0, scale: 0 };
const WHOLE = { x: 0.5, y: 0.5, scale: 1 };

async function takeOf(
  name: string,
  from: number,
  seconds: number,
  rate: number,
  size: { width: number; height: number },
): Promise<Take> {
  const frameCount = Math.round(seconds * rate);
  const pictures = await readFootage({ name, fromSeconds: from, frameCount, framesPerSecond: rate, ...size });
  return { name, pictures };
}

async function anyTake(
  random: Random,
  seconds: number,
  rate: number,
  size: { width: number; height: number },
  words: readonly string[] = [''],
): Promise<Take> {
  const long = SHOTS.filter(
    ({ name, from, to }) => to - from >= seconds && words.some((word) => name.includes(word)),
  );
  const { name, from, to } = random.pick(long);
  const latest = Math.min(to, from + 9) - seconds;
  return takeOf(name, random.between(from, Math.max(from, latest)), seconds, rate, size);
}

/** The picture of a shot, `at` frames after its beginning. */
function pictureOf({ take, first, speed, view, drift, grade, pane }: Shot, at: number): RgbPicture {
  const last = take.pictures.length - 1;
  const picture = take.pictures[Math.min(last, Math.max(0, first + Math.floor(at * speed)))];
  const observed = draw.viewed(picture, picture, {
    x: view.x + at * drift.x,
    y: view.y + at * drift.y,
    scale: view.scale * Math.exp(at * drift.scale),
  });
  const graded =
    grade === 1
      ? observed
      : { ...observed, data: observed.data.map((value) => Math.min(255, value * grade)) };
  return pane === undefined ? graded : inPane(graded, pane);
}

function driftOf(random: Random, rate: number): draw.View {
  if (random.chance(0.5)) return STILL;
  const most = random.chance(0.3) ? 0.5 : 0.08;
  return {
    x: random.between(-most, most) / rate,
    y: random.between(-most / 2, most / 2) / rate,
    scale: random.between(-0.05, 0.25) / rate,
  };
}

function shotOf(random: Random, take: Take, length: number, rate: number): Shot {
  const speed = random.chance(0.2) ? random.between(0.5, 2) : 1;
  const latest = Math.max(0, take.pictures.length - Math.ceil(length * speed));
  const scale = random.chance(0.5) ? random.between(1.1, 1.9) : 1.1;
  const room = 0.5 - 0.5 / scale;
  return {
    ...{ take, length, speed },
    first: Math.floor(random.next() * (latest + 1)),
    view: { x: 0.5 + random.between(-room, room), y: 0.5 + random.between(-room, room), scale },
    drift: driftOf(random, rate),
    grade: random.chance(0.25) ? random.between(0.7, 1.3) : 1,
  };
}

/** Mean absolute difference of two pictures, on every seventh value. */
function difference(a: RgbPicture, b: RgbPicture): number {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < a.data.length; i += 7, count++) sum += Math.abs(a.data[i] - b.data[i]);
  return sum / count;
}

/** A cut that changes next to nothing, or no more than the motion around it does, is seen by nobody. */
const SEEN_LEVELS = 2.5;
const SEEN_RATIO = 1.8;

interface Sequence {
  readonly shots: readonly Shot[];
  /** Between each shot and the next; null: a hard cut. */
  readonly changes: readonly (Change | null)[];
}

interface Drawn {
  readonly frameAt: (frame: number) => RgbPicture;
  readonly frameCount: number;
  readonly cuts: readonly number[];
  readonly spans: readonly { readonly change: Change; readonly start: number }[];
}

/** Lays shots and changes one after the other. A change takes its frames from the shots on both its sides. */
function sequenced({ shots, changes }: Sequence): Drawn {
  const starts: number[] = [];
  let at = 0;
  for (const [k, { length }] of shots.entries()) {
    starts.push(at);
    at += length - ((changes[k]?.length ?? 1) - 1);
  }
  const joins = changes.map((change, k) => ({ change, start: starts[k + 1] }));
  const frameAt = (frame: number): RgbPicture => {
    const k = starts.findLastIndex((start) => start <= frame);
    const fresh = pictureOf(shots[k], frame - starts[k]);
    const change = k === 0 ? null : changes[k - 1];
    if (change === null || frame - starts[k] + 1 >= change.length) return fresh;
    const old = pictureOf(shots[k - 1], frame - starts[k - 1]);
    return change.drawing(old, fresh, change.ease((frame - starts[k] + 1) / change.length));
  };
  return {
    frameAt,
    frameCount: starts.at(-1)! + shots.at(-1)!.length,
    cuts: joins.filter(({ change }) => change === null).map(({ start }) => start),
    spans: joins.flatMap(({ change, start }) => (change === null ? [] : [{ change, start: start - 1 }])),
  };
}

function isSeen({ frameAt, frameCount }: Drawn, cut: number): boolean {
  const [before, old, fresh, after] = [cut - 2, cut - 1, cut, cut + 1].map((frame) =>
    frameAt(Math.max(0, Math.min(frameCount - 1, frame))),
  ) as [RgbPicture, RgbPicture, RgbPicture, RgbPicture];
  const around = Math.max(difference(before, old), difference(fresh, after));
  const step = difference(old, fresh);
  return step >= SEEN_LEVELS && step >= SEEN_RATIO * around;
}

/** Lengths as a montage has them: runs of shots of a few frames among longer ones. */
function montageLengths(random: Random, rate: number): number[] {
  const lengths: number[] = [];
  let frames = Math.round(12 * rate);
  while (frames > 0) {
    const isBurst = random.chance(0.5);
    const count = isBurst ? random.whole(3, 10) : random.whole(1, 4);
    for (let k = 0; k < count; k++) {
      const short = rate > 40 ? random.whole(3, 16) : random.whole(2, 8);
      const length = isBurst ? short : Math.round(rate * random.between(0.3, 1.6));
      lengths.push(length);
      frames -= length;
    }
  }
  return lengths;
}

async function montage(random: Random, rate: number, size: { width: number; height: number }) {
  const takes: Take[] = [];
  for (let k = 0; k < 7; k++) {
    // Some shots show one scene from several distances.
    const again = k > 0 && random.chance(0.3) ? [takes[k - 1].name] : [''];
    takes.push(await anyTake(random, again[0] === '' ? 2 : 1.4, rate, size, again));
  }
  const shots: Shot[] = [];
  for (const length of montageLengths(random, rate)) {
    const before = shots.at(-1)?.take;
    // An insert of a few frames, then the shot before it again.
    const back = shots.at(-2);
    if (back !== undefined && random.chance(0.12)) {
      shots.push({
        ...back,
        first: Math.min(back.first + back.length, back.take.pictures.length - 1),
        length,
      });
      continue;
    }
    const isSame = before !== undefined && random.chance(0.15);
    const take = isSame ? before : random.pick(takes.filter((one) => one !== before));
    shots.push(shotOf(random, take, length, rate));
  }
  return sequenced({ shots, changes: shots.slice(1).map(() => null) });
}

/** One take with parts left out. */
async function jumps(random: Random, rate: number, size: { width: number; height: number }) {
  const seconds = random.pick([3.4, 5.8, 8.5]);
  const takes = [
    await anyTake(random, seconds, rate, size, TAKES),
    await anyTake(random, 3.4, rate, size, TAKES),
  ];
  const shots: Shot[] = [];
  for (const take of takes) {
    const zooms = random.chance(0.35);
    let first = 0;
    while (first < take.pictures.length - rate / 3) {
      const length = Math.min(take.pictures.length - first, Math.round(rate * random.between(0.35, 1.8)));
      const scale = zooms && random.chance(0.5) ? random.between(1.15, 1.4) : 1;
      shots.push({ take, first, speed: 1, view: { ...WHOLE, scale }, drift: STILL, length, grade: 1 });
      first += length + Math.round(rate * random.between(0.3, 2));
    }
  }
  return sequenced({ shots, changes: shots.slice(1).map(() => null) });
}

const BLENDS: readonly ((random: Random) => Omit<Change, 'length' | 'ease'> & { most: number })[] = [
  () => ({ words: 'dissolve_part', type: 'dissolve', drawing: draw.dissolve, most: 1.2 }),
  (random) => ({ words: 'dissolve_blurred', type: 'dissolve', drawing: blurredDissolve(random), most: 1 }),
  () => ({ words: 'dissolve', type: 'dissolve', drawing: draw.dissolve, most: 1.5 }),
  (random) => ({ words: 'whip', type: 'slide', drawing: whip(random), most: 0.6 }),
  (random) => {
    const direction = random.pick(DIRECTIONS);
    return {
      words: `wipe${direction}`,
      type: 'wipe',
      drawing: draw.wipe(direction, random.chance(0.5) ? 0 : random.between(0.05, 0.3)),
      most: 1.2,
    };
  },
  (random) => ({
    words: 'fadeblack',
    type: 'fade_black',
    drawing: draw.fadeThrough(0, random.chance(0.5) ? 0 : random.between(0.1, 0.4)),
    most: 2.5,
  }),
  (random) => ({
    words: 'fadewhite',
    type: 'fade_white',
    drawing: draw.fadeThrough(255, random.chance(0.5) ? 0 : random.between(0.1, 0.4)),
    most: 2,
  }),
];
const CURVES: readonly ((share: number) => number)[] = [
  (x) => x,
  (x) => x * x * (3 - 2 * x),
  (x) => (1 - Math.cos(Math.PI * x)) / 2,
  (x) => x ** 2,
  (x) => 1 - (1 - x) ** 3,
  (x) => (x < 0.5 ? 4 * x ** 3 : 1 - (2 - 2 * x) ** 3 / 2),
];

async function blends(random: Random, rate: number, size: { width: number; height: number }) {
  const changes: (Change | null)[] = [];
  for (const make of random.shuffled(BLENDS)) {
    const { most, ...change } = make(random);
    const seconds = 0.25 * (most / 0.25) ** random.next();
    changes.push({
      ...change,
      length: Math.max(5, Math.round(seconds * rate)),
      ease: change.words === 'whip' ? (x) => x : random.pick(CURVES),
    });
    if (random.chance(0.5)) changes.push(null);
  }
  const shots: Shot[] = [];
  for (let k = 0; k <= changes.length; k++) {
    const own = Math.round(rate * random.between(0.5, 1.2));
    const length = own + (changes[k - 1]?.length ?? 0) + (changes[k]?.length ?? 0);
    const others = SHOTS.filter(({ name }) => name !== shots.at(-1)?.take.name).map(({ name }) => name);
    const take = await anyTake(random, Math.min(2.9, length / rate), rate, size, others);
    const shot = shotOf(random, take, length, rate);
    const [before, after] = [changes[k - 1]?.words, changes[k]?.words];
    const pane =
      before === 'dissolve_part'
        ? shots.at(-1)?.pane
        : after === 'dissolve_part'
          ? paneOf(random)
          : undefined;
    shots.push({
      ...shot,
      speed: Math.min(shot.speed, take.pictures.length / length),
      ...(pane === undefined ? {} : { pane }),
    });
  }
  return sequenced({ shots, changes });
}

/** A few shots under changing light, and the fastest pans. */
async function lights(random: Random, rate: number, size: { width: number; height: number }) {
  const shots: Shot[] = [];
  const traps: ((picture: RgbPicture, at: number) => RgbPicture)[] = [];
  for (let k = 0; k < 5; k++) {
    const length = Math.round(rate * random.between(1.6, 2.8));
    const others = SHOTS.filter(({ name }) => name !== shots.at(-1)?.take.name).map(({ name }) => name);
    const take = await anyTake(random, Math.min(2.9, length / rate), rate, size, others);
    const trap = random.pick(['fireworks', 'strobe', 'glow', 'pan', 'none'] as const);
    const pans = trap === 'pan';
    const distance = (random.chance(0.5) ? 1 : -1) * random.between(0.3, 0.8);
    const base = shotOf(random, take, length, rate);
    shots.push(pans ? { ...base, speed: 1, drift: { x: distance / rate, y: 0, scale: 0 } } : base);
    traps.push(
      trap === 'fireworks'
        ? fireworks(random, rate)
        : trap === 'strobe'
          ? strobeOverBlack(random, rate)
          : trap === 'glow'
            ? glow(random, rate)
            : (picture) => picture,
    );
  }
  const drawn = sequenced({ shots, changes: shots.slice(1).map(() => null) });
  const starts = shots.map((_, k) => shots.slice(0, k).reduce((sum, { length }) => sum + length, 0));
  const frameAt = (frame: number): RgbPicture => {
    const k = starts.findLastIndex((start) => start <= frame);
    return traps[k]!(drawn.frameAt(frame), frame - starts[k]);
  };
  return { ...drawn, frameAt };
}

const KINDS = [
  { name: 'montage', make: montage, rates: [24, 25, 29.97, 30, 50, 60] },
  { name: 'reel', make: montage, rates: [24, 30, 60] },
  { name: 'jumps', make: jumps, rates: [24, 25, 29.97, 30] },
  { name: 'blends', make: blends, rates: [24, 25, 30, 60] },
  { name: 'lights', make: lights, rates: [24, 25, 30] },
] as const;

function truthOf(drawn: Drawn, rate: number) {
  const { cuts, spans } = drawn;
  const seconds = (frame: number): number => Math.round((frame / rate) * 1e6) / 1e6;
  const middles = spans
    .filter(({ change }) => change.words === 'whip')
    .map(({ change, start }) => seconds(start + Math.ceil(change.length / 2)));
  return {
    family: 'fast',
    hard_cuts_s: cuts.filter((cut) => isSeen(drawn, cut)).map(seconds),
    optional_cuts_s: [...cuts.filter((cut) => !isSeen(drawn, cut)).map(seconds), ...middles],
    transitions: spans.map(({ change, start }) => ({
      type: change.words,
      start_s: seconds(start),
      end_s: seconds(start + change.length),
      ...(change.words === 'whip' ? { loose: true } : {}),
    })),
  };
}

/** Writes the clips of one seed, or only those of these kinds. */
export async function generateFastEdits(
  folder: string,
  seed: number,
  names: readonly string[] = KINDS.map(({ name }) => name),
): Promise<void> {
  for (const [place, { name, make, rates }] of KINDS.entries()) {
    if (!names.includes(name)) continue;
    const random = new Numbers(seed * 100 + place);
    const frameRate = rateOf(random.pick(rates));
    const rate = framesPerSecond(frameRate);
    const size = random.pick(SIZES);
    const drawn = await make(random, rate, size);
    await writeGeneratedClip(folder, {
      name: `fast-${seed}-${name}`,
      ...size,
      frameRate,
      frameCount: drawn.frameCount,
      frameAt: drawn.frameAt,
      crf: random.whole(18, 34),
      truth: truthOf(drawn, rate),
    });
  }
}
