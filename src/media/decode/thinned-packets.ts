import { AV_PKT_FLAG_CORRUPT, AV_PKT_FLAG_DISCARD } from 'node-av/constants';
import { Packet, type Stream } from 'node-av/lib';
import type { Input } from '../av/input.ts';
import { disposableTest } from '../av/nal-units.ts';
import { stampSeconds } from '../av/stamps.ts';
import type { PacketSource } from '../av/stream-decoder.ts';
import { THINNING, Thinning } from './thinning.ts';

/** Reading ahead stops above this. 33 packets of 4K at 100 Mbit/s take 14 MB, of uncompressed video 400 MB. */
const MAX_BYTES_AHEAD = 32_000_000;
/** Packets with these flags are unreliable, or their frame is not shown. */
const UNUSABLE_FLAGS = AV_PKT_FLAG_CORRUPT | AV_PKT_FLAG_DISCARD;

interface Waiting {
  readonly packet: Packet;
  /** Null: its frame is always decoded. */
  readonly seconds: number | null;
}

/**
 * The packets of a video stream whose frames `Thinning` chooses. Reads ahead. From the first packet without a presentation time on, all
 * packets are returned.
 */
export class ThinnedPackets implements PacketSource {
  readonly #input: Input;
  readonly #stream: Stream;
  readonly #firstSeconds: number;
  readonly #isDisposable: (packet: Packet) => boolean;
  readonly #thinning = new Thinning();
  readonly #waiting: Waiting[] = [];
  /** The packet returned last, and unused packets. */
  #lent: Packet | null = null;
  readonly #free: Packet[] = [];
  #bytesAhead = 0;
  #isTimed = true;
  #ended = false;
  /** Presentation times of skipped frames that are not reported yet. */
  #dropped: number[] = [];

  /** `firstSeconds`: from here on frames are needed; none of the first ones is skipped. */
  constructor(input: Input, stream: Stream, firstSeconds = Number.NEGATIVE_INFINITY) {
    this.#input = input;
    this.#stream = stream;
    this.#firstSeconds = firstSeconds;
    this.#isDisposable = disposableTest(stream) ?? (() => false);
  }

  next(): Packet | null {
    if (this.#lent !== null) this.#recycle(this.#lent);
    this.#lent = null;
    for (;;) {
      while (!this.#ended && this.#waiting.length <= this.#ahead) this.#read();
      const waiting = this.#waiting.shift();
      if (waiting === undefined) return null;
      this.#bytesAhead -= waiting.packet.size;
      if (this.#isWanted(waiting)) {
        this.#lent = waiting.packet;
        return waiting.packet;
      }
      this.#recycle(waiting.packet);
    }
  }

  /** Number of packets to read beyond the next one. */
  get #ahead(): number {
    return this.#isTimed && this.#bytesAhead < MAX_BYTES_AHEAD ? THINNING.AHEAD : 0;
  }

  /** Presentation times of skipped frames before `seconds`, ascending; each is reported once. */
  droppedBefore(seconds: number): number[] {
    const before = this.#dropped.filter((one) => one < seconds);
    if (before.length > 0) this.#dropped = this.#dropped.filter((one) => one >= seconds);
    return before.sort((a, b) => a - b);
  }

  #isWanted({ seconds }: Waiting): boolean {
    const isWanted = seconds === null || this.#thinning.next();
    if (!isWanted) this.#dropped.push(seconds);
    return isWanted;
  }

  #read(): void {
    const packet = this.#free.pop() ?? newPacket();
    for (;;) {
      if (!this.#input.read(packet)) {
        this.#ended = true;
        this.#free.push(packet);
        return;
      }
      if (packet.streamIndex === this.#stream.index) break;
      packet.unref();
    }
    const { pts, size: bytes, isKeyframe: isKey, flags } = packet;
    this.#bytesAhead += bytes;
    const seconds = stampSeconds(pts, this.#stream.timeBase);
    this.#isTimed &&= seconds !== null;
    if (seconds === null || !this.#isTimed) {
      this.#waiting.push({ packet, seconds: null });
      return;
    }
    const isDisposable = (flags & UNUSABLE_FLAGS) === 0 && this.#isDisposable(packet);
    const isFirst = seconds >= this.#firstSeconds && seconds < this.#firstSeconds + THINNING.REACH_SECONDS;
    this.#thinning.push({ seconds, bytes, isKey: isKey || isFirst, isDisposable });
    this.#waiting.push({ packet, seconds });
  }

  #recycle(packet: Packet): void {
    packet.unref();
    this.#free.push(packet);
  }

  [Symbol.dispose](): void {
    for (const { packet } of this.#waiting) packet.free();
    for (const packet of this.#free) packet.free();
    this.#lent?.free();
  }
}

function newPacket(): Packet {
  const packet = new Packet();
  packet.alloc();
  return packet;
}
