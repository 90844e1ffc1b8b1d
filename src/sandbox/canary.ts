/** Entry of a child that tries what a sandbox should forbid. Runs nothing foreign. */
import { existsSync, openSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import type { ChildMessage } from './child.ts';
import type { Protection } from './protection.ts';

/** The part of a diagnostic report (Node's documentation, "Diagnostic report") that is read. */
interface Report {
  readonly userLimits: { readonly core_file_size_blocks: { readonly hard: number | string } };
}

function canWrite(path: string): boolean {
  try {
    openSync(path, 'r+');
    return true;
  } catch {
    return false;
  }
}

process.once('disconnect', () => process.exit(1));

/** `input`: a file that is not the child's. */
process.once('message', ({ input }: { input: string }) => {
  // Without this the report asks name servers.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as unknown as Report;
  const result: Protection = {
    filesystem: !existsSync(input) && !canWrite(import.meta.filename),
    network: Object.keys(networkInterfaces()).length === 0,
    processes: process.pid === 1,
    limits: Number(userLimits.core_file_size_blocks.hard) === 0,
  };
  process.send?.({ kind: 'done', result } satisfies ChildMessage);
});
