import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from 'node-av/lib';
import type { Size } from '../../domain/footage.ts';
import { Filmstrip, outputTileFilters } from '../../media/read/filmstrip.ts';
import { FILMSTRIP_TILES, tileMoments, tileSize } from '../../media/read/filmstrip-layout.ts';
import { encodeJpeg, POSTER_QUALITY, writeJpeg } from '../../media/read/still.ts';
import { posterSize } from '../../media/read/thumbnails.ts';

/** Where in the running time the poster is taken. */
const POSTER_SHARE = 0.4;

/** Where pictures of an output go. */
export interface OutputPicturePaths {
  /** Left out: none. */
  readonly posterPath?: string;
  /** Twelve frames in a row; left out: none. */
  readonly filmstripPath?: string;
  /** A folder for frames to look at while the output is drawn, `frame-` and their time in milliseconds; left out: none. */
  readonly framesFolder?: string;
}

/** An encoded frame costs 4 to 12 ms: below a hundredth of a core. */
const FRAME_MS = 1500;
/** Short outputs are there before anybody could look. */
const FIRST_FRAME_MS = 500;

/** Small pictures of an output, taken of its frames while they are drawn. Dispose of it. */
export class OutputPictures implements Disposable {
  readonly #paths: OutputPicturePaths;
  readonly #posterFrame: number;
  /** Ascending; some twice where there are fewer frames than tiles. */
  readonly #tileFrames: number[];
  readonly #strip: Filmstrip;
  readonly #written: Promise<void>[] = [];
  readonly #size: Size;
  readonly #frameRate: number;
  #nextFrameMs = performance.now() + FIRST_FRAME_MS;

  constructor(paths: OutputPicturePaths, size: Size, frameCount: number, frameRate: number) {
    this.#paths = paths;
    this.#size = size;
    this.#frameRate = frameRate;
    this.#posterFrame = Math.floor(frameCount * POSTER_SHARE);
    this.#tileFrames =
      paths.filmstripPath === undefined ? [] : tileMoments(frameCount, FILMSTRIP_TILES).map(Math.floor);
    this.#strip = new Filmstrip(() => outputTileFilters(tileSize(size)));
  }

  /** `number` counts from 0. The frame may change after `settled`. */
  push(number: number, frame: Frame): void {
    const { posterPath } = this.#paths;
    if (number === this.#posterFrame && posterPath !== undefined)
      this.#written.push(writeJpeg(frame, posterPath));
    while (this.#tileFrames[this.#strip.length] === number) this.#strip.add(frame);
    if (this.#paths.framesFolder === undefined || performance.now() < this.#nextFrameMs) return;
    this.#nextFrameMs = performance.now() + FRAME_MS;
    this.#written.push(this.#leaveFrame(frame, this.#paths.framesFolder, number / this.#frameRate));
  }

  /** It appears whole: somebody looks into the folder meanwhile. */
  async #leaveFrame(frame: Frame, folder: string, seconds: number): Promise<void> {
    const unfinished = join(folder, 'frame.unfinished');
    await writeFile(
      unfinished,
      await encodeJpeg(frame, outputTileFilters(posterSize(this.#size)), POSTER_QUALITY),
    );
    await rename(unfinished, join(folder, `frame-${Math.round(seconds * 1000)}.jpg`));
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
