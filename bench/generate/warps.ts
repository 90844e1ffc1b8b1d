/** Known camera moves: stills and clips warped from a larger picture, with the path of every frame as truth. */
import type { CameraLabel } from '../../src/analysis/facts.ts';
import type { FrameRate } from '../../src/domain/time.ts';
import { framesPerSecond } from '../../src/domain/time.ts';
import type { MadeTruth } from '../lib/truth.ts';
import { type CameraStep, type Placing, placingsOf, stepsOf } from './camera-path.ts';
import { writeGeneratedClip } from './clip.ts';
import { openFootage, type RgbPicture, readFootage, SHOTS } from './footage.ts';
import { Random } from './random.ts';
import { addNoise, pasteObject, warp } from './warp-draw.ts';
import { HAND_KINDS, KINDS, type Recipe } from './warp-kinds.ts';

const WIDTH = 480;
const HEIGHT = 270;
/** Clips of moves of one kind, then those of a hand. */
const PLAIN_CLIPS = 4;
const CLIPS = PLAIN_CLIPS + 2;
const SHOTS_PER_CLIP = 4;
const RATES: readonly FrameRate[] = [
  { numerator: 24, denominator: 1 },
  { numerator: 25, denominator: 1 },
  { numerator: 30, denominator: 1 },
  { numerator: 60, denominator: 1 },
  { numerator: 25, denominator: 2 },
];
/** Scene pixels per view pixel where the path permits: bicubic taps do not alias up to here. */
const MINIFICATION = 1.25;
const LARGEST_SCENE = 1600;
/** Clips of a static camera. */
const STATIC_FOOTAGE = SHOTS.filter(({ name }) => /sam2_dog|flower|friday|intel/.test(name));
/** Still frames with texture everywhere. */
const STILLS = SHOTS.filter(({ name }) => !/greenscreen/.test(name));
const BOX_SECONDS = 0.2;

interface Shot {
  readonly kind: string;
  readonly recipe: Recipe;
  readonly frameCount: number;
  readonly rate: number;
  readonly steps: readonly CameraStep[];
  readonly punchLogScale: number;
  /** Frame of the shot at which the closer framing begins; its length where there is none. */
  readonly punchFrame: number;
  readonly drawAt: (index: number) => Promise<RgbPicture>;
  /** Middle and radii of the object in the view, shares of its size; null without one. */
  readonly objectAt: ((index: number) => ObjectPlace) | null;
}

interface ObjectPlace {
  readonly x: number;
  readonly y: number;
  readonly radiusX: number;
  readonly radiusY: number;
}

export async function generateWarps(folder: string, seed: number, clips = CLIPS): Promise<void> {
  const random = new Random(seed);
  const kinds = [
    ...random.shuffled(Object.keys(KINDS)).slice(0, PLAIN_CLIPS * SHOTS_PER_CLIP),
    ...new Random(seed).shuffled(Object.keys(HAND_KINDS)),
  ];
  for (let clip = 0; clip < clips; clip++) {
    const frameRate = random.pick(RATES);
    const rate = framesPerSecond(frameRate);
    const shots: Shot[] = [];
    const used = new Set<string>();
    for (const kind of kinds.slice(clip * SHOTS_PER_CLIP, (clip + 1) * SHOTS_PER_CLIP))
      shots.push(await prepareShot(random, kind, rate, used));
    const frameCount = shots.reduce((sum, shot) => sum + shot.frameCount, 0);
    await writeGeneratedClip(folder, {
      name: `warps-${seed}-${clip}`,
      width: WIDTH,
      height: HEIGHT,
      frameRate,
      frameCount,
      crf: random.whole(18, 26),
      frameAt: (index) => {
        let first = 0;
        let at = 0;
        while (index >= first + shots[at].frameCount) first += shots[at++].frameCount;
        return shots[at].drawAt(index - first);
      },
      truth: truthOf(shots, rate),
    });
  }
}

async function prepareShot(random: Random, kind: string, rate: number, used: Set<string>): Promise<Shot> {
  const seconds = random.between(2.6, 4);
  const frameCount = Math.round(seconds * rate);
  const recipe = (KINDS[kind] ?? HAND_KINDS[kind])!(random, seconds);
  const steps = fittingSteps(recipe, frameCount, rate);
  const punchFrame = recipe.punchIn === true ? frameCount >> 1 : frameCount;
  const punchLogScale = Math.log(random.between(1.08, 1.3)) * (random.chance(0.3) ? -1 : 1);
  const wider = recipe.punchIn === true ? Math.exp(Math.max(0, -punchLogScale)) : 1;
  const { placings, seen } = placingsOf(steps, WIDTH, HEIGHT);
  const sceneWidth = wider * Math.max(seen.right - seen.left, ((seen.bottom - seen.top) * WIDTH) / HEIGHT);
  const ratio = Math.min(MINIFICATION, LARGEST_SCENE / sceneWidth);
  const width = 2 * Math.ceil((sceneWidth * ratio) / 2 + 4);
  const height = 2 * Math.ceil((width * HEIGHT) / WIDTH / 2 + 2);
  const middle = { x: (seen.left + seen.right) / 2, y: (seen.top + seen.bottom) / 2 };
  const framing = { x: random.between(-0.02, 0.02) * WIDTH, y: random.between(-0.02, 0.02) * HEIGHT };
  const nextScene = await openScene(random, recipe, used, { width, height, frameCount, rate });
  const object = recipe.object ? await openObject(random, steps, recipe.object === 'near') : null;
  const noise = recipe.look === 'dark' ? random.between(5, 10) : random.between(0, 1.5);
  const noiseSeed = random.whole(0, 2 ** 30);
  return {
    kind,
    recipe,
    frameCount,
    rate,
    steps,
    punchLogScale,
    punchFrame,
    drawAt: async (index) => {
      const scene = await nextScene();
      let placing = moved(placings[index], middle, ratio);
      if (index >= punchFrame) placing = punched(placing, punchLogScale, framing);
      const out = warp(scene, placing, WIDTH, HEIGHT);
      if (object !== null) pasteObject(out, object.picture, object.placeAt(index));
      addNoise(out, noise, noiseSeed + index);
      return out;
    },
    objectAt: object?.placeAt ?? null,
  };
}

/** The path, slowed where no scene would be large enough. */
function fittingSteps(recipe: Recipe, frameCount: number, rate: number): CameraStep[] {
  for (let slow = 1; ; slow *= 0.8) {
    const steps = stepsOf(recipe.move, frameCount, rate).map(({ x, y, logScale, rotation }) => ({
      x: x * slow,
      y: y * slow,
      logScale: logScale * slow,
      rotation: rotation * slow,
    }));
    const { seen } = placingsOf(steps, WIDTH, HEIGHT);
    if (Math.max(seen.right - seen.left, (seen.bottom - seen.top) * 1.8) <= LARGEST_SCENE) return steps;
  }
}

/** Puts what is seen in the middle of a scene that has `ratio` pixels for each of the path's. */
function moved(at: Placing, middle: { x: number; y: number }, ratio: number): Placing {
  return {
    a: at.a / ratio,
    b: at.b / ratio,
    x: at.x + at.a * middle.x - at.b * middle.y,
    y: at.y + at.b * middle.x + at.a * middle.y,
  };
}

function punched(at: Placing, logScale: number, framing: { x: number; y: number }): Placing {
  const scale = Math.exp(logScale);
  const closer = Math.max(0, scale - 1);
  return {
    a: at.a * scale,
    b: at.b * scale,
    x: at.x * scale + closer * framing.x,
    y: at.y * scale + closer * framing.y,
  };
}

async function openScene(
  random: Random,
  recipe: Recipe,
  used: Set<string>,
  size: { width: number; height: number; frameCount: number; rate: number },
): Promise<() => Promise<RgbPicture>> {
  const { width, height, frameCount, rate } = size;
  const filters = { dark: 'eq=brightness=-0.28:contrast=0.5', soft: `gblur=sigma=${width / 60}` };
  const request = {
    framesPerSecond: rate,
    width,
    height,
    ...(recipe.look === undefined ? {} : { filters: filters[recipe.look] }),
  };
  const seconds = frameCount / rate;
  if (recipe.footage === true) {
    const { name, from, to } = pickUnused(random, STATIC_FOOTAGE, used);
    const fromSeconds = random.between(from, Math.max(from, to - seconds));
    const frames = openFootage({ ...request, name, fromSeconds, frameCount });
    return async () => (await frames.next()).value as RgbPicture;
  }
  const { name, from, to } = pickUnused(random, STILLS, used);
  const [picture] = await readFootage({
    ...request,
    name,
    fromSeconds: random.between(from, to - 0.1),
    frameCount: 1,
  });
  return async () => picture!;
}

/** The same scene twice in a clip, in another framing, would be a punch-in that the truth does not know. */
function pickUnused(random: Random, shots: typeof SHOTS, used: Set<string>): (typeof SHOTS)[number] {
  const shot = random.pick(shots.filter(({ name }) => !used.has(name)));
  used.add(shot.name);
  return shot;
}

/** A disc cut out of another still that crosses the view, against the background's motion. */
async function openObject(random: Random, steps: readonly CameraStep[], near: boolean) {
  const frameCount = steps.length;
  const groundX = steps.reduce((sum, { x }) => sum + x, 0);
  const { name, from, to } = random.pick(STILLS);
  const size = 2 * (near ? random.whole(55, 70) : random.whole(30, 48));
  const [picture] = await readFootage({
    name,
    fromSeconds: random.between(from, to - 0.1),
    frameCount: 1,
    framesPerSecond: 25,
    width: 2 * size,
    height: 2 * size,
  });
  const start = random.between(0.25, 0.4);
  const toRight = Math.abs(groundX) > 0.05 ? groundX < 0 : random.chance(0.5);
  const [fromX, toX] = toRight ? [start, 1 - start] : [1 - start, start];
  const y = random.between(0.4, 0.6);
  const sway = random.between(-0.08, 0.08);
  const placeAt = (index: number): ObjectPlace => {
    const share = index / Math.max(1, frameCount - 1);
    return {
      x: fromX + (toX - fromX) * share,
      y: y + sway * Math.sin(2 * Math.PI * share),
      radiusX: size / WIDTH,
      radiusY: size / HEIGHT,
    };
  };
  return { picture: picture!, placeAt };
}

function truthOf(shots: readonly Shot[], rate: number) {
  const cuts: number[] = [];
  const path = {
    shift_x: [] as number[],
    shift_y: [] as number[],
    log_scale: [] as number[],
    rotation: [] as number[],
  };
  const labels: {
    start_s: number;
    end_s: number;
    label: CameraLabel;
    also?: readonly CameraLabel[];
    kind: string;
  }[] = [];
  const punchIns: { time_s: number; log_scale: number }[] = [];
  const subjects: NonNullable<MadeTruth['subjects']>[number][] = [];
  const diagonal = Math.hypot(WIDTH, HEIGHT);
  let first = 0;
  for (const shot of shots) {
    const { label, also } = shot.recipe;
    const seconds = (frame: number) => (first + frame) / rate;
    if (first > 0) cuts.push(seconds(0));
    const name = { label, ...(also === undefined ? {} : { also }), kind: shot.kind };
    labels.push({ start_s: seconds(0), end_s: seconds(shot.punchFrame), ...name });
    if (shot.punchFrame < shot.frameCount) {
      cuts.push(seconds(shot.punchFrame));
      punchIns.push({ time_s: seconds(shot.punchFrame), log_scale: shot.punchLogScale });
      labels.push({ start_s: seconds(shot.punchFrame), end_s: seconds(shot.frameCount), ...name });
    }
    const rounded = (value: number) => Number(value.toFixed(7));
    for (const step of shot.steps) {
      path.shift_x.push(rounded((step.x * diagonal) / WIDTH));
      path.shift_y.push(rounded((step.y * diagonal) / HEIGHT));
      path.log_scale.push(rounded(step.logScale));
      path.rotation.push(rounded(step.rotation));
    }
    if (shot.objectAt !== null) subjects.push(subjectOf(shot.objectAt, shot.frameCount, rate, first));
    first += shot.frameCount;
  }
  return {
    family: 'warps',
    hard_cuts_s: cuts,
    camera_path: path,
    camera_labels: labels,
    punch_ins: punchIns,
    subjects,
  };
}

function subjectOf(placeAt: (index: number) => ObjectPlace, frameCount: number, rate: number, first: number) {
  const boxes = [];
  for (let time = 0; time * rate < frameCount; time += BOX_SECONDS) {
    const { x, y, radiusX, radiusY } = placeAt(Math.round(time * rate));
    boxes.push({
      time_s: first / rate + time,
      box: { x: x - radiusX, y: y - radiusY, width: 2 * radiusX, height: 2 * radiusY },
    });
  }
  return { start_s: first / rate, end_s: (first + frameCount) / rate, boxes };
}
