/**
 * Entry of a child that tries operations which a sandbox should forbid; it runs no foreign code. Plain
 * JavaScript, because stripping types would take longer than its work, and because it starts before it is
 * known that a cache of compiled code is safe from children.
 */
import { existsSync, openSync } from 'node:fs';
import { networkInterfaces } from 'node:os';

function canWrite(path) {
  try {
    openSync(path, 'r+');
    return true;
  } catch {
    return false;
  }
}

process.once('disconnect', () => process.exit(1));

/** `input`: a file that is not the child's. The result is a `Protection` (`protection.ts`). */
process.once('message', ({ input }) => {
  // Prevents the report from querying name servers.
  Object.assign(process.report, { excludeNetwork: true });
  // Node's documentation, "Diagnostic report".
  const { userLimits } = process.report.getReport();
  const result = {
    filesystem: !existsSync(input) && !canWrite(import.meta.filename),
    network: Object.keys(networkInterfaces()).length === 0,
    processes: process.pid === 1,
    limits: Number(userLimits.core_file_size_blocks.hard) === 0,
  };
  process.send?.({ kind: 'done', result });
});
