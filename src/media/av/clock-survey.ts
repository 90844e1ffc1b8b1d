import {
  FileClock,
  INTERLEAVING_SECONDS,
  PIECE_SECONDS,
  PRIMING_SECONDS,
  type StreamKind,
  type Track,
} from './file-clock.ts';

/** Backward steps of decoding times up to this are jitter. FFmpeg's own limit (`ts_discontinuity_process`). */
const JITTER_SECONDS = 0.1;
/** The same for presentation times, which are out of order: 16 reordered pictures at 24 a second. */
const REORDER_SECONDS = 1;
/** Difference by rounding between the end of a packet and the next packet of the same piece. */
const ROUNDING_SECONDS = 0.005;

/** Times of a packet in the container's clock, in seconds; null: not set. */
interface PacketTimes {
  readonly decodingSeconds: number | null;
  readonly presentationSeconds: number | null;
  readonly durationSeconds: number;
}

/** A part of the file without a jump of the clock, in the container's time. */
interface Piece {
  readonly startSeconds: number;
  /** Newest decoding times. */
  readonly newestSeconds: { picture: number; sound: number };
  /** How far each track was read where the piece begins: its packets, and the time of the next one. */
  readonly tracksBefore: ReadonlyMap<Track, { readonly packets: number; readonly seconds: number }>;
}

/** Longest gaps within a piece. */
export interface GapLimits {
  /** A gap of the picture in a file without sound, or the reverse: a still picture has few packets. */
  readonly singleSeconds: number;
  /** A gap of both at once. */
  readonly commonSeconds: number;
  /** Whether streams are multiplexed by time, so that one that begins with earlier stamps belongs to another piece. */
  readonly isMultiplexed: boolean;
}

/** Determines a file's clock from all its packets, in file order: assigns each packet to a piece. */
export class ClockSurvey {
  readonly #limits: GapLimits;
  readonly #tracks = new Map<number, Track>();
  readonly #pieces: Piece[] = [];

  /** Longer gaps are jumps of the clock. */
  constructor(limits: GapLimits) {
    this.#limits = limits;
  }

  push(streamIndex: number, kind: StreamKind, times: PacketTimes): void {
    const track = this.#trackOf(streamIndex, kind);
    const fromPacket = track.packetCount++;
    const shownSeconds = times.presentationSeconds ?? times.decodingSeconds;
    if (shownSeconds === null || (kind === 'other' && this.#pieces.length === 0)) return;
    // At or before the decoding times of neighboring packets.
    const seconds = times.decodingSeconds ?? shownSeconds - REORDER_SECONDS;
    const jitterSeconds = times.decodingSeconds === null ? REORDER_SECONDS : JITTER_SECONDS;
    const piece = this.#pieceOf(track, seconds, jitterSeconds);
    if (times.durationSeconds > 0) track.stepSeconds = times.durationSeconds;
    addToRun(track, { piece, fromPacket, seconds, shownSeconds });
    track.lastSeconds = seconds;
    if (kind === 'other') return;
    const { newestSeconds } = this.#pieces[piece];
    newestSeconds[kind] = Math.max(newestSeconds[kind], seconds);
  }

  finish(): FileClock {
    for (const [number, piece] of this.#pieces.entries()) splitCarriedSound(this.#tracks, number, piece);
    return new FileClock(this.#tracks, this.#pieces.length);
  }

  #trackOf(streamIndex: number, kind: StreamKind): Track {
    const known = this.#tracks.get(streamIndex);
    if (known !== undefined) return known;
    const track = { kind, packetCount: 0, lastSeconds: Number.NEGATIVE_INFINITY, stepSeconds: 0, runs: [] };
    this.#tracks.set(streamIndex, track);
    return track;
  }

  /** Index of the piece that a packet belongs to. Streams enter a new piece one after the other. */
  #pieceOf(track: Track, seconds: number, jitterSeconds: number): number {
    const { kind, runs } = track;
    const last = this.#pieces.length - 1;
    const current = runs.at(-1)?.piece ?? null;
    const newest = this.#pieces.findLastIndex(
      (piece) => seconds >= piece.startSeconds - PIECE_SECONDS && this.#isBeforeEnd(piece, seconds),
    );
    // Captions are sparse: a whole piece may lie between two of them.
    if (kind === 'other') return newest >= 0 ? newest : (current ?? last);
    if (current !== null)
      return (
        this.#pieceAfter(track, { current, newest, seconds, jitterSeconds }) ??
        this.#beginPiece(kind, seconds)
      );
    // The late start of a stream is no jump.
    if (last >= 0 && !this.#isBehind(seconds)) return newest >= 0 ? newest : last;
    return this.#beginPiece(kind, seconds);
  }

  /** The known piece of the next packet of a track that is in the piece `current`. Null: its clock jumps. */
  #pieceAfter(
    { lastSeconds, stepSeconds }: Track,
    packet: {
      readonly current: number;
      readonly newest: number;
      readonly seconds: number;
      readonly jitterSeconds: number;
    },
  ): number | null {
    const { current, newest, seconds, jitterSeconds } = packet;
    const followsLast = Math.abs(seconds - lastSeconds - stepSeconds) <= ROUNDING_SECONDS;
    // Another stream is in a newer piece, and this packet does not continue the older one.
    if (newest > current && !followsLast) return newest;
    if (seconds >= lastSeconds - jitterSeconds && this.#isBeforeEnd(this.#pieces[current], seconds))
      return current;
    // Valid stamps after damaged ones.
    const older = this.#pieces.findLastIndex(
      (piece, at) =>
        at < current && seconds >= endOf(piece) - REORDER_SECONDS && this.#isBeforeEnd(piece, seconds),
    );
    return older >= 0 ? older : null;
  }

  #beginPiece(kind: 'picture' | 'sound', startSeconds: number): number {
    const none = { picture: Number.NEGATIVE_INFINITY, sound: Number.NEGATIVE_INFINITY };
    const tracksBefore = new Map(
      [...this.#tracks.values()].map((track) => [
        track,
        { packets: track.packetCount, seconds: track.lastSeconds + track.stepSeconds },
      ]),
    );
    this.#pieces.push({ startSeconds, newestSeconds: { ...none, [kind]: startSeconds }, tracksBefore });
    return this.#pieces.length - 1;
  }

  /** Whether a stream that begins at this time is earlier than multiplexing allows. */
  #isBehind(seconds: number): boolean {
    return this.#limits.isMultiplexed && seconds < endOf(this.#pieces.at(-1)!) - PIECE_SECONDS;
  }

  /** Whether a packet comes no later than the longest gap after a piece. Where only one stream has ended, the other may be sparse. */
  #isBeforeEnd(piece: Piece, seconds: number): boolean {
    const { picture, sound } = piece.newestSeconds;
    const areBothRunning = Math.abs(picture - sound) <= INTERLEAVING_SECONDS;
    const gapSeconds = areBothRunning ? this.#limits.commonSeconds : this.#limits.singleSeconds;
    return seconds <= endOf(piece) + gapSeconds;
  }
}

/** Adds a packet to the last run of its track, or begins a run. */
function addToRun(
  track: Track,
  packet: {
    readonly piece: number;
    readonly fromPacket: number;
    readonly seconds: number;
    readonly shownSeconds: number;
  },
): void {
  const { piece, fromPacket, seconds, shownSeconds } = packet;
  const endSeconds = shownSeconds + track.stepSeconds;
  const run = track.runs.at(-1);
  if (run?.piece === piece) {
    run.startSeconds = Math.min(run.startSeconds, shownSeconds);
    run.endSeconds = Math.max(run.endSeconds, endSeconds);
    return;
  }
  const step = seconds - track.lastSeconds;
  const continuesLastRun = step > 0 && step <= track.stepSeconds + PRIMING_SECONDS;
  track.runs.push({ piece, fromPacket, continuesLastRun, startSeconds: shownSeconds, endSeconds });
}

/**
 * Splits the run of a sound whose stamps happen to continue where the picture's jump back: the part from the start of the
 * picture's new piece on stays with its picture.
 */
function splitCarriedSound(tracks: ReadonlyMap<number, Track>, number: number, piece: Piece): void {
  const all = [...tracks.values()];
  const pictureEnd = (at: number) => {
    const runs = all.flatMap(({ kind, runs: found }) => (kind === 'picture' ? found : []));
    return Math.max(...runs.filter((run) => run.piece === at).map((run) => run.endSeconds));
  };
  const endSeconds = pictureEnd(number);
  if (!Number.isFinite(endSeconds)) return;
  for (const track of all) {
    const run = track.runs.at(-1);
    const before = piece.tracksBefore.get(track);
    if (track.kind !== 'sound' || run === undefined || before === undefined || run.piece >= number) continue;
    const carriedSeconds =
      run.endSeconds - Math.max(pictureEnd(run.piece), endSeconds - 2 * INTERLEAVING_SECONDS);
    if (carriedSeconds < INTERLEAVING_SECONDS || before.packets <= run.fromPacket) continue;
    const next = { ...run, piece: number, fromPacket: before.packets, startSeconds: before.seconds };
    run.endSeconds = before.seconds;
    track.runs.push(next);
  }
}

function endOf({ newestSeconds }: Piece): number {
  return Math.max(newestSeconds.picture, newestSeconds.sound);
}
