/**
 * What a canary saw (`protection.ts`), stored from one command to the next: starting one takes 3 % of the processor time of analysing ten
 * seconds (decision 0031). It is believed only by a process whose circumstances are the same: they tell all for which the kernel could refuse a child
 * something, or grant it. Stored where no child can write, because the next process trusts it.
 */
import { readFile, readlink, writeFile } from 'node:fs/promises';
import { release } from 'node:os';
import { join } from 'node:path';
import type { ProtectedSandbox } from './protection.ts';

const NAME = 'protection.json';
/** By start of the machine, namespaces, security module, and the settings of those namespaces. What a system lacks says nothing. */
const FILES = [
  '/proc/sys/kernel/random/boot_id',
  '/proc/self/attr/current',
  '/proc/self/uid_map',
  '/proc/sys/user/max_user_namespaces',
  '/proc/sys/user/max_pid_namespaces',
  '/proc/sys/user/max_mnt_namespaces',
  '/proc/sys/user/max_net_namespaces',
  '/proc/sys/kernel/unprivileged_userns_clone',
  '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
] as const;
const NAMESPACES = ['user', 'mnt', 'pid', 'net', 'ipc', 'uts', 'cgroup'] as const;
/** Users, groups, privileges and filters of this process. */
const RIGHTS = /^(Uid|Gid|Groups|Cap\w+|NoNewPrivs|Seccomp\w*):/;

interface Seen extends ProtectedSandbox {
  readonly circumstances: readonly string[];
}

/** Null: nothing was seen under these circumstances. `workRoot`: where working folders are made. */
export async function seenProtection(folder: string, workRoot: string): Promise<ProtectedSandbox | null> {
  try {
    const { circumstances, sandbox, protection }: Seen = JSON.parse(
      await readFile(join(folder, NAME), 'utf8'),
    );
    const now = await circumstancesOf(workRoot);
    return circumstances.join('\n') === now.join('\n') ? { sandbox, protection } : null;
  } catch {
    // Never written, or half of it.
    return null;
  }
}

/** Stores complete protection only: an incomplete one is tested again, because it may have improved. Failures to write are ignored. */
export async function keepProtection(
  folder: string,
  { sandbox, protection }: ProtectedSandbox,
  workRoot: string,
): Promise<void> {
  if (Object.values(protection).includes(false)) return;
  const seen: Seen = { circumstances: await circumstancesOf(workRoot), sandbox, protection };
  await writeFile(join(folder, NAME), JSON.stringify(seen)).catch(() => {});
}

async function circumstancesOf(workRoot: string): Promise<readonly string[]> {
  const nothing = () => '';
  const status = await readFile('/proc/self/status', 'utf8').catch(nothing);
  return [
    workRoot,
    process.execPath,
    release(),
    ...(await Promise.all(FILES.map((path) => readFile(path, 'utf8').catch(nothing)))),
    ...(await Promise.all(NAMESPACES.map((name) => readlink(`/proc/self/ns/${name}`).catch(nothing)))),
    ...status.split('\n').filter((line) => RIGHTS.test(line)),
  ];
}
