import { VERTEX } from './gl-shaders.ts';

/** A compiled program with its uniforms by name. */
export class GlProgram {
  readonly #gl: WebGL2RenderingContext;
  readonly #program: WebGLProgram;
  readonly #places = new Map<string, WebGLUniformLocation | null>();

  constructor(gl: WebGL2RenderingContext, fragment: string) {
    this.#gl = gl;
    this.#program = gl.createProgram();
    for (const [type, text] of [
      [gl.VERTEX_SHADER, VERTEX],
      [gl.FRAGMENT_SHADER, fragment],
    ] as const) {
      const shader = gl.createShader(type)!;
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(this.#program, shader);
      gl.deleteShader(shader);
    }
    gl.linkProgram(this.#program);
    if (gl.getProgramParameter(this.#program, gl.LINK_STATUS) !== true && !gl.isContextLost())
      throw new Error(`A shader is wrong: ${gl.getProgramInfoLog(this.#program)}`);
  }

  use(): this {
    // biome-ignore lint/correctness/useHookAtTopLevel: a method of WebGL.
    this.#gl.useProgram(this.#program);
    return this;
  }

  integer(name: string, value: number): this {
    this.#gl.uniform1i(this.#place(name), value);
    return this;
  }

  number(name: string, ...values: number[]): this {
    const place = this.#place(name);
    const [x, y, z, w] = values as [number, number, number, number];
    if (values.length === 1) this.#gl.uniform1f(place, x);
    else if (values.length === 2) this.#gl.uniform2f(place, x, y);
    else if (values.length === 3) this.#gl.uniform3f(place, x, y, z);
    else this.#gl.uniform4f(place, x, y, z, w);
    return this;
  }

  draw(): void {
    this.#gl.drawArrays(this.#gl.TRIANGLES, 0, 3);
  }

  #place(name: string): WebGLUniformLocation | null {
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    const place = this.#gl.getUniformLocation(this.#program, name);
    this.#places.set(name, place);
    return place;
  }

  delete(): void {
    this.#gl.deleteProgram(this.#program);
  }
}

/** A 2D texture whose storage is made again only when its size or format changes. */
export class GlTexture {
  readonly texture: WebGLTexture;
  readonly #gl: WebGL2RenderingContext;
  #state = '';

  constructor(gl: WebGL2RenderingContext, filter: number = gl.LINEAR) {
    this.#gl = gl;
    this.texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, filter);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, filter);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  }

  bind(unit: number): void {
    this.#gl.activeTexture(this.#gl.TEXTURE0 + unit);
    this.#gl.bindTexture(this.#gl.TEXTURE_2D, this.texture);
  }

  /** `channels`: 1 or 2 bytes a pixel, rows without padding. */
  setBytes(width: number, height: number, channels: 1 | 2, bytes: Uint8Array): void {
    const gl = this.#gl;
    const [inside, format] = channels === 1 ? [gl.R8, gl.RED] : [gl.RG8, gl.RG];
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    if (this.#changes(`${width}x${height}x${channels}`))
      gl.texImage2D(gl.TEXTURE_2D, 0, inside, width, height, 0, format, gl.UNSIGNED_BYTE, bytes);
    else gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, height, format, gl.UNSIGNED_BYTE, bytes);
  }

  setImage(image: TexImageSource, isPremultiplied = false): void {
    const gl = this.#gl;
    this.#state = 'image';
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, isPremultiplied);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
  }

  /** Quadruples of numbers, one row. */
  setNumbers(values: Float32Array): void {
    const gl = this.#gl;
    this.#state = 'numbers';
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, values.length / 4, 1, 0, gl.RGBA, gl.FLOAT, values);
  }

  /** Storage to draw into. */
  setSize(width: number, height: number): void {
    const gl = this.#gl;
    if (!this.#changes(`${width}x${height}`)) return;
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
  }

  #changes(state: string): boolean {
    if (this.#state === state) return false;
    this.#state = state;
    return true;
  }

  delete(): void {
    this.#gl.deleteTexture(this.texture);
  }
}

/** A texture that is drawn into. */
export class GlTarget {
  readonly texture: GlTexture;
  width = 0;
  height = 0;
  readonly #gl: WebGL2RenderingContext;
  readonly #frame: WebGLFramebuffer;

  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl;
    this.texture = new GlTexture(gl);
    this.#frame = gl.createFramebuffer();
  }

  begin(width: number, height: number): void {
    const gl = this.#gl;
    this.texture.setSize(width, height);
    [this.width, this.height] = [width, height];
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#frame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.texture.texture, 0);
    gl.viewport(0, 0, width, height);
  }

  delete(): void {
    this.texture.delete();
    this.#gl.deleteFramebuffer(this.#frame);
  }
}
