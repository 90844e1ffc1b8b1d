const PHRASE_BARS = 4;
/** Number of section starts that must agree on a phase, and their share of all. */
const MIN_VOTES = 2;
const MIN_SHARE = 0.6;

/**
 * Numbers of the bars at which phrases begin: every four bars if the starts of sections and the song's first
 * bar agree on them. Otherwise only the starts of sections. `first`: the bar with which the song begins;
 * null: the beginning is cut off.
 */
export function phraseStarts(bars: number, sections: readonly number[], first: number | null): Set<number> {
  const starts = new Set(sections);
  const votes = new Array<number>(PHRASE_BARS).fill(0);
  const voters = first === null ? sections : [...sections, first];
  for (const bar of voters) votes[bar % PHRASE_BARS] += 1;
  const most = Math.max(...votes);
  if (most < MIN_VOTES || most < MIN_SHARE * voters.length) return starts;
  for (let bar = votes.indexOf(most); bar < bars; bar += PHRASE_BARS) starts.add(bar);
  return starts;
}
