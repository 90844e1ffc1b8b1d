/** How well burnt-in captions are found, timed, placed and described, by folder of clips. */
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { CaptionDetector } from '../src/analysis/captions/captions.ts';
import { captionRecordingOf, replayCaptions } from './captions/recording.ts';
import { madeClips } from './generate/families.ts';
import { readTruths } from './lib/truth.ts';
import { type CaptionScore, scoreCaptions } from './score/captions.ts';

const mean = (values: readonly number[]) =>
  values.length === 0 ? '–' : (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(3);

function row(name: string, scores: readonly CaptionScore[]): string {
  const count = (holds: (score: CaptionScore) => boolean) => scores.filter(holds).length;
  const spans = scores.flatMap((score) => score.spans ?? []);
  const styles = scores.flatMap((score) => score.style ?? []);
  const cells = [
    name,
    scores.length,
    `${count(({ wanted, found }) => wanted && found)} of ${count(({ wanted }) => wanted)}`,
    count(({ wanted, found }) => !wanted && found),
    mean(spans.map(({ recall }) => recall)),
    mean(spans.map(({ excess }) => excess)),
    mean(spans.map(({ boxOverlap }) => boxOverlap)),
    ...(['position', 'lineHeight', 'color', 'outlined'] as const).map((field) =>
      styles.length === 0 ? '–' : `${styles.filter((style) => style[field]).length} of ${styles.length}`,
    ),
  ];
  return `| ${cells.join(' | ')} |`;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seeds: { type: 'string' }, verbose: { type: 'boolean', short: 'v', default: false } },
  });
  const made = values.seeds === undefined ? [] : await madeClips([`captions:${values.seeds}`]);
  const groups = new Map<string, CaptionScore[]>();
  let milliseconds = 0;
  for (const folder of [...positionals, ...made]) {
    for (const truth of readTruths(folder)) {
      if (truth.captions === null) continue;
      const recording = await captionRecordingOf(truth.path);
      const from = process.cpuUsage();
      const detector = new CaptionDetector();
      replayCaptions(recording, detector);
      const facts = detector.finish();
      const { user, system } = process.cpuUsage(from);
      milliseconds += (user + system) / 1000;
      const score = scoreCaptions(facts, truth)!;
      const group = made.includes(folder)
        ? 'generated'
        : join(basename(folder), basename(dirname(truth.path)));
      groups.set(group, [...(groups.get(group) ?? []), score]);
      if (values.verbose) console.log(truth.name, JSON.stringify(score));
    }
  }
  console.log(
    '| clips of | clips | captions found | found where none are | time found | time wrong | box overlap | position | line height | color | outlined |',
  );
  console.log('|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|');
  for (const [name, scores] of groups) console.log(row(name, scores));
  console.log(`\n${(milliseconds / 1000).toFixed(1)} s of processor time`);
}

await main();
