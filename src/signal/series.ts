/** A growing list of numbers in single precision, for values per frame of hours of sound. */
export class Series {
  #values = new Float32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const grown = new Float32Array(this.#values.length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length++] = value;
  }

  /** A view, valid until the next `push`. */
  values(): Float32Array {
    return this.#values.subarray(0, this.#length);
  }
}
