import type { Box } from '../facts.ts';
import type { TextPiece } from './judge.ts';
import type { PixelBox } from './patch.ts';
import { isLikeType } from './place.ts';
import { area, overlapArea } from './regions.ts';

/** Distance of lines over their height. */
export const LINE_ADVANCE = 1.25;

/** A whole text: its lines, and its ink joined with its outline. */
export interface Text {
  startSeconds: number;
  endSeconds: number;
  box: Box;
  /** Widest piece of the tone that was found first; `other`: of the other tone. */
  piece: TextPiece;
  other: TextPiece | null;
  isOverlay: boolean;
  hasMoved: boolean;
}

/** Joins the pieces of each text: its lines, and its ink with its outline. */
export function joinPieces(pieces: readonly TextPiece[], clipEndSeconds: number): Text[] {
  const texts: Text[] = [];
  const sorted = pieces.toSorted((a, b) => a.startSeconds - b.startSeconds);
  // Texts that ended long before are skipped.
  let open = 0;
  for (const piece of sorted) {
    const endSeconds = piece.endSeconds ?? clipEndSeconds;
    while (open < texts.length && texts[open].endSeconds < piece.startSeconds) open++;
    const near = texts.slice(open);
    if (
      !piece.isOverlay &&
      near.some((text) => isBriefer(piece, endSeconds, text) && isMostlyOver(text.box, piece.box))
    )
      continue;
    const whole = near.findLast(
      (text) => !isBriefer(piece, endSeconds, text) && belongs(text, piece, endSeconds),
    );
    if (whole === undefined) {
      const { startSeconds, box, isOverlay, hasMoved } = piece;
      texts.push({ startSeconds, endSeconds, box, piece, other: null, isOverlay, hasMoved });
    } else {
      join(whole, piece, endSeconds);
    }
  }
  return texts.sort((a, b) => a.startSeconds - b.startSeconds);
}

/** Text that flickers beside a lasting text is not part of it. */
function isBriefer(piece: TextPiece, endSeconds: number, text: Text): boolean {
  return 2 * (endSeconds - piece.startSeconds) < text.endSeconds - text.startSeconds;
}

function belongs(text: Text, piece: TextPiece, endSeconds: number): boolean {
  const together = Math.min(text.endSeconds, endSeconds) - Math.max(text.startSeconds, piece.startSeconds);
  const shorter = Math.min(text.endSeconds - text.startSeconds, endSeconds - piece.startSeconds);
  if (2 * together < shorter) return false;
  if (!isLikeType(text.piece, piece) && !isMostlyOver(piece.box, text.box)) return false;
  const gap = LINE_ADVANCE * Math.max(text.piece.lineHeight, piece.lineHeight);
  const apart =
    Math.max(text.box.y, piece.box.y) -
    Math.min(text.box.y + text.box.height, piece.box.y + piece.box.height);
  const across =
    Math.min(text.box.x + text.box.width, piece.box.x + piece.box.width) - Math.max(text.box.x, piece.box.x);
  // Below each other, or on one line with a word between them: pieces of large type, and a highlighted word, are
  // found one by one.
  const wordGap = 2 * LINE_ADVANCE * Math.max(text.piece.em, piece.em);
  return (apart <= gap && across > 0) || (apart < 0 && across > -wordGap);
}

function join(text: Text, piece: TextPiece, endSeconds: number): void {
  const a = text.box;
  const b = piece.box;
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  if (piece.bright === text.piece.bright) {
    if (text.piece.box.width < piece.box.width) text.piece = piece;
  } else if (text.other === null || text.other.box.width < piece.box.width) {
    text.other = piece;
  }
  text.isOverlay ||= piece.isOverlay;
  text.hasMoved ||= piece.hasMoved;
  text.startSeconds = Math.min(text.startSeconds, piece.startSeconds);
  text.endSeconds = Math.max(text.endSeconds, endSeconds);
  text.box = {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}

/** Whether two boxes have at least half of the smaller one in common. */
export function isMostlyOver(a: Box, b: Box): boolean {
  const toPixels = (box: Box): PixelBox => ({
    left: box.x,
    top: box.y,
    right: box.x + box.width,
    bottom: box.y + box.height,
  });
  return 2 * overlapArea(toPixels(a), toPixels(b)) >= Math.min(area(toPixels(a)), area(toPixels(b)));
}
