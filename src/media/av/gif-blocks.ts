/** Bytes before the color table: signature, and the description of the screen (GIF89a, sections 17 and 18). */
const HEADER_BYTES = 13;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
/** Bytes of an image's description, before its color table (section 20). */
const IMAGE_BYTES = 10;

/** Whether the first picture of a GIF has all blocks of its data. */
export function hasWholePicture(gif: Uint8Array): boolean {
  let at = HEADER_BYTES + tableBytes(gif[10] ?? 0);
  while (gif[at] === EXTENSION) {
    const end = endOfBlocks(gif, at + 2);
    if (end === null) return false;
    at = end;
  }
  if (gif[at] !== IMAGE) return false;
  // A byte with the length of codes precedes the data.
  return endOfBlocks(gif, at + IMAGE_BYTES + tableBytes(gif[at + 9] ?? 0) + 1) !== null;
}

/** Bytes of a color table, by the flags before it. */
function tableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

/** Position behind a chain of blocks, each with its length before it, and the empty one that ends it; null: the chain is cut off. */
function endOfBlocks(gif: Uint8Array, from: number): number | null {
  for (let at = from; at < gif.length; at += gif[at]! + 1) if (gif[at] === 0) return at + 1;
  return null;
}
