/** A start that fails leaves nothing open: the next one, of the same process too, finds everything free. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import pino from 'pino';
import { openService } from '../../src/compose.ts';
import { openPglite } from '../../src/database/pglite.ts';
import { openEarlyListener } from '../../src/http/server/early-listener.ts';
import { readConfig } from '../../src/settings/config.ts';
import { temporaryFolder } from '../support/clips.ts';
import { seedCluster } from '../support/cluster.ts';
import { waitFor } from '../support/processes.ts';

const folder = temporaryFolder();

/** Starts as `serve` does. */
async function start(dataDir: string) {
  const config = readConfig({ DATA_DIR: dataDir, PORT: '0' });
  const door = await openEarlyListener(config);
  return { door, service: openService(config, pino({ level: 'silent' }), door) };
}

/** What keeps a process alive. */
const resources = () =>
  process
    .getActiveResourcesInfo()
    .filter((name) => /Server|MessagePort|Worker|Process|Timeout/.test(name))
    .sort();

function isOpen(address: string): Promise<boolean> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.destroy();
      resolve(true);
    }).once('error', () => resolve(false));
  });
}

interface Fault {
  /** Of the step that fails. */
  readonly step: string;
  readonly make: (dataDir: string) => unknown;
  /** Left out: the next start fails by the same. */
  readonly mend?: (dataDir: string) => void;
  readonly message: RegExp;
}

const without = (table: string) => async (dataDir: string) => {
  const database = await openPglite(join(dataDir, 'database'));
  await database.query(`drop table ${table} cascade`);
  await database.close();
};

/** In the order of the steps. */
const FAULTS: readonly Fault[] = [
  {
    step: 'the files',
    make: (dataDir) => writeFileSync(join(dataDir, 'blobs'), 'in the way'),
    mend: (dataDir) => rmSync(join(dataDir, 'blobs')),
    message: /ENOTDIR/,
  },
  {
    step: 'the secrets beside the database',
    make: (dataDir) => mkdirSync(join(dataDir, 'webhook-secrets')),
    mend: (dataDir) => rmSync(join(dataDir, 'webhook-secrets'), { recursive: true }),
    message: /EISDIR/,
  },
  { step: 'the secrets in the database', make: without('webhook_secrets'), message: /webhook_secrets/ },
  { step: 'the queue', make: without('workers'), message: /workers/ },
];

for (const { step, make, mend, message } of FAULTS) {
  test(`when it fails at ${step}`, async () => {
    const dataDir = mkdtempSync(join(folder, 'data-'));
    await seedCluster(join(dataDir, 'database'));
    await make(dataDir);
    const before = resources();
    const failing = await start(dataDir);
    await assert.rejects(failing.service, message);
    assert.equal(await isOpen(failing.door.address), false);
    // Handles are gone in the turn after the one in which they were closed.
    await waitFor('nothing is left open', () => isDeepStrictEqual(resources(), before));
    mend?.(dataDir);
    const again = await start(dataDir);
    if (mend === undefined) return assert.rejects(again.service, message);
    const service = await again.service;
    const address = await service.startHttp();
    assert.equal((await fetch(`${address}/readyz`)).status, 200);
    await service.stop();
    assert.deepEqual(readdirSync(join(dataDir, 'work')), []);
  });
}
