import type { Size } from '../../../src/domain/footage.ts';
import {
  BLUR_SHRINK,
  BLUR_SIGMA,
  EDGE_PIXELS,
  edgeColors,
  extendedSize,
  PAD_DARKEN,
} from '../../../src/render/picture/fit-shapes.ts';
import type { Clip, Reframe } from '../../../src/style/model/timeline.ts';
import { bindNoCube, DRAWN_UNIT, type GlCube, type GlPicture } from './gl-picture.ts';
import { GlProgram, GlTarget } from './gl-resources.ts';
import { BLURRED, CONTINUED, COPIED, EDGES, FRAMED } from './gl-shaders.ts';
import { contained, coveringPart, type Rectangle } from './stage.ts';

/** What FFmpeg's `eq` adds to 8-bit luma of limited range, rounding down, in full-range RGB. */
const DARKEN = (PAD_DARKEN * 256 - 0.5) / 219;
/** A picture that is made so many times smaller is read more than once per pixel. */
const MIN_SHRINK = 1.5;
const MAX_SAMPLES = 4;

/** The drawn picture. */
export interface Drawn {
  readonly picture: GlPicture;
  /** Null: no grade. */
  readonly cube: GlCube | null;
  readonly gradeShare: number;
}

/** Where it is drawn. */
export interface Destination {
  /** Null: the canvas. */
  readonly target: GlTarget | null;
  readonly place: Rectangle;
  /** Of the canvas or the target. */
  readonly stage: Size;
  /** Of the timeline, for sizes that the renderer rounds in its own pixels. */
  readonly output: Size;
}

/** Draws the framing of a clip: cropped, padded or extended. */
export class GlFraming {
  readonly #gl: WebGL2RenderingContext;
  readonly #framed: GlProgram;
  readonly #copied: GlProgram;
  readonly #blurred: GlProgram;
  readonly #edges: GlProgram;
  readonly #continued: GlProgram;
  readonly #small: readonly [GlTarget, GlTarget];

  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl;
    this.#framed = new GlProgram(gl, FRAMED);
    this.#copied = new GlProgram(gl, COPIED);
    this.#blurred = new GlProgram(gl, BLURRED);
    this.#edges = new GlProgram(gl, EDGES);
    this.#continued = new GlProgram(gl, CONTINUED);
    this.#small = [new GlTarget(gl), new GlTarget(gl)];
  }

  draw(drawn: Drawn, fit: Clip['fit'], part: Reframe, destination: Destination): void {
    // A later pass may draw into another target.
    if (fit === 'pad') this.#pad(drawn, part, destination);
    else if (fit === 'extend') this.#extend(drawn, part, destination);
    else {
      this.#begin(destination, destination.place);
      this.#window(drawn, part, destination.place);
    }
  }

  /** The whole part over a blurred, darker copy of itself. */
  #pad(drawn: Drawn, part: Reframe, destination: Destination): void {
    const { place, output } = destination;
    const [small, other] = this.#small;
    const size = {
      width: Math.max(2, Math.round(place.width / BLUR_SHRINK)),
      height: Math.max(2, Math.round(place.height / BLUR_SHRINK)),
    };
    small.begin(size.width, size.height);
    const behind = { ...drawn, cube: null };
    this.#window(behind, coveringPart(part, drawn.picture, output), size);
    const sigma = (BLUR_SIGMA * place.width) / output.width;
    const decays = [decayOf(sigma), decayOf(2 * sigma)] as const;
    for (const [from, to, x, y] of [
      [small, other, 1 / size.width, 0],
      [other, small, 0, -1 / size.height],
    ] as const) {
      to.begin(size.width, size.height);
      from.texture.bind(DRAWN_UNIT);
      this.#blurred
        .use()
        .integer('drawn', DRAWN_UNIT)
        .number('along', x, y)
        .number('decay', ...decays)
        .draw();
    }
    this.#begin(destination, place);
    small.texture.bind(DRAWN_UNIT);
    this.#copied.use().integer('drawn', DRAWN_UNIT).number('added', DARKEN);
    this.#grade(this.#copied, drawn);
    this.#copied.draw();
    const front = contained(wholeSize(part, drawn.picture), place);
    this.#begin(destination, front);
    this.#window(drawn, part, front);
  }

  /** The whole part, continued on two sides by the colors of its edges. */
  #extend(drawn: Drawn, part: Reframe, destination: Destination): void {
    const { place, output } = destination;
    const fitted = extendedSize(output, wholeSize(part, drawn.picture));
    const areColumns = fitted.height === output.height;
    const missing = output.width - fitted.width + (output.height - fitted.height);
    const first = 2 * Math.floor(missing / 4);
    const scale = place.width / output.width;
    const begin = Math.round(first * scale);
    const end = begin + Math.round((areColumns ? fitted.width : fitted.height) * scale);
    const { x, y, width, height } = place;
    const band = (from: number, to: number): Rectangle =>
      areColumns
        ? { x: x + from, y, width: to - from, height }
        : { x, y: y + from, width, height: to - from };
    const length = areColumns ? width : height;
    const whole = first === 0 ? place : band(begin, end);
    if (first > 0) {
      const count = edgeColors(areColumns ? fitted.height : fitted.width);
      this.#small[0].begin(count, 2);
      this.#edges.use().number('window', part.x, part.y, part.width, part.height).integer('count', count);
      this.#edges.integer('areColumns', areColumns ? 1 : 0);
      this.#edges.number('depth', EDGE_PIXELS / (areColumns ? fitted.width : fitted.height));
      drawn.picture.bind(this.#edges).draw();
      for (const [row, from, to] of [
        [0.75, 0, begin],
        [0.25, end, length],
      ] as const) {
        this.#begin(destination, band(from, to));
        this.#small[0].texture.bind(DRAWN_UNIT);
        this.#continued.use().integer('drawn', DRAWN_UNIT).number('row', row);
        this.#continued.integer('areColumns', areColumns ? 1 : 0);
        this.#grade(this.#continued, drawn);
        this.#continued.draw();
      }
    }
    this.#begin(destination, whole);
    this.#window(drawn, part, whole);
  }

  /** Draws a part of the picture into the viewport. */
  #window(drawn: Drawn, part: Reframe, { width, height }: Size): void {
    const { picture } = drawn;
    const shrink = Math.max((part.width * picture.width) / width, (part.height * picture.height) / height);
    const samples = shrink < MIN_SHRINK ? 1 : Math.min(MAX_SAMPLES, Math.ceil(shrink));
    const program = this.#framed.use();
    program.number('window', part.x, part.y, part.width, part.height);
    program.number('pixel', part.width / width, part.height / height).integer('samples', samples);
    this.#grade(program, drawn);
    picture.bind(program).draw();
  }

  #grade(program: GlProgram, { cube, gradeShare }: Drawn): void {
    if (cube === null) bindNoCube(program);
    else cube.bind(program, gradeShare);
  }

  #begin({ target, stage }: Destination, { x, y, width, height }: Rectangle): void {
    const gl = this.#gl;
    if (target === null) gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    else target.begin(stage.width, stage.height);
    gl.viewport(x, stage.height - y - height, width, height);
  }

  delete(): void {
    const programs = [this.#framed, this.#copied, this.#blurred, this.#edges, this.#continued];
    for (const one of [...programs, ...this.#small]) one.delete();
  }
}

function wholeSize(part: Reframe, picture: Size): Size {
  return { width: part.width * picture.width, height: part.height * picture.height };
}

/** FFmpeg's `gblur` with one step is an exponential of the same variance, forwards and backwards. */
function decayOf(sigma: number): number {
  const lambda = sigma ** 2 / 2;
  return (1 + 2 * lambda - Math.sqrt(1 + 4 * lambda)) / (2 * lambda);
}
