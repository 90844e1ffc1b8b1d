/** Limit for buffering a clip's end while the next clip begins: about the memory of a second decoder. */
const HELD_BYTES = 384e6;
const HELD_PICTURES = 8;
/** A transition lasts at most two seconds and shows one second of the clip's end: 60 pictures at 60 frames a second. */
const MAX_TAIL_PICTURES = 60;

/** Whether a tail is buffered (true) or read by a second decoder. `pictureBytes`: of one picture. */
export function isHeld(pictures: number, pictureBytes: number): boolean {
  return pictures <= maxHeld(pictureBytes);
}

/** Upper bound of the memory for a tail, buffered or read by a second decoder. */
export function heldTailBytes(pictureBytes: number): number {
  return pictureBytes * Math.min(MAX_TAIL_PICTURES, maxHeld(pictureBytes));
}

function maxHeld(pictureBytes: number): number {
  return Math.max(HELD_PICTURES, Math.floor(HELD_BYTES / pictureBytes));
}
