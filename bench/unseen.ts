/**
 * Combines the clips that were not used for tuning with their truths, for `analysis.ts`, and lists missing
 * sources.
 */

import { layOut } from './unseen/lay-out.ts';
import { HALVES, readManifest } from './unseen/manifest.ts';

const [sources, folder] = process.argv.slice(2);
if (sources === undefined || folder === undefined)
  throw new Error('Usage: node bench/unseen.ts SOURCES FOLDER');
const manifest = readManifest();
const missing = new Set(layOut(manifest, sources, folder));
for (const { repository, commit, package: from, path, licence } of missing)
  console.log(`missing: ${repository === undefined ? from : `${repository} ${commit}`} ${path} (${licence})`);
for (const half of HALVES) {
  const expected = manifest.filter((entry) => entry.half === half);
  const here = expected.filter((entry) => !missing.has(entry));
  console.log(`${half}: ${here.length} of ${expected.length} files`);
}
