/** Faces that the crops of an edit cut. */
import type { Box, SubjectTrack } from '../../src/analysis/facts.ts';
import { framingAt } from '../../src/style/model/framing.ts';
import type { Timeline } from '../../src/style/model/timeline.ts';

export interface Heads {
  readonly tracks: readonly SubjectTrack[];
  /** Width over height of the take's picture. */
  readonly aspect: number;
}

interface FramedHeads {
  readonly timeline: Timeline;
  /** Heads with their shoulders in each take, in the order of the request; empty: unknown, or none. */
  readonly heads: readonly Heads[];
}

interface CutFace {
  /** In the output. */
  readonly atSeconds: number;
  readonly detail: string;
}

/**
 * `bustWidths`, `hairHeights`: sizes of a head with its shoulders in sizes of its face, as in `src/analysis/subjects/face.ts`.
 * A face is cut if its height is at least a tenth of the crop's, more than a fifth of it is visible, and less than .85 of its
 * width or height is, for .3 s. The limits are chosen, not fitted.
 */
const FACE = {
  ...{ bustWidths: 2.2, hairHeights: 0.5, heightOverWidth: 1.2 },
  ...{ minHeight: 0.1, minShown: 0.2, maxShown: 0.85, cutSeconds: 0.3 },
} as const;

/** A face that an edge of the crop cuts between hair and chin, although the take shows all of it. */
export function facesCut({ timeline, heads }: FramedHeads): CutFace[] {
  const found: CutFace[] = [];
  let atSeconds = 0;
  for (const clip of timeline.clips) {
    const { sourceStartSeconds: start, sourceEndSeconds: end, take } = clip;
    const { tracks, aspect } = (clip.fit === 'crop' ? heads[take] : undefined) ?? { tracks: [], aspect: 1 };
    for (const track of tracks) {
      const shown = track.boxes.filter(({ timeSeconds }) => timeSeconds >= start && timeSeconds < end);
      const cut = shown.filter(({ timeSeconds, box }) => {
        const framing = framingAt(clip, (timeSeconds - start) / (end - start), timeSeconds);
        return isCut(faceOf(box, aspect), framing);
      });
      const step =
        shown.length < 2 ? 0 : (shown.at(-1)!.timeSeconds - shown[0]!.timeSeconds) / (shown.length - 1);
      if (cut.length * step < FACE.cutSeconds) continue;
      const first = cut[0]!.timeSeconds;
      const detail = `${(cut.length * step).toFixed(1)} s of take ${take} from ${first.toFixed(2)} s on`;
      found.push({ atSeconds: atSeconds + first - start, detail });
    }
    atSeconds += end - start;
  }
  return found;
}

/** The face within a head with its shoulders (`BUST` of `src/analysis/subjects/face.ts`); null: the picture's edge cuts it. */
function faceOf({ x, y, width }: Box, aspect: number): Box | null {
  if (x <= 0 || y <= 0 || x + width >= 1) return null;
  const faceWidth = width / FACE.bustWidths;
  // Chests may end at the lower edge: the height follows from the width.
  const faceHeight = faceWidth * aspect * FACE.heightOverWidth;
  return {
    x: x + (width - faceWidth) / 2,
    y: y + FACE.hairHeights * faceHeight,
    width: faceWidth,
    height: faceHeight,
  };
}

/** Faces in the background may be cut; so may hair and chin by a hair's breadth. */
function isCut(face: Box | null, crop: Box): boolean {
  if (face === null || face.height < FACE.minHeight * crop.height) return false;
  const inside = (start: number, size: number, from: number, length: number) =>
    Math.max(0, Math.min(start + size, from + length) - Math.max(start, from)) / size;
  const shares = [
    inside(face.x, face.width, crop.x, crop.width),
    inside(face.y, face.height, crop.y, crop.height),
  ];
  const [least, visible] = [Math.min(...shares), shares[0]! * shares[1]!];
  return visible > FACE.minShown && least < FACE.maxShown;
}
