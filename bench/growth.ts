/** Cost and memory of the analysis as the video grows: linear in time, flat in memory. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Studio } from '../src/library.ts';
import { measureCost } from './lib/cost.ts';
import { MEDIA } from './lib/long-clip.ts';
import { repeatClip } from './lib/repeat-clip.ts';
import { conditionsInWords, currentConditions, saveResult, table } from './lib/report.ts';

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      minutes: { type: 'string', default: '1,2,4,8' },
      'no-save': { type: 'boolean', default: false },
    },
  });
  const conditions = currentConditions();
  const path = positionals[0] ?? `${MEDIA}edits/edit_landscape_a.mp4`;
  const folder = mkdtempSync(join(tmpdir(), 'styledna-growth-'));
  const workRoot = join(folder, 'work');
  mkdirSync(workRoot);
  const studio = new Studio({ workRoot, idleSeconds: 600, memoryBytes: 8 * 2 ** 30 });
  const results = [];
  try {
    const once = await studio.analyze(path);
    if (once.kind !== 'clip') throw new Error(`${path} has no picture`);
    for (const minutes of values.minutes.split(',').map(Number)) {
      const times = Math.max(1, Math.round((minutes * 60) / once.facts.video.durationSeconds));
      const long = join(folder, 'long.mp4');
      await repeatClip(path, times, long);
      const { cost, result } = await measureCost(() => studio.analyze(long));
      if (result.kind !== 'clip') throw new Error('the picture got lost');
      const { durationSeconds, transitions } = result.facts.video;
      results.push({ minutes, times, durationSeconds, transitions: transitions.length, ...cost });
      console.error(`${minutes} min: ${cost.cpuSeconds.toFixed(1)} CPU s`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const rows = results.map((one) => [
    (one.durationSeconds / 60).toFixed(2),
    one.cpuSeconds.toFixed(1),
    (one.cpuSeconds / (one.durationSeconds / 60)).toFixed(2),
    (one.childPeakBytes / 1e6).toFixed(0),
    String(one.transitions),
  ]);
  const head = ['minutes', 'CPU s', 'CPU s a minute', 'peak MB', 'transitions'];
  console.log(`${conditionsInWords(conditions)}\n\n${table(head, rows)}`);
  if (!values['no-save']) console.log(`\n${saveResult('growth', { conditions, results })}`);
}

await main();
