/** The OpenAPI document with the tools that people use on it, at their default settings. They are installed for the test alone. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openApiDocument } from '../../src/http/routes/openapi.ts';
import { run, SHELL } from './installed.ts';

const TOOLS = [
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  '@hey-api/openapi-ts@0.99.0',
  'orval@8.38.0',
  'swagger-typescript-api@13.13.0',
  '@stoplight/spectral-cli@6.16.3',
  'typescript@5.9.3',
  'zod@4.6.7',
];

const ORVAL = `export default {
  fetch: { input: './openapi.json', output: { target: './orval/fetch.ts', client: 'fetch' } },
  zod: { input: './openapi.json', output: { target: './orval/zod.ts', client: 'zod' } },
};`;

interface Generator {
  readonly name: string;
  readonly words: readonly [string, ...string[]];
  /** A program that uses the generated client: a job with one field of its config, an upload of a file, a result. */
  readonly sample: string;
}

const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    words: ['openapi-typescript', 'openapi.json', '--output', 'openapi-typescript.ts'],
    sample: `
      import createClient from 'openapi-fetch';
      import type { components, paths } from './openapi-typescript.ts';
      const config: components['schemas']['JobConfig'] = { quality: 'low' };
      const part: components['schemas']['JobConfig'] = { components: { pacing: false } };
      const client = createClient<paths>({ baseUrl: '' });
      // This generator types bytes as text; a form is sent by a serializer, by its documentation.
      const upload = await client.POST('/api/v1/videos/upload', {
        body: { file: '' },
        bodySerializer() {
          const form = new FormData();
          form.set('file', file);
          return form;
        },
      });
      const video_id: string = upload.data!.data.video_id;
      const job = await client.POST('/api/v1/jobs', { body: { video_id, config } });
      await client.POST('/api/v1/previews', { body: { video_id, preset: 'noir', config: part } });
      export const status: string = job.data!.data.status;`,
  },
  {
    name: '@hey-api/openapi-ts',
    words: ['openapi-ts', '--input', 'openapi.json', '--output', 'hey-api'],
    sample: `
      import { createJob, createPreview, getOutput, uploadVideo } from './hey-api/index.ts';
      const upload = await uploadVideo({ body: { file }, throwOnError: true });
      const { video_id } = upload.data.data;
      const job = await createJob({ body: { video_id, config: { quality: 'low' } }, throwOnError: true });
      await createPreview({ body: { video_id, config: { components: { pacing: false } } } });
      const { data } = await getOutput({ path: { job_id: job.data.data.job_id }, throwOnError: true });
      export const bytes: Blob = data;`,
  },
  {
    name: 'orval, fetch',
    words: ['orval', '--config', 'orval.config.mjs', '--project', 'fetch'],
    sample: `
      import { createJob, createPreview, uploadVideo } from './orval/fetch.ts';
      const upload = await uploadVideo({ file });
      if (upload.status !== 201) throw upload.data;
      const { video_id } = upload.data.data;
      const job = await createJob({ video_id, config: { quality: 'low' } });
      await createPreview({ video_id, config: { components: { pacing: false } } });
      export const id: string | null = job.status === 201 ? job.data.data.job_id : null;`,
  },
  {
    name: 'orval, zod',
    words: ['orval', '--config', 'orval.config.mjs', '--project', 'zod'],
    sample: `
      import { CreateJobBody, UploadVideoBody } from './orval/zod.ts';
      const body = { video_id: 'a', preset: 'noir' as const, config: { quality: 'low' as const } };
      export const sent: string = JSON.stringify(CreateJobBody.parse(body));
      export const upload: { file: Blob } = UploadVideoBody.parse({ file });`,
  },
  {
    name: 'swagger-typescript-api',
    words: [
      'swagger-typescript-api',
      'generate',
      '--path',
      'openapi.json',
      '--output',
      'swagger',
      '--name',
      'api.ts',
    ],
    sample: `
      import { Api } from './swagger/api.ts';
      const { api } = new Api({ baseUrl: '' });
      const { video_id } = (await api.uploadVideo({ file })).data.data;
      const job = await api.createJob({ video_id, config: { quality: 'low' } });
      await api.createPreview({ video_id, config: { components: { pacing: false } } });
      export const id: string = job.data.data.job_id;`,
  },
];

const isLong = process.env['TEST_LONG'] === '1';
const FILE = `const file = new File([new Uint8Array(1)], 'holiday.mp4', { type: 'video/mp4' });`;

describe('tools on the OpenAPI document', { concurrency: 1 }, () => {
  const folder = mkdtempSync(join(process.env['TEST_KEPT'] ?? tmpdir(), 'styledna-generators-'));
  const tool = (words: readonly [string, ...string[]]) =>
    run(join(folder, 'node_modules', '.bin', words[0]), words.slice(1), {
      cwd: folder,
      env: SHELL,
      maxBuffer: 1e8,
    });
  const saved = (error: { stdout: string }) => error;
  before(async () => {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }));
    writeFileSync(
      join(folder, 'openapi.json'),
      JSON.stringify(openApiDocument('1.2.3', 'http://127.0.0.1:8080')),
    );
    writeFileSync(join(folder, 'orval.config.mjs'), ORVAL);
    const words = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', ...TOOLS];
    await run('npm', words, { cwd: folder, env: SHELL, maxBuffer: 1e8 });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const { name, words, sample } of GENERATORS) {
    test(`${name}: its client compiles, and accepts a config with one field and a file`, async () => {
      await tool(words);
      writeFileSync(join(folder, 'sample.ts'), `${FILE}\n${sample}\n`);
      const compilerOptions = {
        ...{
          target: 'es2023',
          module: 'esnext',
          moduleResolution: 'bundler',
          lib: ['es2023', 'dom', 'dom.iterable'],
        },
        ...{ types: [], strict: true, skipLibCheck: false, noEmit: true, allowImportingTsExtensions: true },
      };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['sample.ts'] }));
      const { stdout } = await tool(['tsc', '-p', '.']).catch(saved);
      assert.equal(stdout, '');
    });
  }

  test("a generated schema fills in nothing that was not sent: a preset's own choices hold", async () => {
    const script = `
      const { CreateJobBody } = await import('./orval/zod.ts');
      console.log(JSON.stringify(CreateJobBody.parse({ video_id: 'a', preset: 'noir', config: { quality: 'low' } })));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], {
      cwd: folder,
      env: SHELL,
    });
    assert.deepEqual(JSON.parse(stdout), { video_id: 'a', preset: 'noir', config: { quality: 'low' } });
  });

  test("it has no error by Spectral's default rules", {
    skip: isLong ? false : 'takes two minutes: npm run test:long',
  }, async () => {
    writeFileSync(join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n');
    const words = [
      'spectral',
      'lint',
      'openapi.json',
      '--format',
      'json',
      '--quiet',
      '--fail-severity',
      'error',
    ] as const;
    const { stdout } = await tool(words).catch(saved);
    const problems = JSON.parse(stdout) as { severity: number; code: string; path: string[] }[];
    assert.deepEqual(
      problems.filter(({ severity }) => severity === 0),
      [],
    );
  });
});
