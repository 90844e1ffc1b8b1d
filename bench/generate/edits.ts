/**
 * Family `edits`: real footage cut together with every kind of transition, and with what only looks like one.
 *
 * Expected are hard cuts between shots and all gradual transitions. A punch-in (the same take at once 1.08 to 1.3 times
 * larger) is a cut to an editor and camera work to others: it is optional and noted under `punch_ins`.
 */
import { DIRECTIONS, EASINGS, TRANSITION_TYPES, type TransitionType } from '../../src/analysis/facts.ts';
import { type FrameRate, framesPerSecond } from '../../src/domain/time.ts';
import { writeGeneratedClip } from './clip.ts';
import { curveOf } from './curves.ts';
import * as draw from './edit-drawing.ts';
import { type Change, type Edit, framesOf, type Kind, type Shot } from './edit-frames.ts';
import { makeTrap, TRAP_KINDS, type Trap, type TrapKind } from './edit-traps.ts';
import { type RgbPicture, SHOTS } from './footage.ts';
import { Random } from './random.ts';

type Gradual = Exclude<TransitionType, 'cut'>;
/** Without `fade_color`, of which no clip is drawn: a longer list would draw other clips from the same seeds. */
const GRADUAL = TRANSITION_TYPES.filter((type): type is Gradual => type !== 'cut' && type !== 'fade_color');

const rates = (...values: number[]): FrameRate[] =>
  values.map((value) => ({ numerator: Math.round(value * 2), denominator: 2 }));
const NTSC: FrameRate = { numerator: 30000, denominator: 1001 };

/** The clips of a seed. The last one has no gradual transition: false ones a minute are counted on it. */
const KINDS: readonly Kind[] = [
  {
    name: 'wide',
    width: 480,
    height: 270,
    rates: [...rates(24, 25, 30), NTSC],
    gradual: 7,
    cuts: 4,
    traps: 2,
  },
  { name: 'upright', width: 270, height: 480, rates: rates(25, 30), gradual: 6, cuts: 3, traps: 1 },
  { name: 'square', width: 360, height: 360, rates: rates(50, 60), gradual: 4, cuts: 2, traps: 1 },
  { name: 'slow', width: 480, height: 270, rates: rates(8, 10, 12, 12.5), gradual: 4, cuts: 3, traps: 0 },
  {
    name: 'traps',
    width: 480,
    height: 270,
    rates: [...rates(24, 25, 30), NTSC],
    gradual: 0,
    cuts: 10,
    traps: 11,
  },
];

/**
 * Wide and upright pictures between black bars, as on every platform. Drawn from random numbers of their own, so that
 * the other clips of a seed stay what they were.
 */
const BARRED: Kind = {
  ...KINDS[1],
  name: 'barred',
  rates: rates(24, 25, 30),
  gradual: 6,
  cuts: 6,
  traps: 2,
};
const BARRED_SIZE = { width: 480, height: 270 };
const BARRED_INSIDES = [
  { width: 480, height: 204 },
  { width: 360, height: 270 },
  { width: 270, height: 270 },
  { width: 152, height: 270 },
] as const;
const BARRED_SEED = 500_000;

const CUT = { type: 'cut', length: 1, easing: null, words: 'cut' } as const;

function change(type: TransitionType, random: Random, rate: number): Change {
  if (type === 'cut') return { ...CUT, drawing: draw.dissolve, ease: (x) => x };
  // Zooms and slides of a second and more are rare; log-uniform lengths otherwise.
  const most = type === 'zoom' ? 1.2 : type === 'slide' ? 1.4 : 2;
  const seconds = 0.15 * (most / 0.15) ** random.next();
  const easing = random.pick(EASINGS);
  const { drawing, words, direction } = drawingOf(type, random);
  const least = type.startsWith('fade') ? 4 : 3;
  const fixed = type === 'zoom' || words.endsWith('_held');
  return {
    type,
    length: Math.max(least, Math.round(seconds * rate)),
    // A zoom's speed is its own; a fade that rests has no single curve.
    easing: fixed ? null : easing,
    ease: fixed ? (x) => x : curveOf(easing, random),
    drawing,
    words,
    ...(direction === undefined ? {} : { direction }),
  };
}

function drawingOf(
  type: Gradual,
  random: Random,
): { drawing: draw.Drawing; words: string; direction?: string } {
  const direction = random.pick(DIRECTIONS);
  const soft = random.chance(0.5) ? 0 : random.between(0.05, 0.35);
  if (type === 'dissolve') return { drawing: draw.dissolve, words: 'dissolve' };
  if (type === 'fade_black' || type === 'fade_white') {
    const hold = random.chance(0.3) ? random.between(0.1, 0.3) : 0;
    const words = `${type === 'fade_black' ? 'fadeblack' : 'fadewhite'}${hold > 0 ? '_held' : ''}`;
    return { drawing: draw.fadeThrough(type === 'fade_black' ? 0 : 255, hold), words };
  }
  if (type === 'wipe') return { drawing: draw.wipe(direction, soft), words: `wipe${direction}`, direction };
  if (type === 'slide') {
    const kind = random.pick(['push', 'push', 'cover', 'reveal'] as const);
    return { drawing: draw.slide(direction, kind), words: `slide${direction}_${kind}`, direction };
  }
  if (type === 'circle') {
    const opens = random.chance(0.6);
    return { drawing: draw.circle(opens, 2 * soft), words: opens ? 'circleopen' : 'circleclose' };
  }
  const kind = random.pick(draw.ZOOMS);
  return { drawing: draw.zoom(kind, random.between(1.8, 4)), words: `zoom_${kind}` };
}

function planEdit(kind: Kind, deck: Gradual[], random: Random): Edit {
  const rate = random.pick(kind.rates);
  const perSecond = framesPerSecond(rate);
  const types: TransitionType[] = random.shuffled([
    ...Array.from({ length: kind.cuts }, () => 'cut' as const),
    ...deck.splice(0, kind.gradual),
  ]);
  const changes: (Change & { start: number })[] = [];
  const shots: Shot[] = [];
  const traps = random.shuffled(TRAP_KINDS).slice(0, kind.traps);
  const shotCount = types.length + 1;
  const frames = (least: number, most: number) => Math.round(perSecond * random.between(least, most));
  const edge = () =>
    random.chance(0.4)
      ? { level: random.chance(0.7) ? 0 : 255, length: Math.max(4, frames(0.3, 1.5)) }
      : null;
  const opening = kind.gradual === 0 ? null : edge();
  const closing = kind.gradual === 0 ? null : edge();
  let first = 0;
  let whole = opening === null ? 0 : opening.length;
  for (let k = 0; k < shotCount; k++) {
    const trap = trapFor(traps, k, shotCount, kind, random, whole, perSecond);
    let until =
      trap === null ? whole + Math.max(4, frames(0.7, 1.8)) : trap.to + Math.max(4, frames(0.9, 1.4));
    const punchIn =
      trap === null && random.chance(0.2) ? { frame: until, scale: random.between(1.08, 1.3) } : null;
    if (punchIn !== null) until += Math.max(4, frames(0.6, 1.2));
    if (k === shotCount - 1 && closing !== null) until += closing.length;
    const type = types[k];
    const next = type === undefined ? null : change(type, random, perSecond);
    const last = next === null ? until : until + next.length;
    shots.push({
      ...footageFor(shots.at(-1) ?? null, changes.at(-1)?.type === 'cut', (last - first) / perSecond, random),
      trap,
      punchIn,
      first,
      last,
    });
    if (next === null) break;
    changes.push({ ...next, start: until });
    first = until + 1;
    whole = until + next.length;
  }
  const compressed = random.chance(0.25);
  const frameCount = shots.at(-1)!.last + 1;
  return {
    kind,
    rate,
    shots,
    changes,
    opening,
    closing,
    frameCount,
    noise: random.chance(0.3) ? random.between(3, 14) : 0,
    crf: compressed ? random.whole(34, 40) : random.whole(18, 26),
  };
}

function trapFor(
  traps: readonly TrapKind[],
  k: number,
  shotCount: number,
  kind: Kind,
  random: Random,
  whole: number,
  rate: number,
): Trap | null {
  const trap =
    kind.gradual === 0
      ? traps[k]
      : k % Math.max(1, Math.floor(shotCount / Math.max(1, kind.traps))) === 1
        ? traps[Math.floor(k / (shotCount / kind.traps))]
        : undefined;
  return trap === undefined
    ? null
    : makeTrap(trap, random, whole + Math.round(rate * random.between(0.9, 1.3)), rate);
}

const GRADES = [
  'eq=brightness=0.06:contrast=1.1',
  'eq=brightness=-0.08',
  'eq=saturation=1.4',
  'eq=saturation=0:contrast=1.15',
];

/** Real footage of at least this length; seldom the same clip again, and then in another framing. */
function footageFor(before: Shot | null, afterCut: boolean, seconds: number, random: Random) {
  const long = SHOTS.filter(({ from, to }) => to - from >= seconds);
  const again =
    before !== null && afterCut && random.chance(0.25) ? long.filter(({ name }) => name === before.name) : [];
  const others = long.filter(({ name }) => name !== before?.name);
  const isAgain = again.length > 0;
  const clip = random.pick(isAgain ? again : others);
  // Everything before the span has to be decoded: late parts of long clips cost more than they teach.
  const latest = Math.min(clip.to, clip.from + 9) - seconds;
  const filters = [random.chance(0.3) ? random.pick(GRADES) : '', random.chance(0.3) ? 'hflip' : ''].filter(
    Boolean,
  );
  const other = before?.framing.scale === 1 ? random.between(1.6, 2.2) : 1;
  const framing = isAgain
    ? { x: random.between(0.4, 0.6), y: other === 1 ? 0.5 : random.between(0.35, 0.65), scale: other }
    : { x: 0.5, y: 0.5, scale: 1 };
  return {
    name: clip.name,
    fromSeconds: random.between(clip.from, Math.max(clip.from, latest)),
    filters: isAgain ? '' : filters.join(','),
    framing,
  };
}

/** Two pictures in between, an eighth of a second each, look like a stutter and do not distinguish a wipe from a slide. */
const FEW_STEPS = 3;
const SLOW_RATE = 15;
/** Of a circle less than this share of the picture is not seen, at its middle as little as in its corners. */
const SEEN_SHARE = 0.01;
/** Side of the plain squares on which that is measured; only the shape matters, which they make a little rounder. */
const PROBE_SIZE = 64;

/** The frames between which a change shows: a soft circle's edge sets out and arrives where nobody sees it. */
function shownOf({ type, length, drawing, ease }: Change): { from: number; to: number } {
  if (type !== 'circle') return { from: 0, to: length };
  const size = { width: PROBE_SIZE, height: PROBE_SIZE, data: new Uint8Array(3 * PROBE_SIZE ** 2) };
  const [old, fresh] = [draw.plainColor(size, 0), draw.plainColor(size, 255)];
  const shares = Array.from({ length: length + 1 }, (_, frame) => {
    const { data } = drawing(old, fresh, ease(frame / length));
    return data.reduce((sum, value) => sum + value, 0) / (255 * data.length);
  });
  return {
    from: Math.max(
      0,
      shares.findLastIndex((share) => share < SEEN_SHARE),
    ),
    to: Math.max(
      1,
      shares.findIndex((share) => share > 1 - SEEN_SHARE),
    ),
  };
}

/** A curve without its ends is none of the curves. */
function isTrimmed(change: Change): boolean {
  const { from, to } = shownOf(change);
  return to - from < change.length - 1;
}

function truthOf(edit: Edit) {
  const seconds = (frame: number) => Math.round((frame / framesPerSecond(edit.rate)) * 1e6) / 1e6;
  const { opening, closing, frameCount } = edit;
  const word = (level: number) => (level === 0 ? 'black' : 'white');
  const punchIns = edit.shots.flatMap(({ punchIn }) =>
    punchIn === null ? [] : [{ time_s: seconds(punchIn.frame), log_scale: Math.log(punchIn.scale) }],
  );
  return {
    family: 'edits',
    hard_cuts_s: edit.changes.filter(({ type }) => type === 'cut').map(({ start }) => seconds(start + 1)),
    optional_cuts_s: punchIns.map(({ time_s }) => time_s),
    punch_ins: punchIns,
    transitions: [
      ...(opening === null
        ? []
        : [{ type: `fade${word(opening.level)}`, start_s: 0, end_s: seconds(opening.length), edge: true }]),
      ...edit.changes
        .filter(({ type }) => type !== 'cut')
        .map((change) => ({
          type: change.words,
          start_s: seconds(change.start + shownOf(change).from),
          end_s: seconds(change.start + shownOf(change).to),
          ...(change.easing === null || isTrimmed(change) ? {} : { easing: change.easing }),
          ...(change.direction === undefined ? {} : { direction: change.direction }),
          ...(change.length <= FEW_STEPS && framesPerSecond(edit.rate) < SLOW_RATE ? { optional: true } : {}),
        })),
      ...(closing === null
        ? []
        : [
            {
              type: `fade${word(closing.level)}`,
              start_s: seconds(frameCount - 1 - closing.length),
              end_s: seconds(frameCount - 1),
              edge: true,
            },
          ]),
    ],
    traps: edit.shots.flatMap(({ trap }) =>
      trap === null ? [] : [{ kind: trap.kind, start_s: seconds(trap.from), end_s: seconds(trap.to) }],
    ),
  };
}

const ALL_KINDS: readonly Kind[] = [...KINDS, BARRED];

function gradualDeck(random: Random): Gradual[] {
  return [...random.shuffled(GRADUAL), ...random.shuffled(GRADUAL), ...random.shuffled(GRADUAL)];
}

function barred(picture: RgbPicture): RgbPicture {
  const { width, height } = BARRED_SIZE;
  const data = new Uint8Array(width * height * 3);
  const left = (width - picture.width) / 2;
  const top = (height - picture.height) / 2;
  for (let y = 0; y < picture.height; y++) {
    const row = picture.data.subarray(3 * y * picture.width, 3 * (y + 1) * picture.width);
    data.set(row, 3 * ((top + y) * width + left));
  }
  return { width, height, data };
}

/** Writes the clips of one seed, or only those of these kinds: then each differs from that of the whole seed. */
export async function generateEdits(
  folder: string,
  seed: number,
  names: readonly string[] = ALL_KINDS.map(({ name }) => name),
): Promise<void> {
  const common = new Random(seed);
  const commonDeck = gradualDeck(common);
  for (const plain of ALL_KINDS.filter(({ name }) => names.includes(name))) {
    const hasBars = plain === BARRED;
    const random = hasBars ? new Random(BARRED_SEED + seed) : common;
    const kind = hasBars ? { ...plain, ...random.pick(BARRED_INSIDES) } : plain;
    const edit = planEdit(kind, hasBars ? gradualDeck(random) : commonDeck, random);
    const frameAt = framesOf(edit, random);
    await writeGeneratedClip(folder, {
      name: `edits-${seed}-${kind.name}`,
      ...(hasBars ? BARRED_SIZE : { width: kind.width, height: kind.height }),
      frameRate: edit.rate,
      frameCount: edit.frameCount,
      frameAt: hasBars ? async (frame) => barred(await frameAt(frame)) : frameAt,
      crf: edit.crf,
      truth: truthOf(edit),
    });
  }
}
