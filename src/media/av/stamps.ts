import type { FormatContext, Packet } from 'node-av/lib';
import type { FileClock } from './file-clock.ts';

/** FFmpeg's "no value" for 64-bit times. */
export const NO_TIME = -(2n ** 63n);

export interface TimeBase {
  readonly num: number;
  readonly den: number;
}

/** Null: the stamp is FFmpeg's "no value". */
export function stampSeconds(stamp: bigint, { num, den }: TimeBase): number | null {
  return stamp === NO_TIME ? null : (Number(stamp) * num) / den;
}

interface Shifted {
  readonly runs: readonly { readonly fromPacket: number; readonly ticks: bigint }[];
  run: number;
  packets: number;
}

/**
 * Shifts the time stamps of packets from the container's clock to the start of the presentation, the only place that does so. Packets
 * must be read from the file's start.
 */
export class StampShift {
  readonly #context: FormatContext;
  readonly #clock: FileClock | null;
  readonly #startSeconds: number;
  readonly #delays: ReadonlyMap<number, number>;
  readonly #streams: Shifted[] = [];
  readonly #isNeeded: boolean;

  /**
   * `startSeconds`: the start of the presentation in the container's time; `delays`: seconds by which the stamps of a stream, by its
   * index, are late.
   */
  constructor(
    context: FormatContext,
    clock: FileClock | null,
    startSeconds: number,
    delays: ReadonlyMap<number, number> = new Map(),
  ) {
    this.#context = context;
    this.#clock = clock;
    this.#startSeconds = startSeconds;
    this.#delays = delays;
    this.#isNeeded = startSeconds !== 0 || clock?.isContinuous === false || delays.size > 0;
  }

  apply(packet: Packet): void {
    if (!this.#isNeeded) return;
    const stream = this.#streamOf(packet.streamIndex);
    const { runs } = stream;
    while (stream.run + 1 < runs.length && runs[stream.run + 1].fromPacket <= stream.packets) stream.run++;
    stream.packets++;
    const { ticks } = runs[stream.run];
    if (packet.pts !== NO_TIME) packet.pts += ticks;
    if (packet.dts !== NO_TIME) packet.dts += ticks;
  }

  #streamOf(index: number): Shifted {
    const known = this.#streams[index];
    if (known !== undefined) return known;
    const { num, den } = this.#context.streams![index].timeBase;
    const ticks = (seconds: number) => BigInt(Math.round((seconds * den) / num));
    const found = this.#clock?.runs(index) ?? [];
    const lateSeconds = this.#startSeconds + (this.#delays.get(index) ?? 0);
    const runs = found.map(({ fromPacket, shiftSeconds }) => ({
      fromPacket,
      ticks: ticks(shiftSeconds - lateSeconds),
    }));
    const shifted = {
      runs: runs.length > 0 ? runs : [{ fromPacket: 0, ticks: ticks(-lateSeconds) }],
      run: 0,
      packets: 0,
    };
    this.#streams[index] = shifted;
    return shifted;
  }
}
