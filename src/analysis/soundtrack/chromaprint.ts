/**
 * Chromaprint's compressed fingerprint, algorithm 1. The header is one byte of algorithm and three of count.
 * Each number has the distances between the bits that differ from the number before, 3 bits each, ended by 0.
 * A 7 continues in 5 bits after all of them (L. Lalinský, "How does Chromaprint work?", 2011, and the
 * library's documentation).
 */
const HEADER_BYTES = 4;
/** Largest distance in 3 bits, and the bits that continue it. */
const LONGEST_DISTANCE = 7;
const MORE_BITS = 5;
const LARGEST_COUNT = 1 << 16;

/** One number per 1366 samples at 11,025 Hz (frames of 4096 that overlap by two thirds). */
export const FINGERPRINT_STEP_SECONDS = 1366 / 11_025;

/** The 32-bit numbers of a fingerprint in URL-safe base64; null if it is not of algorithm 1. */
export function decodeFingerprint(text: string): Uint32Array | null {
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  const count = (bytes[1] << 16) | (bytes[2] << 8) | bytes[3];
  if (bytes.length < HEADER_BYTES || bytes[0] !== 1 || count > LARGEST_COUNT) return null;
  const body = bytes.subarray(HEADER_BYTES);
  const distances: number[] = [];
  let place = 0;
  for (let ended = 0; ended < count; place += 3) {
    const distance = bitsAt(body, place, 3);
    if (distance === null) return null;
    distances.push(distance);
    if (distance === 0) ended += 1;
  }
  place = Math.ceil(place / 8) * 8;
  for (let i = 0; i < distances.length; i++) {
    if (distances[i] !== LONGEST_DISTANCE) continue;
    const more = bitsAt(body, place, MORE_BITS);
    if (more === null) return null;
    distances[i] += more;
    place += MORE_BITS;
  }
  return numbersOf(distances, count);
}

function numbersOf(distances: readonly number[], count: number): Uint32Array {
  const numbers = new Uint32Array(count);
  let index = 0;
  let bit = 0;
  let changed = 0;
  for (const distance of distances) {
    if (distance !== 0) {
      bit += distance;
      changed |= 1 << (bit - 1);
      continue;
    }
    numbers[index] = (index === 0 ? 0 : numbers[index - 1]) ^ changed;
    index += 1;
    bit = 0;
    changed = 0;
  }
  return numbers;
}

/** Lowest bit first; null past the end. */
function bitsAt(bytes: Uint8Array, place: number, width: number): number | null {
  let value = 0;
  for (let b = 0; b < width; b++) {
    const byte = bytes[(place + b) >> 3];
    if (byte === undefined) return null;
    value |= ((byte >> ((place + b) & 7)) & 1) << b;
  }
  return value;
}
