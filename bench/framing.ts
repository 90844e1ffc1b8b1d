/** How well crops to an upright ratio keep what a person marked: `node bench/framing.ts FOLDER...` searches the folders for clips. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type FramingScore, HELD, type Mark, scoreFraming } from './framing/score.ts';
import { totalsOf } from './framing/totals.ts';
import { measureClip } from './lib/measure.ts';

interface MarkedClip {
  readonly clip: string;
  readonly half: 'tuning' | 'reporting';
  readonly moments: readonly Mark[];
}

const UPRIGHT = 9 / 16;

const marked: readonly MarkedClip[] = JSON.parse(
  readFileSync(new URL('framing/marks.json', import.meta.url), 'utf8'),
);
const folders = process.argv.slice(2);
if (folders.length === 0) throw new Error('Usage: node bench/framing.ts FOLDER...');
const paths = new Map(
  folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => [
      basename(name),
      join(folder, name),
    ]),
  ),
);
for (const half of ['tuning', 'reporting'] as const) {
  const scores: FramingScore[] = [];
  for (const { clip, moments } of marked.filter((one) => one.half === half)) {
    const path = paths.get(clip);
    if (path === undefined) {
      console.log(`missing: ${clip}`);
      continue;
    }
    const { seen, audio } = await measureClip(path);
    const score = scoreFraming({ ...seen!, audio }, moments, UPRIGHT);
    scores.push(score);
    const lost = score.moments.filter((one) => one.fits && one.heldCropped < HELD);
    const words = lost.map((one) => `${one.seconds} s (${one.heldCropped.toFixed(2)})`).join(', ');
    console.log(`${clip}: ${score.fit}${words === '' ? '' : `; a crop could hold, and does not: ${words}`}`);
  }
  if (scores.length > 0) console.log(half, totalsOf(scores));
}
