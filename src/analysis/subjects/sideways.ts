import type { Frame, Picture } from '../../domain/footage.ts';
import { rounded } from '../../signal/rounding.ts';
import type { Detector } from '../detector.ts';
import { FaceNetwork } from './face-network.ts';

/** Interval between samples: at least this, and this share of the time before. An hour has about 30. */
const MIN_INTERVAL_SECONDS = 0.9;
const INTERVAL_SHARE = 0.25;
/** Least score of a face in a turned picture. */
const MIN_SCORE = 0.6;
/** Least samples with such a face, and their share: 158 upright takes have at most one, takes on their side half or more. */
const MIN_SAMPLES = 2;
const MIN_SHARE = 1 / 3;

/** Best scores of the faces in one picture that is turned by 90° to the right and to the left. */
export type TurnedScores = readonly [right: number, left: number];

/**
 * Finds takes that lie on their side, of phones that stored no rotation: faces are found only in the turned picture.
 * Nothing is measured after an upright face.
 */
export class SidewaysMeter implements Detector<[Frame, boolean], number | null> {
  #network: FaceNetwork | null = null;
  #nextSeconds = Number.NEGATIVE_INFINITY;
  #hasUprightFace = false;
  readonly #samples: TurnedScores[] = [];

  /** @param hasUprightFace Whether a face was found upright up to this frame. */
  push({ timeSeconds, detail }: Frame, hasUprightFace: boolean): void {
    this.#hasUprightFace = hasUprightFace;
    if (hasUprightFace || detail === null || timeSeconds < this.#nextSeconds) return;
    this.#nextSeconds = timeSeconds + Math.max(MIN_INTERVAL_SECONDS, INTERVAL_SHARE * timeSeconds);
    this.#network ??= new FaceNetwork({ width: detail.height, height: detail.width });
    const network = this.#network;
    const bestScore = (isRight: boolean) => network.find(turned(detail, isRight))[0]?.score ?? 0;
    this.#samples.push([bestScore(true), bestScore(false)]);
  }

  /** Confidence that the clip lies on its side, 0..1; null: it does not. */
  finish(): number | null {
    return this.#hasUprightFace ? null : sidewaysConfidence(this.#samples);
  }
}

/** Mean score of the faces in the direction that has enough of them; null: neither has. */
export function sidewaysConfidence(samples: readonly TurnedScores[]): number | null {
  const means = [0, 1].flatMap((direction) => {
    const found = samples.map((scores) => scores[direction]!).filter((score) => score >= MIN_SCORE);
    if (found.length < Math.max(MIN_SAMPLES, MIN_SHARE * samples.length)) return [];
    return found.reduce((sum, score) => sum + score, 0) / found.length;
  });
  return means.length === 0 ? null : rounded(Math.max(...means), 3);
}

/** The picture turned by 90° to the right (clockwise) or to the left. */
function turned({ data, width, height, channels }: Picture, isRight: boolean): Picture {
  const result = new Uint8Array(data.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = isRight ? x * height + (height - 1 - y) : (width - 1 - x) * height + y;
      result[at] = data[y * width + x]!;
    }
  }
  return { data: result, width: height, height: width, channels };
}
