import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * An ext4 file system of its own whose power can be cut: what was not on its device by then is gone, as nothing writes
 * it back before the file system is asked to (`fsync`, or five minutes). What it cannot show: a device that lies about
 * having written. It takes writes for durable once they reach it.
 */
export interface LosableDisk extends Disposable {
  readonly folder: string;
  /** Everything written so far is safe. */
  settle(): void;
  /**
   * The file system stops dead, its journal with it, and what its device holds at that moment is mounted in its place.
   * Kill those who use it first or meanwhile: they get EIO.
   */
  cutPower(whileOff: () => Promise<void>): Promise<void>;
}

/** `_IOR('X', 125, __u32)` with EXT4_GOING_FLAGS_NOLOGFLUSH (fs/ext4/ext4.h). Perl is a part of every Debian. */
const SHUT_DOWN =
  'my $how = pack("L", 2); open(my $f, "<", $ARGV[0]) or die; ioctl($f, 0x8004587D, $how) or die "$!"';
/** Neither the journal nor the file data is written before. */
const MOUNT_OPTIONS = 'loop,commit=300';

/** Null where it may not be made: that takes root, loop devices, ext4 and Perl. */
export function mountLosableDisk(sizeBytes: number): LosableDisk | null {
  const place = mkdtempSync(join(tmpdir(), 'styledna-power-'));
  const folder = join(place, 'disk');
  const quiet = { stdio: 'ignore' } as const;
  let lives = 0;
  const imageOf = (life: number) => join(place, `image-${life}`);
  const mount = () => execFileSync('mount', ['-o', MOUNT_OPTIONS, imageOf(lives), folder], quiet);
  const remove = () => rmSync(place, { recursive: true, force: true });
  try {
    mkdirSync(folder);
    writeFileSync(imageOf(0), '');
    truncateSync(imageOf(0), sizeBytes);
    execFileSync('mkfs.ext4', ['-q', '-b', '4096', imageOf(0)], quiet);
    execFileSync('perl', ['-e', '1'], quiet);
    mount();
  } catch {
    remove();
    return null;
  }
  return {
    folder,
    settle: () => execFileSync('sync', ['-f', folder]),
    async cutPower(whileOff) {
      execFileSync('perl', ['-e', SHUT_DOWN, folder]);
      await whileOff();
      // Before it is unmounted: that writes what only its memory holds.
      execFileSync('cp', ['--sparse=always', imageOf(lives), imageOf(lives + 1)]);
      execFileSync('umount', ['-l', folder]);
      rmSync(imageOf(lives));
      lives++;
      mount();
    },
    [Symbol.dispose]() {
      execFileSync('umount', ['-l', folder]);
      remove();
    },
  };
}
