/** S3 takes parts from 5 MiB on, and 10,000 of them: these reach 78 GiB. */
export const PART_BYTES = 8 << 20;
/** Most of what is stored is smaller than a part: a memory begins with this and grows fourfold. */
const FIRST_BYTES = 64 << 10;

/**
 * Cuts a stream into parts of `PART_BYTES`. Whoever takes a part gives its memory back (`release`) once it is sent: new memories of that
 * size make the engine look through its whole heap each time, which takes more time than all else of an upload.
 */
export class PartFiller {
  #part: Buffer = Buffer.allocUnsafe(0);
  #filled = 0;
  readonly #released: Buffer[] = [];

  constructor(begun: Buffer = Buffer.alloc(0)) {
    this.#append(begun);
  }

  *add(chunk: Buffer): Generator<Buffer> {
    for (let at = 0; at < chunk.length; ) {
      const taken = Math.min(chunk.length - at, PART_BYTES - this.#filled);
      this.#append(chunk.subarray(at, at + taken));
      at += taken;
      if (this.#filled < PART_BYTES) return;
      const part = this.#part;
      this.#filled = 0;
      this.#part = Buffer.allocUnsafe(0);
      yield part;
      this.#part = this.#released.pop() ?? Buffer.allocUnsafe(PART_BYTES);
    }
  }

  /** The memory of a part that nobody reads any more. */
  release(part: Buffer): void {
    this.#released.push(part);
  }

  /** What does not fill a part. */
  rest(): Buffer {
    return this.#part.subarray(0, this.#filled);
  }

  #append(bytes: Buffer): void {
    const wanted = this.#filled + bytes.length;
    if (wanted > this.#part.length) {
      let size = Math.max(this.#part.length, FIRST_BYTES);
      while (size < wanted) size *= 4;
      const larger = Buffer.allocUnsafe(Math.min(size, PART_BYTES));
      larger.set(this.rest());
      this.#part = larger;
    }
    this.#part.set(bytes, this.#filled);
    this.#filled = wanted;
  }
}
