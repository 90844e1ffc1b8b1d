/** The examples as a reader runs them, against a real service. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { StyleDnaClient } from '../../src/client/client.ts';
import { probeFile } from '../../src/media/read/probe.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { waitFor } from '../support/processes.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { type Service, startService } from '../support/service.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));
const CLIENT = new URL('../../src/client/client.ts', import.meta.url);
/** An installed package has the client compiled; in a clone its sources replace it. */
const INSTALLED = `import { registerHooks } from 'node:module';
registerHooks({ resolve: (name, context, next) =>
  name === 'styledna/client' ? { url: '${CLIENT}', shortCircuit: true } : next(name, context) });`;

const run = promisify(execFile);
const isMissing = (program: string) =>
  spawnSync(program, ['--version']).error === undefined ? false : `this machine has no ${program}`;

describe('examples', { concurrency: 1 }, () => {
  const folder = temporaryFolder();
  const output = join(folder, 'output.mp4');
  let service: Service;
  let hook: Receiver;
  let environment: NodeJS.ProcessEnv;
  let source: string;
  let template: string;
  before(async () => {
    service = await startService();
    hook = await openReceiver();
    environment = { PATH: process.env['PATH'], STYLEDNA_URL: service.baseUrl, WEBHOOK_URL: hook.url };
    source = await makeClip(folder, { name: 'source', durationSeconds: 0.8 });
    template = await makeClip(folder, { name: 'template', durationSeconds: 1 });
  });
  after(async () => {
    await service?.[Symbol.asyncDispose]();
    await hook?.[Symbol.asyncDispose]();
  });

  /** Runs it, and holds the output to be a video. */
  async function made(program: string, words: readonly string[]): Promise<string> {
    rmSync(output, { force: true });
    const { stdout } = await run(program, [...words, output], { env: environment });
    assert.match(stdout, /output\.mp4 is there/);
    assert.ok((await probeFile(output, { maxDurationSeconds: 60 })).durationSeconds > 0.5);
    return stdout;
  }

  test('curl', { skip: isMissing('curl') || isMissing('openssl') }, async () => {
    const script = join(EXAMPLES, 'curl.sh');
    await made(script, [source, template]);
    const [call] = await waitFor('the webhook', () => (hook.calls.length > 0 ? hook.calls : undefined));
    const { secret } = await new StyleDnaClient({ baseUrl: service.baseUrl }).getWebhookSecret();
    const body = join(folder, 'body.json');
    const headers = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
      String(call!.headers[name]),
    );
    const verify = () =>
      run(script, ['verify', body, ...headers], { env: { ...environment, WEBHOOK_SECRET: secret } });
    writeFileSync(body, call!.text);
    assert.match((await verify()).stdout, /genuine/);
    writeFileSync(body, `${call!.text} `);
    await assert.rejects(verify(), /does not match/);
  });

  test('TypeScript', async () => {
    const hooks = `data:text/javascript,${encodeURIComponent(INSTALLED)}`;
    const words = ['--import', hooks, join(EXAMPLES, 'typescript', 'main.ts')];
    assert.match(await made(process.execPath, [...words, source, 'noir']), /webhook: job\.completed of /);
    const wrong = run(process.execPath, [...words, source, 'nore', output], { env: environment });
    await assert.rejects(wrong, /VALIDATION_ERROR: .*preset/);
  });

  test('Python', { skip: isMissing('python3') }, async () => {
    const words = [join(EXAMPLES, 'python', 'styledna.py')];
    assert.match(await made('python3', [...words, source, 'noir']), /webhook: job\.completed of /);
  });
});
