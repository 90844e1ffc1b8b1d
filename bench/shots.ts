/** Accuracy of shot boundaries: cuts, gradual transitions and boundaries of any kind, by kind of material. */
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { madeClips } from './generate/families.ts';
import { movingClips } from './generate/moving-changes.ts';
import { readTruths } from './lib/truth.ts';
import { recordingOf, replay } from './shots/recording.ts';
import { type BoundaryScore, boundaryTable, namesInWords, scoreBoundaries } from './shots/score.ts';

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seeds: { type: 'string' },
      moving: { type: 'string', multiple: true, default: [] },
      family: { type: 'string', multiple: true, default: ['edits'] },
      verbose: { type: 'boolean', short: 'v', default: false },
      only: { type: 'string', default: '' },
    },
  });
  const { seeds } = values;
  const made = [
    ...(seeds === undefined ? [] : await madeClips(values.family.map((name) => `${name}:${seeds}`))),
    ...(await movingClips(values.moving)),
  ];
  const scores: BoundaryScore[] = [];
  for (const folder of [...positionals, ...made]) {
    for (const truth of readTruths(folder)) {
      if (truth.cutsSeconds === null || truth.excluded.has('cuts') || !truth.path.includes(values.only))
        continue;
      const kind = made.includes(folder)
        ? basename(truth.name, '.mp4')
            .replace(/-\d+-?/, ' ')
            .trimEnd()
        : join(basename(folder), basename(dirname(truth.path)));
      const recording = await recordingOf(truth.path);
      const score = scoreBoundaries(kind, truth, recording.presentation, replay(recording));
      scores.push(score);
      if (values.verbose) for (const line of score.faults) console.log(`${truth.name} ${line}`);
    }
  }
  console.log(`${boundaryTable(scores)}\n${namesInWords(scores)}`);
}

await main();
