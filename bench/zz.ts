import { writeFileSync } from 'node:fs';
import { fitConfidence, GENERATED } from './fit/tempo-confidence.ts';
import { measureSamples, storedExamples, tempoExample } from './fit/tempo-examples.ts';
import { seedsOf } from './generate/families.ts';
import { Random } from './generate/random.ts';
import { recipesOf } from './generate/sounds.ts';
const all = storedExamples();
const out = [...all.examples]; let changed = 0, n = 0;
for (const seed of seedsOf('31-38')) for (const [place, [kind, recipe]] of Object.entries(recipesOf(seed)).entries()) {
  const at = out.findIndex((e) => e.name === `${kind}-${seed}` && e.family === GENERATED);
  if (at < 0) continue;
  const { samples, truth } = await recipe(new Random(seed * 100 + place));
  const heard = tempoExample(measureSamples(samples), { name: `${kind}-${seed}`, family: GENERATED, bpm: truth.bpm! });
  if (heard === null) { console.log('null', kind, seed); continue; }
  n++;
  if (JSON.stringify(heard.example) !== JSON.stringify(out[at])) { changed++; console.log(kind, seed, heard.example.isDoubtful, out[at].isDoubtful); }
  out[at] = heard.example;
}
console.log(n, changed);
const fitted = fitConfidence({ ...all, examples: out });
console.log(JSON.stringify(fitted));
writeFileSync('/dev/shm/examples.json', JSON.stringify({ ...all, examples: out }));
