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
  /** Its widest piece of the tone that was found first, and of the other tone. */
  look: TextPiece;
  other: TextPiece | null;
  sure: boolean;
  moved: boolean;
}

/** Joins the pieces of each text: its lines, and its ink with its outline. */
export function joinPieces(pieces: readonly TextPiece[], clipEndSeconds: number): Text[] {
  const texts: Text[] = [];
  const sorted = pieces.toSorted((a, b) => a.startSeconds - b.startSeconds);
  // Texts that ended long before are skipped.
  let open = 0;
  for (const look of sorted) {
    const endSeconds = look.endSeconds ?? clipEndSeconds;
    while (open < texts.length && texts[open].endSeconds < look.startSeconds) open++;
    const near = texts.slice(open);
    if (
      !look.sure &&
      near.some((text) => isBriefer(look, endSeconds, text) && isMostlyOver(text.box, look.box))
    )
      continue;
    const whole = near.findLast(
      (text) => !isBriefer(look, endSeconds, text) && belongs(text, look, endSeconds),
    );
    if (whole === undefined) {
      const { startSeconds, box, sure, moved } = look;
      texts.push({ startSeconds, endSeconds, box, look, other: null, sure, moved });
    } else {
      join(whole, look, endSeconds);
    }
  }
  return texts.sort((a, b) => a.startSeconds - b.startSeconds);
}

/** Text that flickers beside a lasting text is not part of it. */
function isBriefer(look: TextPiece, endSeconds: number, text: Text): boolean {
  return 2 * (endSeconds - look.startSeconds) < text.endSeconds - text.startSeconds;
}

function belongs(text: Text, look: TextPiece, endSeconds: number): boolean {
  const together = Math.min(text.endSeconds, endSeconds) - Math.max(text.startSeconds, look.startSeconds);
  const shorter = Math.min(text.endSeconds - text.startSeconds, endSeconds - look.startSeconds);
  if (2 * together < shorter) return false;
  if (!isLikeType(text.look, look) && !isMostlyOver(look.box, text.box)) return false;
  const gap = LINE_ADVANCE * Math.max(text.look.lineHeight, look.lineHeight);
  const apart =
    Math.max(text.box.y, look.box.y) - Math.min(text.box.y + text.box.height, look.box.y + look.box.height);
  const across =
    Math.min(text.box.x + text.box.width, look.box.x + look.box.width) - Math.max(text.box.x, look.box.x);
  // Below each other, or on one line with a word between them: pieces of large type, and a highlighted word, are
  // found one by one.
  const wordGap = 2 * LINE_ADVANCE * Math.max(text.look.em, look.em);
  return (apart <= gap && across > 0) || (apart < 0 && across > -wordGap);
}

function join(text: Text, look: TextPiece, endSeconds: number): void {
  const a = text.box;
  const b = look.box;
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  if (look.bright === text.look.bright) {
    if (text.look.box.width < look.box.width) text.look = look;
  } else if (text.other === null || text.other.box.width < look.box.width) {
    text.other = look;
  }
  text.sure ||= look.sure;
  text.moved ||= look.moved;
  text.startSeconds = Math.min(text.startSeconds, look.startSeconds);
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
