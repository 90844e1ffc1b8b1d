/** Cuts real clips into new ones whose every fact is known, from a seed, and writes the truth of each. */
import { parseArgs } from 'node:util';
import { FAMILIES, generate, TUNING_SEEDS } from './generate/families.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { family: { type: 'string', multiple: true }, seeds: { type: 'string', default: TUNING_SEEDS } },
});
const [folder] = positionals;
if (folder === undefined)
  throw new Error('Usage: node bench/generate.ts FOLDER [--family edits] [--seeds 1-8]');
const families = values.family ?? Object.keys(FAMILIES);
await generate(folder, families, values.seeds);
