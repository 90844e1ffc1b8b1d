/**
 * Stores the result of a canary (`protection.ts`) between commands: starting one takes 3 % of the processor
 * time of analyzing ten seconds (decision 0031). A process trusts it only under the same circumstances, which
 * cover everything by which the kernel could permit or refuse operations. Stored where no child can write,
 * because the next process trusts it.
 */
import { readFile, readlink, writeFile } from 'node:fs/promises';
import { release } from 'node:os';
import { join } from 'node:path';
import type { ProtectedSandbox } from './protection.ts';

const NAME = 'protection.json';
/**
 * Start of the machine, namespaces, security module, and the settings of those namespaces. Missing files are
 * empty.
 */
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

interface StoredProtection extends ProtectedSandbox {
  readonly circumstances: readonly string[];
}

/** Null: no result under these circumstances. `workRoot`: parent of working folders. */
export async function storedProtection(folder: string, workRoot: string): Promise<ProtectedSandbox | null> {
  try {
    const { circumstances, sandbox, protection }: StoredProtection = JSON.parse(
      await readFile(join(folder, NAME), 'utf8'),
    );
    const now = await circumstancesOf(workRoot);
    return circumstances.join('\n') === now.join('\n') ? { sandbox, protection } : null;
  } catch {
    // Missing or incomplete.
    return null;
  }
}

/**
 * Stores complete protection only: an incomplete one is tested again, because it may have improved. Errors of
 * writing are ignored.
 */
export async function storeProtection(
  folder: string,
  { sandbox, protection }: ProtectedSandbox,
  workRoot: string,
): Promise<void> {
  if (Object.values(protection).includes(false)) return;
  const stored: StoredProtection = { circumstances: await circumstancesOf(workRoot), sandbox, protection };
  await writeFile(join(folder, NAME), JSON.stringify(stored)).catch(() => {});
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
