import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { seedCluster } from '../support/cluster.ts';
import { temporaryDirectory } from '../support/jobs.ts';

test('a process whose embedded database ends, here for lack of memory, ends with the reason', async () => {
  using directory = temporaryDirectory();
  await seedCluster(directory.path);
  const script = `
    import { openPglite } from ${JSON.stringify(import.meta.resolve('../../src/database/pglite.ts'))};
    const database = await openPglite(${JSON.stringify(directory.path)});
    const rows = 'select repeat($1, 100) || number as text from generate_series(1, 3000000) as number';
    setInterval(() => {}, 1000);
    await database.query(rows, ['x']);`;
  const run = promisify(execFile)(process.execPath, [
    '--max-old-space-size=64',
    '--input-type=module',
    '-e',
    script,
  ]);
  const { code, stderr } = await run.then(
    () => assert.fail('it ended well'),
    (error) => error,
  );
  assert.equal(code, 1);
  assert.match(stderr, /The embedded PostgreSQL ended: .*memory/);
});
