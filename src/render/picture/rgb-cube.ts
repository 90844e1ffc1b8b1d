import type { CubeGrade } from '../../domain/footage.ts';
import { clamp } from '../../signal/interpolation.ts';
import { curveAt } from '../../style/model/cube-color.ts';

/** Looks colors up in a grade's table. `lookUp` writes its result to the fields, so that nothing is allocated. */
export class RgbCube {
  red = 0;
  green = 0;
  blue = 0;
  readonly #lut: Float32Array;
  readonly #size: number;
  readonly #curves: Float32Array | null;

  constructor({ size, rgb, curves }: CubeGrade) {
    this.#lut = rgb;
    this.#size = size;
    this.#curves = curves ?? null;
  }

  /** Gamma-encoded BT.709 RGB, 0..1; values outside are clamped. */
  lookUp(r: number, g: number, b: number): void {
    const curves = this.#curves;
    if (curves === null) this.#interpolate(r, g, b);
    else this.#interpolate(curveAt(curves, 0, r), curveAt(curves, 1, g), curveAt(curves, 2, b));
  }

  /**
   * Interpolates in the tetrahedron of the cell that contains the point: two opposite corners and two between (Kasson et al. 1995).
   * Greys lie on one edge of it, so that the tone curve of greys is exact.
   */
  #interpolate(r: number, g: number, b: number): void {
    const last = this.#size - 1;
    const x = Math.max(0, Math.min(last, r * last));
    const y = Math.max(0, Math.min(last, g * last));
    const z = Math.max(0, Math.min(last, b * last));
    const x0 = Math.min(last - 1, x | 0);
    const y0 = Math.min(last - 1, y | 0);
    const z0 = Math.min(last - 1, z | 0);
    const dx = x - x0;
    const dy = y - y0;
    const dz = z - z0;
    const stepX = 3;
    const stepY = 3 * this.#size;
    const stepZ = stepY * this.#size;
    const near = x0 * stepX + y0 * stepY + z0 * stepZ;
    const far = near + stepX + stepY + stepZ;
    if (dx >= dy) {
      if (dy >= dz) this.#mix(near, near + stepX, far - stepZ, far, dx, dy, dz);
      else if (dx >= dz) this.#mix(near, near + stepX, far - stepY, far, dx, dz, dy);
      else this.#mix(near, near + stepZ, far - stepY, far, dz, dx, dy);
    } else if (dz >= dy) this.#mix(near, near + stepZ, far - stepX, far, dz, dy, dx);
    else if (dz >= dx) this.#mix(near, near + stepY, far - stepX, far, dy, dz, dx);
    else this.#mix(near, near + stepY, far - stepZ, far, dy, dx, dz);
  }

  /**
   * Corners on the path from the near to the far one, along the axes with the largest, middle and least share. Values of imported
   * tables may lie outside 0..1 and are clamped.
   */
  #mix(n: number, one: number, two: number, f: number, most: number, middle: number, least: number): void {
    const lut = this.#lut;
    const [a, b, c] = [1 - most, most - middle, middle - least];
    this.red = clamp(a * lut[n] + b * lut[one] + c * lut[two] + least * lut[f], 0, 1);
    this.green = clamp(a * lut[n + 1] + b * lut[one + 1] + c * lut[two + 1] + least * lut[f + 1], 0, 1);
    this.blue = clamp(a * lut[n + 2] + b * lut[one + 2] + c * lut[two + 2] + least * lut[f + 2], 0, 1);
  }
}
