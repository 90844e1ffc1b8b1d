/** Preloaded to measure a test file: writes at its end the CPU seconds of the process and its children. */
import { appendFileSync, readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';

/** Of `/proc/self/stat`, after the name of the program: user and system time, and those of children that have ended; clock ticks. */
const TIMES = { from: 11, to: 15 } as const;
const TICKS_PER_SECOND = 100;

const list = process.env['TEST_CPU_LIST'];
const file = process.argv[1];
if (
  list !== undefined &&
  file !== undefined &&
  /\.test\.(ts|mjs)$/.test(file) &&
  process.platform === 'linux'
)
  process.once('exit', () => {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const ticks = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(TIMES.from, TIMES.to);
    const seconds = ticks.reduce((sum, one) => sum + Number(one), 0) / TICKS_PER_SECOND;
    // Groups of files have no place in the project.
    const name = file.endsWith('.mjs') ? basename(file) : relative(process.cwd(), file);
    appendFileSync(list, `${seconds.toFixed(2)} ${name}\n`);
  });
