import type { Frame } from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';
import type { Size } from '../../domain/footage.ts';
import { LinearGraph } from '../av/graph.ts';
import { MEAN_FLAGS } from '../av/output-colors.ts';
import { encodeJpeg, type JpegQuality } from './still.ts';

/** A tile of 213x120 takes 3 to 9 kB. */
const QUALITY: JpegQuality = { best: 4, worst: 9 };

/** Frames of other takes have other tags, and a filter graph begins again where tags change: with it the row of tiles. */
const SAME_TAGS = 'setsar=1,setparams=range=pc:color_primaries=bt709:color_trc=bt709:colorspace=smpte170m';

/** Filters for a tile of a rendered picture (BT.709, limited range). */
export function outputTileFilters({ width, height }: Size): string {
  const colors = 'in_color_matrix=bt709:out_color_matrix=smpte170m:in_range=limited:out_range=full';
  return `scale=${width}:${height}:${MEAN_FLAGS}:${colors}`;
}

/** Thumbnails side by side in one picture. Must be disposed. */
export class Filmstrip implements Disposable {
  readonly #tiles: Frame[] = [];
  readonly #graph: LinearGraph;

  /** `filters`: convert a frame to a tile with JPEG's colors. */
  constructor(filters: (frame: Frame) => string) {
    this.#graph = new LinearGraph(
      'video',
      { num: 1, den: 1 },
      (frame) => `${filters(frame)},format=yuvj420p,${SAME_TAGS}`,
    );
  }

  get length(): number {
    return this.#tiles.length;
  }

  /** Adds a tile and returns it; it is valid until the strip is disposed. */
  add(frame: Frame): Frame {
    const before = this.#tiles.length;
    this.#graph.push(frame, (drawn) => {
      const tile = drawn.clone();
      if (tile !== null && this.#tiles.length === before) this.#tiles.push(tile);
    });
    const tile = this.#tiles[before];
    if (tile === undefined) throw new Failure('ENCODER_FAILED', 'A filter chain lost a frame');
    return tile;
  }

  /** All tiles as one JPEG. Requires at least one tile. */
  async jpeg(quality = QUALITY): Promise<Buffer> {
    const joined: Frame[] = [];
    const count = this.#tiles.length;
    using graph = new LinearGraph('video', { num: 1, den: 1 }, () => `tile=layout=${count}x1`);
    const keep = (out: Frame) => {
      const frame = out.clone();
      if (frame !== null) joined.push(frame);
    };
    try {
      for (const tile of this.#tiles) graph.push(tile, keep);
      graph.push(null, keep);
      if (joined[0] === undefined) throw new Failure('ENCODER_FAILED', 'The filmstrip could not be joined');
      return await encodeJpeg(joined[0], 'null', quality);
    } finally {
      for (const frame of joined) frame.free();
    }
  }

  [Symbol.dispose](): void {
    for (const tile of this.#tiles) tile.free();
    this.#graph[Symbol.dispose]();
  }
}
