import type { Picture, SkippedFrame } from '../../footage.ts';
import type { ThinnedPackets } from './thinned-packets.ts';

/** A step that changes the picture so many times as much as the one before may be a cut: `CUT.MIN_RATIO` of the shots. */
const MORE = 1.4;
/** Mean change of a still picture by noise, levels of 255. */
const NOISE = 0.5;

/** Gathers the frames of a clip that are skipped, until the next one that is not. */
export class SkippedFrames {
  readonly #packets: ThinnedPackets;
  #gathered: SkippedFrame[] = [];
  /** Of the last frame that was decoded. */
  #colour: Uint8Array | null = null;
  /** Of the step to it, for each of its frames; levels of 255. */
  #change = 0;

  constructor(packets: ThinnedPackets) {
    this.#packets = packets;
  }

  /**
   * Those that are skipped before a decoded frame, each told once; null: it is one of them. One that was decoded for others only is looked
   * at after all where its picture changes more than the one before did.
   */
  before(timeSeconds: number, colour: Picture, isPassed: boolean): SkippedFrame[] | null {
    const dropped = this.#packets.droppedBefore(timeSeconds);
    this.#gathered.push(...dropped.map((seconds) => ({ timeSeconds: seconds, colour: null })));
    const isNew = this.#isNew(colour, dropped.length + 1);
    if (isPassed && !isNew) {
      this.#gathered.push({ timeSeconds, colour: { ...colour, data: colour.data.slice() } });
      return null;
    }
    const gathered = this.#gathered;
    this.#gathered = [];
    return gathered;
  }

  /** `frames`: those from the last decoded one to this. */
  #isNew({ data }: Picture, frames: number): boolean {
    const last = this.#colour;
    this.#colour = data.slice();
    if (last?.length !== data.length) return true;
    const usual = Math.max(NOISE, this.#change);
    this.#change = meanDifference(last, data) / frames;
    return this.#change > MORE * usual;
  }
}

function meanDifference(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!);
  return sum / a.length;
}
