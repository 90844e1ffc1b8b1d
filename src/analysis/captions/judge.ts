import type { Box } from '../facts.ts';
import type { InkColor } from './color.ts';
import type { PixelBox } from './patch.ts';
import { ROW_STEP } from './regions.ts';
import { ONE_TONE_LEVELS, type TextReader, type TextShape } from './text.ts';
import type { CaptionTrack } from './track.ts';

/** Samples after which an unchanged track is neither a moving texture by chance nor a word of a row of words. */
export const MIN_SAMPLES = 3;

const JUDGE = {
  /** Least change of the background, grey levels per sample, that shows a live picture below the text. */
  provingChange: 3,
  /**
   * Captions keep clear of the picture's edges, textures reach them: least distance, share of the width and of
   * the height.
   */
  safeMargin: 0.015,
  /** Least distance of a text with a clear line: that from subtitles in a box on the lower edge. */
  clearMargin: 0.005,
  /** Share of points beside the ink that have the tone of an outline or a box. */
  outlineEvenness: 0.6,
} as const;
/** Height of the rows of ink over the type size: capital or ascender to baseline, sometimes with a descender. */
export const INK_OF_LINE = 0.77;

/** Text that stayed for a while in one place. */
export interface TextPiece {
  readonly startSeconds: number;
  /** Null: until the end of the clip. */
  readonly endSeconds: number | null;
  readonly box: Box;
  /** Share of the picture's height. */
  readonly lineHeight: number;
  /** The same as a share of its width. */
  readonly em: number;
  readonly inkLevel: number;
  readonly color: InkColor;
  /** Background of the text: an even tone that continues beyond it, an even tone along its edge, or neither. */
  readonly ground: 'box' | 'outline' | 'open';
  readonly likeness: number;
  /** Mean width of its upright strokes over the type size. */
  readonly strokeWidth: number;
  /** Pixels of ink in each of its columns. */
  readonly columns: Uint16Array;
  readonly bright: boolean;
  /** The same text was seen nearby shortly before or after: it moves with the scene, or scrolls. */
  hasMoved: boolean;
  /** There is evidence that it is an overlay and not part of the scene. */
  readonly isOverlay: boolean;
}

/** Null when the track is no text. */
export function judgeTrack(
  track: CaptionTrack,
  reader: TextReader,
  width: number,
  rows: number,
): TextPiece | null {
  const text = reader.read(track.patch());
  if (text === null || !isClearOfEdges(text, width, rows)) return null;
  return describePiece(text, {
    startSeconds:
      track.absentSeconds === null ? track.firstSeconds : (track.absentSeconds + track.firstSeconds) / 2,
    endSeconds: track.goneSeconds === null ? null : (track.lastSeconds + track.goneSeconds) / 2,
    color: track.color,
    bright: track.polarity === 'bright',
    isOverlay: track.sampleCount >= MIN_SAMPLES && liesOnPicture(track),
    width,
    rows,
  });
}

interface PieceFacts
  extends Pick<TextPiece, 'startSeconds' | 'endSeconds' | 'color' | 'bright' | 'isOverlay'> {
  readonly width: number;
  readonly rows: number;
}

export function describePiece(text: TextShape, facts: PieceFacts): TextPiece {
  const { width, rows, ...rest } = facts;
  const lineRows = Math.max(...text.lines.map((line) => line.bottom - line.top)) / INK_OF_LINE;
  return {
    ...rest,
    hasMoved: false,
    box: toBox(text.box, width, rows),
    lineHeight: lineRows / rows,
    em: (lineRows * ROW_STEP) / width,
    inkLevel: text.inkLevel,
    ground: groundOf(text),
    likeness: text.likeness,
    strokeWidth: text.strokeWidth * INK_OF_LINE,
    columns: text.columns,
  };
}

export function isClearOfEdges({ box, isClear }: TextShape, width: number, rows: number): boolean {
  const margin = isClear ? JUDGE.clearMargin : JUDGE.safeMargin;
  const isInside = (from: number, to: number, length: number) =>
    from >= margin * length && to <= (1 - margin) * length;
  return isInside(box.left, box.right, width) && isInside(box.top, box.bottom, rows);
}

/**
 * An overlay outlasts a cut, keeps its strokes while the picture below changes, or appears and disappears while
 * the rest is still. A sign in a still shot shows none of these.
 */
function liesOnPicture(track: CaptionTrack): boolean {
  if (track.isIndependent && (track.wentAlone || track.goneSeconds === null)) return true;
  const isOverMovingPicture =
    track.groundChange >= Math.max(track.inkChange, JUDGE.provingChange * track.sampleCount);
  return track.breaks > 0 || isOverMovingPicture;
}

function groundOf(text: TextShape): TextPiece['ground'] {
  if (text.besideEvenness < JUDGE.outlineEvenness) return 'open';
  return Math.abs(text.aroundLevel - text.besideLevel) >= ONE_TONE_LEVELS ? 'outline' : 'box';
}

function toBox(box: PixelBox, width: number, rows: number): Box {
  return {
    x: box.left / width,
    y: box.top / rows,
    width: (box.right - box.left) / width,
    height: (box.bottom - box.top) / rows,
  };
}
