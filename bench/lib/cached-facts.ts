/** Facts of clips, kept in a folder between runs: delete it after a change of the analysis. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { ClipFacts } from '../../src/analysis/facts.ts';
import { measureClip } from './measure.ts';

/** @throws Error for a file without pictures. */
export async function cachedFacts(path: string, folder: string): Promise<ClipFacts> {
  // Takes of several makers have the same names.
  const place = createHash('sha256').update(resolve(path)).digest('hex').slice(0, 8);
  const file = join(folder, `${basename(path)}-${place}.facts.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as ClipFacts;
  const { seen, audio } = await measureClip(path);
  if (seen === null) throw new Error(`${path} has no picture`);
  const facts: ClipFacts = { ...seen, audio };
  const part = `${file}.${process.pid}.part`;
  writeFileSync(part, JSON.stringify(facts));
  renameSync(part, file);
  return facts;
}
