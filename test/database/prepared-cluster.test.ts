import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { migrate } from '../../src/database/migrations.ts';
import { openPglite } from '../../src/database/pglite.ts';
import { packCluster, unpackCluster } from '../../src/database/prepared-cluster.ts';
import { DATABASE_ID, sharedSetting } from '../../src/database/shared-settings.ts';
import { seedCluster } from '../support/cluster.ts';

const folder = mkdtempSync(join(tmpdir(), 'styledna-prepared-'));
after(() => rmSync(folder, { recursive: true, force: true }));

describe('a folder as one file', () => {
  const FILES: Readonly<Record<string, Buffer>> = {
    empty: Buffer.alloc(0),
    text: Buffer.from('PostgreSQL\n'),
    zeros: Buffer.alloc(100_000),
    'deep/in/folders/begins': Buffer.concat([Buffer.from('log'), Buffer.alloc(70_000)]),
    'deep/in/ends': Buffer.concat([Buffer.alloc(70_000), Buffer.from([1])]),
  };
  const source = join(folder, 'source');
  const file = join(folder, 'packed');
  mkdirSync(join(source, 'deep/in/folders'), { recursive: true });
  mkdirSync(join(source, 'bare/within'), { recursive: true });
  for (const [name, bytes] of Object.entries(FILES)) writeFileSync(join(source, name), bytes);
  const packed = packCluster(source);
  writeFileSync(file, packed);

  test('is unpacked exactly as it was packed', () => {
    const target = join(folder, 'target');
    assert.equal(unpackCluster(file, target), true);
    const names = readdirSync(source, { recursive: true, encoding: 'utf8' }).sort();
    assert.deepEqual(readdirSync(target, { recursive: true, encoding: 'utf8' }).sort(), names);
    for (const [name, bytes] of Object.entries(FILES))
      assert.ok(readFileSync(join(target, name)).equals(bytes), name);
    assert.equal(statSync(join(target, 'text')).mode & 0o777, 0o600);
  });

  const changed = (at: number) => {
    const copy = Buffer.from(packed);
    copy[at] ^= 1;
    return copy;
  };
  const rows: readonly (readonly [what: string, bytes: Buffer | null])[] = [
    ['none', null],
    ['an empty one', Buffer.alloc(0)],
    ['one of another version', changed(0)],
    ['one whose end is missing', packed.subarray(0, packed.length - 1)],
    ['one that is damaged', changed(packed.length - 20)],
    ['one whose checksum is damaged', changed(packed.length - 1)],
  ];
  for (const [what, bytes] of rows)
    test(`${what} is ignored, and leaves no files`, () => {
      const other = join(folder, 'other');
      rmSync(other, { force: true });
      if (bytes !== null) writeFileSync(other, bytes);
      const target = join(folder, 'not-there');
      assert.equal(unpackCluster(other, target), false);
      assert.equal(existsSync(target), false);
    });
});

describe('a database that is made of a prepared one', () => {
  const prepared = join(folder, 'database.zst');
  before(async () => {
    const seed = join(folder, 'seed');
    await seedCluster(seed);
    writeFileSync(prepared, packCluster(join(seed, 'cluster')));
  });

  const opened = async (name: string, file: string | null) => {
    const database = await openPglite(join(folder, name), file);
    const applied = await migrate(database);
    const id = await sharedSetting(database, DATABASE_ID);
    await database.close();
    return { id, applied: applied.length };
  };

  test('has the tables, and a unique permanent id', async () => {
    const first = await opened('first', prepared);
    const second = await opened('second', prepared);
    assert.equal(first.applied, 0);
    assert.match(first.id!, /^[0-9a-f-]{36}$/);
    assert.notEqual(first.id, second.id);
    assert.deepEqual(await opened('first', prepared), first);
  });

  test('is made again if its creation was interrupted', async () => {
    const { id } = await opened('dead', prepared);
    rmSync(join(folder, 'dead', 'ready'));
    writeFileSync(join(folder, 'dead', 'cluster', 'PG_VERSION'), 'half');
    const again = await opened('dead', prepared);
    assert.equal(again.applied, 0);
    assert.notEqual(again.id, id);
  });

  test('is created from nothing if the prepared one is damaged', async () => {
    const damaged = join(folder, 'damaged.zst');
    writeFileSync(damaged, readFileSync(prepared).subarray(0, 100_000));
    const { id, applied } = await opened('slow', damaged);
    assert.ok(applied > 0);
    assert.match(id!, /^[0-9a-f-]{36}$/);
  });
});
