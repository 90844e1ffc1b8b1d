import { framesPerSecond } from '../../../src/domain/time.ts';
import {
  BOX_SIDE_EM,
  backColor,
  boxFill,
  boxRows,
  directionOf,
  outlinePixels,
  SHADOW_OPACITY,
  shadowPixels,
} from '../../../src/render/captions/caption-geometry.ts';
import {
  type CaptionMotion,
  captionMotion,
  scaledCaption,
} from '../../../src/render/captions/caption-motion.ts';
import type { CaptionFace } from '../../../src/style/model/caption-face.ts';
import type { CaptionCue, CaptionLook, Timeline } from '../../../src/style/model/timeline.ts';

/** Of the drawing of a caption, in pixels: outputs of 4K would take 33 MB. */
const MAX_SIDE = 1920;

/** The captions of a timeline, drawn as the renderer draws them: sizes and positions in the output's pixels. */
export class CaptionLayer {
  readonly #timeline: Pick<Timeline, 'captions' | 'captionLook' | 'frameRate' | 'width' | 'height'>;
  readonly #canvas = document.createElement('canvas');
  #drawn = '';
  #drawings = 0;

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  /** Loads the faces that the captions need. A caption in a face that is missing is drawn in the page's own. */
  async load(): Promise<void> {
    const faces = new Set(this.#timeline.captions.map(({ face }) => face));
    await Promise.allSettled([...faces].map(loadFace));
    this.#drawn = '';
  }

  /** The caption of an output frame with premultiplied colors, in the output's pixels, to be drawn over the whole picture; null: there is none. */
  at(number: number): HTMLCanvasElement | null {
    const { captions, captionLook, frameRate } = this.#timeline;
    if (captionLook === undefined) return null;
    const frameOf = (seconds: number) => Math.round(seconds * framesPerSecond(frameRate));
    const index = captions.findIndex(
      (cue) => frameOf(cue.startSeconds) <= number && number < frameOf(cue.endSeconds),
    );
    if (index === -1) return null;
    const cue = captions[index]!;
    const look = cue.look ?? captionLook;
    const first = frameOf(cue.startSeconds);
    const motion = captionMotion(
      look,
      number - first,
      frameOf(cue.endSeconds) - first,
      framesPerSecond(frameRate),
    );
    const drawing = motion === null ? String(index) : `${index} at ${number}`;
    if (drawing !== this.#drawn) this.#draw(cue, look, motion);
    this.#drawn = drawing;
    return this.#canvas;
  }

  /** Changes when `at` gives another picture: of another caption, or of the same in a face that has loaded meanwhile. */
  get drawn(): string {
    return `${this.#drawn} ${this.#drawings}`;
  }

  #draw(atRest: CaptionCue, ownLook: CaptionLook, motion: CaptionMotion | null): void {
    this.#drawings++;
    const isScaled = motion !== null && motion.scale !== 1;
    const cue = isScaled ? scaledCaption(atRest, ownLook, motion.scale) : atRest;
    const look = isScaled ? cue.look! : ownLook;
    const scale = Math.min(1, MAX_SIDE / Math.max(this.#timeline.width, this.#timeline.height));
    const even = (side: number) => 2 * Math.round((side * scale) / 2);
    Object.assign(this.#canvas, { width: even(this.#timeline.width), height: even(this.#timeline.height) });
    const context = this.#canvas.getContext('2d')!;
    context.scale(scale, scale);
    // The renderer moves by even numbers of pixels.
    if (motion !== null) context.translate(2 * Math.round(motion.x / 2), 2 * Math.round(motion.y / 2));
    context.font = `${look.sizePixels}px ${familyOf(cue.face)}, sans-serif`;
    // Otherwise letters are placed at whole pixels.
    context.textRendering = 'geometricPrecision';
    context.lineJoin = 'round';
    context.direction = directionOf(cue.lines.join(' '));
    context.textAlign = 'left';
    const x = cue.centerX ?? this.#timeline.width / 2;
    const lines = cue.lines.map(
      (text, index): Line => ({
        text,
        // The renderer centers a whole number of pixels.
        left: x - Math.ceil(context.measureText(text).width) / 2,
        baseline: cue.baselineY + index * look.pitchPixels,
      }),
    );
    // As in the renderer, a box does not cover the letters of the line above.
    if (look.ground === 'box') drawBoxes(context, lines, look);
    for (const line of lines) drawLetters(context, line, look);
    if (motion !== null && motion.opacity < 1) fade(context, motion.opacity);
  }
}

interface Line {
  readonly text: string;
  readonly left: number;
  readonly baseline: number;
}

/** Multiplies the opacity of everything drawn. */
function fade(context: CanvasRenderingContext2D, opacity: number): void {
  context.resetTransform();
  context.globalCompositeOperation = 'destination-in';
  context.fillStyle = `rgb(0 0 0 / ${opacity})`;
  context.fillRect(0, 0, context.canvas.width, context.canvas.height);
}

/** As one shape: boxes of two lines overlap. */
function drawBoxes(context: CanvasRenderingContext2D, lines: readonly Line[], look: CaptionLook): void {
  const { sizePixels } = look;
  const { rgb, opacity } = boxFill(look);
  const side = BOX_SIDE_EM * sizePixels;
  context.fillStyle = `rgb(${rgb.join(' ')} / ${opacity})`;
  context.beginPath();
  for (const { text, left: start, baseline } of lines) {
    const { actualBoundingBoxLeft: left, actualBoundingBoxRight: right } = context.measureText(text);
    const { above, below } = boxRows(baseline, sizePixels);
    context.rect(start - left - side, above, left + right + 2 * side, below - above);
  }
  context.fill();
}

function drawLetters(
  context: CanvasRenderingContext2D,
  { text, left, baseline }: Line,
  { sizePixels, color, ground }: CaptionLook,
): void {
  const back = backColor(color);
  const level = back === 'black' ? 0 : 255;
  if (ground === 'shadow') {
    const offset = shadowPixels(sizePixels);
    // The renderer's blending applies the opacity twice.
    context.fillStyle = `rgb(${level} ${level} ${level} / ${SHADOW_OPACITY ** 2})`;
    context.fillText(text, left + offset, baseline + offset);
  }
  if (ground === 'outline') {
    context.strokeStyle = back;
    context.lineWidth = 2 * outlinePixels(sizePixels);
    context.strokeText(text, left, baseline);
  }
  context.fillStyle = color;
  context.fillText(text, left, baseline);
}

function familyOf(face: CaptionFace): string {
  return `styledna-${face}`;
}

async function loadFace(face: CaptionFace): Promise<void> {
  const family = familyOf(face);
  if ([...document.fonts].some((font) => font.family === family && font.status === 'loaded')) return;
  // The service has the renderer's own files.
  const font = new FontFace(family, `url("${new URL(`fonts/${face}.ttf`, document.baseURI).href}")`);
  document.fonts.add(await font.load());
}
