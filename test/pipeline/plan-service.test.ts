/** Plans that are made within a request, by children that stay open. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { editSchema } from '../../src/domain/edit-options.ts';
import { isFailure } from '../../src/domain/errors.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import { MediaEngine } from '../../src/pipeline/engine/engine.ts';
import { BlobPlanService } from '../../src/pipeline/previews/plan-service.ts';
import { Results } from '../../src/pipeline/stages/results.ts';
import { childrenOf } from '../../src/sandbox/processes.ts';
import { openFileStore } from '../../src/storage/file-store.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import { clipFacts } from '../support/clip-facts.ts';
import { temporaryFolder } from '../support/clips.ts';

const folder = temporaryFolder();
const blobs = await openFileStore(join(folder, 'blobs'));
const engine = new MediaEngine({ workRoot: join(folder, 'work'), idleSeconds: 60 });
const service = new BlobPlanService({ engine, blobs });
const { signal } = new AbortController();
const style = extractStyle(clipFacts(), { createdAt: new Date(0), fingerprint: null });

const takes = ['a', 'b'].map((name) => ({
  ...{
    videoId: `0190b3f1-0000-7000-8000-00000000000${name}`,
    sha256: name.repeat(64),
    blobKey: `videos/${name}`,
    filename: `${name}.mp4`,
  },
  ...{ durationSeconds: 20, width: 1920, height: 1080 },
}));

before(async () => {
  await engine.prepare();
  const results = new Results(blobs);
  const { video, motion } = clipFacts();
  for (const { sha256 } of takes) {
    await results.save('video', sha256, video);
    await results.save('audio', sha256, null);
    await results.save('motion', sha256, motion);
  }
});
after(async () => service[Symbol.asyncDispose]());

const planned = (name: string, more: object) => {
  const options = editSchema.parse({
    takes: takes.map(({ videoId }) => ({ video_id: videoId })),
    duration: 6,
    ...more,
  });
  const request = {
    ...{ source: takes[0]!, template: null, style, config: jobConfigSchema.parse({}) },
    edit: { takes, music: null, options },
  };
  return service.plan(name, request, signal);
};

test('a request that cannot be followed is refused with its fields, and the child stays open', async () => {
  const refused = async (name: string, more: object) => {
    const error: unknown = await planned(name, more).catch((failure: unknown) => failure);
    assert.ok(isFailure(error, 'INPUT_UNSUPPORTED'), String(error));
    assert.deepEqual(
      error.fields.map(({ path, code }) => [path, code]),
      [['edit.takes', 'NOTHING_USABLE']],
    );
    return childrenOf(process.pid);
  };
  const [child, ...others] = await refused('first', {});
  assert.ok(child !== undefined && others.length === 0);
  assert.deepEqual(await refused('second', { duration: 5 }), [child]);
});
