import type { ClipFacts, SubjectTrack } from '../facts.ts';
import { boxesAt } from './boxes.ts';
import { middleOf } from './steps.ts';

const MIDDLE = 0.5;

export interface FocusCurves {
  readonly faceHeight: readonly number[];
  readonly figure: readonly number[];
  /** Salience of the most salient subject that is no face; 0: none. */
  readonly subject: readonly number[];
  readonly focusX: readonly number[];
  readonly focusY: readonly number[];
}

/** The focus of attention per step: the largest face, else the most salient region, else figures. */
export function focusCurves(
  { video, motion }: Pick<ClipFacts, 'video' | 'motion'>,
  count: number,
): FocusCurves {
  const others = motion.subjects.filter(({ kind }) => kind !== 'face');
  const faceHeight: number[] = [];
  const focus: (readonly [number, number])[] = [];
  for (let step = 0; step < count; step++) {
    const at = middleOf(step);
    const face = boxesAt(video.faces, at).sort((a, b) => b.height - a.height)[0];
    faceHeight.push(face?.height ?? 0);
    const box = face ?? boxesAt(others, at)[0];
    focus.push(box === undefined ? figureAt(video, at) : [box.x + box.width / 2, box.y + box.height / 2]);
  }
  return {
    faceHeight,
    figure: figureCurve(video, count),
    subject: Array.from({ length: count }, (_, step) => salienceAt(others, middleOf(step))),
    focusX: focus.map(([x]) => x),
    focusY: focus.map(([, y]) => y),
  };
}

/** A figure that only one of two neighboring samples shows enters or leaves between them. */
function figureCurve({ figures }: ClipFacts['video'], count: number): number[] {
  const isSeen = figures.map(({ across }) => across.some((share) => share > 0));
  let next = 0;
  return Array.from({ length: count }, (_, step) => {
    while (next < figures.length && figures[next].timeSeconds <= middleOf(step)) next += 1;
    const around = isSeen.slice(Math.max(0, next - 1), next + 1);
    return around.length > 0 && around.every(Boolean) ? 1 : 0;
  });
}

function salienceAt(tracks: readonly SubjectTrack[], at: number): number {
  const present = tracks.filter((track) => track.startSeconds <= at && track.endSeconds > at);
  return present.reduce((most, { salience }) => Math.max(most, salience), 0);
}

function figureAt({ figures, attention, shots }: ClipFacts['video'], at: number): readonly [number, number] {
  const look = figures.findLast((one) => one.timeSeconds <= at);
  const shot = shots.findIndex((one) => one.startSeconds <= at && one.endSeconds > at);
  const sinceCut = look !== undefined && look.timeSeconds >= (shots[shot]?.startSeconds ?? 0);
  const seen = sinceCut && look.across.some((share) => share > 0) ? look : attention[shot];
  return seen === undefined ? [MIDDLE, MIDDLE] : [centreOf(seen.across), centreOf(seen.down)];
}

function centreOf(shares: readonly number[]): number {
  const total = shares.reduce((sum, share) => sum + share, 0);
  if (total === 0) return MIDDLE;
  return shares.reduce((sum, share, part) => sum + share * (part + 0.5), 0) / shares.length / total;
}
