import { execFileSync } from 'node:child_process';
import { mountLoopDisk } from './loop-disk.ts';

/**
 * A disk whose power can be cut: unwritten data are lost, as nothing writes it back before the file
 * system must (`fsync`, or five minutes). Not covered: a device that reports unwritten data as written. It takes
 * writes for durable once they reach it.
 */
export interface LosableDisk extends Disposable {
  readonly folder: string;
  /** Makes all writes until now durable. */
  settle(): void;
  /**
   * The file system stops dead, its journal with it, and what its device holds at that moment is mounted in its place.
   * Kill those who use it first or meanwhile: they get EIO.
   */
  cutPower(whileOff: () => Promise<void>): Promise<void>;
}

/** Null where it may not be made: see `mountLoopDisk`. */
export function mountLosableDisk(sizeBytes: number): LosableDisk | null {
  // Neither the journal nor the file data is written before.
  const disk = mountLoopDisk(sizeBytes, ['commit=300']);
  if (disk === null) return null;
  return {
    folder: disk.folder,
    settle: () => execFileSync('sync', ['-f', disk.folder]),
    async cutPower(whileOff) {
      disk.stop('dropped');
      await whileOff();
      // Before it is unmounted: that writes what only its memory holds.
      disk.copyImage();
      disk.unmount();
      disk.mountAgain();
    },
    [Symbol.dispose]: () => disk[Symbol.dispose](),
  };
}
