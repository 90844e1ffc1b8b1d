import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism, release } from 'node:os';
import { join } from 'node:path';
import { type SystemTools, type View, viewScript } from './filesystem-view.ts';
import { MIN_OPEN_FILES, systemOpenFiles } from './system-limits.ts';

/** Ways to confine a child, strongest first. What holds on this system is found by trying: `protection.ts`. */
export interface Sandbox {
  /** A file system with nothing in it but what the child needs. Needs `namespaces`. */
  readonly ownRoot: boolean;
  /** No network, and no process but its own. */
  readonly namespaces: boolean;
  /** By a user namespace, as users without rights must, and root may. */
  readonly byUserNamespace: boolean;
  /** Kernel limits, no way to more privileges, death with the parent. */
  readonly limits: boolean;
}

export const NO_SANDBOX: Sandbox = {
  ownRoot: false,
  namespaces: false,
  byUserNamespace: false,
  limits: false,
};

/** What the kernel holds a child to, whatever the parent sees or misses. */
export interface KernelLimits {
  readonly cpuSeconds: number;
  /** Private writable memory, reserved address space left out: V8 reserves more than machines have. */
  readonly dataBytes: number;
  /** Of any one file that it writes; null: not limited. */
  readonly fileBytes: number | null;
}

/** Threads, really: decoders and encoders of a large machine start some hundred. */
const TASKS = 2048;
const NO_CAPABILITIES = ['--bounding-set=-all', '--inh-caps=-all'];
/** Root without a view of its own must still find its way through folders of others. */
const OTHERS_FILES_ONLY = ['--bounding-set=-all,+dac_override', '--inh-caps=-all'];
const TOOL_FOLDERS = ['/usr/bin', '/usr/sbin', '/bin', '/sbin', '/run/current-system/sw/bin'];
const TOOL_NAMES = ['sh', 'mkdir', 'mount', 'pivot_root', 'umount', 'prlimit', 'setpriv', 'unshare'] as const;
type Tools = SystemTools & Readonly<Record<(typeof TOOL_NAMES)[number], string>>;

/** A tool that is missing fails when it is called, as one that may not do its work. */
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

/** The words in front of Node's own arguments that start it in the sandbox; the last word is Node itself. */
export function sandboxCommand(sandbox: Sandbox, view: View, limits: KernelLimits): readonly string[] {
  if (!sandbox.limits) return [...deathWithParent(), process.execPath];
  const limited = [tools.prlimit, ...limitWords(limits), tools.setpriv, '--pdeathsig', 'KILL'];
  if (!sandbox.namespaces)
    return [...limited, '--no-new-privs', ...(isRoot() ? OTHERS_FILES_ONLY : []), process.execPath];
  const user = sandbox.byUserNamespace ? ['--user', '--map-root-user'] : [];
  const namespaces = ['--net', '--pid', '--ipc', '--uts', '--mount', '--fork', '--kill-child'];
  const plain = [tools.setpriv, '--no-new-privs', ...NO_CAPABILITIES, process.execPath];
  const root = sandbox.ownRoot ? [tools.sh, '-c', viewScript(view, tools, settling(sandbox)), 'sh'] : [];
  return [...limited, tools.unshare, ...user, ...namespaces, ...root, ...plain];
}

let dyingWords: readonly string[] | undefined;

/**
 * No confinement, so that it holds with every sandbox: a child that is busy in native code does not hear that its service is
 * gone. Nothing where the system cannot do it; the child then ends when it next listens.
 */
function deathWithParent(): readonly string[] {
  const words = [tools.setpriv, '--pdeathsig', 'KILL'];
  dyingWords ??=
    spawnSync(words[0], [...words.slice(1), tools.sh, '-c', ':'], { env: {}, stdio: 'ignore' }).status === 0
      ? words
      : [];
  return dyingWords;
}

function limitWords({ cpuSeconds, dataBytes, fileBytes }: KernelLimits): string[] {
  const cpu = Math.ceil(cpuSeconds * availableParallelism());
  const limits = [
    '--core=0',
    `--nofile=${Math.min(MIN_OPEN_FILES, systemOpenFiles())}`,
    `--cpu=${cpu}`,
    `--data=${dataBytes}`,
  ];
  return fileBytes === null ? limits : [...limits, `--fsize=${fileBytes}`];
}

/** Counted for the namespace alone since Linux 5.14, for all that the user runs before; never for root. */
function settling({ byUserNamespace }: Sandbox): string[] {
  if (!byUserNamespace) return [];
  const [major, minor] = release().split('.').map(Number) as [number, number];
  const counted = major > 5 || (major === 5 && minor >= 14);
  return [
    // No namespace within, which would give it privileges again and with them more of the kernel to attack. Containers
    // show these settings, but do not let anyone change them.
    'echo 0 2>/dev/null >/proc/sys/user/max_user_namespaces || :',
    ...(counted ? [`${tools.prlimit} --pid $$ --nproc=${TASKS}`] : []),
  ];
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
