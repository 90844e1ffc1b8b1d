/** S3 accepts parts of at least 5 MiB, and 10,000 of them: these reach 78 GiB. */
export const PART_BYTES = 8 << 20;
/** Most objects are smaller than a part: a buffer begins with this size and grows fourfold. */
const FIRST_BYTES = 64 << 10;

/**
 * Splits a stream into parts of `PART_BYTES`. The consumer returns the buffer of a sent part (`release`).
 * Each new buffer of this size makes V8 collect its whole heap, which costs more time than the rest of an
 * upload.
 */
export class PartFiller {
  #part: Buffer = Buffer.allocUnsafe(0);
  #filled = 0;
  readonly #released: Buffer[] = [];

  constructor(first: Buffer = Buffer.alloc(0)) {
    this.#append(first);
  }

  *add(chunk: Buffer): Generator<Buffer> {
    for (let at = 0; at < chunk.length; ) {
      const copiedBytes = Math.min(chunk.length - at, PART_BYTES - this.#filled);
      this.#append(chunk.subarray(at, at + copiedBytes));
      at += copiedBytes;
      if (this.#filled < PART_BYTES) return;
      const part = this.#part;
      this.#filled = 0;
      this.#part = Buffer.allocUnsafe(0);
      yield part;
      this.#part = this.#released.pop() ?? Buffer.allocUnsafe(PART_BYTES);
    }
  }

  /** Makes the buffer of a sent part available again. */
  release(part: Buffer): void {
    this.#released.push(part);
  }

  /** The bytes that do not fill a part. */
  rest(): Buffer {
    return this.#part.subarray(0, this.#filled);
  }

  #append(bytes: Buffer): void {
    const neededBytes = this.#filled + bytes.length;
    if (neededBytes > this.#part.length) {
      let size = Math.max(this.#part.length, FIRST_BYTES);
      while (size < neededBytes) size *= 4;
      const larger = Buffer.allocUnsafe(Math.min(size, PART_BYTES));
      larger.set(this.rest());
      this.#part = larger;
    }
    this.#part.set(bytes, this.#filled);
    this.#filled = neededBytes;
  }
}
