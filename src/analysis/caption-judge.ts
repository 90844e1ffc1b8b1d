import { area, overlapArea, type PixelBox } from './caption-regions.ts';
import { lookAtText, type TextLook } from './caption-text.ts';
import type { CaptionTrack } from './caption-track.ts';
import type { Box, CaptionFacts, CaptionSpan } from './facts.ts';

/** Looks from which standing still is no accident of a moving texture. */
const LEAST_LOOKS = 3;
/** Camera motion below a standing text that proves it lies on the picture, pixels of the detail picture. */
const PROVING_PIXELS = 8;
/** Change of the ground over that of the ink, and its least, grey levels a look: the picture lives on below it. */
const PROVING_RATIO = 3;
const PROVING_CHANGE = 3;
/** What stands for more of the clip than this is a logo or a sign. */
const MOST_OF_CLIP = 0.95;
/** Text this clear need come or go alone at one end only: at the other the scene may have changed as well. */
const CLEAR_TEXT = 0.8;
/** Captions keep clear of the picture's edges, textures run into them: least distance, share of the width. */
const SAFE_MARGIN = 0.015;
/** Beside bright ink: outlined when it is this dark, evenly. */
const OUTLINE_LEVEL = 70;
const OUTLINE_EVENNESS = 0.6;
/** Rows of letters over their line height: ascender to descender is about this share of the type size. */
const INK_OF_LINE = 0.95;

/** Text that stood for a while and is not part of the scene. */
export interface Caption {
  readonly startSeconds: number;
  readonly endSeconds: number | null;
  readonly box: Box;
  /** Share of the picture's height. */
  readonly lineHeight: number;
  readonly color: string;
  readonly outlined: boolean;
  readonly likeness: number;
  readonly bright: boolean;
}

/** Null when the track is no text, or nothing shows that the text lies on the picture and not in the scene. */
export function judgeTrack(track: CaptionTrack, width: number, rows: number): Caption | null {
  const text = lookAtText(track, rows);
  if (text === null) return null;
  const appeared = track.cameAlone || track.wentAlone;
  if (!liesOnPicture(track) && !(appeared && text.likeness >= CLEAR_TEXT)) return null;
  if (text.box.left < SAFE_MARGIN * width || text.box.right > (1 - SAFE_MARGIN) * width) return null;
  const bright = track.polarity === 'bright';
  return {
    startSeconds:
      track.absentSeconds === null ? track.firstSeconds : (track.absentSeconds + track.firstSeconds) / 2,
    endSeconds: track.goneSeconds === null ? null : (track.lastSeconds + track.goneSeconds) / 2,
    box: toBox(text.box, width, rows),
    lineHeight: Math.max(...text.lines.map((line) => line.bottom - line.top)) / rows / INK_OF_LINE,
    color: track.colour.hex(text.inkLevel),
    outlined: isOutlined(text, bright),
    likeness: text.likeness,
    bright,
  };
}

/**
 * It outlasted a cut, the camera moved below it, the picture lived on around its strokes, or it came and went
 * while the rest stayed. A sign in a still shot shows none of these.
 */
function liesOnPicture(track: CaptionTrack): boolean {
  if (track.cameAlone && (track.wentAlone || track.goneSeconds === null)) return true;
  if (track.looks < LEAST_LOOKS) return false;
  const ink = track.inkChange / track.looks;
  const ground = track.groundChange / track.looks;
  const livesOn = ground >= PROVING_CHANGE && ground >= PROVING_RATIO * ink;
  return track.breaks > 0 || livesOn || (track.cameraPixels >= PROVING_PIXELS && ground > ink);
}

function isOutlined(text: TextLook, bright: boolean): boolean {
  const far = bright ? text.besideLevel <= OUTLINE_LEVEL : text.besideLevel >= 255 - OUTLINE_LEVEL;
  return far && text.besideEvenness >= OUTLINE_EVENNESS;
}

function toBox(box: PixelBox, width: number, rows: number): Box {
  return {
    x: box.left / width,
    y: box.top / rows,
    width: (box.right - box.left) / width,
    height: (box.bottom - box.top) / rows,
  };
}

interface Merged {
  startSeconds: number;
  endSeconds: number;
  box: Box;
  /** The piece that the look is taken from. */
  look: Caption;
  outlined: boolean;
}

/** Joins the pieces of a caption (its lines, its ink and its outline), leaves out what stood all the time. */
export function summariseCaptions(
  captions: readonly Caption[],
  clip: { readonly startSeconds: number; readonly endSeconds: number },
): CaptionFacts {
  const clipSeconds = clip.endSeconds - clip.startSeconds;
  const merged: Merged[] = [];
  const pieces = captions
    .map((look) => ({ look, endSeconds: look.endSeconds ?? clip.endSeconds }))
    .filter(({ look, endSeconds }) => endSeconds - look.startSeconds < MOST_OF_CLIP * clipSeconds)
    .sort((a, b) => a.look.startSeconds - b.look.startSeconds);
  for (const { look, endSeconds } of pieces) {
    const whole = merged.findLast((other) => belongs(other, look, endSeconds));
    if (whole === undefined) {
      const { startSeconds, box, outlined } = look;
      merged.push({ startSeconds, endSeconds, box, look, outlined });
    } else {
      join(whole, look, endSeconds);
    }
  }
  const spans = merged.map(({ startSeconds, endSeconds, box }) => ({ startSeconds, endSeconds, box }));
  return {
    share: clipSeconds > 0 ? Math.min(1, unionSeconds(spans) / clipSeconds) : 0,
    spans,
    style: merged.length === 0 ? null : describeStyle(merged),
    // That there are none is known the better the longer one has looked.
    confidence: merged.length === 0 ? Math.min(0.9, clipSeconds / 5) : sureness(merged),
  };
}

function belongs(whole: Merged, look: Caption, endSeconds: number): boolean {
  const together = Math.min(whole.endSeconds, endSeconds) - Math.max(whole.startSeconds, look.startSeconds);
  const shorter = Math.min(whole.endSeconds - whole.startSeconds, endSeconds - look.startSeconds);
  if (together < 0.5 * shorter) return false;
  const gap = 1.2 * Math.max(whole.look.lineHeight, look.lineHeight);
  const apart =
    Math.max(whole.box.y, look.box.y) -
    Math.min(whole.box.y + whole.box.height, look.box.y + look.box.height);
  const across =
    Math.min(whole.box.x + whole.box.width, look.box.x + look.box.width) - Math.max(whole.box.x, look.box.x);
  // Below each other, or words apart on one line: pieces of large type are found one by one.
  return (apart <= gap && across > 0) || (apart < 0 && across > -gap);
}

function join(whole: Merged, look: Caption, endSeconds: number): void {
  const a = whole.box;
  const b = look.box;
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  // Ink and outline are found as two pieces over each other: the inner, lower one is the ink.
  if (look.bright !== whole.look.bright && overlap(a, b) > 0.5) {
    whole.outlined = true;
    if (look.lineHeight < whole.look.lineHeight) whole.look = look;
  }
  whole.startSeconds = Math.min(whole.startSeconds, look.startSeconds);
  whole.endSeconds = Math.max(whole.endSeconds, endSeconds);
  whole.box = {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}

/** Intersection over the smaller box. */
function overlap(a: Box, b: Box): number {
  const toPixels = (box: Box): PixelBox => ({
    left: box.x,
    top: box.y,
    right: box.x + box.width,
    bottom: box.y + box.height,
  });
  return overlapArea(toPixels(a), toPixels(b)) / Math.min(area(toPixels(a)), area(toPixels(b)));
}

function unionSeconds(spans: readonly CaptionSpan[]): number {
  let total = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const span of spans) {
    total += Math.max(0, span.endSeconds - Math.max(until, span.startSeconds));
    until = Math.max(until, span.endSeconds);
  }
  return total;
}

function describeStyle(merged: readonly Merged[]): CaptionFacts['style'] {
  const heights = merged.map((caption) => caption.look.lineHeight).sort((a, b) => a - b);
  const middles = merged.map((caption) => caption.box.y + caption.box.height / 2).sort((a, b) => a - b);
  const middle = middles[middles.length >> 1];
  const colors = new Map<string, number>();
  for (const { look } of merged) colors.set(look.color, (colors.get(look.color) ?? 0) + 1);
  return {
    position: middle < 0.36 ? 'top' : middle > 0.62 ? 'bottom' : 'middle',
    // Lines without descenders or capitals measure low: the upper quartile is nearer to the type size.
    lineHeight: heights[Math.floor(0.75 * (heights.length - 1) + 0.5)],
    color: [...colors].sort((a, b) => b[1] - a[1])[0][0],
    outlined: merged.filter((caption) => caption.outlined).length * 2 >= merged.length,
  };
}

/** One caption may be a mistake, several of like kind hardly. */
function sureness(merged: readonly Merged[]): number {
  return 1 - merged.reduce((doubt, caption) => doubt * (1 - 0.6 * caption.look.likeness), 1);
}
