import { mean, standardDeviation } from '../../signal/statistics.ts';
import { type Cell, noveltyOf } from './sections.ts';

const PHRASE_BARS = 4;
/** Bars that are compared on both sides of a border. */
const REACH = 2;
/** Standard errors by which the borders of one phase must be newer than all others. */
const MIN_MARGIN = 1;

/**
 * Times at which phrases begin: every four bars where the sound changes most at them, counted again from each section. Without such a phase,
 * only the beginnings of sections are phrases.
 */
export function phraseStarts(bars: readonly Cell[], sectionSeconds: readonly number[]): Set<number> {
  const starts = new Set(sectionSeconds.slice(1));
  const novelty = noveltyOf(bars, REACH);
  const groups = Array.from({ length: PHRASE_BARS }, (_, phase) =>
    novelty.filter((_, bar) => bar > 0 && bar % PHRASE_BARS === phase),
  );
  if (groups.some((group) => group.length < 2)) return starts;
  const means = groups.map(mean);
  const best = means.indexOf(Math.max(...means));
  const second = Math.max(...means.filter((_, phase) => phase !== best));
  const error = standardDeviation(novelty) / Math.sqrt(groups[best].length);
  if (means[best] - second < MIN_MARGIN * error) return starts;
  for (let bar = best; bar < bars.length; bar += PHRASE_BARS) starts.add(bars[bar].startSeconds);
  return starts;
}
