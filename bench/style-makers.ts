/**
 * Whose style is it? Of the clips of each maker half make a style; each clip of the other half is assigned to the nearest style. Beside it: the style
 * of a single clip, and chance. `node bench/style-makers.ts --footage FOLDER [--folder KEPT] [--splits 50]`
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Studio } from '../src/studio.ts';
import { mergeStyles } from '../src/style/merge/merge-styles.ts';
import { likeness, type Trait } from '../src/style/merge/traits.ts';
import { type Style, styleSchema } from '../src/style/model/schema.ts';
import { Random } from './generate/random.ts';
import { readFootage } from './lib/footage.ts';
import { conditionsInWords, currentConditions, saveResult, table } from './lib/report.ts';

/** Fewer clips of a maker have no halves of two. */
const MIN_CLIPS = 4;
const MAX_CLIPS = 8;

const { values } = parseArgs({
  options: {
    footage: { type: 'string' },
    folder: { type: 'string', default: join(tmpdir(), 'styledna-style-makers') },
    splits: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
  },
});
if (values.footage === undefined) throw new Error('--footage names a folder with index.tsv');
mkdirSync(values.folder, { recursive: true });
const conditions = currentConditions();
const studio = new Studio();
const groups = Map.groupBy(
  readFootage(values.footage).filter(({ kind }) => kind === 'reel'),
  ({ group }) => group,
);
const makers: Style[][] = [];
for (const clips of groups.values()) {
  if (clips.length < MIN_CLIPS) continue;
  const styles = [];
  for (const { path } of clips.slice(0, MAX_CLIPS)) styles.push(await styleOf(path));
  makers.push(styles);
}

const MANNERS = {
  'half of the clips, merged': (half: readonly Style[]) => half,
  'two of the clips, merged': (half: readonly Style[]) => half.slice(0, 2),
  'a single clip': (half: readonly Style[]) => half.slice(0, 1),
} as const;
const rows = Object.entries(MANNERS).flatMap(([name, manner]) =>
  (['with the ratio and rate', 'without'] as const).map((shape) => {
    const shares = lineUp(manner, shape === 'without');
    return [name, shape, shares.toFixed(3)];
  }),
);
const chance = 1 / makers.length;
console.log(conditionsInWords(conditions));
console.log(`\n${makers.length} makers, ${makers.flat().length} clips, chance ${chance.toFixed(3)}\n`);
console.log(table(['style of', 'shape', 'nearest to its own'], rows));
console.log(`\n${saveResult('style-makers', { conditions, figures: { chance }, rows })}`);
process.exit(0);

/** Mean share over makers of held-out clips whose nearest style is their maker's; ties are shared. */
function lineUp(manner: (half: readonly Style[]) => readonly Style[], isShapeLeftOut: boolean): number {
  const random = new Random(Number(values.seed));
  let sum = 0;
  const splits = Number(values.splits);
  for (let split = 0; split < splits; split++) {
    const halves = makers.map((styles) => {
      const order = random.shuffled(styles);
      const middle = Math.ceil(order.length / 2);
      const made = manner(order.slice(0, middle)).map((style, at) => ({ name: `${at}`, style }));
      return { style: mergeStyles(made), others: order.slice(middle) };
    });
    const shares = halves.map(({ others }, own) => {
      const found = others.map((clip) => {
        const near = halves.map(({ style }) => likeness(clip, style, weightIn(style, isShapeLeftOut)) ?? 0);
        const best = near.filter((value) => value === Math.max(...near)).length;
        return near[own] === Math.max(...near) ? 1 / best : 0;
      });
      return found.reduce((total, one) => total + one, 0) / found.length;
    });
    sum += shares.reduce((total, one) => total + one, 0) / shares.length;
  }
  return sum / splits;
}

/** A field on which the templates agree says more. */
function weightIn({ consensus }: Style, isShapeLeftOut: boolean): (trait: Trait) => number {
  return ({ field, part }) => (isShapeLeftOut && part === 'shape' ? 0 : (consensus?.agreement[field] ?? 1));
}

/** Measured once, by content. */
async function styleOf(path: string): Promise<Style> {
  const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
  const kept = join(values.folder, `${hash}.json`);
  if (!existsSync(kept)) writeFileSync(kept, JSON.stringify(await studio.extract(path)));
  return styleSchema.parse(JSON.parse(readFileSync(kept, 'utf8')));
}
