/** Whether a clip, as it moves, keeps the heads that it shows whole. */
import { type ClipFacts, WHOLE_PICTURE } from '../../analysis/facts.ts';
import { framingAt } from '../model/framing.ts';
import type { Clip } from '../model/timeline.ts';
import { cutsFittingHeads, headMoments } from './sightings.ts';

/** Share of the moments with heads in which the framing cuts heads, or shows none of those that it could hold; 0 without heads. */
export function cutHeadShare({ video }: ClipFacts, clip: Clip): number {
  const { sourceStartSeconds: start, sourceEndSeconds: end } = clip;
  const faces = video.faces.flatMap(({ boxes }) =>
    boxes.filter(({ timeSeconds }) => timeSeconds >= start && timeSeconds < end),
  );
  const cuts = headMoments(faces, WHOLE_PICTURE)
    .map(({ seconds, heads }) =>
      cutsFittingHeads(heads, framingAt(clip, (seconds - start) / (end - start), seconds)),
    )
    .filter((isCut) => isCut !== null);
  return cuts.filter(Boolean).length / Math.max(1, cuts.length);
}
