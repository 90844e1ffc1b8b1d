import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from 'node-av/lib';
import type { Size, Still } from '../../domain/footage.ts';
import { Filmstrip, outputTileFilters } from '../../media/read/filmstrip.ts';
import { FILMSTRIP_TILES, tileMoments, tileSize } from '../../media/read/filmstrip-layout.ts';
import { encodeJpeg, POSTER_QUALITY, writeJpeg } from '../../media/read/still.ts';
import {
  posterSize,
  STILL_QUALITY,
  stillSize,
  type ThumbnailSelection,
} from '../../media/read/thumbnails.ts';

/** Position of the poster, as a share of the running time. */
const POSTER_SHARE = 0.4;

/** Files of an output's pictures, and thumbnails that are returned. */
export interface OutputPicturePaths {
  /** Left out: none. */
  readonly posterPath?: string;
  /** Twelve frames in a row; left out: none. */
  readonly filmstripPath?: string;
  /** Folder for live frames while the output is drawn, named `frame-<milliseconds>.jpg`; left out: none. */
  readonly framesFolder?: string;
  /** Left out: none. */
  readonly outputStills?: ThumbnailSelection;
}

/** Interval of live frames. One costs 4 to 12 ms: below a hundredth of a core. */
const FRAME_MS = 1500;
/** Outputs that take less time have no live frames. */
const FIRST_FRAME_MS = 500;

/** Receives the frames of an output while they are drawn. */
export interface FramePictures {
  /** `number` counts from 0. The frame may change after `settled`. */
  push(number: number, frame: Frame): void;
  /** Waits until the pictures of all frames passed up to now are written. */
  settled(): Promise<void>;
  /** Call after the last frame. */
  finish(): Promise<void>;
}

/** Poster, filmstrip and live frames of an output, made while it is drawn. Must be disposed. */
export class OutputPictures implements FramePictures, Disposable {
  readonly #paths: OutputPicturePaths;
  readonly #posterFrame: number;
  /** Ascending; contains repetitions if there are fewer frames than tiles. */
  readonly #tileFrames: number[];
  readonly #strip: Filmstrip;
  /** Ascending; a frame may be there several times. */
  readonly #stillFrames: number[];
  readonly #stills: Still[] = [];
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
    const { timesSeconds = [] } = paths.outputStills ?? {};
    this.#stillFrames = timesSeconds.map((time) => Math.min(frameCount - 1, Math.floor(time * frameRate)));
    this.#strip = new Filmstrip(() => outputTileFilters(tileSize(size)));
  }

  push(number: number, frame: Frame): void {
    const { posterPath } = this.#paths;
    if (number === this.#posterFrame && posterPath !== undefined)
      this.#pending.push(writeJpeg(frame, posterPath));
    while (this.#tileFrames[this.#strip.length] === number) this.#strip.add(frame);
    for (const [index, wanted] of this.#stillFrames.entries())
      if (wanted === number) this.#pending.push(this.#keepStill(index, frame));
    if (this.#paths.framesFolder === undefined || performance.now() < this.#nextFrameMs) return;
    this.#nextFrameMs = performance.now() + FRAME_MS;
    this.#pending.push(this.#writeLiveFrame(frame, this.#paths.framesFolder, number / this.#frameRate));
  }

  async #keepStill(index: number, frame: Frame): Promise<void> {
    const { timesSeconds, areaPixels } = this.#paths.outputStills!;
    const size = stillSize(this.#size, areaPixels);
    const jpeg = await encodeJpeg(frame, outputTileFilters(size), STILL_QUALITY);
    this.#stills[index] = { timeSeconds: timesSeconds[index], ...size, jpeg };
  }

  /** The requested thumbnails, after the last frame. */
  get stills(): readonly Still[] {
    return this.#stills;
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

  async settled(): Promise<void> {
    await Promise.all(this.#pending.splice(0));
  }

  async finish(): Promise<void> {
    await this.settled();
    const { filmstripPath } = this.#paths;
    if (filmstripPath !== undefined) await writeFile(filmstripPath, await this.#strip.jpeg());
  }

  [Symbol.dispose](): void {
    this.#strip[Symbol.dispose]();
  }
}
