import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An ext4 file system of its own that answers EIO to everything when it is told to, and is well again later. */
export interface FailingDisk extends Disposable {
  readonly folder: string;
  fail(): void;
  /** What was synced is there. Whoever has a file open on it keeps getting EIO. */
  mend(): void;
}

/** `_IOR('X', 125, __u32)` with EXT4_GOING_FLAGS_LOGFLUSH (fs/ext4/ext4.h). Perl is a part of every Debian. */
const SHUT_DOWN =
  'my $how = pack("L", 1); open(my $f, "<", $ARGV[0]) or die; ioctl($f, 0x8004587D, $how) or die "$!"';

/** Null where it may not be made: that takes root, loop devices, ext4 and Perl. */
export function mountFailingDisk(sizeBytes: number): FailingDisk | null {
  const place = mkdtempSync(join(tmpdir(), 'styledna-failing-'));
  const folder = join(place, 'disk');
  let lives = 0;
  const image = () => join(place, `image-${lives}`);
  const quiet = { stdio: 'ignore' } as const;
  const mount = () => execFileSync('mount', ['-o', 'loop', image(), folder], quiet);
  const remove = () => rmSync(place, { recursive: true, force: true });
  try {
    mkdirSync(folder);
    writeFileSync(image(), '');
    truncateSync(image(), sizeBytes);
    execFileSync('mkfs.ext4', ['-q', '-b', '4096', image()], quiet);
    execFileSync('perl', ['-e', '1'], quiet);
    mount();
  } catch {
    remove();
    return null;
  }
  return {
    folder,
    fail: () => execFileSync('perl', ['-e', SHUT_DOWN, folder]),
    mend() {
      execFileSync('umount', ['-l', folder]);
      // As long as anybody has a file open on it, the same image would be mounted as it is: failing.
      const before = image();
      lives++;
      execFileSync('cp', ['--sparse=always', before, image()]);
      rmSync(before);
      mount();
    },
    [Symbol.dispose]() {
      execFileSync('umount', ['-l', folder]);
      remove();
    },
  };
}
