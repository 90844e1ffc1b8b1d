import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from 'node-av/lib';
import type { Size } from '../../domain/footage.ts';
import { Filmstrip, outputTileFilters } from '../../media/read/filmstrip.ts';
import { FILMSTRIP_TILES, tileMoments, tileSize } from '../../media/read/filmstrip-layout.ts';
import { encodeJpeg, POSTER_QUALITY, writeJpeg } from '../../media/read/still.ts';
import { posterSize } from '../../media/read/thumbnails.ts';

/** Position of the poster, as a share of the running time. */
const POSTER_SHARE = 0.4;

/** Files of an output's pictures. */
export interface OutputPicturePaths {
  /** Left out: none. */
  readonly posterPath?: string;
  /** Twelve frames in a row; left out: none. */
  readonly filmstripPath?: string;
  /** Folder for live frames while the output is drawn, named `frame-<milliseconds>.jpg`; left out: none. */
  readonly framesFolder?: string;
}

/** Interval of live frames. One costs 4 to 12 ms: below a hundredth of a core. */
const FRAME_MS = 1500;
/** Outputs that take less time have no live frames. */
const FIRST_FRAME_MS = 500;

/** Poster, filmstrip and live frames of an output, made while it is drawn. Must be disposed. */
export class OutputPictures implements Disposable {
  readonly #paths: OutputPicturePaths;
  readonly #posterFrame: number;
  /** Ascending; contains repetitions if there are fewer frames than tiles. */
  readonly #tileFrames: number[];
  readonly #strip: Filmstrip;
  readonly #pending: Promise<void>[] = [];
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
      this.#pending.push(writeJpeg(frame, posterPath));
    while (this.#tileFrames[this.#strip.length] === number) this.#strip.add(frame);
    if (this.#paths.framesFolder === undefined || performance.now() < this.#nextFrameMs) return;
    this.#nextFrameMs = performance.now() + FRAME_MS;
    this.#pending.push(this.#writeLiveFrame(frame, this.#paths.framesFolder, number / this.#frameRate));
  }

  /** Renames the finished file, because another process reads the folder meanwhile. */
  async #writeLiveFrame(frame: Frame, folder: string, seconds: number): Promise<void> {
    const unfinished = join(folder, 'frame.unfinished');
    await writeFile(
      unfinished,
      await encodeJpeg(frame, outputTileFilters(posterSize(this.#size)), POSTER_QUALITY),
    );
    await rename(unfinished, join(folder, `frame-${Math.round(seconds * 1000)}.jpg`));
  }

  /** Waits until the pictures of all frames passed up to now are written. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending.splice(0));
  }

  /** Call after the last frame. */
  async finish(): Promise<void> {
    await this.settled();
    const { filmstripPath } = this.#paths;
    if (filmstripPath !== undefined) await writeFile(filmstripPath, await this.#strip.jpeg());
  }

  [Symbol.dispose](): void {
    this.#strip[Symbol.dispose]();
  }
}
