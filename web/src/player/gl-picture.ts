import type { CubeGrade } from '../../../src/domain/footage.ts';
import { type GlProgram, GlTexture } from './gl-resources.ts';
import type { Picture } from './picture.ts';

/** Units of textures: the picture's planes, then the grade's table and curves. */
const PLANE_UNITS = [0, 1, 2] as const;
const CUBE_UNIT = 3;
const CURVES_UNIT = 4;
/** Free for textures that were drawn. */
export const DRAWN_UNIT = 5;
export const OTHER_UNIT = 6;

/** One decoded picture as textures. */
export class GlPicture {
  width = 0;
  height = 0;
  readonly #planes: readonly GlTexture[];
  #layout = 2;
  #picture: Picture | null = null;

  constructor(gl: WebGL2RenderingContext) {
    this.#planes = PLANE_UNITS.map(() => new GlTexture(gl));
  }

  set(picture: Picture): void {
    if (picture === this.#picture) return;
    this.#picture = picture;
    const { width, height } = picture;
    [this.width, this.height] = [width, height];
    const [luma, blue, red] = this.#planes as [GlTexture, GlTexture, GlTexture];
    if (picture.kind === 'image') {
      luma.setImage(picture.image);
      this.#layout = 2;
      return;
    }
    const bytes = new Uint8Array(picture.data);
    const [wide, high] = [(width + 1) >> 1, (height + 1) >> 1];
    const start = width * height;
    luma.setBytes(width, height, 1, bytes.subarray(0, start));
    if (picture.format === 'NV12') blue.setBytes(wide, high, 2, bytes.subarray(start));
    else {
      blue.setBytes(wide, high, 1, bytes.subarray(start, start + wide * high));
      red.setBytes(wide, high, 1, bytes.subarray(start + wide * high));
    }
    this.#layout = picture.format === 'NV12' ? 1 : 0;
  }

  bind(program: GlProgram): GlProgram {
    for (const unit of PLANE_UNITS) {
      this.#planes[unit]!.bind(unit);
      program.integer(`plane${unit}`, unit);
    }
    return program.integer('layout_', this.#layout).number('pictureSize', this.width, this.height);
  }

  delete(): void {
    for (const plane of this.#planes) plane.delete();
  }
}

/** The table of a grade as textures. */
export class GlCube {
  readonly #gl: WebGL2RenderingContext;
  readonly #size: number;
  readonly #curveCount: number;
  readonly #table: WebGLTexture;
  readonly #curves: GlTexture;

  constructor(gl: WebGL2RenderingContext, { size, rgb, curves }: CubeGrade) {
    this.#gl = gl;
    this.#size = size;
    this.#curveCount = curves === undefined ? 0 : curves.length / 3;
    this.#table = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_3D, this.#table);
    gl.texParameteri(gl.TEXTURE_3D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_3D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 4);
    gl.texImage3D(gl.TEXTURE_3D, 0, gl.RGBA32F, size, size, size, 0, gl.RGBA, gl.FLOAT, quadruples(rgb));
    this.#curves = new GlTexture(gl, gl.NEAREST);
    this.#curves.setNumbers(quadruples(curves ?? new Float32Array(3)));
  }

  bind(program: GlProgram, share: number): void {
    const gl = this.#gl;
    gl.activeTexture(gl.TEXTURE0 + CUBE_UNIT);
    gl.bindTexture(gl.TEXTURE_3D, this.#table);
    this.#curves.bind(CURVES_UNIT);
    program.integer('cube', CUBE_UNIT).integer('curves', CURVES_UNIT);
    program.integer('cubeSize', this.#size).integer('curveCount', this.#curveCount);
    program.number('gradeShare', share);
  }

  delete(): void {
    this.#gl.deleteTexture(this.#table);
    this.#curves.delete();
  }
}

/** A program that would look up a table, without one. The units must differ: samplers of two kinds may not share one. */
export function bindNoCube(program: GlProgram): void {
  program.integer('cube', CUBE_UNIT).integer('curves', CURVES_UNIT).integer('cubeSize', 0);
}

function quadruples(triples: Float32Array): Float32Array {
  const out = new Float32Array((triples.length / 3) * 4);
  for (let from = 0, to = 0; from < triples.length; from += 3, to += 4) {
    out[to] = triples[from]!;
    out[to + 1] = triples[from + 1]!;
    out[to + 2] = triples[from + 2]!;
    out[to + 3] = 1;
  }
  return out;
}
