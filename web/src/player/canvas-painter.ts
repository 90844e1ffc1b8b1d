import type { CubeGrade, Size } from '../../../src/domain/footage.ts';
import {
  BLUR_SHRINK,
  EDGE_PIXELS,
  extendedSize,
  PAD_DARKEN,
} from '../../../src/render/picture/fit-shapes.ts';
import { RgbCube } from '../../../src/render/picture/rgb-cube.ts';
import type { Reframe, Timeline } from '../../../src/style/model/timeline.ts';
import { drawCrossing } from './canvas-transitions.ts';
import type { CaptionLayer } from './caption-layer.ts';
import type { Appearance, Painter } from './painter.ts';
import type { Picture } from './picture.ts';
import { type Layer, mainLayer, type Scene } from './scene.ts';
import { contained, coveringPart, placeBefore, type Rectangle, stageOf, WHOLE } from './stage.ts';

type Context = CanvasRenderingContext2D;

/** Draws scenes without WebGL. Grades are applied to still pictures only: in motion they take too long. */
export class CanvasPainter implements Painter {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: Context;
  readonly #sides: readonly [Context, Context] = [newContext(), newContext()];
  readonly #small = newContext();
  readonly #cubes = new Map<number, { readonly of: CubeGrade; readonly cube: RgbCube }>();
  #timeline: Timeline | null = null;
  #captions: CaptionLayer | null = null;

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d', { alpha: false })!;
  }

  setTimeline(timeline: Timeline, captions: CaptionLayer): void {
    this.#timeline = timeline;
    this.#captions = captions;
  }

  setCube(take: number, cube: CubeGrade | null): void {
    if (cube === null) this.#cubes.delete(take);
    else if (this.#cubes.get(take)?.of !== cube) this.#cubes.set(take, { of: cube, cube: new RgbCube(cube) });
  }

  draw(scene: Scene, { view, line, gradeShare, lines, isMoving }: Appearance): void {
    const timeline = this.#timeline;
    if (timeline === null) return;
    const shown = mainLayer(scene);
    const { size, before, after } = stageOf(timeline, view, lines);
    resize(this.#canvas, size);
    const context = this.#context;
    const stage = { x: 0, y: 0, ...size };
    clear(context, stage);
    if (after !== null) this.#drawAfter(scene, contained(timeline, after), isMoving ? 0 : gradeShare);
    if (before === null || shown.picture === null) return;
    const { part, place } = placeBefore(shown, shown.picture, timeline, before);
    context.save();
    context.beginPath();
    context.rect(0, 0, view === 'slider' ? Math.round(line * size.width) : before.width, size.height);
    context.clip();
    clear(context, stage);
    drawPart(context, shown.picture, part, place);
    context.restore();
  }

  #drawAfter(scene: Scene, place: Rectangle, share: number): void {
    const { number, first, second, transition, progress, output } = scene;
    if (output !== undefined) {
      if (output !== null) drawPart(this.#context, output, WHOLE, place);
      return;
    }
    const layers = [first, ...(second === null ? [] : [second])].filter(({ picture }) => picture !== null);
    const drawn = layers.map((layer, index) => this.#drawLayer(this.#sides[index]!, layer, place, share));
    const [one, other] = drawn;
    const context = this.#context;
    if (one !== undefined && (other === undefined || transition === null))
      context.drawImage(one, place.x, place.y);
    else if (other !== undefined) drawCrossing(context, transition!, progress, one!, other, place);
    const caption = this.#captions?.at(number) ?? null;
    if (caption !== null) context.drawImage(caption, place.x, place.y, place.width, place.height);
  }

  #drawLayer(
    context: Context,
    { clip, framing, picture }: Layer,
    size: Size,
    share: number,
  ): HTMLCanvasElement {
    const place = { x: 0, y: 0, width: size.width, height: size.height };
    resize(context.canvas, size);
    if (clip.fit === 'pad') this.#pad(context, picture!, framing, place);
    else if (clip.fit === 'extend') this.#extend(context, picture!, framing, place);
    else drawPart(context, picture!, framing, place);
    const cube = this.#cubes.get(clip.take)?.cube;
    if (cube !== undefined && share > 0) grade(context, cube, share);
    return context.canvas;
  }

  /** The blur of an enlargement by as much as the renderer shrinks. */
  #pad(context: Context, picture: Picture, part: Reframe, place: Rectangle): void {
    const small = {
      width: Math.ceil(place.width / BLUR_SHRINK / 4),
      height: Math.ceil(place.height / BLUR_SHRINK / 4),
    };
    resize(this.#small.canvas, small);
    drawPart(this.#small, picture, coveringPart(part, picture, this.#timeline!), { x: 0, y: 0, ...small });
    context.drawImage(this.#small.canvas, 0, 0, place.width, place.height);
    context.fillStyle = `rgb(0 0 0 / ${-2 * PAD_DARKEN})`;
    context.fillRect(0, 0, place.width, place.height);
    drawPart(context, picture, part, contained(partSize(part, picture), place));
  }

  #extend(context: Context, picture: Picture, part: Reframe, place: Rectangle): void {
    const fitted = extendedSize(this.#timeline!, partSize(part, picture));
    const middle = contained(fitted, place);
    const isWide = middle.width < place.width;
    const depth = EDGE_PIXELS / (isWide ? fitted.width : fitted.height);
    for (const end of [0, 1]) {
      const from = end === 0 ? 0 : 1 - depth;
      const edge = isWide
        ? { ...part, x: part.x + from * part.width, width: depth * part.width }
        : { ...part, y: part.y + from * part.height, height: depth * part.height };
      const half = isWide ? { width: place.width / 2 } : { height: place.height / 2 };
      const shift = isWide ? { x: (end * place.width) / 2 } : { y: (end * place.height) / 2 };
      drawPart(context, picture, edge, { ...place, ...half, ...shift });
    }
    drawPart(context, picture, part, middle);
  }

  close(): void {}
}

function newContext(): Context {
  return document.createElement('canvas').getContext('2d', { alpha: false, willReadFrequently: true })!;
}

function resize(canvas: HTMLCanvasElement, { width, height }: Size): void {
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
}

function clear(context: Context, { width, height }: Size): void {
  context.fillStyle = '#000';
  context.fillRect(0, 0, width, height);
}

function drawPart(context: Context, picture: Picture, part: Reframe, place: Rectangle): void {
  if (picture.kind === 'planes') return;
  const { width, height, image } = picture;
  context.imageSmoothingQuality = 'high';
  context.drawImage(
    image,
    ...([part.x * width, part.y * height, part.width * width, part.height * height] as const),
    ...([place.x, place.y, place.width, place.height] as const),
  );
}

function partSize(part: Reframe, picture: Size): Size {
  return { width: part.width * picture.width, height: part.height * picture.height };
}

function grade(context: Context, cube: RgbCube, share: number): void {
  const { width, height } = context.canvas;
  const pixels = context.getImageData(0, 0, width, height);
  const { data } = pixels;
  for (let at = 0; at < data.length; at += 4) {
    const [red, green, blue] = [data[at]! / 255, data[at + 1]! / 255, data[at + 2]! / 255];
    cube.lookUp(red, green, blue);
    data[at] = 255 * (red + share * (cube.red - red));
    data[at + 1] = 255 * (green + share * (cube.green - green));
    data[at + 2] = 255 * (blue + share * (cube.blue - blue));
  }
  context.putImageData(pixels, 0, 0);
}
