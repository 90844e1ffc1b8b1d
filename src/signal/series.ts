/** A growing list of numbers in single precision: what is kept per frame of sound for up to hours. */
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
