/**
 * Cost, memory and disk space by the length of a video: time grows linearly, memory does not grow. `--whole
 * TEMPLATE` also renders, in that style and low quality, and samples the size of the working folder once a
 * second.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Studio } from '../src/library.ts';
import { type Cost, measureCost } from './lib/cost.ts';
import { MEDIA } from './lib/long-clip.ts';
import { repeatClip } from './lib/repeat-clip.ts';
import { conditionsInWords, currentConditions, saveResult, table } from './lib/report.ts';

const LOOK_MS = 1000;

interface Grown extends Cost {
  readonly minutes: number;
  readonly durationSeconds: number;
  readonly transitions: number;
  /** Null: nothing was rendered. */
  readonly whole: (Cost & { readonly mostFolderBytes: number; readonly outputBytes: number }) | null;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      minutes: { type: 'string', default: '1,2,4,8' },
      whole: { type: 'string' },
      'no-save': { type: 'boolean', default: false },
    },
  });
  const conditions = currentConditions();
  const path = positionals[0] ?? `${MEDIA}edits/edit_landscape_a.mp4`;
  const folder = mkdtempSync(join(tmpdir(), 'styledna-growth-'));
  const results: Grown[] = [];
  try {
    for (const minutes of values.minutes.split(',').map(Number)) {
      results.push(await measureAt(minutes, path, folder, values.whole ?? null));
      console.error(`${minutes} min: ${results.at(-1)!.cpuSeconds.toFixed(1)} CPU s of analysis`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`${conditionsInWords(conditions)}\n\n${tableOf(results)}`);
  if (!values['no-save']) console.log(`\n${saveResult('growth', { conditions, results })}`);
}

async function measureAt(
  minutes: number,
  path: string,
  folder: string,
  template: string | null,
): Promise<Grown> {
  const workRoot = join(folder, 'work');
  mkdirSync(workRoot, { recursive: true });
  const studio = new Studio({ workRoot, idleSeconds: 600, memoryBytes: 8 * 2 ** 30 });
  const once = await studio.analyze(path);
  if (once.kind !== 'clip') throw new Error(`${path} has no picture`);
  const times = Math.max(1, Math.round((minutes * 60) / once.facts.video.durationSeconds));
  const long = join(folder, 'long.mp4');
  await repeatClip(path, times, long);
  const { cost, result } = await measureCost(() => studio.analyze(long));
  if (result.kind !== 'clip') throw new Error('the picture got lost');
  const { durationSeconds, transitions } = result.facts.video;
  const whole = template === null ? null : await render(studio, { long, template, workRoot });
  return { minutes, durationSeconds, transitions: transitions.length, ...cost, whole };
}

async function render(
  studio: Studio,
  { long, template, workRoot }: { long: string; template: string; workRoot: string },
) {
  let mostFolderBytes = 0;
  const looking = setInterval(() => {
    mostFolderBytes = Math.max(mostFolderBytes, bytesUnder(workRoot));
  }, LOOK_MS);
  try {
    const output = `${long}.styled.mp4`;
    // At the video's own rate: as many frames are drawn as were measured.
    const config = { quality: 'low', components: { frame_rate: false } } as const;
    const { cost } = await measureCost(() =>
      studio.apply({ source: long, look: { template }, config, output }),
    );
    return { ...cost, mostFolderBytes, outputBytes: statSync(output).size };
  } finally {
    clearInterval(looking);
  }
}

/** Files may go while they are counted. */
function bytesUnder(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
}

function tableOf(results: readonly Grown[]): string {
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);
  const rows = results.map(({ whole, ...one }) => {
    const minutes = one.durationSeconds / 60;
    const drawn =
      whole === null
        ? []
        : [
            (whole.cpuSeconds / minutes).toFixed(2),
            megabytes(whole.childPeakBytes),
            (whole.mostFolderBytes / 1e6).toFixed(1),
            (whole.outputBytes / 1e6).toFixed(1),
          ];
    const measured = [(one.cpuSeconds / minutes).toFixed(2), megabytes(one.childPeakBytes)];
    return [minutes.toFixed(2), ...measured, String(one.transitions), ...drawn];
  });
  const head = ['minutes', 'analysis: CPU s a minute', 'peak MB', 'transitions'];
  const ofWhole = ['apply: CPU s a minute', 'peak MB', 'folder, most MB', 'output MB'];
  return table(results[0]?.whole === null ? head : [...head, ...ofWhole], rows);
}

await main();
