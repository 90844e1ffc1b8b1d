import type { Frame } from 'node-av/lib';
import type { Still } from '../../domain/footage.ts';
import type { Input } from '../../media/av/input.ts';
import { PassingThumbnails, type WantedThumbnails } from '../../media/read/thumbnails.ts';
import type { SourceFrames } from './source-frames.ts';

const YIELD_MS = 100;

/**
 * Small pictures of the source for whoever reports on it, taken of the frames that rendering decodes anyway: the same frames as
 * a decode of their own would give. No rendering fails for them: after an error there are none. Dispose of it.
 */
export class SourceStills implements Disposable {
  /** Null: none are wanted, or they cannot be taken. */
  #passing: PassingThumbnails | null;

  constructor(input: Input, wanted: WantedThumbnails | undefined) {
    this.#passing =
      wanted === undefined || input.video === null ? null : new PassingThumbnails(input.video, wanted);
  }

  /** Every decoded frame, and when it is shown. */
  readonly push = (frame: Frame, seconds: number): void => {
    this.#passing?.push(frame, seconds);
  };

  /** Until what was due is encoded. */
  async settled(): Promise<void> {
    try {
      await this.#passing?.settled();
    } catch {
      this[Symbol.dispose]();
      this.#passing = null;
    }
  }

  /** Decodes on where the output ended before the last of them. `alive`: called while work goes on. */
  async finish(source: Pick<SourceFrames, 'pass'>, alive: () => void): Promise<readonly Still[] | null> {
    let lastYield = performance.now();
    while (this.#passing !== null && !this.#passing.isComplete && source.pass()) {
      await this.settled();
      if (performance.now() - lastYield < YIELD_MS) continue;
      alive();
      await new Promise(setImmediate);
      lastYield = performance.now();
    }
    try {
      return (await this.#passing?.finish()) ?? null;
    } catch {
      return null;
    }
  }

  [Symbol.dispose](): void {
    this.#passing?.[Symbol.dispose]();
  }
}
