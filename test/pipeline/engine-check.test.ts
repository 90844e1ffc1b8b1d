import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import pino from 'pino';
import { MediaEngine } from '../../src/pipeline/engine/engine.ts';
import { engineCheck } from '../../src/pipeline/engine/engine-check.ts';
import { temporaryFolder } from '../support/clips.ts';

test('a media process reads a video, once a minute; a failure is logged once and tried again', async () => {
  const log: { msg: string; err: { message: string } }[] = [];
  const logger = pino({}, { write: (line) => log.push(JSON.parse(line)) });
  const engine = new MediaEngine({ workRoot: join(temporaryFolder(), 'work'), idleSeconds: 60 });
  let isBroken = false;
  const tasks: string[] = [];
  const check = engineCheck(
    {
      run: (task, input, options) => {
        tasks.push(task);
        return isBroken ? Promise.reject(new Error('no decoder')) : engine.run(task, input, options);
      },
    },
    logger,
  );
  isBroken = true;
  await assert.rejects(check, /no decoder/);
  await assert.rejects(check, /no decoder/);
  assert.deepEqual(
    log.map(({ msg, err }) => [msg, err.message]),
    [['Media processes cannot read videos: uploads and jobs will fail', 'no decoder']],
  );
  isBroken = false;
  await Promise.all([check(), check()]);
  await check();
  assert.deepEqual(tasks, ['probe', 'probe', 'probe']);
});

test('a success holds until the next probe has ended, a failure is found by it', async () => {
  const probes: PromiseWithResolvers<never>[] = [];
  const run = () => {
    probes.push(Promise.withResolvers());
    return probes.at(-1)!.promise;
  };
  const check = engineCheck({ run }, pino({ level: 'silent' }), 0);
  const first = check();
  probes[0].resolve(undefined as never);
  await first;
  await check();
  await check();
  assert.equal(probes.length, 2, 'one probe at a time');
  probes[1].reject(new Error('gone'));
  await new Promise(setImmediate);
  const after = check();
  probes[2].reject(new Error('still gone'));
  await assert.rejects(after, /still gone/);
});
