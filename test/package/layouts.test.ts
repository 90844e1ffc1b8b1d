/** The package as each package manager lays it out: videos are read there, by the command line and by the service. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, openAsBlob, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { findSandbox } from '../../src/sandbox/protection.ts';
import { makeClip } from '../support/clips.ts';
import { waitFor } from '../support/processes.ts';
import { pack, run, SHELL, serve } from './installed.ts';

const MANAGERS = ['pnpm@12.21.0', '@yarnpkg/cli-dist@4.18.1', 'yarn@1.22.22', 'bun@1.4.5'];

interface Layout {
  readonly name: string;
  /** The command that installs a package, for its path and the folder of the managers. */
  readonly install: (tarball: string, managers: string) => readonly [string, ...string[]];
  readonly settings?: readonly [file: string, text: string];
  /** Of a layout above: tested before a release. */
  readonly isVariant?: true;
}

const NPM = ['--prefer-offline', '--no-audit', '--no-fund'] as const;
const yarn = (nodeLinker: string): Layout => ({
  name: `yarn, nodeLinker: ${nodeLinker}`,
  install: (tarball, managers) => [
    process.execPath,
    join(managers, '@yarnpkg', 'cli-dist', 'bin', 'yarn.js'),
    'add',
    `styledna@file:${tarball}`,
  ],
  settings: ['.yarnrc.yml', `nodeLinker: ${nodeLinker}\nglobalFolder: ../yarn\nenableTelemetry: false\n`],
});

const isLong = process.env['TEST_LONG'] === '1';
const LAYOUTS: readonly Layout[] = [
  {
    name: 'pnpm',
    install: (tarball, managers) => [
      join(managers, '.bin', 'pnpm'),
      'add',
      '--store-dir',
      '../pnpm-store',
      '--ignore-scripts',
      tarball,
    ],
  },
  {
    name: 'npm, install-strategy linked',
    install: (tarball) => ['npm', 'install', '--install-strategy=linked', ...NPM, tarball],
  },
  {
    name: 'bun, linker isolated',
    install: (tarball, managers) => [bun(managers), 'add', '--linker', 'isolated', tarball],
  },
  yarn('node-modules'),
  { ...yarn('pnpm'), isVariant: true },
  {
    name: 'yarn 1',
    isVariant: true,
    install: (tarball, managers) => [
      process.execPath,
      join(managers, 'yarn', 'bin', 'yarn.js'),
      'add',
      `file:${tarball}`,
    ],
  },
];

/** Where npm puts the program itself, which an install script would link otherwise. */
function bun(managers: string): string {
  return join(managers, '@oven', `bun-${process.platform}-${process.arch}`, 'bin', 'bun');
}

// Two at once: a package manager waits for the disk and the registry.
describe('installed by other package managers', { concurrency: 2 }, () => {
  // On a disk: with the caches of the package managers it takes 2 GB.
  const folder = mkdtempSync(join(process.env['TEST_KEPT'] ?? tmpdir(), 'styledna-layouts-'));
  const managers = join(folder, 'managers', 'node_modules');
  let clip: string;
  let tarball: string;
  let protection: object;
  before(async () => {
    clip = await makeClip(folder, { name: 'clip', durationSeconds: 1 });
    tarball = await pack(folder);
    ({ protection } = await findSandbox(join(folder, 'work')));
    mkdirSync(managers, { recursive: true });
    await run('npm', ['install', ...NPM, '--ignore-scripts', ...MANAGERS], {
      cwd: join(folder, 'managers'),
      env: SHELL,
    });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** A project with the package in it, removed after the test: each takes 330 MB. */
  async function installed(t: TestContext, { name, install, settings }: Layout): Promise<string> {
    const home = join(folder, name.replaceAll(/\W+/g, '-'));
    mkdirSync(home);
    t.after(() => rmSync(home, { recursive: true, force: true }));
    writeFileSync(
      join(home, 'package.json'),
      JSON.stringify({ name: 'empty', type: 'module', private: true }),
    );
    // A project of its own, independent of folders above.
    if (settings !== undefined) {
      writeFileSync(join(home, settings[0]), settings[1]);
      writeFileSync(join(home, 'yarn.lock'), '');
    }
    const [program, ...words] = install(tarball, managers);
    await run(program, words, { cwd: home, env: SHELL, maxBuffer: 1e8 });
    return home;
  }

  async function analyse(home: string) {
    const program = join(home, 'node_modules', 'styledna', 'bin', 'styledna.mjs');
    const { stdout } = await run(process.execPath, [program, 'analyze', clip, '--json'], {
      cwd: home,
      env: SHELL,
    });
    return JSON.parse(stdout) as { style: { source_duration_seconds: number } };
  }

  async function health(address: string) {
    const answer = await fetch(`${address}/api/v1/health`);
    return (await answer.json()) as {
      data: { status: string; checks: { media_engine: string; media_isolation: object } };
    };
  }

  async function upload(address: string): Promise<Response> {
    const form = new FormData();
    form.set('file', await openAsBlob(clip), 'clip.mp4');
    return fetch(`${address}/api/v1/videos/upload`, { method: 'POST', body: form });
  }

  for (const layout of LAYOUTS) {
    const skip = layout.isVariant && !isLong ? 'a variant: npm run test:long' : false;
    test(layout.name, { skip }, async (t) => {
      const home = await installed(t, layout);
      assert.equal((await analyse(home)).style.source_duration_seconds, 1);
      await using service = await serve(home);
      const { data } = await health(service.address);
      assert.equal(data.checks.media_engine, 'ok');
      assert.deepEqual(data.checks.media_isolation, protection);
      assert.equal(data.status, 'healthy');
      assert.equal((await upload(service.address)).status, 201);
      assert.equal(await service.stop(), 0);
    });
  }

  test("yarn's Plug'n'Play is refused, with the setting that is right", async (t) => {
    const home = await installed(t, yarn('pnp'));
    const words = [
      join(managers, '@yarnpkg', 'cli-dist', 'bin', 'yarn.js'),
      'run',
      'styledna',
      'analyze',
      clip,
    ];
    const error = await run(process.execPath, words, { cwd: home, env: SHELL }).then(
      () => assert.fail('it ran'),
      (failure: { code: number; stderr: string; stdout: string }) => failure,
    );
    assert.equal(error.code, 3);
    assert.match(error.stderr, /Plug'n'Play.*nodeLinker: node-modules/);
  });

  test('an installation that cannot read videos reports it at start and in its health', async (t) => {
    const home = await installed(t, { ...LAYOUTS[0], name: 'pnpm, without FFmpeg' });
    const ours = realpathSync(join(home, 'node_modules', 'styledna'));
    const media = realpathSync(join(ours, '..', 'node-av'));
    const addon = join(media, '..', '@seydx', `node-av-${process.platform}-${process.arch}`);
    rmSync(join(realpathSync(addon), 'node-av.node'));
    await using service = await serve(home);
    await waitFor(
      'it says so',
      () => service.log().includes('Media processes cannot read videos') || undefined,
      20_000,
    );
    assert.match(service.log(), /Could not load the node-av native binding/);
    const { data } = await health(service.address);
    assert.deepEqual([data.status, data.checks.media_engine], ['degraded', 'failed']);
  });
});
