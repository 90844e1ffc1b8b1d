/**
 * What each constant of the analysis is worth: clips are decoded and measured once, then the part of the analysis that a constant
 * stands in runs again with it at 0, at a millionth and a million times itself (its rule never or always holds), at half and at twice.
 *
 *   node bench/ablate.ts --files '^speech/voice.ts:' [--factors 0,1e6] [--sample 20] FOLDER … [--made sounds:9301-9302]
 *
 * With `--measure framing` the clips are those of the folders that are marked for `bench/framing.ts`, of the tuning half, and so are the figures.
 *
 * `--files` is asked of each constant's file and line, `speech/voice.ts:24`. A line for each: how many clips come out otherwise, and
 * each figure of `bench/analysis.ts` that moves, by folder or round. A value that makes the analysis endless is told as such: the trials run
 * in a child, which is begun anew.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { change, instrument, type Limit } from './ablate/instrument.ts';

/** Of one folder: figures by name, and each clip's findings as text. */
interface Result {
  readonly figures: ReadonlyMap<string, number>;
  readonly findings: readonly string[];
}

/** A trial that is silent for so many times what all clips take without a change, or for so long, has no end. */
const SLOWER = 6;
const MIN_PATIENCE_MS = 10_000;

const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    files: { type: 'string', default: '.' },
    factors: { type: 'string', default: '0,1e-6,0.5,2,1e6' },
    made: { type: 'string', multiple: true, default: [] },
    sample: { type: 'string', default: '1000' },
    measure: { type: 'string', default: 'clips' },
    from: { type: 'string' },
  },
});
const factors = options.factors.split(',').map(Number);

/** Runs trials in children until all are told. */
async function supervise(): Promise<void> {
  let next = 0;
  for (;;) {
    const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2), '--from', `${next}`];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let patience = 600_000;
    let finished = false;
    let timer = setTimeout(() => child.kill('SIGKILL'), patience);
    const ended = once(child, 'exit');
    for await (const line of createInterface({ input: child.stdout })) {
      clearTimeout(timer);
      if (line.startsWith('#plain ')) patience = Math.max(MIN_PATIENCE_MS, SLOWER * Number(line.slice(7)));
      else if (line.startsWith('#next ')) next = Number(line.slice(6));
      else if (line === '#end') finished = true;
      else console.log(line);
      timer = setTimeout(() => child.kill('SIGKILL'), patience);
    }
    clearTimeout(timer);
    await ended;
    if (finished) return;
    if (next === 0) throw new Error('The analysis did not come to an end without any change');
    console.log('  … has no end, or ends the process');
  }
}

async function tryAll(first: number): Promise<void> {
  const limits = instrument();
  const { STAGES, recordClip } = await import('./ablate/stages.ts');
  const { framingGroups } = await import('./ablate/framing.ts');
  const { accuracyGroups } = await import('./ablate/accuracy.ts');
  const wanted = new RegExp(options.files);
  const chosen = limits.filter(({ file, line }) => wanted.test(`${file}:${line}`));
  const stageOf = ({ file }: Limit) => Object.entries(STAGES).find(([, { files }]) => files.test(file))?.[1];
  const stages = [...new Set(chosen.map(stageOf))].filter((stage) => stage !== undefined);
  const ask = {
    sound: stages.some(({ hears }) => hears),
    picture: stages.some((stage) => !stage.hears && stage !== STAGES['motion']),
    motion: stages.includes(STAGES['motion']!),
    subjects: options.measure === 'framing',
  };
  const record = (path: string) => recordClip(path, ask);
  const groups =
    options.measure === 'framing'
      ? await framingGroups(folders, record)
      : await accuracyGroups(folders, options.made, Number(options.sample), record);
  const resultOf = (stage: (typeof stages)[number]): readonly Result[] =>
    groups.map(({ clips, figuresOf }) => {
      const found = clips.map((clip) => stage.run(clip));
      return { figures: figuresOf(found), findings: found.map((findings) => JSON.stringify(findings)) };
    });
  let number = 0;
  for (const stage of stages) {
    const begun = performance.now();
    const plain = resultOf(stage);
    console.log(`#plain ${performance.now() - begun}`);
    for (const limit of chosen.filter((one) => stageOf(one) === stage))
      for (const factor of factors) {
        number += 1;
        if (number <= first) continue;
        const title = `${limit.file}:${limit.line} ${limit.name ?? ''} ${limit.text} ×${factor}`;
        console.log(`#next ${number}`);
        change(limit, factor);
        let told: string;
        try {
          told = differences(plain, resultOf(stage));
        } catch (error) {
          told = `fails: ${(error as Error).message}`;
        }
        change(limit, 1);
        console.log(`${title} | ${told}`);
      }
  }
  console.log('#end');

  function differences(before: readonly Result[], after: readonly Result[]): string {
    return groups
      .map(({ name }, at) => {
        const [was, is] = [before[at]!, after[at]!];
        const others = is.findings.filter((text, clip) => text !== was.findings[clip]).length;
        const moved = [...is.figures].flatMap(([figure, value]) => {
          const old = was.figures.get(figure);
          return old === undefined || Math.abs(value - old) < 5e-4
            ? []
            : [`${figure} ${old.toFixed(3)} → ${value.toFixed(3)}`];
        });
        return others === 0
          ? ''
          : `${name}: ${others} of ${is.findings.length} otherwise; ${moved.join('; ') || 'none moves'}`;
      })
      .filter((text) => text !== '')
      .join(' | ');
  }
}

if (options.from === undefined) await supervise();
else await tryAll(Number(options.from));
