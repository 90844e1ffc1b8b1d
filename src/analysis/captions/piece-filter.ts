import type { Detector } from '../detector.ts';
import type { TextPiece } from './judge.ts';
import { isLikeType, sharesLine } from './place.ts';
import { haveSameWords } from './words.ts';

/** Doubtful pieces are accepted if this many seconds around them … */
const CLUSTER_WINDOW_SECONDS = 4;
/** … hold this many others like them. */
const MIN_NEIGHBOURS = 3;
/**
 * Two detections of the same words within this time, at least this far apart (share of the picture), are one
 * moving text.
 */
const MOVED_SECONDS = 1.1;
const MIN_MOVE = 0.005;
/** False detections rarely stay this long. */
const LASTING_SECONDS = 0.8;

/**
 * Filters text candidates, in the order in which they ended. Textures give a few candidates a second. Those
 * without evidence are dropped unless there are others in the same place around the same time, so that memory
 * grows only with the captions.
 */
export class PieceFilter implements Detector<[TextPiece], TextPiece[]> {
  readonly #accepted: TextPiece[] = [];
  #doubtful: TextPiece[] = [];

  push(piece: TextPiece): void {
    this.#markMoved(piece);
    if (piece.isOverlay || isLasting(piece)) this.#accepted.push(piece);
    else this.#doubtful.push(piece);
    const decided = piece.startSeconds - CLUSTER_WINDOW_SECONDS;
    if (this.#doubtful.some(({ startSeconds }) => startSeconds < decided - CLUSTER_WINDOW_SECONDS))
      this.#decide(decided);
  }

  finish(): TextPiece[] {
    this.#decide(Number.POSITIVE_INFINITY);
    return this.#accepted;
  }

  #markMoved(piece: TextPiece): void {
    for (const list of [this.#doubtful, this.#accepted]) {
      for (let i = list.length - 1; i >= 0; i--) {
        const other = list[i];
        if (other.startSeconds < piece.startSeconds - 2 * MOVED_SECONDS) break;
        if (Math.abs(other.startSeconds - piece.startSeconds) > MOVED_SECONDS || !isDisplaced(piece, other))
          continue;
        piece.hasMoved = true;
        other.hasMoved = true;
      }
    }
  }

  /** Decides on the pieces that began before `seconds`. */
  #decide(seconds: number): void {
    const waiting: TextPiece[] = [];
    for (const piece of this.#doubtful) {
      if (piece.startSeconds >= seconds) waiting.push(piece);
      else if (this.#hasNeighbours(piece)) this.#accepted.push(piece);
    }
    // Pieces just decided count for the ones that still wait.
    this.#doubtful = waiting;
  }

  #hasNeighbours(piece: TextPiece): boolean {
    let neighbours = 0;
    const near = (other: TextPiece) =>
      other !== piece &&
      Math.abs(other.startSeconds - piece.startSeconds) <= CLUSTER_WINDOW_SECONDS &&
      sharesLine({ ...other, piece: other }, { ...piece, piece: piece });
    for (const other of this.#doubtful) if (near(other)) neighbours++;
    for (let i = this.#accepted.length - 1; i >= 0 && neighbours < MIN_NEIGHBOURS; i--) {
      if (this.#accepted[i].startSeconds < piece.startSeconds - 2 * CLUSTER_WINDOW_SECONDS) break;
      if (near(this.#accepted[i])) neighbours++;
    }
    return neighbours >= MIN_NEIGHBOURS;
  }
}

function isLasting({ startSeconds, endSeconds }: TextPiece): boolean {
  return endSeconds === null || endSeconds - startSeconds > LASTING_SECONDS;
}

function isDisplaced(a: TextPiece, b: TextPiece): boolean {
  if (a.bright !== b.bright || a.startSeconds === b.startSeconds || !isLikeType(a, b)) return false;
  const across = displacementOf([a.box.x, a.box.x + a.box.width], [b.box.x, b.box.x + b.box.width]);
  const down = displacementOf([a.box.y, a.box.y + a.box.height], [b.box.y, b.box.y + b.box.height]);
  return Math.max(across, down) > MIN_MOVE && haveSameWords(a, b);
}

type Ends = readonly [from: number, to: number];

/**
 * Displacement of a text along an axis. A moving text moves with both ends; if one end stays, more or less of the
 * text was detected.
 */
function displacementOf(a: Ends, b: Ends): number {
  const shifts = [b[0] - a[0], b[1] - a[1]] as const;
  return shifts[0] * shifts[1] > 0 ? Math.min(Math.abs(shifts[0]), Math.abs(shifts[1])) : 0;
}
