/** Children for local files: each start costs as much as a second of a small clip. */
import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { isFailure } from '../../src/domain/errors.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import { analyseFile, styleOfFile } from '../../src/pipeline/direct/direct.ts';
import { applyStyle } from '../../src/pipeline/direct/direct-edit.ts';
import { draftStyle, previewStyle } from '../../src/pipeline/direct/direct-preview.ts';
import type { FileAnalysis } from '../../src/pipeline/engine/direct-results.ts';
import { MediaEngine, type TaskOptions } from '../../src/pipeline/engine/engine.ts';
import type { TaskFound, TaskInput, TaskName, TaskOutput } from '../../src/pipeline/engine/tasks.ts';
import { progressTogether } from '../../src/pipeline/stages/stage-tools.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';

const folder = temporaryFolder();
const workRoot = join(folder, 'work');
const { signal } = new AbortController();
const config = jobConfigSchema.parse({ quality: 'low' });
let clip: string;
let template: string;
let large: string;
/** Facts of the clip, by one child. */
let found: Extract<FileAnalysis, { kind: 'clip' }>;
before(async () => {
  clip = await makeClip(folder, { name: 'clip', durationSeconds: 0.8 });
  await makeClip(folder, { name: 'silent', durationSeconds: 0.6, silent: true });
  template = await makeClip(folder, { name: 'template', durationSeconds: 0.6 });
  large = await makeClip(folder, { name: 'large', width: 2048, height: 1152, durationSeconds: 0.5 });
});

/** Reports the requested tasks, and the events before them. */
class WatchedEngine extends MediaEngine {
  readonly tasks: TaskName[] = [];
  /** The tasks of the source's child. */
  readonly ofSource: TaskName[] = [];
  readonly #before: (task: TaskName, input: unknown) => void;

  constructor(before: (task: TaskName, input: unknown) => void = () => {}) {
    super({ workRoot, idleSeconds: 60 });
    this.#before = before;
  }

  override run<T extends TaskName>(
    task: T,
    input: TaskInput<T>,
    options: TaskOptions<TaskFound<T>>,
  ): Promise<TaskOutput<T>> {
    this.tasks.push(task);
    if (options.child !== undefined) this.ofSource.push(task);
    this.#before(task, input);
    return super.run(task, input, options);
  }
}

describe('as few children as can be', () => {
  test('for a clip', async () => {
    const engine = new WatchedEngine();
    const analysis = await analyseFile(engine, clip, { signal });
    assert.ok(analysis.kind === 'clip');
    assert.ok((await styleOfFile(engine, analysis, { signal })).cut_frequency >= 0);
    assert.deepEqual(engine.tasks, ['analyse']);
    found = analysis;
  });

  test('for an edit, and for one of a clip in its own style', async () => {
    const output = join(folder, 'out.mp4');
    for (const [look, wanted] of [
      [template, ['analyse', 'analyse', 'plan', 'render']],
      [clip, ['analyse', 'plan', 'render']],
    ] as const) {
      const engine = new WatchedEngine();
      const fractions: number[] = [];
      await applyStyle(
        engine,
        { source: clip, look: { template: look }, config, output },
        { signal, onProgress: (fraction) => fractions.push(fraction) },
      );
      assert.deepEqual([...engine.tasks].sort(), wanted);
      assert.deepEqual(engine.ofSource, ['analyse', 'plan', 'render']);
      assert.deepEqual(
        fractions,
        [...fractions].sort((one, other) => one - other),
      );
    }
  });
});

test('a preview and a draft plan once', async () => {
  const request = { source: clip, look: { template: clip, measured: found }, config };
  const preview = new WatchedEngine();
  await previewStyle(preview, { ...request, output: join(folder, 'p.png'), format: 'png' }, { signal });
  assert.deepEqual(preview.tasks, ['inspect', 'previewPicture']);
  const draft = new WatchedEngine();
  const piece = { startSeconds: 0, durationSeconds: 0.5 };
  await draftStyle(draft, { ...request, ...piece, output: join(folder, 'd.mp4') }, { signal });
  assert.deepEqual(draft.tasks, ['inspect', 'plan', 'draft']);
});

test('a source that is the template, and measured already, is not measured again', async () => {
  const engine = new WatchedEngine();
  const look = { template: clip, measured: found };
  await applyStyle(engine, { source: clip, look, config, output: join(folder, 'own.mp4') }, { signal });
  assert.deepEqual(engine.tasks, ['inspect', 'plan', 'render']);
});

describe('one child finds what several would', () => {
  for (const name of ['clip', 'silent'] as const)
    test(name, async () => {
      const engine = new WatchedEngine();
      const path = join(folder, `${name}.mp4`);
      const motionLogPath = (task: string) => join(workRoot, `${name}-${task}.bin`);
      const { outline, probe } = await engine.run('inspect', { path }, { signal });
      assert.deepEqual(outline, await engine.run('outline', { path }, { signal }));
      assert.deepEqual(
        probe,
        await engine.run('probe', { path, maxDurationSeconds: Number.POSITIVE_INFINITY }, { signal }),
      );
      assert.ok(probe !== null && 'durationSeconds' in probe);
      const { durationSeconds } = probe;
      const options = { signal, folder: workRoot };
      const whole = {
        path,
        motionLogPath: motionLogPath('whole'),
        durationSeconds,
        styleAt: new Date(0),
        withSubjects: true,
      };
      const measured = await engine.run('measure', whole, options);
      const parts = { path, motionLogPath: motionLogPath('parts'), withSubjects: true };
      const video = await engine.run('video', parts, options);
      assert.deepEqual(measured.video, video);
      assert.deepEqual(measured.audio, await engine.run('audio', { path, durationSeconds }, options));
      assert.equal(measured.audio === null, name === 'silent');
      const motion = { motionLogPath: parts.motionLogPath, video };
      assert.deepEqual(measured.motion, await engine.run('motion', motion, options));
      const facts = { video, audio: measured.audio?.facts ?? null, motion: measured.motion };
      const fingerprint = measured.audio?.fingerprint ?? null;
      const style = { facts, fingerprint, createdAt: whole.styleAt };
      assert.deepEqual(measured.style, await engine.run('style', style, options));
      const atOnce = { ...whole, motionLogPath: motionLogPath('once') };
      const told: unknown[] = [];
      const onFound = (found: unknown) => told.push(found);
      assert.deepEqual(await engine.run('analyse', atOnce, { ...options, onFound }), {
        inspected: { outline, probe },
        measured,
      });
      assert.deepEqual(told, [{ outline, probe }]);
      if (name === 'clip') await assertAllButSubjects(engine, whole, measured);
    });

  /** A clip that is not reframed is analyzed without subjects, and otherwise completely. */
  async function assertAllButSubjects(
    engine: MediaEngine,
    input: TaskInput<'measure'>,
    whole: TaskOutput<'measure'>,
  ): Promise<void> {
    const asked = { ...input, motionLogPath: join(workRoot, 'subjects.bin'), withSubjects: false };
    const part = await engine.run('measure', asked, { signal, folder: workRoot });
    const none = { salientTracks: [], faces: [], figures: [], attention: [], cards: [] };
    assert.ok(whole.video.attention.length > 0);
    assert.ok(whole.video.figures.length > 0);
    assert.deepEqual(part.video, { ...whole.video, ...none });
    assert.deepEqual({ ...part.motion, subjects: [] }, { ...whole.motion, subjects: [] });
    assert.deepEqual([part.audio, part.style], [whole.audio, whole.style]);
  }
});

describe('a fault', () => {
  const bytes = Buffer.from('no video at all');

  /** A file that is replaced by something else just before it is read, or, too large to be measured by who inspects it, before it is measured. */
  const edit = async (replaced: 'source' | 'template', before: 'analyse' | 'measure') => {
    const paths = { source: join(folder, 'a.mp4'), template: join(folder, 'b.mp4') };
    copyFileSync(clip, paths.source);
    copyFileSync(template, paths.template);
    if (before === 'measure') copyFileSync(large, paths[replaced]);
    const engine = new WatchedEngine((task, input) => {
      const { path } = input as TaskInput<'analyse' | 'measure'>;
      if (task === before && path === paths[replaced]) writeFileSync(path, bytes);
    });
    const request = { source: paths.source, look: { template: paths.template }, config };
    await assert.rejects(
      applyStyle(engine, { ...request, output: join(folder, 'never.mp4') }, { signal }),
      (error) => isFailure(error, 'INPUT_UNSUPPORTED'),
    );
    return engine.tasks;
  };

  for (const replaced of ['source', 'template'] as const)
    for (const before of ['analyse', 'measure'] as const)
      test(`with the ${replaced}, seen by ${before}, ends the other's work, and nothing is left`, async () => {
        const tasks = await edit(replaced, before);
        assert.equal(tasks.includes('measure'), before === 'measure');
        assert.ok(!tasks.includes('plan'), tasks.join(' '));
        assert.deepEqual(
          readdirSync(workRoot).filter((name) => !name.endsWith('.bin')),
          [],
        );
      });

  test('with a template that is already measured, and deleted, is reported', async () => {
    const engine = new WatchedEngine();
    const look = { template: join(folder, 'none.mp4'), measured: found };
    await assert.rejects(
      applyStyle(engine, { source: clip, look, config, output: join(folder, 'never.mp4') }, { signal }),
      /There is no file "[^"]*none.mp4"$/,
    );
  });

  test('with the source is reported before one with the template', async () => {
    const bad = { source: join(folder, 'bad-source.mp4'), template: join(folder, 'bad-template.mp4') };
    for (const path of Object.values(bad)) writeFileSync(path, bytes);
    const short = await makeClip(folder, { name: 'short', durationSeconds: 0.2 });
    const rows = [
      [clip, short, /VIDEO_LIMIT_EXCEEDED: "[^"]*short.mp4": The video lasts 0.200 s; at least 0.5 s/],
      [bad.source, bad.template, /bad-source/],
      [clip, bad.template, /bad-template/],
      [join(folder, 'none.mp4'), bad.template, /^Failure: FILE_NOT_FOUND: There is no file "[^"]*none.mp4"$/],
    ] as const;
    for (const [source, other, says] of rows)
      await assert.rejects(
        applyStyle(
          new WatchedEngine(),
          { source, look: { template: other }, config, output: join(folder, 'never.mp4') },
          { signal },
        ),
        says,
      );
  });
});

test('progress of works at the same time is one, and never falls', () => {
  const told: number[] = [];
  const [one, other, none] = progressTogether((fraction) => told.push(fraction), [30, 10, 0]);
  one!(0.5);
  other!(1);
  none!(1);
  one!(1);
  assert.deepEqual(told, [0.375, 0.625, 0.625, 1]);
});
