/** What captions are laid over: real shots and stills under a camera of our own, and drawn screens and textures. */
import type { TruthFile } from '../lib/truth.ts';
import { type RgbPicture, readFootage, SHOTS } from './footage.ts';
import { drawText, fillBox, layText, type Rgb, type TextStyle } from './lettering.ts';
import type { Random } from './random.ts';

/** What every clip starts from. */
export interface CaptionClip {
  readonly random: Random;
  readonly size: Size;
  readonly rate: number;
  readonly frameCount: number;
}

export interface DrawnScene {
  readonly kind: string;
  readonly frameAt: (frame: number) => RgbPicture;
  readonly truth: Omit<TruthFile, 'file'>;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Shots see this much more than the picture shows, so that the camera can move over them. */
const WORLD = 1.3;

/** A clock is burnt into the others. */
const CLEAN_SHOTS = SHOTS.filter(({ name }) => !name.includes('timecode'));

/** The window of the world that is seen: its middle as a share of the play it has, and its magnification. */
interface View {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

export interface SceneShot {
  readonly firstFrame: number;
  readonly frameCount: number;
  readonly world: (frame: number) => RgbPicture;
  readonly from: View;
  readonly to: View;
  /** Of the hand that holds the camera, shares of the play. */
  readonly shake: number;
}

export type PaintWorld = (world: RgbPicture, shot: number, frame: number) => void;

export interface SceneWish {
  readonly size: Size;
  readonly frameCount: number;
  readonly rate: number;
  readonly shots: number;
  /** Share of shots under a moving camera. */
  readonly moving: number;
  /** Share of shots that are photographs. */
  readonly stills: number;
  readonly filters?: string;
}

/** Half of all scenes are edits, a third one static shot. */
export function sceneWish(random: Random): Pick<SceneWish, 'shots' | 'moving' | 'stills'> {
  return random.pick([
    { shots: random.whole(3, 6), moving: 0.5, stills: 0.1 },
    { shots: random.whole(2, 4), moving: 0.2, stills: 0 },
    { shots: 1, moving: 0, stills: 0 },
    { shots: 1, moving: 1, stills: 0 },
    { shots: random.whole(3, 5), moving: 0, stills: 1 },
  ]);
}

/** Shots of real clips one after the other. */
export async function filmShots(random: Random, wish: SceneWish): Promise<SceneShot[]> {
  const clips = random.shuffled(CLEAN_SHOTS);
  const shots: SceneShot[] = [];
  let firstFrame = 0;
  for (let index = 0; index < wish.shots; index++) {
    const left = wish.frameCount - firstFrame;
    const even = left / (wish.shots - index);
    const expected = index === wish.shots - 1 ? left : Math.round(even * random.between(0.75, 1.25));
    const clip = clips[index % clips.length];
    // A shot longer than its clip stops on its last picture: a still is a caption's background too.
    const frameCount = expected;
    const spare = Math.max(0, clip.to - clip.from - frameCount / wish.rate);
    const still = random.chance(wish.stills);
    const pictures = await readFootage({
      name: clip.name,
      fromSeconds: clip.from + random.between(0, spare),
      frameCount: still ? 1 : Math.min(frameCount, Math.floor((clip.to - clip.from) * wish.rate)),
      framesPerSecond: wish.rate,
      width: 2 * Math.round((wish.size.width * WORLD) / 2),
      height: 2 * Math.round((wish.size.height * WORLD) / 2),
      ...(wish.filters === undefined ? {} : { filters: wish.filters }),
    });
    const moves = random.chance(wish.moving);
    shots.push({
      firstFrame,
      frameCount,
      // Back and forth, so that a short clip fills a long shot without a jump.
      world: (frame) => pictures[swing(frame, pictures.length)],
      ...cameraMove(random, moves),
      shake: moves && random.chance(0.5) ? 0.03 : 0,
    });
    firstFrame += frameCount;
  }
  return shots;
}

function swing(frame: number, count: number): number {
  if (count === 1) return 0;
  const at = frame % (2 * count - 2);
  return at < count ? at : 2 * count - 2 - at;
}

export function cameraMove(random: Random, moves: boolean): { from: View; to: View } {
  if (!moves) {
    const rest = { x: 0.5, y: 0.5, zoom: 1.15 };
    return { from: rest, to: rest };
  }
  const zoom = () => random.between(1, 1.25);
  const view = (): View => ({ x: random.between(0, 1), y: random.between(0, 1), zoom: zoom() });
  return { from: view(), to: view() };
}

/** The picture of each frame, requested in order. `paint` may draw on the world before the camera sees it. */
export function viewShots(
  shots: readonly SceneShot[],
  size: Size,
  paint?: PaintWorld,
): (frame: number) => RgbPicture {
  return (frame) => {
    const index = shots.findLastIndex((shot) => shot.firstFrame <= frame);
    const shot = shots[index];
    const inShot = frame - shot.firstFrame;
    let world = shot.world(inShot);
    if (paint !== undefined) {
      world = { ...world, data: world.data.slice() };
      paint(world, index, inShot);
    }
    const t = inShot / Math.max(1, shot.frameCount - 1);
    const between = (a: number, b: number) => a + (b - a) * t;
    const wobble = (phase: number) =>
      shot.shake * (Math.sin(inShot * 0.31 + phase) + 0.6 * Math.sin(inShot * 0.83 + 2 * phase));
    return windowOf(world, size, {
      x: Math.min(1, Math.max(0, between(shot.from.x, shot.to.x) + wobble(0.4))),
      y: Math.min(1, Math.max(0, between(shot.from.y, shot.to.y) + wobble(1.9))),
      zoom: between(shot.from.zoom, shot.to.zoom),
    });
  };
}

function windowOf(world: RgbPicture, size: Size, view: View): RgbPicture {
  const width = ((size.width / view.zoom) * Math.min(world.width / size.width, WORLD)) / 1.04;
  const height = (width * size.height) / size.width;
  const left = view.x * (world.width - 2 - width);
  const top = view.y * (world.height - 2 - height);
  const data = new Uint8Array(size.width * size.height * 3);
  const step = width / size.width;
  const row = world.width * 3;
  for (let y = 0, out = 0; y < size.height; y++) {
    const v = top + y * step;
    const y0 = Math.floor(v);
    const fy = v - y0;
    for (let x = 0; x < size.width; x++) {
      const u = left + x * step;
      const x0 = Math.floor(u);
      const fx = u - x0;
      const at = y0 * row + x0 * 3;
      for (let c = 0; c < 3; c++, out++) {
        const a = world.data[at + c] * (1 - fx) + world.data[at + c + 3] * fx;
        const b = world.data[at + c + row] * (1 - fx) + world.data[at + c + row + 3] * fx;
        data[out] = a * (1 - fy) + b * fy + 0.5;
      }
    }
  }
  return { ...size, data };
}

export function plainPicture(size: Size, color: Rgb): RgbPicture {
  const picture = { ...size, data: new Uint8Array(size.width * size.height * 3) };
  fillBox(picture, { x: 0, y: 0, ...size }, color, 1);
  return picture;
}

/** Contrasts as sharp as text: what tiles, fences and keyboards look like. */
export function drawTexture(random: Random, size: Size): RgbPicture {
  const dark: Rgb = [random.whole(5, 60), random.whole(5, 60), random.whole(5, 60)];
  const light: Rgb = [random.whole(180, 250), random.whole(180, 250), random.whole(180, 250)];
  const picture = plainPicture(size, random.chance(0.5) ? dark : light);
  const other = picture.data[0] === dark[0] ? light : dark;
  const pitch = random.whole(9, 30);
  const kind = random.pick(['grid', 'bricks', 'checker', 'bars', 'keys'] as const);
  const letter = kind === 'keys' ? letters(pitch + 12, picture.data[0] > 128 ? light : dark) : [];
  const cell = kind === 'keys' ? pitch + 14 : pitch;
  for (let y = 0, row = 0; y < size.height; y += cell, row++) {
    for (let x = 0, column = 0; x < size.width; x += cell, column++) {
      const thin = Math.max(2, Math.round(cell / 7));
      if (kind === 'grid') {
        fillBox(picture, { x, y, width: cell, height: thin }, other, 1);
        fillBox(picture, { x, y, width: thin, height: cell }, other, 1);
      } else if (kind === 'bricks') {
        fillBox(
          picture,
          { x: 2 * x + (row % 2) * cell, y, width: 2 * cell - thin, height: cell - thin },
          other,
          1,
        );
      } else if (kind === 'checker') {
        if ((row + column) % 2 === 0) fillBox(picture, { x, y, width: cell, height: cell }, other, 1);
      } else if (kind === 'bars') {
        fillBox(picture, { x, y, width: cell / 2, height: cell }, other, 1);
      } else {
        fillBox(picture, { x: x + 2, y: y + 2, width: cell - 4, height: cell - 4 }, other, 1);
        const text = letter[(7 * row + column) % letter.length];
        layText(picture, text, { x: x + cell / 2 - text.width / 2, y: y + cell / 2 - text.height / 2 });
      }
    }
  }
  return picture;
}

function letters(size: number, color: Rgb) {
  const style: TextStyle = {
    font: 'inter',
    size: Math.round(size / 2),
    color,
    outline: 0,
    outlineColor: color,
    shadow: 0,
    box: null,
  };
  return [...'QWERTASDFGHJKZ'].map((one) => drawText([one], style));
}
