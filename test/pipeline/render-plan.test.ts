import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Failure, isFailure } from '../../src/domain/errors.ts';
import type { PlannedEdit } from '../../src/pipeline/engine/direct-results.ts';
import type { FoundEncoder } from '../../src/pipeline/engine/encoder-finding.ts';
import type { MediaEngine } from '../../src/pipeline/engine/engine.ts';
import { renderPlan } from '../../src/pipeline/stages/render-plan.ts';
import { timelineClip } from '../support/timeline-clip.ts';

/** An engine whose renderings end with these results in order: a real one makes no wrong output on request. */
function engineThat(...ends: ('passes' | 'fails' | 'breaks' | 'is quiet')[]) {
  let renderings = 0;
  const encoders: (string | undefined)[] = [];
  const run = async (
    _task: string,
    { encoder }: { encoder?: string },
    { onProgress }: { onProgress?: (at: number) => void },
  ) => {
    encoders.push(encoder);
    onProgress?.(0.1);
    onProgress?.(0.8);
    const end = ends[renderings++];
    if (end === 'fails') throw new Failure('OUTPUT_VERIFY_FAILED', 'it has 3 frames, not 4');
    if (end === 'breaks') throw new Failure('ENCODER_FAILED', 'x264 said no');
    onProgress?.(1);
    return { loudnessMissingLu: end === 'is quiet' ? 2.04 : 0 };
  };
  return { engine: { run } as unknown as Pick<MediaEngine, 'run'>, renderings: () => renderings, encoders };
}

function render(
  engine: Pick<MediaEngine, 'run'>,
  onProgress = (_: number) => {},
  found: { readonly encoder?: FoundEncoder } = {},
) {
  const plan = { timeline: { clips: [timelineClip(0, 1)] } } as unknown as PlannedEdit;
  return renderPlan(
    engine,
    { plan, files: { takePaths: ['/source.mp4'] }, quality: 'low', comparison: false, ...found },
    { signal: new AbortController().signal, onProgress, folder: '/nowhere' },
  );
}

test('an output that fails verification is rendered once more, with a warning', async () => {
  const { engine, renderings } = engineThat('fails', 'passes');
  const progress: number[] = [];
  const { warnings } = await render(engine, (fraction) => progress.push(fraction));
  assert.equal(renderings(), 2);
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['RENDERED_TWICE'],
  );
  assert.match(warnings[0].message, /it has 3 frames, not 4/);
  assert.deepEqual(progress, [0.1, 0.8, 0.8, 0.8, 1], 'progress never falls');
});

test('a second output that does not pass fails; other failures are not rendered again', async () => {
  for (const [ends, code, tries] of [
    [['fails', 'fails', 'passes'], 'OUTPUT_VERIFY_FAILED', 2],
    [['breaks', 'passes'], 'ENCODER_FAILED', 1],
  ] as const) {
    const { engine, renderings } = engineThat(...ends);
    await assert.rejects(render(engine), (error) => isFailure(error, code));
    assert.equal(renderings(), tries);
  }
});

test('an output quieter than the style has a warning', async () => {
  const { warnings } = await render(engineThat('is quiet').engine);
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['LOUDNESS_LIMITED'],
  );
  assert.match(warnings[0].message, /2\.0 LU/);
});

describe('a hardware encoder', () => {
  const nvenc = { encoder: { encoder: 'nvenc', refusal: null } } as const;
  for (const { what, ends, used, codes } of [
    { what: 'that works encodes', ends: ['passes'], used: ['nvenc'], codes: [] },
    {
      what: 'that fails during encoding is followed by x264',
      ends: ['breaks', 'passes'],
      used: ['nvenc', undefined],
      codes: ['RENDERED_TWICE'],
    },
    {
      what: 'that gives a wrong output is followed by x264',
      ends: ['fails', 'passes'],
      used: ['nvenc', undefined],
      codes: ['RENDERED_TWICE'],
    },
  ] as const) {
    test(what, async () => {
      const { engine, encoders } = engineThat(...ends);
      const { warnings } = await render(engine, () => {}, nvenc);
      assert.deepEqual(encoders, used);
      assert.deepEqual(
        warnings.map(({ code }) => code),
        codes,
      );
    });
  }

  test('that is unavailable: x264 encodes, with a warning that names the reason', async () => {
    const { engine, encoders } = engineThat('passes');
    const found = { encoder: { encoder: null, refusal: 'nvenc: no driver' } } as const;
    const { warnings } = await render(engine, () => {}, found);
    assert.deepEqual(encoders, [undefined]);
    assert.deepEqual(warnings, [{ code: 'ENCODER_UNAVAILABLE', message: 'nvenc: no driver' }]);
  });
});
