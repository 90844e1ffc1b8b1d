import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Quality } from '../../src/domain/job-choices.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import { decoderThreads, encoderPlan } from '../../src/media/av/codec-memory.ts';
import { ChildMemory } from '../../src/pipeline/engine/child-memory.ts';
import { machineMemory } from '../../src/pipeline/engine/machine-memory.ts';
import { type JobPictures, jobMemory } from '../../src/pipeline/engine/memory-need.ts';

const FULL_HD = { width: 1920, height: 1080 };
const UHD = { width: 3840, height: 2160 };
const LARGEST = { width: 8192, height: 4320 };
const NEVER = new AbortController().signal;

function job(source: JobPictures['source'], quality: Quality, more: Partial<JobPictures> = {}): JobPictures {
  return {
    source,
    template: null,
    config: jobConfigSchema.parse({ quality }),
    style: { aspect_ratio: '16:9' },
    ...more,
  };
}

describe('threads and lookahead by size', () => {
  test('up to 1440 lines x264 is left as its presets are', () => {
    for (const size of [FULL_HD, { width: 2560, height: 1440 }]) {
      for (const preset of ['veryfast', 'medium', 'slow']) {
        const { threads, lookahead } = encoderPlan(size, preset, 4);
        assert.deepEqual({ threads, lookahead }, { threads: 6, lookahead: null }, `${size.height} ${preset}`);
      }
    }
  });

  test('larger pictures have a shorter lookahead, never less than the fastest preset has', () => {
    assert.equal(encoderPlan(UHD, 'slow', 2).lookahead, 24);
    assert.equal(encoderPlan(LARGEST, 'slow', 2).lookahead, 10);
    assert.equal(encoderPlan(LARGEST, 'veryfast', 2).lookahead, null);
  });

  test('many cores do not take more memory than the size allows', () => {
    const [few, many] = [2, 64].map((cores) => encoderPlan(UHD, 'slow', cores));
    assert.equal(few!.threads, 3);
    assert.equal(many!.threads, 8);
    assert.ok(many!.bytes < 2e9, `${many!.bytes}`);
    assert.equal(decoderThreads(3 * UHD.width * UHD.height, 64), 8);
    assert.equal(decoderThreads(3 * LARGEST.width * LARGEST.height, 64), 2);
    assert.equal(decoderThreads(3 * FULL_HD.width * FULL_HD.height, 2), 3);
  });
});

describe('what jobs need', () => {
  for (const [what, pictures, most] of [
    ['1080p at ultra', job(FULL_HD, 'ultra'), 1.3e9],
    ['4K at medium', job(UHD, 'medium'), 1.3e9],
    ['4K at ultra', job(UHD, 'ultra'), 2.8e9],
    ['the largest at low', job(LARGEST, 'low'), 2.5e9],
    ['the largest at ultra', job(LARGEST, 'ultra'), 8e9],
  ] as const) {
    test(`${what}: at most ${most / 1e9} GB`, () => {
      const need = jobMemory(pictures);
      assert.ok(need > 2e8 && need <= most, `${need}`);
    });
  }

  test('a large template counts, and so does a comparison', () => {
    assert.ok(jobMemory(job(FULL_HD, 'low', { template: LARGEST })) > jobMemory(job(FULL_HD, 'low')));
    const config = jobConfigSchema.parse({ quality: 'low', comparison: true });
    assert.ok(jobMemory(job(LARGEST, 'low', { config })) >= jobMemory(job(LARGEST, 'low')));
  });
});

describe('need of an output of another size', () => {
  const need = (config: object, more: Partial<JobPictures> = {}) =>
    jobMemory(
      job(FULL_HD, 'high', { config: jobConfigSchema.parse({ quality: 'high', ...config }), ...more }),
    );
  const small = { width: 640, height: 360 };
  const plain = need({});
  for (const [what, bytes, wanted] of [
    ['four times the pixels', need({ resolution: '2160p' }), 'more'],
    ['as many as the quality allows', need({ quality: 'medium', resolution: '2160p' }), 'less'],
    ['a longer ratio', need({}, { style: { aspect_ratio: '2:1' } }), 'more'],
    [
      'a longer ratio that is left off',
      need({ components: { aspect_ratio: false } }, { style: { aspect_ratio: '2:1' } }),
      'same',
    ],
    ['an upright ratio of the same length', need({}, { style: { aspect_ratio: '9:16' } }), 'same'],
    ['a small template', need({}, { style: null, template: small }), 'same'],
  ] as const) {
    test(`${what}: ${wanted}`, () => {
      assert.equal(bytes > plain ? 'more' : bytes < plain ? 'less' : 'same', wanted);
    });
  }

  test('a small source is enlarged for a large template', () => {
    const pictures = (template: JobPictures['template']) => ({
      ...job(small, 'high'),
      style: null,
      template,
    });
    assert.ok(jobMemory(pictures({ width: 1280, height: 720 })) > jobMemory(pictures(small)));
  });
});

describe('limits of a machine', () => {
  test('a refusal contains the size, its need, the available memory, and what would fit', () => {
    const memory = new ChildMemory(null, 4e9);
    assert.equal(memory.refusal(job(UHD, 'medium')), null);
    assert.match(
      memory.refusal(job(LARGEST, 'ultra'))!,
      /^A picture of 8192×4320 at quality "ultra" takes about \d\.\d GB of memory, and this machine has 4\.0 GB, of which a media process may take 3\.4 GB; quality "medium" would fit$/,
    );
    assert.match(
      new ChildMemory(3e8, 4e9).refusal(job(UHD, 'low'))!,
      /CHILD_MEMORY_BYTES allows 0\.3 GB; no quality would fit: send a smaller picture$/,
    );
  });

  test('a child may take more than its task needs, and never more than there is', async () => {
    const limit = async (memory: ChildMemory, source: JobPictures['source']) => {
      using reserved = await memory.reserve(
        'video',
        { path: '', motionLogPath: '', withSubjects: true },
        source,
        NEVER,
      );
      return reserved.limitBytes;
    };
    assert.equal(await limit(new ChildMemory(null, 64e9), FULL_HD), 2 * 2 ** 30);
    assert.ok((await limit(new ChildMemory(null, 64e9), LARGEST)) > 2 * 2 ** 30);
    assert.ok((await limit(new ChildMemory(null, 2e9), FULL_HD)) <= 1.5e9);
    assert.equal(await limit(new ChildMemory(1e9, 64e9), FULL_HD), 1e9);
  });

  test('what cannot be done does not begin', async () => {
    const memory = new ChildMemory(null, 1e9);
    await assert.rejects(
      memory.reserve('video', { path: '', motionLogPath: '', withSubjects: true }, LARGEST, NEVER),
      {
        code: 'INPUT_LIMIT_EXCEEDED',
      },
    );
  });

  test('a file of unknown size begins with any free memory', async () => {
    const input = { path: '', motionLogPath: '', styleAt: null, withSubjects: true };
    using reserved = await new ChildMemory(2.4e8, 64e9).reserve('analyse', input, undefined, NEVER);
    assert.equal(reserved.limitBytes, 2.4e8);
  });

  test('this machine has some memory, by any limit', () => {
    const bytes = machineMemory();
    assert.ok(bytes > 2 ** 27 && bytes < 2 ** 50, `${bytes}`);
  });
});
