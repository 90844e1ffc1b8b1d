/** `styledna mcp` as an agent meets it: the SDK's own client, the real process, a real service. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { CONFIG_FIELDS, describeField } from '../../src/domain/job-config.ts';
import { call as httpCall } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { PROGRAM } from '../support/program.ts';
import { type Service, startService } from '../support/service.ts';

async function agent(server: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const command = { command: process.execPath, args: [PROGRAM, 'mcp', '--server', server] };
  await client.connect(new StdioClientTransport(command));
  return client;
}

type Content = { readonly type: string; readonly text?: string; readonly data?: string }[];

async function call(client: Client, name: string, given: object) {
  const result = await client.callTool({ name, arguments: given as Record<string, unknown> });
  const content = result.content as Content;
  return {
    isError: result.isError === true,
    content,
    text: content.find(({ type }) => type === 'text')?.text ?? '',
  };
}

describe('styledna mcp', { concurrency: 1 }, () => {
  const folder = temporaryFolder();
  let service: Service;
  let client: Client;
  let source: string;
  before(async () => {
    service = await startService();
    client = await agent(service.baseUrl);
    source = await makeClip(folder, { name: 'source', durationSeconds: 0.8 });
  });
  after(async () => {
    await client?.close();
    await service?.[Symbol.asyncDispose]();
  });

  async function told(name: string, given: object) {
    const answer = await call(client, name, given);
    assert.equal(answer.isError, false, answer.text);
    return { ...answer, data: JSON.parse(answer.text) };
  }

  test('lists its tools, each with a description', async () => {
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name).sort(), [
      'analyze',
      'apply',
      'cancel_job',
      'edit_videos',
      'fetch_results',
      'get_job',
      'list_presets',
      'list_styles',
      'preview',
      'save_style',
      'storyboard',
    ]);
    for (const { description, inputSchema } of tools) assert.ok(description && inputSchema.type === 'object');
    assert.match(client.getInstructions() ?? '', /list_presets/);
  });

  test('saves a style of several templates, and applies it', async () => {
    const second = await makeClip(folder, { name: 'second', durationSeconds: 1, silent: true });
    const { data: saved } = await told('save_style', { name: 'Ours', templates: [source, second] });
    assert.equal(saved.style.consensus.templates.length, 2);
    assert.equal(saved.style.color_statistics, undefined);
    const { data: listed } = await told('list_styles', { name: 'our' });
    assert.deepEqual([listed.total, listed.styles[0].style_id], [1, saved.style_id]);
    const { data: job } = await told('apply', { source, style: saved.style_id });
    await told('cancel_job', { job_id: job.job_id });
  });

  test('analyzes, previews, applies and fetches', async () => {
    const { data: presets } = await told('list_presets', {});
    assert.ok(presets.some(({ preset_id }: { preset_id: string }) => preset_id === 'noir'));

    const analysis = await told('analyze', { video: source });
    assert.equal(analysis.data.style.aspect_ratio, '16:9');
    assert.ok(analysis.text.length < 8000, `${analysis.text.length} characters are much to remember`);

    const preview = await told('preview', { source, preset: 'noir', at_seconds: [0.4] });
    const [picture] = preview.content;
    assert.deepEqual(
      [picture!.type, Buffer.from(picture!.data!, 'base64').subarray(0, 2)],
      ['image', Buffer.from([0xff, 0xd8])],
    );
    assert.equal(preview.data.video_id, analysis.data.video_id, 'the same file is sent once');

    const { data: job } = await told('apply', {
      source: analysis.data.video_id,
      preset: 'noir',
      config: { quality: 'low' },
    });
    const { data: done } = await told('get_job', { job_id: job.job_id, wait_seconds: 50 });
    assert.equal(done.status, 'completed', JSON.stringify(done));

    const results = join(folder, 'results');
    const given = { job_id: job.job_id, folder: results, files: ['output.mp4', 'grade.cube'] };
    const { data: fetched } = await told('fetch_results', given);
    assert.deepEqual(fetched.written, [join(results, 'output.mp4'), join(results, 'grade.cube')]);
    for (const path of fetched.written) assert.ok(statSync(path).size > 1000, path);
  });

  test('a preset keeps its own components with any config, as over HTTP and on the command line', async () => {
    const { data: analysis } = await told('analyze', { video: source });
    const { video_id } = analysis as { video_id: string };
    const jobs = async () =>
      (await httpCall(service.baseUrl, 'GET', '/api/v1/jobs?page_size=1')).body.data.jobs;
    const configOf = async (given: object) => {
      await told('apply', { source: video_id, preset: 'noir', ...given });
      return (await jobs())[0].config;
    };
    const usual = await configOf({});
    assert.deepEqual(
      Object.entries(usual.components).filter(([, value]) => value !== false),
      [['color', true]],
    );
    const config = { quality: 'low', labels: { project: 'a' } };
    assert.deepEqual(await configOf({ config }), { ...usual, ...config });
    const changed = { quality: 'low', components: { pacing: true, color: 0.4 } };
    assert.deepEqual(await configOf({ config: changed }), {
      ...usual,
      quality: 'low',
      components: { ...usual.components, pacing: true, color: 0.4 },
    });

    const byHttp = await httpCall(service.baseUrl, 'POST', '/api/v1/jobs', {
      json: { video_id, preset: 'noir', config },
    });
    assert.deepEqual(byHttp.body.data.config, { ...usual, ...config });
    const output = join(folder, 'by-command.mp4');
    const words = [
      'apply',
      source,
      '--preset',
      'noir',
      '-q',
      'low',
      '--server',
      service.baseUrl,
      '-o',
      output,
    ];
    await promisify(execFile)(process.execPath, [PROGRAM, ...words]);
    assert.deepEqual((await jobs())[0].config, { ...usual, quality: 'low' });
  });

  test('no tool fills in fields of a config that the agent leaves out', async () => {
    const { tools } = await client.listTools();
    const configs = tools.flatMap(({ inputSchema }) => inputSchema.properties?.['config'] ?? []);
    assert.equal(configs.length, 4);
    for (const config of configs) {
      assert.doesNotMatch(JSON.stringify(config), /"default":/);
      assert.ok(typeof config === 'object' && config !== null && !('required' in config));
    }
  });

  test('tools describe every field of a config', async () => {
    const { tools } = await client.listTools();
    const schema = tools.find(({ name }) => name === 'apply')?.inputSchema.properties?.['config'];
    const { properties } = schema as { properties: Record<string, { description?: string }> };
    const described = Object.entries(properties).map(([name, { description }]) => [name, description]);
    assert.deepEqual(
      described,
      CONFIG_FIELDS.map((name) => [name, describeField(name)]),
    );
  });

  test('an edit is created with its takes sent once, and cancelled', async () => {
    const second = await makeClip(folder, { name: 'second', durationSeconds: 1 });
    const given = {
      takes: [{ file: source }, { file: second, must_use: true, exclude: [[0, 0.2]] }],
      preset: 'noir',
      sound: 'takes',
      duration: 1,
      pins: [{ slot: 0, file: second, start_seconds: 0.3, focus: { x: 0.7, y: 0.5 } }],
      lengths: [{ slot: 0, beats: 0 }],
    };
    const { data: job } = await told('edit_videos', given);
    await told('cancel_job', { job_id: job.job_id });
    const { body } = await httpCall(service.baseUrl, 'GET', `/api/v1/jobs/${job.job_id}`);
    const { takes, pins, lengths, sound, duration } = body.data.edit_request;
    assert.deepEqual(
      takes.map(({ must_use, exclude }: { must_use: boolean; exclude: number[][] }) => [must_use, exclude]),
      [
        [false, []],
        [true, [[0, 0.2]]],
      ],
    );
    assert.deepEqual([sound, duration, pins[0].video_id], ['takes', 1, takes[1].video_id]);
    assert.deepEqual([pins[0].focus, lengths], [given.pins[0]!.focus, given.lengths]);
    const wrong = await call(client, 'edit_videos', {
      ...given,
      pins: [{ slot: 0, file: second, start_seconds: 9 }],
    });
    assert.match(wrong.text, /VALIDATION_ERROR: .*9 s is not in the take, which runs for 1\.00 s/);
  });

  test('names what is wrong, and what is valid', async () => {
    for (const [name, given, why] of [
      ['analyze', { video: join(folder, 'none.mp4') }, /There is no file .*none\.mp4; give the path/],
      ['preview', { source, preset: 'nore' }, /VALIDATION_ERROR.*preset/],
      ['get_job', { job_id: '019aa3f2-4c1e-7d0a-9b51-0c6f6f1f2e11' }, /JOB_NOT_FOUND/],
      ['apply', { source, config: { style_strength: 7 } }, /style_strength/],
    ] as const) {
      const answer = await call(client, name, given);
      assert.equal(answer.isError, true, name);
      assert.match(answer.text, why);
    }
    const { data: job } = await told('apply', { source, config: { quality: 'low' } });
    await told('get_job', { job_id: job.job_id, wait_seconds: 50 });
    const outside = { job_id: job.job_id, folder, files: ['../outside'] };
    assert.match(
      (await call(client, 'fetch_results', outside)).text,
      /The job has no \.\.\/outside; it has output\.mp4/,
    );
    assert.ok(!existsSync(join(folder, '..', 'outside')));
  });
});

test('without a service the error explains how to start one', async () => {
  const client = await agent('http://127.0.0.1:9');
  const { isError, text } = await call(client, 'list_presets', {});
  await client.close();
  assert.ok(isError);
  assert.match(
    text,
    /^No service responds at http:\/\/127\.0\.0\.1:9 \(.+\)\. Start one with "styledna serve"/,
  );
});

test('no other command loads the SDK', async () => {
  const told = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      if (name.includes('modelcontextprotocol')) console.error('loaded');
      return next(name, context);
    } });`;
  const run = (...words: string[]) => {
    const hook = `data:text/javascript,${encodeURIComponent(told)}`;
    const child = promisify(execFile)(process.execPath, ['--import', hook, PROGRAM, ...words]);
    child.child.stdin!.end();
    return child;
  };
  assert.equal((await run('--help')).stderr, '');
  assert.match((await run('mcp')).stderr, /loaded/);
});
