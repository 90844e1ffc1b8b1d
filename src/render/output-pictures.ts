import { writeFile } from 'node:fs/promises';
import type { Frame } from 'node-av/lib';
import type { Size } from '../footage.ts';
import {
  FILMSTRIP_TILES,
  Filmstrip,
  outputTileFilters,
  tileMoments,
  tileSize,
} from '../media/read/filmstrip.ts';
import { writeJpeg } from '../media/read/still.ts';

/** Where in the running time the poster is taken. */
const POSTER_SHARE = 0.4;

/** Where pictures of an output go. */
export interface OutputPicturePaths {
  readonly posterPath: string;
  /** Twelve frames in a row; left out: none. */
  readonly filmstripPath?: string;
}

/** Small pictures of an output, taken of its frames while they are drawn. Dispose of it. */
export class OutputPictures implements Disposable {
  readonly #paths: OutputPicturePaths;
  readonly #posterFrame: number;
  /** Ascending; some twice where there are fewer frames than tiles. */
  readonly #tileFrames: number[];
  readonly #strip: Filmstrip;
  readonly #written: Promise<void>[] = [];

  constructor(paths: OutputPicturePaths, size: Size, frameCount: number) {
    this.#paths = paths;
    this.#posterFrame = Math.floor(frameCount * POSTER_SHARE);
    this.#tileFrames =
      paths.filmstripPath === undefined ? [] : tileMoments(frameCount, FILMSTRIP_TILES).map(Math.floor);
    this.#strip = new Filmstrip(() => outputTileFilters(tileSize(size)));
  }

  /** `number` counts from 0. The frame may change after `settled`. */
  push(number: number, frame: Frame): void {
    if (number === this.#posterFrame) this.#written.push(writeJpeg(frame, this.#paths.posterPath));
    while (this.#tileFrames[this.#strip.length] === number) this.#strip.add(frame);
  }

  /** Until what was pushed is written. */
  async settled(): Promise<void> {
    await Promise.all(this.#written.splice(0));
  }

  /** After the last frame. */
  async finish(): Promise<void> {
    await this.settled();
    const { filmstripPath } = this.#paths;
    if (filmstripPath !== undefined) await writeFile(filmstripPath, await this.#strip.jpeg());
  }

  [Symbol.dispose](): void {
    this.#strip[Symbol.dispose]();
  }
}
