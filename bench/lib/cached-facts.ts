/** Facts of clips, kept in a folder between runs: delete it after a change of the analysis. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClipFacts } from '../../src/analysis/facts.ts';
import { distinctName } from './distinct-name.ts';
import { measureClip } from './measure.ts';

/** @throws Error for a file without pictures. */
export async function cachedFacts(path: string, folder: string): Promise<ClipFacts> {
  const file = join(folder, `${distinctName(path)}.facts.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as ClipFacts;
  const { seen, audio } = await measureClip(path);
  if (seen === null) throw new Error(`${path} has no picture`);
  const facts: ClipFacts = { ...seen, audio };
  const part = `${file}.${process.pid}.part`;
  writeFileSync(part, JSON.stringify(facts));
  renameSync(part, file);
  return facts;
}
