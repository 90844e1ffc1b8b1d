import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Failure } from '../domain/errors.ts';
import { CODE_FOLDER, MANIFEST_FILE, packageFolders } from '../package/package-files.ts';

/** A file or folder visible to a child, at the same path as outside. */
interface ViewEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder';
}

/** The complete file system visible to a child. */
export interface View {
  /** Working folder of the process, the only folder to which it can write. */
  readonly folder: string;
  /** Libraries, our own code and the child's input; never writable. */
  readonly readOnly: readonly ViewEntry[];
  /** Devices that it may use, in addition to `/dev/null`. */
  readonly devices: readonly ViewEntry[];
}

/** Absolute paths of system programs by name: the child has no search path. */
export type SystemTools = Readonly<
  Record<'mkdir' | 'mount' | 'pivot_root' | 'umount' | 'prlimit' | 'setpriv', string>
>;

/** Library folders of dynamic linkers; missing ones are skipped. */
const LIBRARIES = ['/usr/lib', '/usr/lib64', '/usr/local/lib', '/lib', '/lib64', '/nix/store', '/gnu/store'];
const LINKER_CACHE = '/etc/ld.so.cache';
/** The new root is built over this folder, since no child needs the kernel's files. */
const NEW_ROOT = '/sys';
/** Mount point of the old root until it is unmounted. */
const OLD_ROOT = 'old';
/** The table of mounts, emptied after reading. */
const TABLE = 'mounts';
/** Size of the new root's own file system, which contains only mount points. */
const ROOT_BYTES = 256 * 1024;

/**
 * `visible`: further visible files and folders. Missing ones are skipped; the child then finds them missing.
 */
export async function viewOf(
  folder: string,
  visible: readonly string[],
  devices: readonly string[] = [],
): Promise<View> {
  program ??= programEntries();
  const readOnly = [...(await program)];
  for (const entry of await entriesOf(visible)) {
    if (!isBelow(entry.path, folder) && !isVisible(entry.path, readOnly)) readOnly.push(entry);
  }
  return { folder, readOnly, devices: await entriesOf(devices) };
}

/**
 * In the sandbox root cannot read private files of others. Throws `Failure` INPUT_UNSUPPORTED where FFmpeg
 * would report that the file is not a video.
 */
export async function assertReadable(files: readonly string[]): Promise<void> {
  if (process.getuid?.() !== 0) return;
  for (const file of files) {
    const status = await stat(file).catch(() => null);
    if (status === null || status.uid === 0 || (status.gid === 0 && (status.mode & 0o040) !== 0)) continue;
    if ((status.mode & 0o004) === 0) {
      throw new Failure(
        'INPUT_UNSUPPORTED',
        'Only its owner may read the file, and media processes have no root privileges. Make it readable for others, or run as its owner',
      );
    }
  }
}

/** Libraries and code, the same for every child. */
let program: Promise<readonly ViewEntry[]> | undefined;

/**
 * Mounts within a folder follow it in the list, because read-only applies to one mount, not to those below.
 */
async function programEntries(): Promise<ViewEntry[]> {
  // Only our code and the packages it uses, not the whole package folder, which may also contain data.
  const own = [CODE_FOLDER, MANIFEST_FILE, ...packageFolders()];
  const entries = await entriesOf([...LIBRARIES, LINKER_CACHE, ...own, process.execPath]);
  const table = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  const points = table.split('\n').map((line) => fromTable(line.split(' ')[4] ?? ''));
  const within = points.filter(
    (point) => isVisible(point, entries) && !entries.some(({ path }) => path === point),
  );
  return [...entries, ...(await entriesOf(within))];
}

async function entriesOf(paths: readonly string[]): Promise<ViewEntry[]> {
  const entries: ViewEntry[] = [];
  for (const path of paths) {
    const status = await stat(path).catch(() => null);
    if (status === null || isVisible(path, entries)) continue;
    entries.push({ path, kind: status.isDirectory() ? 'folder' : 'file' });
  }
  return entries;
}

function isVisible(path: string, entries: readonly ViewEntry[]): boolean {
  return entries.some((entry) => isBelow(path, entry.path));
}

const isBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

/**
 * A POSIX shell script for the first process of new mount and process namespaces. It builds a root with only
 * the view, unmounts everything else, drops all privileges and executes the program in its arguments.
 * `extraCommands`: commands in between, with all privileges.
 */
export function viewScript(view: View, tools: SystemTools, extraCommands: readonly string[] = []): string {
  const { folder, readOnly, devices } = view;
  const all = [
    ...readOnly,
    ...devices,
    { path: '/dev/null', kind: 'file' },
    { path: tools.umount, kind: 'file' },
    { path: tools.setpriv, kind: 'file' },
  ];
  const files = all.filter(({ kind }) => kind === 'file').map(({ path }) => path);
  const folders = [
    folder,
    '/proc',
    `/${OLD_ROOT}`,
    ...all.filter(({ kind }) => kind === 'folder').map(({ path }) => path),
    ...files.map((path) => dirname(path)),
  ];
  const inNewRoot = (path: string) => quoted(`.${path}`);
  return `set -e
${tools.mount} -t tmpfs -o mode=755,size=${ROOT_BYTES},nosuid,nodev,noexec tmpfs ${NEW_ROOT}
cd ${NEW_ROOT}
${tools.mkdir} -p ${[...new Set(folders)].map(inNewRoot).join(' ')}
for file in ${files.map(inNewRoot).join(' ')}; do : >"$file"; done
printf '%s\\n' ${mountTable(view, tools).map(quoted).join(' ')} >${TABLE}
${tools.mount} -a -T ${TABLE}
: >${TABLE}
${extraCommands.map((command) => `${command}\n`).join('')}${tools.pivot_root} . ${OLD_ROOT}
${tools.umount} -l /${OLD_ROOT} /proc
cd ${quoted(folder)}
unset PWD OLDPWD
exec "$@" </dev/null
`;
}

/**
 * In the format of fstab(5). `umount` needs /proc, which disappears with the old root. Mounts are bound
 * recursively, because the kernel does not let unprivileged users reveal the folders below a mount.
 */
function mountTable({ folder, readOnly, devices }: View, tools: SystemTools): string[] {
  const readable = readOnly.map(({ path, kind }) => ({
    path,
    options: kind === 'folder' ? 'rbind,ro,nosuid,nodev' : 'bind,ro,nosuid,nodev',
  }));
  const programs = [tools.umount, tools.setpriv].map((path) => ({ path, options: 'bind,ro,nosuid,nodev' }));
  const usable = devices.map(({ path, kind }) => ({
    path,
    options: `${kind === 'folder' ? 'rbind' : 'bind'},nosuid,noexec`,
  }));
  const mounts = [
    ...readable,
    ...usable,
    ...programs,
    { path: '/dev/null', options: 'bind,nosuid,noexec' },
    { path: '/proc', options: 'rbind' },
    { path: folder, options: 'bind,nosuid,nodev,noexec' },
  ];
  return mounts.map(
    ({ path, options }) => `${inTable(path)} ${inTable(NEW_ROOT + path)} none ${options} 0 0`,
  );
}

/** fstab(5) separates its fields by blanks and its lines by line ends. */
function inTable(path: string): string {
  return path.replace(
    /[ \t\n\r\\#]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
}

/** Decodes a field of proc_pid_mountinfo(5). */
function fromTable(field: string): string {
  return field.replace(/\\([0-7]{3})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 8)));
}

/** Quotes a word for a POSIX shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
