import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of its own, that can be filled up and emptied again. */
export interface SmallDisk extends Disposable {
  readonly folder: string;
  /** Leaves so many bytes free. */
  fill(freeBytes: number): void;
  empty(): void;
}

/** Null where it may not be mounted: only root may. */
export function mountSmallDisk(sizeBytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'styledna-disk-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeBytes}`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    remove();
    return null;
  }
  const filler = join(folder, 'filler');
  const empty = () => rmSync(filler, { force: true });
  return {
    folder,
    fill(freeBytes) {
      empty();
      const { bavail, bsize } = statfsSync(folder);
      try {
        writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - freeBytes)));
      } catch (error) {
        // Somebody else was faster: it is as full as it was to be.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    },
    empty,
    [Symbol.dispose]() {
      execFileSync('umount', ['-l', folder]);
      remove();
    },
  };
}
