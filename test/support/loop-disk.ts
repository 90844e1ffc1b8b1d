import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An ext4 file system of its own, in an image file, that can be made to stop dead. */
export interface LoopDisk extends Disposable {
  readonly folder: string;
  /** It answers EIO to everything from now on. `journal`: whether its journal is written before. */
  stop(journal: 'written' | 'dropped'): void;
  /** A copy of the device's content: as long as anybody has a file open, the old one would be mounted as it is. */
  copyImage(): void;
  unmount(): void;
  /** The newest image, in the place of the one that was unmounted. */
  mountAgain(): void;
}

/** `_IOR('X', 125, __u32)` with EXT4_GOING_FLAGS_LOGFLUSH or NOLOGFLUSH (fs/ext4/ext4.h). Perl is a part of every Debian. */
const SHUT_DOWN =
  'my $how = pack("L", $ARGV[1]); open(my $f, "<", $ARGV[0]) or die; ioctl($f, 0x8004587D, $how) or die "$!"';
const GOING_FLAGS = { written: '1', dropped: '2' } as const;
const QUIET = { stdio: 'ignore' } as const;

/** Null where it may not be made: that takes root, loop devices, ext4 and Perl. `options`: more mount options. */
export function mountLoopDisk(sizeBytes: number, options: readonly string[] = []): LoopDisk | null {
  const place = mkdtempSync(join(tmpdir(), 'styledna-disk-'));
  const folder = join(place, 'disk');
  let lives = 0;
  const imageOf = (life: number) => join(place, `image-${life}`);
  const mount = () =>
    execFileSync('mount', ['-o', ['loop', ...options].join(','), imageOf(lives), folder], QUIET);
  const remove = () => rmSync(place, { recursive: true, force: true });
  try {
    mkdirSync(folder);
    writeFileSync(imageOf(0), '');
    truncateSync(imageOf(0), sizeBytes);
    execFileSync('mkfs.ext4', ['-q', '-b', '4096', imageOf(0)], QUIET);
    execFileSync('perl', ['-e', '1'], QUIET);
    mount();
  } catch {
    remove();
    return null;
  }
  const unmount = () => execFileSync('umount', ['-l', folder]);
  return {
    folder,
    stop: (journal) => execFileSync('perl', ['-e', SHUT_DOWN, folder, GOING_FLAGS[journal]]),
    copyImage() {
      execFileSync('cp', ['--sparse=always', imageOf(lives), imageOf(lives + 1)]);
      lives++;
    },
    unmount,
    mountAgain() {
      rmSync(imageOf(lives - 1));
      mount();
    },
    [Symbol.dispose]() {
      unmount();
      remove();
    },
  };
}
