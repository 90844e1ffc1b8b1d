import { writeFile } from 'node:fs/promises';
import type { Frame } from 'node-av/lib';
import type { Size } from '../../domain/footage.ts';
import { Filmstrip, outputTileFilters } from '../../media/read/filmstrip.ts';
import { tileMoments } from '../../media/read/filmstrip-layout.ts';
import { POSTER_QUALITY } from '../../media/read/still.ts';
import { posterSize } from '../../media/read/thumbnails.ts';
import type { FrameRange } from '../timeline/frame-schedule.ts';
import type { FramePictures } from './output-pictures.ts';

/** A twelfth of a usual reel of half a minute: its filmstrip has a picture of its own for each tile. */
const INTERVAL_SECONDS = 2.5;
/** In one row: a JPEG has at most 65,535 columns, and a picture up to 640. */
const MAX_PICTURES = 48;

/** Frames of a segment that are pictures of it, in order: the centers of equal parts. They depend on its length only. */
export function pictureFrames({ from, to }: FrameRange, rate: number): readonly number[] {
  const count = Math.min(MAX_PICTURES, Math.max(1, Math.round((to - from) / rate / INTERVAL_SECONDS)));
  return tileMoments(to - from, count).map((moment) => from + Math.floor(moment));
}

/**
 * Small pictures of a segment, made while it is drawn, as one JPEG: side by side, of `posterSize`. Report, poster and filmstrip of the output
 * need no decoding of it then. Must be disposed.
 */
export class SegmentPictures implements FramePictures, Disposable {
  readonly #live: FramePictures;
  readonly #path: string | undefined;
  readonly #frames: readonly number[];
  readonly #strip: Filmstrip;

  /** `live`: receives all frames too. `path`: of the JPEG; undefined: none is written. */
  constructor(
    { live, path }: { readonly live: FramePictures; readonly path: string | undefined },
    range: FrameRange,
    size: Size,
    rate: number,
  ) {
    this.#live = live;
    this.#path = path;
    this.#frames = path === undefined ? [] : pictureFrames(range, rate);
    this.#strip = new Filmstrip(() => outputTileFilters(posterSize(size)));
  }

  push(number: number, frame: Frame): void {
    this.#live.push(number, frame);
    if (this.#frames[this.#strip.length] === number) this.#strip.add(frame);
  }

  settled(): Promise<void> {
    return this.#live.settled();
  }

  async finish(): Promise<void> {
    await this.#live.finish();
    if (this.#path !== undefined) await writeFile(this.#path, await this.#strip.jpeg(POSTER_QUALITY));
  }

  [Symbol.dispose](): void {
    this.#strip[Symbol.dispose]();
  }
}
