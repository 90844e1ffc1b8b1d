/** For a square picture; 12 × 7 for 16:9. */
const CELLS = 81;
const RINGS = 10;

/** A division of the pixels into bands: columns, rows, rings, cells, or the whole. */
export interface Banding {
  readonly count: number;
  /** Band of each pixel. */
  readonly of: Uint16Array;
  /** Pixels per band. */
  readonly sizes: Float64Array;
}

/** The divisions for one picture size. */
export class Bandings {
  readonly whole: Banding;
  readonly columns: Banding;
  readonly rows: Banding;
  readonly rings: Banding;
  readonly cells: Banding;
  readonly cellsAcross: number;
  readonly cellsDown: number;

  constructor(width: number, height: number) {
    this.cellsAcross = Math.max(1, Math.min(width, Math.round(Math.sqrt((CELLS * width) / height))));
    this.cellsDown = Math.max(1, Math.min(height, Math.round((this.cellsAcross * height) / width)));
    const band = (count: number, of: (x: number, y: number) => number): Banding => {
      const map = new Uint16Array(width * height);
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) map[y * width + x] = of((x + 0.5) / width, (y + 0.5) / height);
      }
      const sizes = new Float64Array(count);
      for (const index of map) sizes[index] += 1;
      return { count, of: map, sizes };
    };
    const { cellsAcross, cellsDown } = this;
    const reach = Math.hypot(width, height) / 2;
    this.whole = band(1, () => 0);
    this.columns = band(cellsAcross, (x) => Math.floor(x * cellsAcross));
    this.rows = band(cellsDown, (_, y) => Math.floor(y * cellsDown));
    this.rings = band(RINGS, (x, y) => {
      const radius = Math.hypot((x - 0.5) * width, (y - 0.5) * height) / reach;
      return Math.min(RINGS - 1, Math.floor(radius * RINGS));
    });
    this.cells = band(
      cellsAcross * cellsDown,
      (x, y) => Math.floor(y * cellsDown) * cellsAcross + Math.floor(x * cellsAcross),
    );
  }
}

let cached: { width: number; height: number; bandings: Bandings } | null = null;

/** The same for all windows of a clip, so the last size is cached. */
export function bandingsFor(width: number, height: number): Bandings {
  if (cached === null || cached.width !== width || cached.height !== height) {
    cached = { width, height, bandings: new Bandings(width, height) };
  }
  return cached.bandings;
}
