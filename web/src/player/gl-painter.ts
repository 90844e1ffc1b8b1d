import type { CubeGrade, Size } from '../../../src/domain/footage.ts';
import { ZOOM_DEPTH } from '../../../src/render/picture/composite.ts';
import type { Reframe, Timeline, TimelineTransition } from '../../../src/style/model/timeline.ts';
import type { CaptionLayer } from './caption-layer.ts';
import { GlFraming } from './gl-framing.ts';
import { DRAWN_UNIT, GlCube, GlPicture, OTHER_UNIT } from './gl-picture.ts';
import { GlProgram, GlTarget, GlTexture } from './gl-resources.ts';
import { CROSSED, LETTERED } from './gl-shaders.ts';
import type { Appearance, Painter } from './painter.ts';
import type { Picture } from './picture.ts';
import { type Layer, mainLayer, type Scene } from './scene.ts';
import { contained, placeBefore, type Rectangle, stageOf, WHOLE } from './stage.ts';

/** Numbers of the transitions in the shader. */
const KINDS: Readonly<Record<TimelineTransition['type'], number>> = {
  dissolve: 0,
  fade_black: 1,
  fade_white: 1,
  fade_color: 1,
  wipe: 2,
  slide: 3,
  circle: 4,
  zoom: 5,
};
const DIRECTIONS = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] } as const;

/** Everything that is gone when the browser takes the graphics context away. */
interface Drawing {
  readonly framing: GlFraming;
  readonly pictures: readonly [GlPicture, GlPicture];
  /** The rendered frame. */
  readonly rendered: GlPicture;
  readonly sides: readonly [GlTarget, GlTarget];
  readonly crossed: GlProgram;
  readonly lettered: GlProgram;
  readonly letters: GlTexture;
  readonly cubes: Map<number, GlCube>;
  drawnLetters: string;
}

/** Draws scenes with WebGL 2. */
export class GlPainter implements Painter {
  readonly #canvas: HTMLCanvasElement;
  readonly #gl: WebGL2RenderingContext;
  #drawing: Drawing | null;
  #timeline: Timeline | null = null;
  #captions: CaptionLayer | null = null;
  readonly #cubes = new Map<number, CubeGrade | null>();
  readonly #onLost = (event: Event) => {
    event.preventDefault();
    this.#drawing = null;
  };
  readonly #onRestored: () => void;

  /** Null: the browser has no WebGL 2. `onRestored`: called when everything has to be drawn again. */
  static open(canvas: HTMLCanvasElement, onRestored: () => void): GlPainter | null {
    const gl = canvas.getContext('webgl2', {
      alpha: false,
      antialias: false,
      depth: false,
      // Screenshots and saved pictures read the drawn frame.
      preserveDrawingBuffer: true,
    });
    return gl === null ? null : new GlPainter(canvas, gl, onRestored);
  }

  private constructor(canvas: HTMLCanvasElement, gl: WebGL2RenderingContext, onRestored: () => void) {
    this.#canvas = canvas;
    this.#gl = gl;
    this.#drawing = drawingOf(gl);
    this.#onRestored = () => {
      this.#drawing = drawingOf(gl);
      for (const [take, cube] of this.#cubes) this.#load(take, cube);
      onRestored();
    };
    canvas.addEventListener('webglcontextlost', this.#onLost);
    canvas.addEventListener('webglcontextrestored', this.#onRestored);
  }

  setTimeline(timeline: Timeline, captions: CaptionLayer): void {
    this.#timeline = timeline;
    this.#captions = captions;
    if (this.#drawing !== null) this.#drawing.drawnLetters = '';
  }

  setCube(take: number, cube: CubeGrade | null): void {
    if (this.#cubes.get(take) === cube) return;
    this.#cubes.set(take, cube);
    this.#load(take, cube);
  }

  #load(take: number, cube: CubeGrade | null): void {
    if (this.#drawing === null) return;
    this.#drawing.cubes.get(take)?.delete();
    if (cube === null) this.#drawing.cubes.delete(take);
    else this.#drawing.cubes.set(take, new GlCube(this.#gl, cube));
  }

  draw(scene: Scene, { view, line, gradeShare, lines }: Appearance): void {
    const [gl, drawing, timeline] = [this.#gl, this.#drawing, this.#timeline];
    if (drawing === null || timeline === null) return;
    const shown = mainLayer(scene);
    const { size, before, after } = stageOf(timeline, view, lines);
    if (this.#canvas.width !== size.width || this.#canvas.height !== size.height)
      Object.assign(this.#canvas, size);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.clearColor(0, 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (after !== null) this.#drawAfter(drawing, scene, contained(timeline, after), size, gradeShare);
    if (before === null) return;
    const edge = view === 'slider' ? Math.round(line * size.width) : before.width;
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(0, 0, edge, size.height);
    gl.clear(gl.COLOR_BUFFER_BIT);
    this.#drawBefore(drawing, shown, before, size);
    gl.disable(gl.SCISSOR_TEST);
  }

  #drawAfter(drawing: Drawing, scene: Scene, place: Rectangle, stage: Size, gradeShare: number): void {
    if (scene.output !== undefined) {
      if (scene.output !== null)
        this.#drawPlain(drawing, drawing.rendered, scene.output, WHOLE, place, stage);
      return;
    }
    const layers = scene.second === null ? [scene.first] : [scene.first, scene.second];
    // A picture that is missing is not shown: the other one is better than black.
    const there = layers.filter(({ picture }) => picture !== null);
    if (there.length < 2) {
      if (there[0] !== undefined) this.#drawLayer(drawing, 0, there[0], null, place, stage, gradeShare);
    } else {
      const whole = { x: 0, y: 0, width: place.width, height: place.height };
      for (const [index, layer] of there.entries())
        this.#drawLayer(drawing, index, layer, drawing.sides[index]!, whole, place, gradeShare);
      this.#cross(drawing, scene, place, stage);
    }
    this.#letter(drawing, scene.number, place, stage);
  }

  #drawLayer(
    { framing, pictures, cubes }: Drawing,
    index: number,
    { clip, framing: part, picture }: Layer,
    target: GlTarget | null,
    place: Rectangle,
    stage: Size,
    gradeShare: number,
  ): void {
    const textures = pictures[index]!;
    textures.set(picture!);
    const cube = cubes.get(clip.take) ?? null;
    framing.draw({ picture: textures, cube, gradeShare }, clip.fit, part, {
      target,
      place,
      stage,
      output: this.#timeline!,
    });
  }

  #drawBefore(drawing: Drawing, layer: Layer, within: Rectangle, stage: Size): void {
    const { picture } = layer;
    if (picture === null) return;
    const { part, place } = placeBefore(layer, picture, this.#timeline!, within);
    this.#drawPlain(drawing, drawing.pictures[0], picture, part, place, stage);
  }

  /** A part of a picture without grade. */
  #drawPlain(
    { framing }: Drawing,
    textures: GlPicture,
    picture: Picture,
    part: Reframe,
    place: Rectangle,
    stage: Size,
  ): void {
    textures.set(picture);
    const drawn = { picture: textures, cube: null, gradeShare: 0 };
    framing.draw(drawn, 'crop', part, { target: null, place, stage, output: this.#timeline! });
  }

  #cross({ sides, crossed }: Drawing, { transition, progress }: Scene, place: Rectangle, stage: Size): void {
    const { type, direction, color } = transition!;
    const [x, y] = DIRECTIONS[direction ?? (type === 'slide' ? 'left' : 'right')];
    const level =
      type === 'fade_white' ? '#ffffff' : type === 'fade_color' ? (color ?? '#000000') : '#000000';
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(level.slice(at, at + 2), 16) / 255);
    setViewport(this.#gl, null, place, stage);
    sides[0].texture.bind(DRAWN_UNIT);
    sides[1].texture.bind(OTHER_UNIT);
    crossed
      .use()
      .integer('before', DRAWN_UNIT)
      .integer('after', OTHER_UNIT)
      .integer('kind', KINDS[type])
      .number('size', place.width, place.height)
      .number('share', progress)
      .number('direction', x, y)
      .number('through', red!, green!, blue!)
      .number('depth', ZOOM_DEPTH)
      .draw();
  }

  #letter(drawing: Drawing, number: number, place: Rectangle, stage: Size): void {
    const gl = this.#gl;
    const caption = this.#captions?.at(number) ?? null;
    if (caption === null) return;
    const key = this.#captions!.drawn;
    if (drawing.drawnLetters !== key) drawing.letters.setImage(caption, true);
    drawing.drawnLetters = key;
    setViewport(gl, null, place, stage);
    drawing.letters.bind(DRAWN_UNIT);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    drawing.lettered.use().integer('letters', DRAWN_UNIT).draw();
    gl.disable(gl.BLEND);
  }

  close(): void {
    this.#canvas.removeEventListener('webglcontextlost', this.#onLost);
    this.#canvas.removeEventListener('webglcontextrestored', this.#onRestored);
    if (this.#drawing === null) return;
    const { framing, pictures, rendered, sides, crossed, lettered, letters, cubes } = this.#drawing;
    for (const one of [
      framing,
      ...pictures,
      rendered,
      ...sides,
      crossed,
      lettered,
      letters,
      ...cubes.values(),
    ])
      one.delete();
    this.#drawing = null;
  }
}

function drawingOf(gl: WebGL2RenderingContext): Drawing {
  return {
    framing: new GlFraming(gl),
    pictures: [new GlPicture(gl), new GlPicture(gl)],
    rendered: new GlPicture(gl),
    sides: [new GlTarget(gl), new GlTarget(gl)],
    crossed: new GlProgram(gl, CROSSED),
    lettered: new GlProgram(gl, LETTERED),
    letters: new GlTexture(gl),
    cubes: new Map(),
    drawnLetters: '',
  };
}

/** `place` counts from the top left of `stage`; WebGL counts from the bottom. */
function setViewport(
  gl: WebGL2RenderingContext,
  target: GlTarget | null,
  { x, y, width, height }: Rectangle,
  stage: Size,
): void {
  if (target === null) gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.viewport(x, stage.height - y - height, width, height);
}
