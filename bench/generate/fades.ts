/**
 * Family `fades`: real shots that move, between fades from and to black or white whose ends are known to the frame. Both sides of
 * a fade have a length and a curve of their own, or one of them jumps; shots are dark, or dark at their edges; the file begins and
 * ends with the plain color, at once or after a rest.
 */
import { EASINGS } from '../../src/analysis/facts.ts';
import { type FrameRate, framesPerSecond } from '../../src/domain/time.ts';
import { writeGeneratedClip } from './clip.ts';
import { curveOf } from './curves.ts';
import { dissolve, plainColor } from './edit-drawing.ts';
import { openFootage, type RgbPicture, SHOTS } from './footage.ts';
import { Random } from './random.ts';

const CLIPS = 5;
const SHOTS_PER_CLIP = 3;
const SIZE = { width: 320, height: 180 } as const;
const RATES = [24, 25, 30, 24, 25, 30, 60] as const;
/** Unchanged, with vignetting, and dark. */
const LOOKS = ['', '', 'vignette=angle=PI/3', 'vignette=angle=PI/2.6', 'eq=brightness=-0.3', 'eq=gamma=0.5'];
/** So dark that, darkened, it shows nothing to the eye. */
const DARK_FOOTAGE = /nasa_webb/;
const FOOTAGE = SHOTS.filter(({ name }) => !/greenscreen/.test(name));

/** Frames from the plain color to the whole picture, or back; 0: it jumps. */
interface Arm {
  readonly length: number;
  readonly curve: (share: number) => number;
}

interface Shot {
  readonly name: string;
  readonly fromSeconds: number;
  readonly filters: string;
  /** The first frame that is not all plain, and the frame after the last such. */
  readonly first: number;
  readonly end: number;
  readonly comes: Arm;
  readonly goes: Arm;
}

/** A rest in a plain color before each shot and after the last one. */
interface Rest {
  readonly level: 0 | 255;
  readonly frames: number;
}

interface Plan {
  readonly rate: number;
  readonly shots: readonly Shot[];
  readonly rests: readonly Rest[];
}

function armOf(random: Random, rate: number): Arm {
  const seconds = 0.2 * 12 ** random.next();
  return { length: Math.round(rate * seconds), curve: curveOf(random.pick(EASINGS), random) };
}

const JUMP: Arm = { length: 0, curve: (share) => share };

function planOf(random: Random): Plan {
  const rate = random.pick(RATES);
  const rests = Array.from({ length: SHOTS_PER_CLIP + 1 }, () => ({
    level: random.chance(0.7) ? (0 as const) : (255 as const),
    // One plain frame is where both sides meet.
    frames: random.chance(0.5) ? 1 : random.whole(2, Math.round(rate / 2)),
  }));
  const shots: Shot[] = [];
  let first = rests[0].frames;
  for (let k = 0; k < SHOTS_PER_CLIP; k++) {
    const jumpsIn = k > 0 && shots[k - 1].goes.length > 0 && random.chance(0.2);
    const jumpsOut = k < SHOTS_PER_CLIP - 1 && random.chance(0.2);
    const comes = jumpsIn ? JUMP : armOf(random, rate);
    const goes = jumpsOut ? JUMP : armOf(random, rate);
    const inside = Math.round(rate * random.between(0.8, 1.8));
    const length = Math.max(0, comes.length - 1) + inside + Math.max(0, goes.length - 1);
    const long = FOOTAGE.filter(({ from, to }) => to - from >= length / rate);
    const clip = random.pick(long.filter(({ name }) => name !== shots.at(-1)?.name));
    const latest = Math.max(clip.from, Math.min(clip.to, clip.from + 9) - length / rate);
    const fromSeconds = random.between(clip.from, latest);
    shots.push({
      ...{ name: clip.name, fromSeconds, filters: DARK_FOOTAGE.test(clip.name) ? '' : random.pick(LOOKS) },
      ...{ first, end: first + length, comes, goes },
    });
    first += length + rests[k + 1].frames;
  }
  return { rate, shots, rests };
}

function* framesOf({ rate, shots, rests }: Plan): Generator<Promise<RgbPicture>> {
  const blank = { ...SIZE, data: new Uint8Array(3 * SIZE.width * SIZE.height) };
  const rest = function* ({ level, frames }: Rest) {
    for (let i = 0; i < frames; i++) yield Promise.resolve(plainColor(blank, level));
  };
  yield* rest(rests[0]);
  for (const [k, { name, fromSeconds, filters, first, end, comes, goes }] of shots.entries()) {
    const source = openFootage({
      ...{ name, fromSeconds, frameCount: end - first, framesPerSecond: rate, ...SIZE },
      ...(filters === '' ? {} : { filters }),
    });
    const [before, after] = [rests[k], rests[k + 1]].map(({ level }) => plainColor(blank, level)) as [
      RgbPicture,
      RgbPicture,
    ];
    for (let frame = first; frame < end; frame++) {
      yield source.next().then(({ value }) => {
        const picture = value as RgbPicture;
        const come = frame - first + 1;
        if (come < comes.length) return dissolve(before, picture, comes.curve(come / comes.length));
        const left = end - frame;
        return left < goes.length ? dissolve(after, picture, goes.curve(left / goes.length)) : picture;
      });
    }
    yield* rest(rests[k + 1]);
  }
}

/** From the last whole or plain frame before a change to the first one after it. */
function transitionsOf({ shots, rests, rate }: Plan) {
  const word = ({ level }: Rest): string => (level === 0 ? 'fadeblack' : 'fadewhite');
  const seconds = (frame: number): number => Math.round((frame / rate) * 1e6) / 1e6;
  const whole = ({ first, comes }: Shot): number => first + Math.max(0, comes.length - 1);
  const goesFrom = ({ end, goes }: Shot): number => end - Math.max(1, goes.length);
  const [opening, closing] = [shots[0], shots.at(-1)!];
  return [
    {
      type: word(rests[0]),
      ...{ start_s: seconds(opening.first - 1), end_s: seconds(whole(opening)), edge: true },
    },
    ...shots.slice(1).map((shot, k) => ({
      type: word(rests[k + 1]),
      ...{ start_s: seconds(goesFrom(shots[k])), end_s: seconds(whole(shot)) },
    })),
    {
      type: word(rests.at(-1)!),
      ...{ start_s: seconds(goesFrom(closing)), end_s: seconds(closing.end), edge: true },
    },
  ];
}

/** Writes the clips of one seed. */
export async function generateFades(folder: string, seed: number): Promise<void> {
  for (let k = 0; k < CLIPS; k++) {
    const random = new Random(100 * seed + k);
    const plan = planOf(random);
    const { rate, shots, rests } = plan;
    const frames = framesOf(plan);
    const frameRate: FrameRate = { numerator: rate, denominator: 1 };
    await writeGeneratedClip(folder, {
      name: `fades-${seed}-${k}`,
      ...SIZE,
      frameRate,
      frameCount: shots.at(-1)!.end + rests.at(-1)!.frames,
      frameAt: () => frames.next().value as Promise<RgbPicture>,
      crf: random.whole(18, 30),
      truth: {
        family: 'fades',
        hard_cuts_s: [],
        // A jump to or from the plain color is a part of the fade.
        optional_cuts_s: shots.flatMap(({ first, end, comes, goes }) => [
          ...(comes.length === 0 ? [first / framesPerSecond(frameRate)] : []),
          ...(goes.length === 0 ? [end / framesPerSecond(frameRate)] : []),
        ]),
        transitions: transitionsOf(plan),
      },
    });
  }
}
