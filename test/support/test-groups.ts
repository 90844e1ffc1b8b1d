/** Which test files share one process: each process compiles the same modules again, and runs them unoptimized at first. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Settings, mocks and measurements belong to the whole process, and so do hooks before each test. */
const OWN_PROCESS =
  /\bprocess\.(?!env\['TEST_LONG'\]|(?:execPath|p?pid|platform)\b)|\bmock\b|\bperformance\.|^(?:before|after)Each\(/m;
/** A hook outside a suite runs before all files of a group, which all wait for it. */
const FIRST_HOOK = /^before\(/m;
/** With services it closes what only its own file uses, so that it may run after the tests of other files. */
const FINAL_HOOK = /^after\(/m;

/** A crash ends a whole group, and no group may outlast all other files: 25 files take up to 30 s of computing, five with services up to 27. */
const SHARING: readonly {
  readonly folders: readonly string[];
  readonly files: number;
  readonly apart: readonly RegExp[];
}[] = [
  {
    // Functions over values and media.
    folders: [
      'analysis',
      'bench',
      'domain',
      'media',
      'render',
      'report',
      'signal',
      'style',
      'transcription',
      'web',
    ],
    files: 25,
    apart: [OWN_PROCESS, FIRST_HOOK, FINAL_HOOK],
  },
  {
    // Services and databases: a process compiles the embedded database once, which takes a second. They begin together and close together.
    folders: [
      'cli',
      'client',
      'database',
      'e2e',
      'http',
      'imports',
      'jobs',
      'network',
      'pipeline',
      'storage',
      'untrusted',
      'uploads',
      'videos',
      'webhooks',
    ],
    files: 5,
    apart: [OWN_PROCESS],
  },
];

export interface TestGroup {
  readonly name: string;
  readonly files: readonly string[];
}

/** Groups of files of one folder, and the files that run alone. */
export function testGroups(
  files: readonly string[],
  textOf: (file: string) => string,
): { readonly groups: readonly TestGroup[]; readonly alone: readonly string[] } {
  const grouped = new Set<string>();
  const shared = SHARING.flatMap(({ folders, ...rules }) => folders.map((folder) => ({ folder, ...rules })));
  const groups = shared.flatMap(({ folder, files: size, apart }) => {
    const own = files.filter(
      (file) => file.startsWith(`test/${folder}/`) && !apart.some((pattern) => pattern.test(textOf(file))),
    );
    if (own.length < 2) return [];
    for (const file of own) grouped.add(file);
    const count = Math.ceil(own.length / size);
    const start = (group: number) => Math.round((group * own.length) / count);
    return Array.from({ length: count }, (_, group) => ({
      name: `${folder}-${group + 1}-of-${count}`,
      files: own.slice(start(group), start(group + 1)),
    }));
  });
  return { groups, alone: files.filter((file) => !grouped.has(file)) };
}

/** Writes a file for each group that imports its tests; they are removed at the end of this process. */
export function writeGroups(groups: readonly TestGroup[], root: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'styledna-test-groups-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return groups.map(({ name, files }) => {
    const path = join(folder, `${name}.test.mjs`);
    writeFileSync(path, files.map((file) => `import '${pathToFileURL(join(root, file))}';\n`).join(''));
    return path;
  });
}

export const readText = (root: string) => (file: string) => readFileSync(join(root, file), 'utf8');
