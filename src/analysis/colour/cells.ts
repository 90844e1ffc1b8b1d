/** Side of a cell, CIELAB units. */
const STEP = 4;
/** Cells run from 0 to REACH in lightness, and from -REACH to REACH in a and b; what lies beyond counts in the outermost. */
export const REACH = 100;
const ROWS = REACH / STEP + 1;
const SIDE = (2 * REACH) / STEP + 1;

/**
 * A histogram of CIELAB whose cells keep the mean of their pixels, so that their size hardly shows. Only the cells in
 * use are ever visited: a shot has some hundreds.
 */
export class ColourCells {
  readonly #weights = new Float64Array(ROWS * SIDE * SIDE);
  /** Sums of L, a, b by cell. */
  readonly #sums = new Float64Array(ROWS * SIDE * SIDE * 3);
  readonly #used: number[] = [];

  add(lightness: number, a: number, b: number): void {
    const row = (lightness / STEP + 0.5) | 0;
    const cell = ((row < 0 ? 0 : row >= ROWS ? ROWS - 1 : row) * SIDE + placeOf(a)) * SIDE + placeOf(b);
    this.#addTo(cell, 1, lightness, a, b);
  }

  /** Adds `other` with its weights times `scale`. */
  merge(other: ColourCells, scale: number): void {
    const sums = other.#sums;
    for (const cell of other.#used) {
      const at = cell * 3;
      this.#addTo(
        cell,
        other.#weights[cell]! * scale,
        sums[at]! * scale,
        sums[at + 1]! * scale,
        sums[at + 2]! * scale,
      );
    }
  }

  clear(): void {
    for (const cell of this.#used) {
      this.#weights[cell] = 0;
      this.#sums.fill(0, cell * 3, cell * 3 + 3);
    }
    this.#used.length = 0;
  }

  /** Four numbers a cell in use: weight and mean L, a, b. */
  list(): Float64Array {
    const cells = new Float64Array(this.#used.length * 4);
    for (const [index, cell] of this.#used.entries()) {
      const weight = this.#weights[cell]!;
      const mean = this.#sums.subarray(cell * 3, cell * 3 + 3).map((sum) => sum / weight);
      cells.set([weight, ...mean], index * 4);
    }
    return cells;
  }

  #addTo(cell: number, weight: number, lightness: number, a: number, b: number): void {
    if (this.#weights[cell] === 0) this.#used.push(cell);
    this.#weights[cell]! += weight;
    this.#sums[cell * 3]! += lightness;
    this.#sums[cell * 3 + 1]! += a;
    this.#sums[cell * 3 + 2]! += b;
  }
}

function placeOf(value: number): number {
  const place = ((value + REACH) / STEP + 0.5) | 0;
  return place < 0 ? 0 : place >= SIDE ? SIDE - 1 : place;
}
