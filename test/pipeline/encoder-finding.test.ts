import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type EncoderChoice, encodersToTry, type HardwareEncoder } from '../../src/domain/encoder-choice.ts';
import { Failure } from '../../src/domain/errors.ts';
import { Studio } from '../../src/library.ts';
import { findEncoder, graphicsDevices } from '../../src/pipeline/engine/encoder-finding.ts';
import { MediaEngine } from '../../src/pipeline/engine/engine.ts';
import { tryEncoder } from '../../src/render/verify/encoder-trial.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';

const folder = temporaryFolder();
/** Where there is a graphics chip its encoders may well pass. */
const skip = graphicsDevices().length > 0 || process.platform !== 'linux' ? 'it has a graphics chip' : false;

for (const [choice, platform, expected] of [
  ['software', 'linux', []],
  ['auto', 'linux', ['nvenc', 'qsv', 'vaapi']],
  ['auto', 'darwin', ['videotoolbox']],
  ['auto', 'win32', ['nvenc', 'qsv']],
  ['vaapi', 'darwin', ['vaapi']],
] as const) {
  test(`${choice} on ${platform} tries ${expected.join(', ') || 'none'}`, () => {
    assert.deepEqual(encodersToTry(choice, platform), expected);
  });
}

describe('the first encoder that passes its test is used', () => {
  for (const { choice, passes, encoder, tried, refusal } of [
    { choice: 'software', passes: ['nvenc'], encoder: null, tried: [], refusal: null },
    { choice: 'nvenc', passes: ['nvenc'], encoder: 'nvenc', tried: ['nvenc'], refusal: null },
    { choice: 'nvenc', passes: ['qsv'], encoder: null, tried: ['nvenc'], refusal: /x264.* nvenc: no nvenc$/ },
    {
      choice: 'videotoolbox',
      passes: [],
      encoder: null,
      tried: ['videotoolbox'],
      refusal: /videotoolbox: no videotoolbox$/,
    },
  ] as const) {
    test(`${choice} where ${passes.join(', ') || 'none'} passes`, async () => {
      const seen: HardwareEncoder[] = [];
      const found = await findEncoder(choice as EncoderChoice, async (one) => {
        seen.push(one);
        if (!(passes as readonly string[]).includes(one)) throw new Failure('ENCODER_FAILED', `no ${one}`);
      });
      assert.equal(found.encoder, encoder);
      assert.deepEqual(seen, tried);
      if (refusal === null) assert.equal(found.refusal, null);
      else assert.match(found.refusal ?? '', refusal);
    });
  }

  test('auto continues with the next, and names all that failed', {
    skip: process.platform !== 'linux',
  }, async () => {
    const second = await findEncoder('auto', async (one) => {
      if (one === 'nvenc') throw new Error('no driver');
    });
    assert.deepEqual(second, { encoder: 'qsv', refusal: null });
    const none = await findEncoder('auto', () => Promise.reject(new Failure('ENCODER_FAILED', 'away')));
    assert.match(none.refusal ?? '', /nvenc: away; qsv: away; vaapi: away$/);
  });
});

describe('a trial encodes and verifies', () => {
  test('x264 passes', async () => {
    await tryEncoder({ encoder: null, outputPath: join(folder, 'x264.mp4') });
  });

  for (const encoder of ['nvenc', 'qsv', 'vaapi'] as const) {
    test(`${encoder} fails where there is no such chip`, { skip }, async () => {
      await assert.rejects(tryEncoder({ encoder, outputPath: join(folder, 'none.mp4') }), {
        code: 'ENCODER_FAILED',
      });
    });
  }
});

describe('where no hardware encoder can be used', { skip }, async () => {
  test('the engine tests in a child, logs the result, and tests once', async () => {
    const engine = new MediaEngine({ workRoot: join(folder, 'work'), idleSeconds: 60, encoder: 'auto' });
    const found = engine.encoder();
    assert.equal(engine.encoder(), found);
    const { encoder, refusal } = await found;
    assert.equal(encoder, null);
    assert.match(
      refusal ?? '',
      /^No hardware encoder can be used here, so x264 encodes\. nvenc: Opening the encoder/,
    );
  });

  test('x264 encodes the same file, with a warning', async () => {
    const source = await makeClip(folder, { name: 'source', durationSeconds: 0.6 });
    const studio = new Studio({ workRoot: join(folder, 'work'), encoder: 'vaapi' });
    const { warnings, output } = await studio.apply({
      source,
      look: null,
      config: { quality: 'low' },
      output: join(folder, 'out.mp4'),
    });
    assert.equal(output.frameCount, 15);
    assert.ok(warnings.some(({ code }) => code === 'ENCODER_UNAVAILABLE'));
  });
});
