import type { Frame } from 'node-av/lib';
import type { Still } from '../../domain/footage.ts';
import type { Input } from '../../media/av/input.ts';
import { ThumbnailCollector, type ThumbnailSelection } from '../../media/read/thumbnails.ts';
import type { SourceFrames } from './source-frames.ts';

const YIELD_MS = 100;

/**
 * Thumbnails of the source for its report, made from the frames that rendering decodes anyway. After an error there are no thumbnails,
 * but rendering continues. Must be disposed.
 */
export class SourceStills implements Disposable {
  /** Null: none were requested, or making them failed. */
  #collector: ThumbnailCollector | null;

  constructor(input: Input, wanted: ThumbnailSelection | undefined) {
    this.#collector =
      wanted === undefined || input.video === null ? null : new ThumbnailCollector(input.video, wanted);
  }

  /** Call with every decoded frame and its time. */
  readonly push = (frame: Frame, seconds: number): void => {
    this.#collector?.push(frame, seconds);
  };

  /** Waits until the thumbnails of all frames passed up to now are encoded. */
  async settled(): Promise<void> {
    try {
      await this.#collector?.settled();
    } catch {
      this[Symbol.dispose]();
      this.#collector = null;
    }
  }

  /** Decodes the rest of the source if thumbnails are missing. `alive` is called regularly meanwhile. */
  async finish(source: Pick<SourceFrames, 'skip'>, alive: () => void): Promise<readonly Still[] | null> {
    let lastYield = performance.now();
    while (this.#collector !== null && !this.#collector.isComplete && source.skip()) {
      await this.settled();
      if (performance.now() - lastYield < YIELD_MS) continue;
      alive();
      await new Promise(setImmediate);
      lastYield = performance.now();
    }
    try {
      return (await this.#collector?.finish()) ?? null;
    } catch {
      return null;
    }
  }

  [Symbol.dispose](): void {
    this.#collector?.[Symbol.dispose]();
  }
}
