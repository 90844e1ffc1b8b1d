import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism, release } from 'node:os';
import { join } from 'node:path';
import { type SystemTools, type View, viewScript } from './filesystem-view.ts';
import { MIN_OPEN_FILES, systemOpenFiles } from './system-limits.ts';

/** Kinds of confinement of a child, strongest first. `protection.ts` tests which ones work on this system. */
export interface Sandbox {
  /** A file system with only the files that the child needs. Requires `namespaces`. */
  readonly ownRoot: boolean;
  /** No network, and no other processes. */
  readonly namespaces: boolean;
  /** With a user namespace: necessary for users without privileges, optional for root. */
  readonly byUserNamespace: boolean;
  /** Kernel limits, no new privileges, end with the parent. */
  readonly limits: boolean;
}

export const NO_SANDBOX: Sandbox = {
  ownRoot: false,
  namespaces: false,
  byUserNamespace: false,
  limits: false,
};

/** Limits enforced by the kernel, independent of the parent's checks. */
export interface KernelLimits {
  readonly cpuSeconds: number;
  /** Private writable memory without reserved address space: V8 reserves more than machines have. */
  readonly dataBytes: number;
  /** Limit of each file that it writes; null: no limit. */
  readonly fileBytes: number | null;
}

/** Limit of threads: decoders and encoders of a large machine start some hundred. */
const TASKS = 2048;
const NO_CAPABILITIES = ['--bounding-set=-all', '--inh-caps=-all'];
/** Root without its own view must still pass through folders of others. */
const ONLY_FILE_ACCESS = ['--bounding-set=-all,+dac_override', '--inh-caps=-all'];
const TOOL_FOLDERS = ['/usr/bin', '/usr/sbin', '/bin', '/sbin', '/run/current-system/sw/bin'];
const TOOL_NAMES = ['sh', 'mkdir', 'mount', 'pivot_root', 'umount', 'prlimit', 'setpriv', 'unshare'] as const;
type Tools = SystemTools & Readonly<Record<(typeof TOOL_NAMES)[number], string>>;

/** A missing tool fails when it is called, like one without permission. */
const tools = Object.fromEntries(
  TOOL_NAMES.map((name) => [
    name,
    TOOL_FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? `/missing/${name}`,
  ]),
) as Tools;

/** In the order in which to try them; the last always works. */
export function sandboxes(): readonly Sandbox[] {
  if (process.platform !== 'linux') return [NO_SANDBOX];
  const users = isRoot() ? [true, false] : [true];
  return [
    ...users.map((byUserNamespace) => ({ ownRoot: true, namespaces: true, byUserNamespace, limits: true })),
    ...users.map((byUserNamespace) => ({ ownRoot: false, namespaces: true, byUserNamespace, limits: true })),
    { ...NO_SANDBOX, limits: true },
    NO_SANDBOX,
  ];
}

/** The command before Node's own arguments that starts Node in the sandbox; its last word is Node itself. */
export function sandboxCommand(sandbox: Sandbox, view: View, limits: KernelLimits): readonly string[] {
  if (!sandbox.limits) return [...parentDeathSignal(), process.execPath];
  const limited = [tools.prlimit, ...limitArguments(limits), tools.setpriv, '--pdeathsig', 'KILL'];
  if (!sandbox.namespaces)
    return [...limited, '--no-new-privs', ...(isRoot() ? ONLY_FILE_ACCESS : []), process.execPath];
  const user = sandbox.byUserNamespace ? ['--user', '--map-root-user'] : [];
  const namespaces = ['--net', '--pid', '--ipc', '--uts', '--mount', '--fork', '--kill-child'];
  const plain = [tools.setpriv, '--no-new-privs', ...NO_CAPABILITIES, process.execPath];
  const root = sandbox.ownRoot
    ? [tools.sh, '-c', viewScript(view, tools, threadLimitCommands(sandbox)), 'sh']
    : [];
  return [...limited, tools.unshare, ...user, ...namespaces, ...root, ...plain];
}

let cachedDeathSignal: readonly string[] | undefined;

/**
 * Ends a child with its parent; no confinement, so it works with every sandbox. A child that is busy in
 * native code does not notice that its service has ended. Empty if the system does not support it; the child
 * then ends when it next reads a message.
 */
function parentDeathSignal(): readonly string[] {
  const words = [tools.setpriv, '--pdeathsig', 'KILL'];
  cachedDeathSignal ??=
    spawnSync(words[0], [...words.slice(1), tools.sh, '-c', ':'], { env: {}, stdio: 'ignore' }).status === 0
      ? words
      : [];
  return cachedDeathSignal;
}

function limitArguments({ cpuSeconds, dataBytes, fileBytes }: KernelLimits): string[] {
  const cpu = Math.ceil(cpuSeconds * availableParallelism());
  const limits = [
    '--core=0',
    `--nofile=${Math.min(MIN_OPEN_FILES, systemOpenFiles())}`,
    `--cpu=${cpu}`,
    `--data=${dataBytes}`,
  ];
  return fileBytes === null ? limits : [...limits, `--fsize=${fileBytes}`];
}

/**
 * Limit of threads. Since Linux 5.14 they are counted for the namespace alone, before for all processes of
 * the user; never for root.
 */
function threadLimitCommands({ byUserNamespace }: Sandbox): string[] {
  if (!byUserNamespace) return [];
  const [major, minor] = release().split('.').map(Number) as [number, number];
  const counted = major > 5 || (major === 5 && minor >= 14);
  return [
    // No nested namespaces, whose privileges would expose more of the kernel to attacks. Containers
    // show these settings, but do not permit changes.
    'echo 0 2>/dev/null >/proc/sys/user/max_user_namespaces || :',
    ...(counted ? [`${tools.prlimit} --pid $$ --nproc=${TASKS}`] : []),
  ];
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
