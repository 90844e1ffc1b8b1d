/**
 * How the everyday case (see `everyday.ts`) uses the machine's cores over time, beside plain `ffmpeg`, as a picture.
 * `node bench/cores.ts [SOURCE TEMPLATE] [--beside CLONE] [--output cores.svg]` (Linux only; needs `ffmpeg`)
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { QUALITIES } from '../src/domain/job-choices.ts';
import { PROGRAM } from '../test/support/program.ts';
import { corePicture } from './lib/core-picture.ts';
import { coreUseOf } from './lib/core-use.ts';
import { conditionsInWords, currentConditions } from './lib/report.ts';

const MEDIA = fileURLToPath(new URL('../../shared/media', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { beside: { type: 'string' }, output: { type: 'string', default: 'cores.svg' } },
});
const source = positionals[0] ?? join(MEDIA, 'more/video/sam2_cups.mp4');
const template = positionals[1] ?? join(MEDIA, 'edits/edit_landscape_a.mp4');
const programs = {
  ...(values.beside === undefined ? {} : { before: resolve(values.beside, 'bin/styledna.mjs') }),
  [values.beside === undefined ? 'apply' : 'after']: PROGRAM,
};

console.log(conditionsInWords(currentConditions()));
const folder = mkdtempSync(join(tmpdir(), 'styledna-cores-'));
try {
  const { crf, preset } = QUALITIES.medium.compression;
  const plain = join(folder, 'plain.mp4');
  const encoding = ['-c:v', 'libx264', '-preset', preset, '-crf', String(crf), '-c:a', 'aac', plain];
  const rows = [];
  for (const [name, main] of Object.entries(programs)) {
    const words = [main, 'apply', source, '-t', template, '-o', join(folder, `${name}.mp4`)];
    rows.push({ name, uses: await coreUseOf(process.execPath, words) });
  }
  const transcode = ['-v', 'error', '-y', '-i', source, ...encoding];
  rows.push({ name: 'plain ffmpeg', uses: await coreUseOf('ffmpeg', transcode) });
  writeFileSync(values.output, corePicture(rows, availableParallelism()));
  console.log(values.output);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
