/** Backward steps of decoding times up to this are jitter. FFmpeg's own limit (`ts_discontinuity_process`). */
const JITTER_SECONDS = 0.1;
/** The same for presentation times, which are out of order: 16 reordered pictures at 24 a second. */
const REORDER_SECONDS = 1;
/** Maximum distance between the first packets of the streams of one piece. */
const PIECE_SECONDS = 2;
/** MPEG multiplexes data of one moment within a second (ISO/IEC 13818-1, 2.4.2.6). */
const INTERLEAVING_SECONDS = 1;
/** Difference by rounding between the end of a packet and the next packet of the same piece. */
const ROUNDING_SECONDS = 0.005;
/** Allowed overlap of the sound of two pieces: AAC adds up to 2,112 priming samples. */
export const PRIMING_SECONDS = 0.05;

/**
 * Half the period of MPEG's clock of 33 bits at 90 kHz. FFmpeg takes stamps that go back by a minute for its restart and continues
 * them, so that longer gaps are steps back.
 */
const WRAPPED_SECONDS = 2 ** 32 / 90_000;

export type StreamKind = 'picture' | 'sound' | 'other';

/** Times of a packet in the container's clock, in seconds; null: not set. */
export interface PacketTimes {
  readonly decodingSeconds: number | null;
  readonly presentationSeconds: number | null;
  readonly durationSeconds: number;
}

/** The packets of a stream from `fromPacket` on, and the seconds to add to their times. */
export interface ClockRun {
  readonly fromPacket: number;
  readonly shiftSeconds: number;
}

interface Run {
  readonly piece: number;
  readonly fromPacket: number;
  /** Whether its decoding times continue those of the run before, by the container's clock. */
  readonly isNext: boolean;
  startSeconds: number;
  endSeconds: number;
}

interface Track {
  readonly kind: StreamKind;
  packets: number;
  lastSeconds: number;
  stepSeconds: number;
  readonly runs: Run[];
}

/** A part of the file without a jump of the clock, in the container's time. */
interface Piece {
  readonly lowSeconds: number;
  /** Newest decoding times. */
  readonly high: { picture: number; sound: number };
  /** Positions of the tracks in the file where the piece begins. */
  readonly positions: ReadonlyMap<Track, { readonly packets: number; readonly seconds: number }>;
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

/**
 * The clock of a file whose time stamps may jump, as in joined recordings, broadcasts and damaged files. The pieces between jumps are
 * placed one after the other without a gap, and each keeps the offset between its sound and its picture.
 */
export class FileClock {
  /** Start times of the pieces after the first one, in the container's time with jumps closed. */
  readonly jumpsSeconds: readonly number[];
  /** Sum of the times without picture and sound before pieces whose clock jumps forward. */
  readonly closedSeconds: number;
  readonly #tracks: ReadonlyMap<number, Track>;
  readonly #shifts: readonly number[];

  constructor(tracks: ReadonlyMap<number, Track>, pieceCount: number) {
    this.#tracks = tracks;
    const shifts = [0];
    const starts: number[] = [];
    let closed = 0;
    for (let piece = 1; piece < pieceCount; piece++) {
      const found = shiftOf([...tracks.values()], piece, shifts);
      if (found.isLong) {
        starts.push(found.startSeconds);
        const gapSeconds = shifts[piece - 1] - found.shiftSeconds;
        if (gapSeconds < WRAPPED_SECONDS) closed += Math.max(0, gapSeconds);
      }
      shifts.push(found.shiftSeconds);
    }
    this.#shifts = shifts;
    this.jumpsSeconds = starts;
    this.closedSeconds = closed;
  }

  get isContinuous(): boolean {
    return this.#shifts.length <= 1;
  }

  /** Indices of the streams of a kind that have packets. */
  streamsOf(kind: StreamKind): readonly number[] {
    return [...this.#tracks].filter(([, track]) => track.kind === kind).map(([index]) => index);
  }

  packets(streamIndex: number): number {
    return this.#tracks.get(streamIndex)?.packets ?? 0;
  }

  /** In order; without jumps, one run with shift 0. */
  runs(streamIndex: number): readonly ClockRun[] {
    const runs = this.#tracks.get(streamIndex)?.runs ?? [];
    return runs.map(({ fromPacket, piece }) => ({ fromPacket, shiftSeconds: this.#shifts[piece] }));
  }

  /** Start and end of a stream in the container's time, jumps closed; null: it has no packet with a time. */
  spanOf(streamIndex: number): { readonly startSeconds: number; readonly endSeconds: number } | null {
    const runs = this.#tracks.get(streamIndex)?.runs ?? [];
    if (runs.length === 0) return null;
    const at = (seconds: number, { piece }: Run) => seconds + this.#shifts[piece];
    return {
      startSeconds: Math.min(...runs.map((run) => at(run.startSeconds, run))),
      endSeconds: Math.max(...runs.map((run) => at(run.endSeconds, run))),
    };
  }
}

/** Determines a file's clock from all its packets, in file order. */
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
    const number = track.packets++;
    const shown = times.presentationSeconds ?? times.decodingSeconds;
    if (shown === null || (kind === 'other' && this.#pieces.length === 0)) return;
    // At or before the decoding times of neighbouring packets.
    const seconds = times.decodingSeconds ?? shown - REORDER_SECONDS;
    const jitter = times.decodingSeconds === null ? REORDER_SECONDS : JITTER_SECONDS;
    const piece = this.#pieceOf(track, seconds, jitter);
    if (times.durationSeconds > 0) track.stepSeconds = times.durationSeconds;
    const step = seconds - track.lastSeconds;
    const isNext = step > 0 && step <= track.stepSeconds + PRIMING_SECONDS;
    const endSeconds = shown + track.stepSeconds;
    const run = track.runs.at(-1);
    if (run?.piece === piece) {
      run.startSeconds = Math.min(run.startSeconds, shown);
      run.endSeconds = Math.max(run.endSeconds, endSeconds);
    } else track.runs.push({ piece, fromPacket: number, isNext, startSeconds: shown, endSeconds });
    track.lastSeconds = seconds;
    if (kind === 'other') return;
    const { high } = this.#pieces[piece];
    high[kind] = Math.max(high[kind], seconds);
  }

  finish(): FileClock {
    for (const [number, piece] of this.#pieces.entries()) splitCarriedSound(this.#tracks, number, piece);
    return new FileClock(this.#tracks, this.#pieces.length);
  }

  #trackOf(streamIndex: number, kind: StreamKind): Track {
    const known = this.#tracks.get(streamIndex);
    if (known !== undefined) return known;
    const track = { kind, packets: 0, lastSeconds: Number.NEGATIVE_INFINITY, stepSeconds: 0, runs: [] };
    this.#tracks.set(streamIndex, track);
    return track;
  }

  /** Index of the piece that a packet belongs to. Streams enter a new piece one after the other. */
  #pieceOf(track: Track, seconds: number, jitterSeconds: number): number {
    const { kind, lastSeconds, stepSeconds, runs } = track;
    const pieces = this.#pieces;
    const isBeforeEnd = (piece: Piece) => seconds <= endOf(piece) + this.#gapAfter(piece);
    const isIn = (piece: Piece) => seconds >= piece.lowSeconds - PIECE_SECONDS && isBeforeEnd(piece);
    const newest = pieces.findLastIndex(isIn);
    const current = runs.at(-1)?.piece ?? null;
    // Captions are sparse: a whole piece may lie between two of them.
    if (kind === 'other') return newest >= 0 ? newest : (current ?? pieces.length - 1);
    // The late start of a stream is no jump.
    if (current === null && pieces.length > 0 && !this.#isBehind(seconds))
      return newest >= 0 ? newest : pieces.length - 1;
    if (current !== null) {
      // Another stream is in a newer piece, and this packet does not continue the older one.
      const isNext = Math.abs(seconds - lastSeconds - stepSeconds) <= ROUNDING_SECONDS;
      if (newest > current && !isNext) return newest;
      if (seconds >= lastSeconds - jitterSeconds && isBeforeEnd(pieces[current])) return current;
      // Valid stamps after damaged ones.
      const older = pieces.findLastIndex(
        (piece, at) => at < current && seconds >= endOf(piece) - REORDER_SECONDS && isBeforeEnd(piece),
      );
      if (older >= 0) return older;
    }
    const high = { picture: Number.NEGATIVE_INFINITY, sound: Number.NEGATIVE_INFINITY };
    const positions = [...this.#tracks.values()].map(
      (one) => [one, { packets: one.packets, seconds: one.lastSeconds + one.stepSeconds }] as const,
    );
    pieces.push({
      lowSeconds: seconds,
      high: { ...high, [kind]: seconds },
      positions: new Map(positions),
    });
    return pieces.length - 1;
  }

  /** Whether a stream that begins at this time is earlier than multiplexing allows. */
  #isBehind(seconds: number): boolean {
    return this.#limits.isMultiplexed && seconds < endOf(this.#pieces.at(-1)!) - PIECE_SECONDS;
  }

  /** The longest gap after the newest packets of a piece. Where only one stream has ended, the other may be sparse. */
  #gapAfter({ high }: Piece): number {
    const areBothRunning = Math.abs(high.picture - high.sound) <= INTERLEAVING_SECONDS;
    return areBothRunning ? this.#limits.commonSeconds : this.#limits.singleSeconds;
  }
}

/**
 * Where the picture jumps back and the stamps of the sound happen to continue, the sound shows no jump. Its
 * run is split at the start of the piece, so that it stays with its picture.
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
    const position = piece.positions.get(track);
    if (track.kind !== 'sound' || run === undefined || position === undefined || run.piece >= number)
      continue;
    const carriedSeconds =
      run.endSeconds - Math.max(pictureEnd(run.piece), endSeconds - 2 * INTERLEAVING_SECONDS);
    if (carriedSeconds < INTERLEAVING_SECONDS || position.packets <= run.fromPacket) continue;
    const next = { ...run, piece: number, fromPacket: position.packets, startSeconds: position.seconds };
    run.endSeconds = position.seconds;
    track.runs.push(next);
  }
}

function endOf({ high }: Piece): number {
  return Math.max(high.picture, high.sound);
}

/**
 * The shift that places a piece after the earlier ones, without an overlap of picture. Sound may overlap by its priming if there is a
 * picture.
 */
function shiftOf(tracks: readonly Track[], piece: number, shifts: readonly number[]) {
  const needed = { picture: Number.NEGATIVE_INFINITY, sound: Number.NEGATIVE_INFINITY };
  let startSeconds = Number.POSITIVE_INFINITY;
  let endSeconds = 0;
  let isLong = false;
  for (const { kind, runs } of tracks) {
    if (kind === 'other') continue;
    const at = runs.findIndex((run) => run.piece === piece);
    const ends = runs
      .slice(0, at < 0 ? runs.length : at)
      .filter((run) => run.piece < piece)
      .map((run) => run.endSeconds + shifts[run.piece]);
    endSeconds = Math.max(endSeconds, ...ends);
    if (at < 0) continue;
    const run = runs[at];
    startSeconds = Math.min(startSeconds, run.startSeconds);
    isLong ||= run.endSeconds - run.startSeconds > PRIMING_SECONDS;
    if (ends.length > 0) needed[kind] = Math.max(needed[kind], ends.at(-1)! - run.startSeconds);
  }
  const continued = shiftOfContinued(tracks, piece, { shifts, neededSeconds: needed.sound });
  if (continued !== null)
    return { shiftSeconds: continued, startSeconds: startSeconds + continued, isLong: false };
  const overlap = Number.isFinite(needed.picture) ? PRIMING_SECONDS : 0;
  const shift = Math.max(needed.picture, needed.sound - overlap);
  const shiftSeconds = Number.isFinite(shift) ? shift : endSeconds - startSeconds;
  return { shiftSeconds, startSeconds: startSeconds + shiftSeconds, isLong };
}

/**
 * The shift of a piece whose picture continues the picture before it, although its sound overlaps: another encoder begins with its priming
 * samples. Null: another kind of piece.
 */
function shiftOfContinued(
  tracks: readonly Track[],
  piece: number,
  { shifts, neededSeconds }: { readonly shifts: readonly number[]; readonly neededSeconds: number },
): number | null {
  const runsOf = (kind: StreamKind) =>
    tracks
      .filter((track) => track.kind === kind)
      .flatMap(({ runs }) => runs.filter((run) => run.piece <= piece));
  const pictures = runsOf('picture');
  const own = pictures.find((run) => run.piece === piece);
  const sound = runsOf('sound').find((run) => run.piece === piece);
  if (sound === undefined) return null;
  const isBeside = (run: Run) =>
    run.startSeconds <= sound.startSeconds && run.endSeconds >= sound.endSeconds - PIECE_SECONDS;
  const before = pictures.findLast((run) => (own === undefined ? isBeside(run) : own.isNext && run !== own));
  if (before === undefined) return null;
  const shift = shifts[before.piece];
  return neededSeconds - shift < INTERLEAVING_SECONDS ? shift : null;
}
