/** MPEG multiplexes data of one moment within a second (ISO/IEC 13818-1, 2.4.2.6). */
export const INTERLEAVING_SECONDS = 1;
/** Maximum distance between the first packets of the streams of one piece. */
export const PIECE_SECONDS = 2;
/** Allowed overlap of the sound of two pieces: AAC adds up to 2,112 priming samples. */
export const PRIMING_SECONDS = 0.05;

/**
 * Half the period of MPEG's clock of 33 bits at 90 kHz. FFmpeg takes stamps that go back by a minute for its restart and continues
 * them, so that longer gaps are steps back.
 */
const WRAPPED_SECONDS = 2 ** 32 / 90_000;

export type StreamKind = 'picture' | 'sound' | 'other';

/** The packets of a stream from `fromPacket` on, and the seconds to add to their times. */
export interface ClockRun {
  readonly fromPacket: number;
  readonly shiftSeconds: number;
}

/** Consecutive packets of a track in one piece. Times are the container's. */
export interface Run {
  readonly piece: number;
  readonly fromPacket: number;
  /** Whether its decoding times continue those of the run before. */
  readonly continuesLastRun: boolean;
  startSeconds: number;
  endSeconds: number;
}

/** A stream, as far as it was read. */
export interface Track {
  readonly kind: StreamKind;
  packetCount: number;
  /** Decoding time of the last packet. */
  lastSeconds: number;
  /** Duration of a packet. */
  stepSeconds: number;
  readonly runs: Run[];
}

/**
 * The clock of a file whose time stamps may jump, as in joined recordings, broadcasts and damaged files. A *piece* is a part of the file
 * between two jumps. Pieces are placed one after the other without a gap, and each keeps the offset between its sound and its picture.
 * Example: two joined recordings of 5 s have the stamps 0 to 5 and again 0 to 5; the second piece is shifted by 5 s.
 */
export class FileClock {
  /** Start times of the pieces after the first one, in the container's time with jumps closed. */
  readonly jumpsSeconds: readonly number[];
  /** Sum of the times without picture and sound before pieces whose clock jumps forward. */
  readonly closedSeconds: number;
  readonly #tracks: ReadonlyMap<number, Track>;
  /** Seconds to add to the times of each piece. */
  readonly #shifts: readonly number[];

  constructor(tracks: ReadonlyMap<number, Track>, pieceCount: number) {
    this.#tracks = tracks;
    const shifts = [0];
    const jumpsSeconds: number[] = [];
    let closedSeconds = 0;
    for (let piece = 1; piece < pieceCount; piece++) {
      const { shiftSeconds, startSeconds, isJump } = placePiece([...tracks.values()], piece, shifts);
      if (isJump) {
        jumpsSeconds.push(startSeconds);
        const gapSeconds = shifts[piece - 1] - shiftSeconds;
        if (gapSeconds < WRAPPED_SECONDS) closedSeconds += Math.max(0, gapSeconds);
      }
      shifts.push(shiftSeconds);
    }
    this.#shifts = shifts;
    this.jumpsSeconds = jumpsSeconds;
    this.closedSeconds = closedSeconds;
  }

  get isContinuous(): boolean {
    return this.#shifts.length <= 1;
  }

  /** Indices of the streams of a kind that have packets. */
  streamsOf(kind: StreamKind): readonly number[] {
    return [...this.#tracks].filter(([, track]) => track.kind === kind).map(([index]) => index);
  }

  packets(streamIndex: number): number {
    return this.#tracks.get(streamIndex)?.packetCount ?? 0;
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
    return {
      startSeconds: Math.min(...runs.map(({ startSeconds, piece }) => startSeconds + this.#shifts[piece])),
      endSeconds: Math.max(...runs.map(({ endSeconds, piece }) => endSeconds + this.#shifts[piece])),
    };
  }
}

interface PlacedPiece {
  readonly shiftSeconds: number;
  /** With jumps closed. */
  readonly startSeconds: number;
  /** Whether the clock jumps here: the piece is longer than priming, and not a continued picture. */
  readonly isJump: boolean;
}

/**
 * Places a piece after the earlier ones, without an overlap of picture. Sound may overlap by its priming if there is a
 * picture.
 */
function placePiece(tracks: readonly Track[], piece: number, shifts: readonly number[]): PlacedPiece {
  const parts = tracks
    .filter(({ kind }) => kind !== 'other')
    .map(({ kind, runs }) => {
      const at = runs.findIndex((run) => run.piece === piece);
      const earlier = (at < 0 ? runs : runs.slice(0, at)).filter((run) => run.piece < piece);
      const endsSeconds = earlier.map((run) => run.endSeconds + shifts[run.piece]);
      return { kind, run: at < 0 ? null : runs[at], endsSeconds };
    });
  const present = parts.flatMap(({ kind, run, endsSeconds }) =>
    run === null ? [] : [{ kind, run, lastEndSeconds: endsSeconds.at(-1) ?? Number.NEGATIVE_INFINITY }],
  );
  const startSeconds = Math.min(...present.map(({ run }) => run.startSeconds));
  /** The least shift by which no stream of this kind overlaps its own earlier packets. */
  const shiftAfter = (kind: StreamKind) =>
    Math.max(
      ...present
        .filter((part) => part.kind === kind)
        .map(({ run, lastEndSeconds }) => lastEndSeconds - run.startSeconds),
    );
  const [pictureShift, soundShift] = [shiftAfter('picture'), shiftAfter('sound')];
  const continuedShift = shiftOfContinuedPicture(tracks, piece, { shifts, soundShift });
  if (continuedShift !== null)
    return { shiftSeconds: continuedShift, startSeconds: startSeconds + continuedShift, isJump: false };
  const overlap = Number.isFinite(pictureShift) ? PRIMING_SECONDS : 0;
  const shift = Math.max(pictureShift, soundShift - overlap);
  const endSeconds = Math.max(0, ...parts.flatMap(({ endsSeconds }) => endsSeconds));
  const shiftSeconds = Number.isFinite(shift) ? shift : endSeconds - startSeconds;
  const isJump = present.some(({ run }) => run.endSeconds - run.startSeconds > PRIMING_SECONDS);
  return { shiftSeconds, startSeconds: startSeconds + shiftSeconds, isJump };
}

/**
 * The shift of a piece whose picture continues the picture before it, although its sound overlaps: another encoder begins with its priming
 * samples. Null: another kind of piece.
 */
function shiftOfContinuedPicture(
  tracks: readonly Track[],
  piece: number,
  { shifts, soundShift }: { readonly shifts: readonly number[]; readonly soundShift: number },
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
  const before = pictures.findLast((run) =>
    own === undefined ? isBeside(run) : own.continuesLastRun && run !== own,
  );
  if (before === undefined) return null;
  const shift = shifts[before.piece];
  return soundShift - shift < INTERLEAVING_SECONDS ? shift : null;
}
