/** The process that looks at an upload is killed from outside: a good file is not blamed for it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Reply, upload } from '../support/client.ts';
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

/** Kills this many probes of one upload, each as soon as it is seen, and returns their number before the upload ended. */
async function killProbes(count: number, uploadEnded: AbortSignal): Promise<number> {
  const killed = new Set<number>();
  while (killed.size < count) {
    const look = () => uploadEnded.aborted || childrenOf(service.pid).find((one) => !killed.has(one));
    const pid = await waitFor('a probe', look);
    if (pid === true) break;
    process.kill(pid, 'SIGKILL');
    killed.add(pid);
  }
  return killed.size;
}

/**
 * An upload of which so many probes were killed: the reply, and how many files stayed of it. On a busy machine a probe can run and end between two looks
 * of this test: such an upload must have been accepted, and another is tried.
 */
async function uploadWithKilledProbes(count: number): Promise<{ reply: Reply; filesKept: number }> {
  const stored = () => filesUnder(service, 'blobs/videos').size;
  for (let attempt = 1; attempt <= 5; attempt++) {
    const before = stored();
    const ended = new AbortController();
    const [reply, killed] = await Promise.all([
      upload(service.baseUrl, clip).finally(() => ended.abort()),
      killProbes(count, ended.signal),
    ]);
    if (killed === count) return { reply, filesKept: stored() - before };
    assert.equal(reply.status, 201, JSON.stringify(reply.body));
  }
  return assert.fail(`In none of five uploads ${count} probes were seen`);
}

test('killed once, it is run again', async (t) => {
  const { reply } = await uploadWithKilledProbes(1);
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  tellFigures(t, 'kill -9 of the process that probes an upload', { tried: 1, lost: 0 });
});

test('killed each time, the file is refused and nothing of it stays', async () => {
  const { reply, filesKept } = await uploadWithKilledProbes(2);
  assert.equal(reply.body.error?.code, 'INVALID_VIDEO', JSON.stringify(reply.body));
  assert.equal(filesKept, 0);
  assertTidy(service);
});
