/**
 * The everyday case: a clip of ten seconds of 720p and a new template of 17 s, each command as a whole
 * process, compared with the time of plain `ffmpeg` to transcode and to decode the clip. With `--beside
 * CLONE` the same of another clone, alternating. `node bench/everyday.ts [SOURCE TEMPLATE] [--rounds 5]
 * [--beside ../clone]` (Linux only; needs `ffmpeg`)
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { QUALITIES } from '../src/domain/job-choices.ts';
import { PROGRAM } from '../test/support/program.ts';
import { measureCost } from './lib/cost.ts';
import { inTurn } from './lib/in-turn.ts';
import { conditionsInWords, currentConditions, saveResult, table } from './lib/report.ts';

const MEDIA = fileURLToPath(new URL('../../shared/media', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' }, beside: { type: 'string' } },
});
const source = positionals[0] ?? join(MEDIA, 'more/video/sam2_cups.mp4');
const template = positionals[1] ?? join(MEDIA, 'edits/edit_landscape_a.mp4');
const programs: Readonly<Record<string, string>> = {
  here: PROGRAM,
  ...(values.beside === undefined ? {} : { beside: resolve(values.beside, 'bin/styledna.mjs') }),
};

async function costOf(program: string, words: readonly string[]) {
  const { cost } = await measureCost(async () => {
    const { status, stderr } = spawnSync(program, words, { stdio: ['ignore', 'ignore', 'pipe'] });
    if (status !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${status}: ${stderr}`);
  });
  return { cpuSeconds: cost.cpuSeconds, wallSeconds: cost.wallSeconds };
}

const conditions = currentConditions();
const folder = mkdtempSync(join(tmpdir(), 'styledna-everyday-'));
try {
  const { crf, preset } = QUALITIES.medium.compression;
  const input = ['-v', 'error', '-y', '-i', source];
  const encoding = ['-c:v', 'libx264', '-preset', preset, '-crf', String(crf), '-c:a', 'aac', '-b:a', '192k'];
  const ours = Object.entries(programs).flatMap(([name, main]) => {
    const output = join(folder, `${name}.mp4`);
    const applied = () => {
      // A file that exists is refused.
      rmSync(output, { force: true });
      return costOf(process.execPath, [main, 'apply', source, '-t', template, '-o', output]);
    };
    return [
      [`${name}: apply`, applied],
      [`${name}: analyze`, () => costOf(process.execPath, [main, 'analyze', source])],
    ] as const;
  });
  const found = await inTurn(Number(values.rounds), {
    'ffmpeg: transcode': () => costOf('ffmpeg', [...input, ...encoding, join(folder, 'plain.mp4')]),
    'ffmpeg: decode': () => costOf('ffmpeg', [...input, '-f', 'null', '-']),
    ...Object.fromEntries(ours),
  });
  const rows = Object.entries(found).map(([name, { cpuSeconds, wallSeconds }]) => {
    const plain = found[/apply|transcode/.test(name) ? 'ffmpeg: transcode' : 'ffmpeg: decode'];
    return [
      name,
      cpuSeconds.toFixed(2),
      (cpuSeconds / plain.cpuSeconds).toFixed(2),
      wallSeconds.toFixed(2),
      (wallSeconds / plain.wallSeconds).toFixed(2),
    ];
  });
  console.log(conditionsInWords(conditions));
  console.log(`\n${table(['command', 'CPU s', '× plain', 's', '× plain'], rows)}`);
  console.log(
    `\n${saveResult('everyday', { conditions, source: basename(source), template: basename(template), found })}`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
