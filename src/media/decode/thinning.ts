import { median } from '../../signal/statistics.ts';

export const THINNING = {
  /**
   * Longest step between decoded frames across skipped ones: two frames at 24 a second. The motion log sums
   * block motion over about the same time before comparing it (`INTERVAL_SECONDS`), and hands shake at 1 to 8
   * Hz.
   */
  REACH_SECONDS: 0.085,
  /**
   * A packet this many times as large as those of its kind on one side contains new content. Of 149 cuts all were found at 2, one was
   * missed at 2.5.
   */
  NEW_CONTENT_RATIO: 2,
  /** Packets of the same kind on each side for the comparison. */
  SIDE: 6,
  /**
   * Packets that must be known after the one to decide. The next shown one may be sent up to 16 pictures
   * later (H.264, H.265), then `SIDE` of its kind.
   */
  AHEAD: 32,
} as const;

/** Properties of a frame before it is decoded. */
export interface PacketNote {
  /** Presentation time, seconds. */
  readonly seconds: number;
  readonly bytes: number;
  /** The frame refers to no other one. */
  readonly isKey: boolean;
  /** No other frame refers to it. */
  readonly isDisposable: boolean;
}

/** Packets are compared with those of the same kind. `forward`: shown after all earlier packets; `between`: not. */
type Kind = 'key' | 'forward' | 'between' | 'disposable';

interface Known extends PacketNote {
  readonly kind: Kind;
  /** Whether its frame is decoded; null: not decided yet. */
  isWanted: boolean | null;
  /** Whether its packet contains new content; null: not determined yet. */
  isNew: boolean | null;
}

/**
 * Decides which frames of a clip can be skipped: frames that no other one refers to, in calm stretches. At
 * least one frame in a twelfth of a second is decoded; skipped frames are interpolated from both sides. A cut
 * or a flash makes a packet larger: around such packets no frame is skipped.
 *
 * Call `push` for the packets in decoding order. Call `next` in the same order when `THINNING.AHEAD` more
 * packets are known, or all.
 */
export class Thinning {
  /** In decoding order: some decided packets, then the undecided ones. */
  #decoding: Known[] = [];
  /** Index in `#decoding` of the packet for the next call of `next`. */
  #next = 0;
  /** Packets shown after the last wanted frame, in presentation order. */
  readonly #ahead: Known[] = [];
  #wanted: Known | null = null;
  #latestSeconds = Number.NEGATIVE_INFINITY;

  push(note: PacketNote): void {
    const kind = kindOf(note, note.seconds > this.#latestSeconds);
    this.#latestSeconds = Math.max(this.#latestSeconds, note.seconds);
    const known: Known = { ...note, kind, isWanted: null, isNew: null };
    this.#decoding.push(known);
    let at = this.#ahead.length;
    while (at > 0 && this.#ahead[at - 1].seconds > known.seconds) at--;
    this.#ahead.splice(at, 0, known);
  }

  /** Whether to decode the next packet in decoding order; there must be one. */
  next(): boolean {
    const known = this.#decoding[this.#next];
    while (known.isWanted === null) this.#advance();
    this.#next++;
    this.#dropOld();
    return known.isWanted;
  }

  /** Chooses the next frame to decode. */
  #advance(): void {
    for (const known of this.#ahead.splice(0, this.#choose())) known.isWanted = false;
    this.#wanted = this.#ahead.shift()!;
    this.#wanted.isWanted = true;
  }

  /** Index in `#ahead` of the next frame to decode: the first one within reach that others refer to, else the last one within reach. */
  #choose(): number {
    const from = this.#wanted;
    if (from === null) return 0;
    let chosen = 0;
    for (const [place, { seconds, isDisposable }] of this.#ahead.entries()) {
      if (seconds - from.seconds > THINNING.REACH_SECONDS) break;
      chosen = place;
      if (!isDisposable) break;
    }
    if (chosen === 0 || this.#hasNewContent(from)) return 0;
    return this.#ahead.slice(0, chosen + 1).some((known) => this.#hasNewContent(known)) ? 0 : chosen;
  }

  #hasNewContent(known: Known): boolean {
    known.isNew ??= known.isKey || known.bytes > THINNING.NEW_CONTENT_RATIO * this.#usualBytes(known);
    return known.isNew;
  }

  /** Median size of the packets of its kind, on the side where it is smaller: the shots before and after may differ in detail. */
  #usualBytes(known: Known): number {
    const at = this.#decoding.indexOf(known);
    const sides = [this.#alike(known, at, -1), this.#alike(known, at, 1)].filter(({ length }) => length > 0);
    return Math.min(known.bytes, ...sides.map(median));
  }

  #alike({ kind }: Known, at: number, step: 1 | -1): number[] {
    const found: number[] = [];
    for (let i = at + step; i >= 0 && i < this.#decoding.length && found.length < THINNING.SIDE; i += step)
      if (this.#decoding[i].kind === kind) found.push(this.#decoding[i].bytes);
    return found;
  }

  #dropOld(): void {
    if (this.#next < 2 * THINNING.AHEAD) return;
    this.#decoding = this.#decoding.slice(THINNING.AHEAD);
    this.#next -= THINNING.AHEAD;
  }
}

function kindOf({ isKey, isDisposable }: PacketNote, isForward: boolean): Kind {
  if (isKey) return 'key';
  if (isDisposable) return 'disposable';
  return isForward ? 'forward' : 'between';
}
