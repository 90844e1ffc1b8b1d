import type { CubeGrade } from '../domain/footage.ts';
import type { ComponentName } from '../domain/job-choices.ts';
import { greyOf, rgbToLab } from '../signal/color-space.ts';
import { rounded } from '../signal/rounding.ts';
import { cubeColor } from '../style/model/cube-color.ts';
import { GREY_LEVELS, type Look } from '../style/model/look.ts';
import type { Style } from '../style/model/schema.ts';
import { writtenStyle } from './presets.ts';

/** The change of chroma is sampled at twelve hues of medium lightness and chroma, where most pictures are. */
const HUES = 12;
const [LIGHTNESS, CHROMA] = [0.5, 0.2];

/** Components that a 3D LUT defines. */
export const CUBE_COMPONENTS: readonly ComponentName[] = ['color'];

/** A Style DNA that describes the effect of a LUT on greys and chroma; the LUT itself is applied. */
export function styleOfCube(cube: CubeGrade): Style {
  return writtenStyle(lookOfCube(cube), { cut_frequency: 0 });
}

function lookOfCube(cube: CubeGrade): Look {
  const greys = GREY_LEVELS.map((level) => {
    const grey = greyOf(level);
    const [out, a, b] = labThrough(cube, [grey, grey, grey]);
    return { in: level, out: rounded(out, 2), a: rounded(a, 2), b: rounded(b, 2) };
  });
  const [, neutralA, neutralB] = labThrough(cube, [LIGHTNESS, LIGHTNESS, LIGHTNESS]);
  let [before, after] = [0, 0];
  for (let hue = 0; hue < HUES; hue++) {
    const color = [0, 1, 2].map(
      (axis) => LIGHTNESS + CHROMA * Math.cos(2 * Math.PI * (hue / HUES - axis / 3)),
    ) as [number, number, number];
    const [, a, b] = labOf(color);
    const [, newA, newB] = labThrough(cube, color);
    before += Math.hypot(a, b);
    after += Math.hypot(newA - neutralA, newB - neutralB);
  }
  return { greys, chroma: rounded(after / before, 2) };
}

function labThrough(cube: CubeGrade, color: readonly [number, number, number]) {
  return labOf(cubeColor(cube, color));
}

function labOf([red, green, blue]: readonly [number, number, number]): [number, number, number] {
  const lab = new Float64Array(3);
  rgbToLab(red, green, blue, lab);
  return [lab[0], lab[1], lab[2]];
}
