/** A media child under control of an attacker can reach nothing. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type ListenOptions } from 'node:net';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type ChildRun, runInChild } from '../../src/sandbox/child.ts';
import { findSandbox, protectionBy } from '../../src/sandbox/protection.ts';
import { sandboxes } from '../../src/sandbox/sandbox.ts';
import { runScript } from '../support/child-lines.ts';
import { temporaryFolder } from '../support/clips.ts';
import { childrenOf, isRunning, waitFor } from '../support/processes.ts';

const entry = new URL('../support/children/hijacked.ts', import.meta.url);
const HOST = new URL('../support/children/spin-host.ts', import.meta.url);
const packageFolder = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const outside = temporaryFolder();
// Names that a shell or fstab(5) could trip over.
const folder = join(outside, `work "it's" $HOME #1\ttab\\back\nline`);
const sibling = join(outside, 'another job');
const input = join(outside, `in 'put' *;&\u3000é.mp4`);
const secret = join(sibling, 'secret');
const cache = join(outside, 'cache');
const code = join(cache, 'code');
for (const path of [folder, sibling, cache]) mkdirSync(path);
for (const path of [input, secret, code]) writeFileSync(path, 'x');

const { sandbox, protection } = await findSandbox(join(outside, 'probe'));
const needs = (kind: keyof typeof protection) =>
  protection[kind] ? false : `this system does not let media processes be confined in ${kind}`;

const LIMITS = { idleMs: 20_000, wallMs: 30_000, memoryBytes: 2 ** 29, fileBytes: 2 ** 24 };

function attempt(task: string, given: unknown = null, change: Partial<ChildRun> = {}): Promise<unknown> {
  return runInChild({
    sandbox,
    entry,
    task,
    input: given,
    folder,
    files: [input],
    codeCache: cache,
    limits: LIMITS,
    signal: new AbortController().signal,
    onProgress: () => {},
    ...change,
  });
}

for (const one of sandboxes()) {
  const granted = Object.entries(one).filter(([, holds]) => holds);
  test(`a sandbox grants what it reports: ${granted.map(([name]) => name).join(', ') || 'none'}`, async (t) => {
    const found = await protectionBy(one, join(outside, 'probe'));
    if (found === null) return t.skip('not on this system');
    const { ownRoot, namespaces, limits } = one;
    assert.deepEqual(found, { filesystem: ownRoot, network: namespaces, processes: namespaces, limits });
  });
}

/** 86 ms were seen; one that outlives its service runs for ever. */
const DEAD_MS = 2_000;

for (const one of sandboxes()) {
  const granted = Object.entries(one).filter(([, holds]) => holds);
  const name = granted.map(([key]) => key).join(', ') || 'none';
  test(`a child in a busy loop ends with its service, in any sandbox: ${name}`, async (t) => {
    if ((await protectionBy(one, join(outside, 'probe'))) === null) return t.skip('not on this system');
    await using host = runScript(HOST, [folder, JSON.stringify(one)]);
    await host.line((line) => line === 'spinning');
    const below = (pid: number): number[] => childrenOf(pid).flatMap((child) => [child, ...below(child)]);
    const children = below(host.child.pid!);
    assert.ok(children.length > 0);
    const killedMs = performance.now();
    process.kill(host.child.pid!, 'SIGKILL');
    await waitFor('the children are gone', () => !children.some(isRunning), DEAD_MS, 2);
    t.diagnostic(`gone after ${Math.round(performance.now() - killedMs)} ms`);
  });
}

test('with isolation required nothing starts on a system that does not allow it', {
  skip: needs('filesystem'),
}, () => {
  const script = `
    import { MediaEngine } from '${new URL('../../src/pipeline/engine/engine.ts', import.meta.url)}';
    const settings = { workRoot: '${outside}', idleSeconds: 9, memoryBytes: 2 ** 29, isolation: 'require' };
    const engine = new MediaEngine(settings);
    const options = { signal: new AbortController().signal };
    await engine.run('ping', null, options).then(console.log, (error) => console.log(error.name, error.message));
  `;
  const words = [process.execPath, '--input-type=module', '-e', script];
  const shell = 'echo 0 >/proc/sys/user/max_user_namespaces; exec setpriv --bounding-set=-all "$@"';
  const { stdout } = spawnSync('unshare', ['--user', '--map-root-user', 'sh', '-c', shell, 'sh', ...words], {
    encoding: 'utf8',
  });
  assert.match(stdout, /^ConfigError MEDIA_ISOLATION is "require", .*: filesystem, network, processes\n$/);
});

describe('files', { skip: needs('filesystem') }, () => {
  test('it reads its input, our code and libraries, and nothing else', async () => {
    const allowed = [input, code, join(packageFolder, 'package.json')];
    const forbidden = [
      secret,
      fileURLToPath(import.meta.resolve('./isolation.test.ts')),
      join(packageFolder, 'README.md'),
      '/etc/passwd',
      '/proc/self/status',
      '/proc/1/environ',
      '/sys/kernel/notes',
      '/dev/urandom',
      '/bin/sh',
    ];
    assert.deepEqual(await attempt('read', [...allowed, ...forbidden]), allowed);
  });

  test('it sees only its own folders', async () => {
    const observed = await attempt('list', [outside, packageFolder, '/dev', '/old']);
    const names = [folder, input, cache].map((path) => path.slice(outside.length + 1)).sort();
    assert.deepEqual(observed, [names, ['node_modules', 'package.json', 'src', 'test'], ['null'], []]);
  });

  test('it uses a granted device, and no other', async () => {
    const devices = ['/dev/zero', '/dev/shm'];
    const tried = ['/dev/zero', '/dev/full', '/dev/random'];
    assert.deepEqual(await attempt('read', tried, { devices }), ['/dev/zero']);
    assert.deepEqual(await attempt('write', tried, { devices }), ['/dev/zero']);
    assert.deepEqual(await attempt('list', ['/dev'], { devices }), [['null', 'shm', 'zero']]);
  });

  test('it changes nothing but its working folder', async () => {
    const targets = [input, code, join(packageFolder, 'package.json'), process.execPath];
    assert.deepEqual(await attempt('write', targets), []);
    const before = readdirSync(outside);
    await attempt('create', [folder, outside, sibling, cache, join(packageFolder, 'src'), '/usr/lib', '/']);
    assert.deepEqual(readdirSync(folder), ['planted']);
    assert.deepEqual(readdirSync(outside), before);
    for (const place of [sibling, cache, join(packageFolder, 'src'), '/usr/lib', '/']) {
      assert.ok(!readdirSync(place).includes('planted'), place);
    }
    rmSync(join(folder, 'planted'));
  });
});

test('it has no privileges and cannot get any', { skip: needs('filesystem') }, async () => {
  const run = (name: string, ...words: string[]) => {
    const program = ['/usr/bin', '/bin'].map((place) => join(place, name)).find((path) => existsSync(path))!;
    return attempt('run', { program, words }, { files: [program] });
  };
  const state = String(await run('setpriv', '--dump'));
  assert.match(state, /no_new_privs: 1/);
  assert.match(state, /Capability bounding set: \[none\]/);
  assert.match(String(await run('unshare', '--user', process.execPath, '--version')), /unshare failed/);
});

test('it connects to nothing', { skip: needs('network') }, async () => {
  let heard = 0;
  const listening = async (options: ListenOptions) => {
    const one = createServer((socket) => {
      heard++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => one.listen(options, resolve));
    after(() => one.close());
    return one.address();
  };
  const address = await listening({ host: '127.0.0.1', port: 0 });
  assert.ok(address !== null && typeof address === 'object');
  const path = join(outside, 'socket');
  const name = `styledna-test-${process.pid}`;
  await listening({ path });
  await listening({ path: `\0${name}` });
  assert.deepEqual(await attempt('connect', { port: address.port, path, name }), {
    tcp: false,
    udp: false,
    socketFile: false,
    abstractSocket: false,
    interfaces: [],
  });
  assert.equal(heard, 0);
});

describe('processes', { skip: needs('processes') }, () => {
  test('it can signal none but itself', async () => {
    assert.deepEqual(await attempt('signal', [process.pid, process.ppid, -process.pid]), []);
  });

  test('processes that it starts end with it, also outside its group', async () => {
    const mark = `outlive-${process.pid}`;
    assert.equal(await attempt('outlive', mark), 'left behind');
    assert.deepEqual(running(mark), []);
  });

  test('a fork bomb ends as WORKER_LOST and leaves nothing', async () => {
    const mark = `multiply-${process.pid}`;
    await assert.rejects(attempt('multiply', mark), {
      code: 'WORKER_LOST',
      detail: 'The media process started other processes, which is not allowed',
    });
    assert.deepEqual(running(mark), []);
  });

  for (const victim of ['the parent', 'the process in front of the sandbox']) {
    test(`it ends with ${victim}, however busy it is`, async () => {
      await using host = runScript(HOST, [folder]);
      await host.line((line) => line === 'spinning');
      const [front] = childrenOf(host.child.pid!);
      const [inner] = childrenOf(front!);
      assert.ok(isRunning(inner!));
      process.kill(victim === 'the parent' ? host.child.pid! : front!, 'SIGKILL');
      await waitFor('the child is gone', () => !isRunning(inner!), DEAD_MS);
    });
  }
});

describe('limits', { skip: needs('limits') }, () => {
  test('memory allocated faster than any check: OUT_OF_MEMORY', async () => {
    await assert.rejects(attempt('hoard'), {
      code: 'OUT_OF_MEMORY',
      detail: 'More than 536870912 bytes of memory were needed',
    });
  });

  for (const task of ['fill', 'stretch']) {
    test(`${task}: a file ends at its limit`, async () => {
      await assert.rejects(attempt(task), /EFBIG|INPUT_LIMIT_EXCEEDED/);
      for (const name of readdirSync(folder)) {
        assert.ok(statSync(join(folder, name)).size <= LIMITS.fileBytes);
        rmSync(join(folder, name));
      }
    });
  }

  for (const [task, detail] of [
    ['litter', 'More than 1000 files were written'],
    ['heap', `More than ${2 * LIMITS.fileBytes} bytes were written`],
  ] as const) {
    test(`${task}: many files end at the limit of the folder`, async () => {
      await assert.rejects(attempt(task), { code: 'INPUT_LIMIT_EXCEEDED', detail });
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
    });
  }

  test('a task that may write more files than others does so', async () => {
    const limits = { ...LIMITS, newFiles: 3000 };
    await assert.rejects(attempt('litter', null, { limits }), {
      detail: 'More than 3000 files were written',
    });
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  });

  test('an endless computation: STAGE_TIMEOUT', async () => {
    await assert.rejects(attempt('spin', null, { limits: { ...LIMITS, idleMs: 1000 } }), {
      code: 'STAGE_TIMEOUT',
      detail: 'No progress for 1 s',
    });
  });
});

/** Processes with this word in their command line. */
function running(mark: string): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(mark) && isRunning(Number(name));
    } catch {
      return false;
    }
  });
}
