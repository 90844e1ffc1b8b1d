import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MediaEngine } from '../../src/pipeline/engine/engine.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { childrenOf } from '../support/processes.ts';

const SAMPLE_MS = 10;
/** Its planned memory is more than half of the machine's below. */
const UHD = { width: 3840, height: 2160 };

test('children that do not fit into memory together run one after the other; a ping does not wait', async () => {
  const folder = temporaryFolder();
  const path = await makeClip(folder, { name: 'clip', durationSeconds: 1, silent: true });
  const settings = { workRoot: join(folder, 'work'), idleSeconds: 60, machineBytes: 1e9 };
  // Two engines of one process share its memory.
  const engines = [new MediaEngine(settings), new MediaEngine(settings)];
  for (const engine of engines) await engine.prepare();
  const { signal } = new AbortController();
  const ended: string[] = [];
  const analyse = async (name: string, engine: MediaEngine) => {
    const work = join(folder, name);
    mkdirSync(work);
    const input = { path, motionLogPath: join(work, 'motion.bin'), withSubjects: false };
    const facts = await engine.run('video', input, { signal, folder: work, source: UHD });
    assert.equal(facts.frameCount, 25);
    ended.push(name);
  };
  let most = 0;
  const sampling = setInterval(() => {
    most = Math.max(most, childrenOf(process.pid).length);
  }, SAMPLE_MS);
  const all = [analyse('first', engines[0]), analyse('second', engines[1]), analyse('third', engines[0])];
  await Promise.all(all);
  clearInterval(sampling);
  assert.equal(most, 1);
  assert.deepEqual(ended, ['first', 'second', 'third']);

  const again = analyse('fourth', engines[0]);
  const waiting = analyse('fifth', engines[1]);
  assert.equal(await engines[1].run('ping', null, { signal }), 'pong');
  assert.ok(!ended.includes('fifth'));
  await Promise.all([again, waiting]);
});
