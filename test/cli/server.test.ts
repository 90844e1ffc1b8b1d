/** Commands whose work a service does: files and messages equal those without one. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { main } from '../../src/cli/run-command.ts';
import { styleSchema } from '../../src/style/model/schema.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { startService } from '../support/service.ts';

const folder = temporaryFolder();
let clip: string;
let service: Awaited<ReturnType<typeof startService>>;
before(async () => {
  clip = await makeClip(folder, { name: 'clip', durationSeconds: 2 });
  service = await startService();
});
after(() => service[Symbol.asyncDispose]());

async function call(t: TestContext, ...words: readonly string[]) {
  const message = { log: '', error: '' };
  for (const name of ['log', 'error'] as const) {
    t.mock.method(console, name, (line: string) => {
      message[name] += `${line}\n`;
    });
  }
  const code = await main([...words, '--server', service.baseUrl], {});
  t.mock.restoreAll();
  return { code, stdout: message.log, stderr: message.error };
}

describe('with --server', { concurrency: 1 }, () => {
  test('apply writes the video, the comparison and the artifacts, and prints a summary', async (t) => {
    const [output, comparison, beside] = ['styled.mp4', 'side.mp4', 'beside'].map((name) =>
      join(folder, name),
    );
    const look = ['--preset', 'noir', '--comparison', comparison!, '--artifacts', beside!, '-q', 'low'];
    const { code, stdout, stderr } = await call(t, 'apply', clip, ...look, '-o', output!, '--json');
    assert.equal(code, 0, stderr);
    const reported = JSON.parse(stdout);
    assert.match(reported.summary.text, /colors followed at strength 0\.8/);
    assert.deepEqual(reported.files.map(({ path }: { path: string }) => path).slice(0, 2), [
      output,
      comparison,
    ]);
    for (const file of [output!, comparison!])
      assert.equal(readFileSync(file).toString('latin1', 4, 8), 'ftyp');
    for (const name of ['grade.cube', 'poster.jpg', 'style.json', 'timeline.otio', 'timeline.xml'])
      assert.ok(readdirSync(beside!).includes(name), name);
  });

  test('extract and analyze print the Style DNA', async (t) => {
    const style = join(folder, 'style.json');
    const extracted = await call(t, 'extract', clip, '-o', style);
    assert.equal(extracted.code, 0, extracted.stderr);
    assert.ok(styleSchema.safeParse(JSON.parse(readFileSync(style, 'utf8'))).success);
    const page = join(folder, 'report.html');
    const analyzed = await call(t, 'analyze', clip, '--report', page);
    assert.equal(analyzed.code, 0, analyzed.stderr);
    assert.match(analyzed.stdout, /^ {2}Shape +16:9$/m);
    assert.ok(readFileSync(page, 'utf8').startsWith('<!doctype html>'));
    const part = await call(t, 'analyze', clip, '--range', '0.2-0.8', '--json');
    assert.equal(JSON.parse(part.stdout).duration_seconds, 0.6);
  });

  test('preview draws JPEG', async (t) => {
    const picture = join(folder, 'look.jpg');
    const words = ['preview', clip, '--preset', 'noir', '--at', '0.5', '--json', '-o'];
    const { code, stdout, stderr } = await call(t, ...words, picture);
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(stdout).moments.length, 1);
    assert.equal(readFileSync(picture).readUInt16BE(0), 0xffd8);
    const png = await call(t, ...words, join(folder, 'look.png'));
    assert.equal(png.code, 2);
    assert.match(png.stderr, /must end in \.jpg/);
  });

  test('watch ends with a summary; a missing job is reported', async (t) => {
    const { jobs } = (
      (await (await fetch(`${service.baseUrl}/api/v1/jobs`)).json()) as {
        data: { jobs: { job_id: string }[] };
      }
    ).data;
    const { code, stdout, stderr } = await call(t, 'watch', jobs[0].job_id);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^Done in .*colors followed/m);
    assert.equal(stdout, `${service.baseUrl}/api/v1/jobs/${jobs[0].job_id}/output\n`);
    const asData = await call(t, 'watch', jobs[0].job_id, '--json');
    assert.equal(JSON.parse(asData.stdout).status, 'completed');
    const none = await call(t, 'watch', 'job_none');
    assert.equal(none.code, 3);
    assert.match(none.stderr, /The service says: .*JOB_NOT_FOUND/);
  });

  test('refusals of the service are printed, and no files remain', async (t) => {
    const output = join(folder, 'none.mp4');
    const { code, stderr } = await call(
      t,
      'apply',
      join(folder, 'style.json'),
      '--preset',
      'noir',
      '-o',
      output,
    );
    assert.equal(code, 3);
    assert.match(stderr, /style\.json": The file is not a video, image or song .*\(INPUT_UNSUPPORTED\)/);
    assert.ok(!existsSync(output));
  });
});
