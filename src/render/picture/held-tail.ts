/** How much of a clip's end is held in memory while the next clip begins: about what a second decoder would take. */
const HELD_BYTES = 384e6;
const HELD_PICTURES = 8;
/** A transition lasts two seconds at the most and shows one of the clip's end: so many pictures in sources of 60 frames a second. */
const LONGEST_TAIL_PICTURES = 60;

/** Whether a tail of so many pictures is held, and not read by a second decoder. */
export function isHeld(pictures: number, pictureBytes: number): boolean {
  return pictures <= maxHeld(pictureBytes);
}

/** What a tail takes at the most, held or read. */
export function heldTailBytes(pictureBytes: number): number {
  return pictureBytes * Math.min(LONGEST_TAIL_PICTURES, maxHeld(pictureBytes));
}

function maxHeld(pictureBytes: number): number {
  return Math.max(HELD_PICTURES, Math.floor(HELD_BYTES / pictureBytes));
}
