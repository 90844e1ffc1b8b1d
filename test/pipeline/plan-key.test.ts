/** The key under which a plan is cached, and a preview: it differs if the edit does. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { editSchema } from '../../src/domain/edit-options.ts';
import { COMPONENT_NAMES } from '../../src/domain/job-choices.ts';
import {
  type JobConfigInput,
  type jobConfigPatchSchema,
  jobConfigSchema,
} from '../../src/domain/job-config.ts';
import { MediaEngine } from '../../src/pipeline/engine/engine.ts';
import { BlobPreviewService } from '../../src/pipeline/previews/preview-service.ts';
import { planAsData } from '../../src/pipeline/stages/plan-data.ts';
import { Results } from '../../src/pipeline/stages/results.ts';
import { planBasis, planOf } from '../../src/pipeline/stages/style-application.ts';
import { presetNamed } from '../../src/presets/presets.ts';
import { openFileStore } from '../../src/storage/file-store.ts';
import { clipFacts } from '../support/clip-facts.ts';
import { temporaryFolder } from '../support/clips.ts';

const folder = temporaryFolder();
const blobs = await openFileStore(join(folder, 'blobs'));
const engine = new MediaEngine({ workRoot: join(folder, 'work'), idleSeconds: 60 });
const tools = {
  engine,
  blobs,
  results: new Results(blobs),
  retryWhileStorageDown: <T>(use: () => Promise<T>) => use(),
};
const source = {
  videoId: 'v',
  sha256: 'a'.repeat(64),
  blobKey: 'videos/v',
  durationSeconds: 1,
  width: 320,
  height: 180,
  filename: 'v.mp4',
};
const style = presetNamed('noir').style;
// A clip without sound: its words need no engine.
const { video, motion } = clipFacts();
await tools.results.save('video', source.sha256, video);
await tools.results.save('audio', source.sha256, null);
await tools.results.save('motion', source.sha256, motion);

async function planKey(config: JobConfigInput): Promise<string> {
  const signal = new AbortController().signal;
  const work = {
    source,
    template: null,
    style,
    config: jobConfigSchema.parse(config),
    signal,
    onProgress: () => {},
  };
  return (await planBasis(tools, work)).content;
}

async function previewKey(config: JobConfigInput): Promise<string> {
  await using desk = new BlobPreviewService({ engine, blobs });
  const request = {
    source,
    template: null,
    style,
    config: jobConfigSchema.parse(config),
    momentsSeconds: null,
  };
  return desk.idOf(request as unknown as Parameters<typeof desk.idOf>[0]);
}

/** For each field another value than its default, and whether that makes another edit. A new field must be named here. */
const CHANGES = {
  quality: ['high', true],
  style_strength: [0.5, true],
  components: [{ pacing: false }, true],
  adjust: [{ warmth: 0.5 }, true],
  resolution: ['720p', true],
  framing: ['pad', true],
  framing_focus: [{ x: 0.2, y: 0.5 }, true],
  source_range: [[0, 2], true],
  template_range: [[0, 2], true],
  pacing: ['keep', true],
  talk: ['on', true],
  captions: ['transcribe', true],
  seed: [1, true],
  comparison: [true, false],
  priority: [51, false],
  labels: [{ client: 'a' }, false],
} as const satisfies {
  readonly [Name in keyof typeof jobConfigPatchSchema.shape]: readonly [unknown, boolean];
};

for (const [kind, keyOf] of [
  ['plan', planKey],
  ['preview', previewKey],
] as const) {
  describe(`the key of a ${kind}`, () => {
    test('is the same for the same config, by defaults, in another order, by an alias', async () => {
      const usual = await keyOf({});
      assert.equal(await keyOf({}), usual);
      assert.equal(await keyOf({ quality: 'medium', style_strength: 0.8, seed: 0 }), usual);
      assert.equal(await keyOf({ seed: 0, style_strength: 0.8, quality: 'balanced' }), usual);
      assert.equal(await keyOf({ components: { motion: true, color: true } }), usual);
    });

    for (const [name, [value, isOfTheEdit]] of Object.entries(CHANGES)) {
      test(`${isOfTheEdit ? 'changes' : 'does not change'} with ${name}`, async () => {
        const changed = await keyOf({ [name]: value });
        assert.equal(changed !== (await keyOf({})), isOfTheEdit);
      });
    }

    test('changes with each component, and with its strength', async () => {
      const keys = await Promise.all([
        keyOf({}),
        ...COMPONENT_NAMES.map((name) => keyOf({ components: { [name]: false } })),
        ...[0, 0.3, 1].map((color) => keyOf({ components: { color } })),
      ]);
      assert.equal(new Set(keys).size, keys.length);
    });
  });
}

test('takes are planned by their files and parts, not by their measurements', async () => {
  const range = [0, 0.5] as const;
  const takes = [source, { ...source, range }];
  const part = `${source.sha256}-r0-0.5`;
  await tools.results.save('video', part, video);
  await tools.results.save('audio', part, null);
  await tools.results.save('motion', part, motion);
  const named: [string, string[]][] = [];
  const run = async (task: string, input: { readonly takes: readonly { readonly content: string }[] }) => {
    named.push([task, input.takes.map(({ content }) => content)]);
    throw new Error('planned');
  };
  const options = editSchema.parse({ takes: [{ video_id: '00000000-0000-0000-0000-000000000000' }] });
  const work = {
    ...{ source, template: null, style, config: jobConfigSchema.parse({}) },
    ...{ edit: { takes, music: null, options }, signal: new AbortController().signal, onProgress: () => {} },
  };
  const stopped = { ...tools, engine: { run } } as unknown as typeof tools;
  await assert.rejects(planOf(stopped, work), /planned/);
  await assert.rejects(planAsData(stopped, work, { folder, sourcePath: null }), /planned/);
  assert.deepEqual(named, [
    ['planTakes', [source.sha256, part]],
    ['planData', [source.sha256, part]],
  ]);
});
