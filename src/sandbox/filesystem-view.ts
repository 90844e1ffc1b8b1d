import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Failure } from '../domain/errors.ts';
import { CODE_FOLDER, MANIFEST_FILE, packageFolders } from '../package/package-files.ts';

/** A file or folder that a child sees, under the path that it has outside. */
export interface ViewEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder';
}

/** All of the file system that a child sees. */
export interface View {
  /** Its working folder, the only one in which it can write. */
  readonly folder: string;
  /** Libraries, our own code and the child's input; never writable. */
  readonly readOnly: readonly ViewEntry[];
  /** Devices, beside `/dev/null`, that it may use. */
  readonly devices: readonly ViewEntry[];
}

/** Programs of the system by name, as absolute paths: the child has no search path. */
export type SystemTools = Readonly<
  Record<'mkdir' | 'mount' | 'pivot_root' | 'umount' | 'prlimit' | 'setpriv', string>
>;

/** Where dynamic linkers find libraries; those that a system lacks are left out. */
const LIBRARIES = ['/usr/lib', '/usr/lib64', '/usr/local/lib', '/lib', '/lib64', '/nix/store', '/gnu/store'];
const LINKER_CACHE = '/etc/ld.so.cache';
/** Nobody needs the kernel's own files in a child: the new root is put together over them. */
const NEW_ROOT = '/sys';
/** Where the old root hangs until it is cut off. */
const OLD_ROOT = 'old';
/** The table of mounts, empty once it has been read. */
const TABLE = 'mounts';
/** Of the new root's own file system, which holds mount points only. */
const ROOT_BYTES = 256 * 1024;

/** `shown`: further files and folders to be seen. What does not exist is left out: the child finds it missing. */
export async function viewOf(
  folder: string,
  shown: readonly string[],
  devices: readonly string[] = [],
): Promise<View> {
  program ??= programEntries();
  const readOnly = [...(await program)];
  for (const entry of await entriesOf(shown)) {
    if (!isBelow(entry.path, folder) && !isShown(entry.path, readOnly)) readOnly.push(entry);
  }
  return { folder, readOnly, devices: await entriesOf(devices) };
}

/**
 * In the sandbox root has none of its rights over files of others. Throws `Failure` INPUT_UNSUPPORTED, where FFmpeg
 * would say that the file is no video.
 */
export async function assertReadable(files: readonly string[]): Promise<void> {
  if (process.getuid?.() !== 0) return;
  for (const file of files) {
    const status = await stat(file).catch(() => null);
    if (status === null || status.uid === 0 || (status.gid === 0 && (status.mode & 0o040) !== 0)) continue;
    if ((status.mode & 0o004) === 0) {
      throw new Failure(
        'INPUT_UNSUPPORTED',
        'Only its owner may read the file, and media processes have no rights of root: let others read it, or run as its owner',
      );
    }
  }
}

/** Libraries and code: the same for every child. */
let program: Promise<readonly ViewEntry[]> | undefined;

/** What is mounted within follows its folder, because read-only holds for one mount, not for those below. */
async function programEntries(): Promise<ViewEntry[]> {
  // Our code and the packages it uses; nothing else of the package's folder, where data may lie as well.
  const own = [CODE_FOLDER, MANIFEST_FILE, ...packageFolders()];
  const entries = await entriesOf([...LIBRARIES, LINKER_CACHE, ...own, process.execPath]);
  const table = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  const points = table.split('\n').map((line) => fromTable(line.split(' ')[4] ?? ''));
  const within = points.filter(
    (point) => isShown(point, entries) && !entries.some(({ path }) => path === point),
  );
  return [...entries, ...(await entriesOf(within))];
}

async function entriesOf(paths: readonly string[]): Promise<ViewEntry[]> {
  const entries: ViewEntry[] = [];
  for (const path of paths) {
    const status = await stat(path).catch(() => null);
    if (status === null || isShown(path, entries)) continue;
    entries.push({ path, kind: status.isDirectory() ? 'folder' : 'file' });
  }
  return entries;
}

function isShown(path: string, entries: readonly ViewEntry[]): boolean {
  return entries.some((entry) => isBelow(path, entry.path));
}

const isBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

/**
 * A POSIX shell script for the first process of new mount and process namespaces. It builds a root that holds the
 * view alone, cuts everything else off, gives up every privilege and becomes the program in its arguments.
 * `settle`: commands in between, with every privilege still there.
 */
export function viewScript(view: View, tools: SystemTools, settle: readonly string[] = []): string {
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
${settle.map((command) => `${command}\n`).join('')}${tools.pivot_root} . ${OLD_ROOT}
${tools.umount} -l /${OLD_ROOT} /proc
cd ${quoted(folder)}
unset PWD OLDPWD
exec "$@" </dev/null
`;
}

/**
 * In the form of fstab(5). `umount` needs /proc, which goes with the old root. Bound as trees, because the kernel lets
 * nobody without rights over the whole system uncover what a mount hides.
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

/** fstab(5) parts its fields at blanks and its lines at line ends. */
function inTable(path: string): string {
  return path.replace(
    /[ \t\n\r\\#]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
}

/** As in proc_pid_mountinfo(5). */
function fromTable(field: string): string {
  return field.replace(/\\([0-7]{3})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 8)));
}

/** One word of a POSIX shell, whatever it holds. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
