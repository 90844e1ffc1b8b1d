/** Expensive fixtures are made once for all test files and runs, in a folder whose name identifies their version. */
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Read now, because a test may set another folder for temporary files, and `test/run.ts` sets one that is gone after the run. */
const KEPT = process.env['TEST_KEPT'] ?? tmpdir();

/**
 * The folder `PREFIXSTATE`, made by `make` where it is not there. Test files that make it at the same time do not see each other's: it
 * appears whole. Of each prefix the newest `states` stay.
 */
export async function keptFolder(
  { prefix, state, states }: { readonly prefix: string; readonly state: string; readonly states: number },
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(KEPT, `${prefix}${state}`);
  if (existsSync(folder)) return folder;
  const making = mkdtempSync(join(KEPT, prefix));
  try {
    await make(making);
    renameSync(making, folder);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    // Another test file may have been faster.
    if (!existsSync(folder)) throw error;
    return folder;
  }
  removeOld(prefix, states);
  return folder;
}

function removeOld(prefix: string, states: number): void {
  const dated = readdirSync(KEPT)
    .filter((name) => name.startsWith(prefix))
    .map((name) => {
      const path = join(KEPT, name);
      return { path, changedMs: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
    });
  // What another file is making now is among the newest.
  const old = dated.sort((one, other) => other.changedMs - one.changedMs).slice(states);
  for (const { path } of old) rmSync(path, { recursive: true, force: true });
}
