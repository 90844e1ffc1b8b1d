/**
 * Switches off one rule of the analyses at a time and counts the clips of a folder whose findings change. A rule that changes fewer than one
 * clip in a hundred does not earn its place; whether the changes of the others are good, eyes or `analysis.ts` decide.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { RULES, type Rule, withoutRule } from './ablation/rules.ts';
import { Random } from './generate/random.ts';
import { readFootage } from './lib/footage.ts';
import { currentConditions, percent, saveResult, table } from './lib/report.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const COPIED = ['src', 'package.json', 'bench/lib', 'bench/ablation'];
/** Of the standard normal distribution: 95 % lie within. */
const Z = 1.96;

/** The printed findings of a clip, by field. */
type Findings = Readonly<Record<string, string>>;

/** The findings of the clips by the analyses without a rule; null: with all of them. */
function findingsWithout(rule: Rule | null, clips: readonly string[]): readonly Findings[] {
  const folder = mkdtempSync(join(tmpdir(), 'ablation-'));
  try {
    for (const part of COPIED) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    if (rule !== null) {
      const file = join(folder, 'src', rule.file);
      writeFileSync(file, withoutRule(rule, readFileSync(file, 'utf8')));
    }
    const program = join(folder, 'bench/ablation/findings.ts');
    const printed = execFileSync(process.execPath, [program, ...clips], {
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
    });
    return printed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Wilson's interval of a share, 95 %. */
function interval(count: number, of: number): string {
  const [share, spread] = [count / of, Z ** 2 / of];
  const middle = (share + spread / 2) / (1 + spread);
  const half = (Z / (1 + spread)) * Math.sqrt((share * (1 - share)) / of + spread / (4 * of));
  return `${percent(middle - half)} to ${percent(middle + half)}`;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    kinds: { type: 'string', default: 'talker,reel,take,screen,cartoon' },
    longest: { type: 'string', default: '30' },
    rule: { type: 'string', multiple: true, default: [''] },
  },
});
const [folder] = positionals;
if (folder === undefined)
  throw new Error('Usage: node bench/ablation.ts FOLDER [--count 60] [--kinds song] [--rule beats]');
const conditions = currentConditions();
const kinds = values.kinds.split(',');
const footage = readFootage(folder).filter(
  ({ kind, seconds }) => kinds.includes(kind) && seconds <= Number(values.longest),
);
const clips = new Random(Number(values.seed))
  .shuffled(footage)
  .slice(0, Number(values.count))
  .map(({ path }) => path);
const withAll = findingsWithout(null, clips);
const rows = RULES.filter(({ name }) => values.rule.some((word) => name.includes(word))).map((rule) => {
  const found = findingsWithout(rule, clips);
  const changed = found.map((one, at) =>
    Object.keys(one).filter((field) => one[field] !== withAll[at]![field]),
  );
  const clipsChanged = changed.filter((fields) => fields.length > 0).length;
  const examples = clips
    .map((path, at) => ({ path, fields: changed[at]! }))
    .filter(({ fields }) => fields.length > 0)
    .map(({ path, fields }) => `${basename(dirname(path))}/${basename(path)}: ${fields.join(' ')}`);
  console.log(`${rule.name}: ${clipsChanged} of ${clips.length}\n  ${examples.join('\n  ')}`);
  return { rule: rule.name, clipsChanged, examples };
});
console.log(
  table(
    ['rule', `clips changed of ${clips.length}`, '95 %'],
    rows.map(({ rule, clipsChanged }) => [rule, String(clipsChanged), interval(clipsChanged, clips.length)]),
  ),
);
console.log(saveResult('ablation', { conditions, clips, rows }));
