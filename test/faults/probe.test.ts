/** The process that looks at an upload is killed from outside: a good file is not blamed for it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { upload } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { tellFigures } from '../support/figures.ts';
import { childrenOf, waitFor } from '../support/processes.ts';
import { assertTidy, filesUnder } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let clip: string;
before(async () => {
  service = await startService({ WORKER_CONCURRENCY: '0' });
  clip = await makeClip(temporaryFolder(), { name: 'clip', durationSeconds: 1 });
  // From here on every child is a probe.
  assert.equal((await upload(service.baseUrl, clip)).status, 201);
});
after(() => service?.[Symbol.asyncDispose]());

/** Kills so many probes of one upload, each as soon as it is seen. */
async function killProbes(count: number): Promise<void> {
  const killed = new Set<number>();
  while (killed.size < count) {
    const pid = await waitFor('a probe', () => childrenOf(service.pid).find((one) => !killed.has(one)));
    process.kill(pid, 'SIGKILL');
    killed.add(pid);
  }
}

test('killed once, it is run again', async (t) => {
  const [reply] = await Promise.all([upload(service.baseUrl, clip), killProbes(1)]);
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  tellFigures(t, 'kill -9 of the process that probes an upload', { tried: 1, lost: 0 });
});

test('killed each time, the file is refused and nothing of it stays', async () => {
  const before = filesUnder(service, 'blobs/videos').size;
  const [reply] = await Promise.all([upload(service.baseUrl, clip), killProbes(2)]);
  assert.equal(reply.body.error?.code, 'INVALID_VIDEO', JSON.stringify(reply.body));
  assert.equal(filesUnder(service, 'blobs/videos').size, before);
  assertTidy(service);
});
