import { mountLoopDisk } from './loop-disk.ts';

/** A disk that can be switched to answer EIO to every access, and back. */
export interface FailingDisk extends Disposable {
  readonly folder: string;
  fail(): void;
  /** Synced data exist. Processes with an open file on it continue to get EIO. */
  mend(): void;
}

/** Null where it may not be made: see `mountLoopDisk`. */
export function mountFailingDisk(sizeBytes: number): FailingDisk | null {
  const disk = mountLoopDisk(sizeBytes);
  if (disk === null) return null;
  return {
    folder: disk.folder,
    fail: () => disk.stop('written'),
    mend() {
      // Copied first: for as long as nothing is mounted, whoever removes a file finds that it is gone, and then it is back.
      disk.copyImage();
      disk.unmount();
      disk.mountAgain();
    },
    [Symbol.dispose]: () => disk[Symbol.dispose](),
  };
}
