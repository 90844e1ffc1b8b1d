import { median } from '../../signal/statistics.ts';

export const THINNING = {
  /**
   * Longest step from one frame that is seen to the next across such as are not, seconds: two frames at 24 a second. Block motion is summed over about as long
   * before it is compared (`INTERVAL_SECONDS` of the motion log), and hands shake at 1 to 8 Hz.
   */
  REACH_SECONDS: 0.085,
  /**
   * A packet this many times as large as those of its kind on either side holds something new. Of 149 cuts (the tuning half of
   * the unseen clips and those of `shared/media`) all were found at 2, one was missed at 2.5.
   */
  UNREST: 2,
  /** Packets of its kind on each side that one is compared with. */
  SIDE: 6,
  /** Packets that must be known beyond the one that is decided on: what is shown after it may be sent up to 16 pictures later (H.264, H.265), then `SIDE` of its kind. */
  AHEAD: 32,
} as const;

/** What is known of a frame before it is decoded. */
export interface PacketNote {
  /** Presentation time, seconds. */
  readonly seconds: number;
  readonly bytes: number;
  /** The frame is decoded by itself. */
  readonly isKey: boolean;
  /** No other frame refers to it. */
  readonly isDisposable: boolean;
}

/** Packets are compared with those that are coded alike. `forward`: shown after all that came before it. */
type Kind = 'key' | 'forward' | 'between' | 'disposable';

interface Known extends PacketNote {
  readonly kind: Kind;
  /** Whether its frame is decoded; null: not decided yet. */
  isWanted: boolean | null;
  /** Whether its packet holds something new; null: not asked yet. */
  isUnrest: boolean | null;
}

/**
 * Decides which frames of a clip the detectors need not see: of those that no other refers to, in calm stretches, so many that one in a
 * twelfth of a second is seen. Motion goes on from one to the next, and what lies between can be told from both sides. What is new in a frame,
 * a cut or a flash, shows in the size of its packet: about such ones every frame is seen. Packets are told in the order of decoding (`push`), and asked for in
 * the same order (`next`) when `THINNING.AHEAD` more are known, or all.
 */
export class Thinning {
  /** In the order of decoding: some that were asked for, then those that were not. */
  #decoding: Known[] = [];
  /** Place among them of the next that is asked for. */
  #next = 0;
  /** Those that are shown after the last wanted frame, in that order. */
  readonly #ahead: Known[] = [];
  #wanted: Known | null = null;
  #latestSeconds = Number.NEGATIVE_INFINITY;

  push(note: PacketNote): void {
    const kind = kindOf(note, note.seconds > this.#latestSeconds);
    this.#latestSeconds = Math.max(this.#latestSeconds, note.seconds);
    const known: Known = { ...note, kind, isWanted: null, isUnrest: null };
    this.#decoding.push(known);
    let at = this.#ahead.length;
    while (at > 0 && this.#ahead[at - 1].seconds > known.seconds) at--;
    this.#ahead.splice(at, 0, known);
  }

  /** Whether the next packet in the order of decoding, of which there must be one, is decoded. */
  next(): boolean {
    const known = this.#decoding[this.#next];
    while (known.isWanted === null) this.#advance();
    this.#next++;
    this.#forget();
    return known.isWanted;
  }

  /** Goes on to the next frame that is wanted. */
  #advance(): void {
    for (const known of this.#ahead.splice(0, this.#choose())) known.isWanted = false;
    this.#wanted = this.#ahead.shift()!;
    this.#wanted.isWanted = true;
  }

  /** Place ahead of the next frame that is wanted: the first to which others refer, or of none within reach the last. */
  #choose(): number {
    const from = this.#wanted;
    if (from === null) return 0;
    let chosen = 0;
    for (const [place, { seconds, isDisposable }] of this.#ahead.entries()) {
      if (seconds - from.seconds > THINNING.REACH_SECONDS) break;
      chosen = place;
      if (!isDisposable) break;
    }
    if (chosen === 0 || this.#isUnrest(from)) return 0;
    return this.#ahead.slice(0, chosen + 1).some((known) => this.#isUnrest(known)) ? 0 : chosen;
  }

  #isUnrest(known: Known): boolean {
    known.isUnrest ??= known.isKey || known.bytes > THINNING.UNREST * this.#usualBytes(known);
    return known.isUnrest;
  }

  /** Of the packets of its kind, on the side where they are smaller: a busy shot may give way to a calm one, or the other way round. */
  #usualBytes(known: Known): number {
    const at = this.#decoding.indexOf(known);
    const sides = [this.#alike(known, at, -1), this.#alike(known, at, 1)].filter(({ length }) => length > 0);
    return Math.min(known.bytes, ...sides.map(median));
  }

  #alike({ kind }: Known, at: number, way: 1 | -1): number[] {
    const found: number[] = [];
    for (let i = at + way; i >= 0 && i < this.#decoding.length && found.length < THINNING.SIDE; i += way)
      if (this.#decoding[i].kind === kind) found.push(this.#decoding[i].bytes);
    return found;
  }

  #forget(): void {
    if (this.#next < 2 * THINNING.AHEAD) return;
    this.#decoding = this.#decoding.slice(THINNING.AHEAD);
    this.#next -= THINNING.AHEAD;
  }
}

function kindOf({ isKey, isDisposable }: PacketNote, goesOn: boolean): Kind {
  if (isKey) return 'key';
  if (isDisposable) return 'disposable';
  return goesOn ? 'forward' : 'between';
}
