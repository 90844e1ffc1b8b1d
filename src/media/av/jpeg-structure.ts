/** Segments of the first picture in a JPEG file (ITU-T T.81, annex B). */

const [SOI, EOI, SOS, TEM] = [0xd8, 0xd9, 0xda, 0x01];
const COEFFICIENTS = 64;

export interface JpegStructure {
  /** Position behind the end marker; null: the picture has none. */
  readonly end: number | null;
  /** Whether the scans contain each coefficient of each component in full precision. Their data can still be cut off. */
  readonly hasAllScans: boolean;
}

/** A scan header, or the start of a frame. */
interface Segment {
  readonly marker: number;
  readonly body: Buffer;
}

/** Reads the segments up to the end of the first picture, or of the data. */
export function jpegStructure(data: Buffer): JpegStructure {
  const missing = new MissingCoefficients();
  let at = nextMarker(data, 0);
  while (at < data.length) {
    const marker = data[at + 1]!;
    if (marker === EOI) return { end: at + 2, hasAllScans: missing.isEmpty };
    at += 2;
    if (!isAlone(marker)) {
      if (at + 2 > data.length) break;
      const end = at + data.readUInt16BE(at);
      if (end > data.length) break;
      missing.push({ marker, body: data.subarray(at + 2, end) });
      at = end;
    }
    at = nextMarker(data, at);
  }
  return { end: null, hasAllScans: missing.isEmpty };
}

/** Markers without a segment: restarts, start and end. */
function isAlone(marker: number): boolean {
  return (marker >= 0xd0 && marker <= EOI) || marker === SOI || marker === TEM;
}

/** Position of the next marker; the data's length if there is none. Entropy-coded data contain FF only as FF 00. */
function nextMarker(data: Buffer, from: number): number {
  for (let at = data.indexOf(0xff, from); at >= 0 && at + 1 < data.length; at = data.indexOf(0xff, at + 1))
    if (data[at + 1] !== 0 && data[at + 1] !== 0xff) return at;
  return data.length;
}

/** Coefficients that no scan has brought to full precision. */
class MissingCoefficients {
  /** By component; null: before the start of the frame. */
  #missing: Map<number, Set<number>> | null = null;
  #isProgressive = false;

  get isEmpty(): boolean {
    return this.#missing !== null && [...this.#missing.values()].every(({ size }) => size === 0);
  }

  push({ marker, body }: Segment): void {
    if (isFrameStart(marker)) this.#begin(marker, body);
    else if (marker === SOS) this.#remove(body);
  }

  #begin(marker: number, body: Buffer): void {
    this.#isProgressive = [0xc2, 0xc6, 0xca, 0xce].includes(marker);
    const count = body[5] ?? 0;
    const all = Array.from({ length: COEFFICIENTS }, (_, index) => index);
    const components = Array.from({ length: count }, (_, index) => body[6 + 3 * index] ?? 0);
    this.#missing = new Map(components.map((component) => [component, new Set(all)]));
  }

  #remove(scan: Buffer): void {
    const count = scan[0] ?? 0;
    const [first = 0, last = 0, approximation = 0] = scan.subarray(1 + 2 * count);
    // The low half: bits that are still to come.
    if (this.#isProgressive && (approximation & 15) !== 0) return;
    const [from, to] = this.#isProgressive ? [first, last] : [0, COEFFICIENTS - 1];
    for (let index = 0; index < count; index++) {
      const missing = this.#missing?.get(scan[1 + 2 * index] ?? -1);
      for (let coefficient = from; coefficient <= to; coefficient++) missing?.delete(coefficient);
    }
  }
}

/** SOF0 to SOF15, without DHT, JPG and DAC. */
function isFrameStart(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}
