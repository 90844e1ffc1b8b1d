/** The files of a drop, those of its folders too. */

export interface DroppedFiles {
  readonly files: readonly File[];
  /** Names of folders that could not be read. */
  readonly unread: readonly string[];
}

/** Files that systems put into folders for themselves. */
const OF_THE_SYSTEM = /^(?:\..*|thumbs\.db|desktop\.ini)$/i;

export async function droppedFiles({ items, files }: DataTransfer): Promise<DroppedFiles> {
  // Both lists are empty after the event.
  const entries = [...items].map((item) => item.webkitGetAsEntry());
  const all = [...files];
  const folders = entries.filter((entry) => entry !== null).filter(isFolder);
  const names = folders.map(({ name }) => name);
  const found = await Promise.all(folders.map(filesOf));
  return {
    // A folder is also handed out as a file that cannot be read.
    files: [...all.filter(({ name }) => !names.includes(name)), ...found.flatMap((some) => some ?? [])],
    unread: names.filter((_, at) => found[at] === null),
  };
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

/**
 * Files of a folder, sorted by name: takes are then in the order of recording if the camera numbers them.
 * Null: the folder cannot be read.
 */
async function filesOf(folder: FileSystemDirectoryEntry): Promise<File[] | null> {
  try {
    const entries = (await entriesOf(folder)).sort((one, other) =>
      one.name.localeCompare(other.name, undefined, { numeric: true }),
    );
    const found = [];
    for (const entry of entries.filter(({ name }) => !OF_THE_SYSTEM.test(name)))
      found.push(...(isFolder(entry) ? ((await filesOf(entry)) ?? []) : [await fileOf(entry)]));
    return found;
  } catch {
    return null;
  }
}

async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  // Browsers hand out at most a hundred at once.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}

function fileOf(entry: FileSystemEntry): Promise<File> {
  return new Promise((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
}
