/**
 * Share of marked subjects that crops to another ratio contain, also with punch-ins: `node bench/framing.ts
 * FOLDER... [--half tuning]` searches the folders for clips. For the reporting half only the sums are
 * printed.
 */
import { parseArgs } from 'node:util';
import { MARKED, type MarkedClip, pathsIn, RATIOS, ROUNDS } from './framing/marked.ts';
import { type FramingScore, HELD, scoreFraming } from './framing/score.ts';
import { scoreSecondCamera, sumOf } from './framing/second-camera.ts';
import { totalsOf } from './framing/totals.ts';
import { measureClip } from './lib/measure.ts';

const { positionals: folders, values } = parseArgs({
  allowPositionals: true,
  options: { half: { type: 'string' } },
});
if (folders.length === 0) throw new Error('Usage: node bench/framing.ts FOLDER... [--half tuning|reporting]');
const paths = pathsIn(folders);
for (const half of ['tuning', 'reporting'] as const) {
  if (values.half !== undefined && values.half !== half) continue;
  for (const round of ROUNDS) {
    const scores = await scoresOf(MARKED.filter((one) => one.half === half && one.round === round));
    if (scores.length === 0) continue;
    console.log(`${half}, round ${round}`, totalsOf(scores.map(({ framing }) => framing)));
    for (const [name, of] of [
      ['at another ratio', ({ other }: Scores) => other],
      ['at its own ratio', ({ own }: Scores) => own],
    ] as const)
      console.log(`${half}, round ${round}, second camera, ${name}`, sumOf(scores.flatMap(of)));
  }
}

interface Scores {
  readonly framing: FramingScore;
  readonly other: ReturnType<typeof scoreSecondCamera>;
  readonly own: ReturnType<typeof scoreSecondCamera>;
}

async function scoresOf(clips: readonly MarkedClip[]): Promise<Scores[]> {
  const scores: Scores[] = [];
  for (const { clip, half, round, moments } of clips) {
    const path = paths.get(clip);
    if (path === undefined) {
      console.log(`missing: ${clip}`);
      continue;
    }
    const { seen, audio } = await measureClip(path);
    const facts = { ...seen!, audio };
    const framing = scoreFraming(facts, moments, RATIOS[round]);
    const other = scoreSecondCamera(facts, moments, RATIOS[round]);
    scores.push({ framing, other, own: scoreSecondCamera(facts, moments, null) });
    if (half === 'tuning') console.log(`${clip}: ${framing.fit}${missesOf(framing)}`);
  }
  return scores;
}

function missesOf({ moments }: FramingScore): string {
  const missed = moments.filter((one) => one.fits && one.heldCropped < HELD);
  const words = missed.map((one) => `${one.seconds} s (${one.heldCropped.toFixed(2)})`).join(', ');
  return words === '' ? '' : `; a crop could hold, and does not: ${words}`;
}
