/** Playback by the clock without a sound device; pictures, sound and canvas are of this test, as of a page. */
import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { type TestContext, test } from 'node:test';
import { Clock } from '../../../web/src/player/clock.ts';
import type { Appearance } from '../../../web/src/player/painter.ts';
import type { PlaybackPlan, PlayedFiles } from '../../../web/src/player/playback-plan.ts';
import type { Scene } from '../../../web/src/player/scene.ts';
import { timelineClip, timelineOf } from '../../support/timeline-clip.ts';

// The bundler makes addresses of typefaces.
const hooks = registerHooks({
  resolve: (specifier, context, next) =>
    specifier.endsWith('.ttf')
      ? { url: 'data:text/javascript,export default ""', shortCircuit: true }
      : next(specifier, context),
});
const { Playback } = await import('../../../web/src/player/playback.ts');
hooks.deregister();

async function afterTurns<Value>(turns: number, value: Value): Promise<Value> {
  for (let turn = 0; turn < turns; turn++) await Promise.resolve();
  return value;
}

/** Ten frames a second, 2 s by default. */
function opened(t: TestContext, seconds = 2) {
  let now = 1000;
  let frame: (() => void) | null = null;
  t.mock.method(performance, 'now', () => now * 1000);
  const page = {
    document: { createElement: () => ({}) },
    requestAnimationFrame: (call: () => void) => {
      frame = call;
      return 1;
    },
    cancelAnimationFrame: () => {
      frame = null;
    },
  };
  Object.assign(globalThis, page);
  t.after(() => {
    for (const name of Object.keys(page)) delete (globalThis as Record<string, unknown>)[name];
  });
  const canvas = { width: 16, height: 16 };
  const done: string[] = [];
  const drawn: {
    readonly number: number;
    readonly lines: number;
    readonly isMoving: boolean;
    readonly view: string;
    readonly gradeShare: number;
  }[] = [];
  /** Frames from this one on are not decoded. */
  let missingFrom = Number.POSITIVE_INFINITY;
  /** Take 0 in the first second, take 1 in the next one. */
  const scene = (number: number) =>
    ({ number, first: { clip: { take: Math.floor(number / 10) } }, second: null }) as Scene;
  const note = (what: string) => () => void done.push(what);
  let latest = -1;
  let fails = false;
  const playback = new Playback({
    canvas: canvas as HTMLCanvasElement,
    painter: {
      setTimeline: () => {},
      setCube: (take, cube) => void done.push(`cube ${take}: ${cube === null ? 'none' : 'a table'}`),
      draw: ({ number }: Scene, { lines, isMoving, view, gradeShare }: Appearance) => {
        if (fails) throw new Error('The picture cannot be read');
        drawn.push({ number, lines, isMoving, view, gradeShare });
      },
      close: note('painter closed'),
    },
    pictures: {
      setFiles: note('pictures of another plan'),
      replaceFiles: note('other pictures'),
      show: async (number) => scene(number),
      play: async (number) => {
        latest = number - 1;
      },
      take: (number) => {
        const found = Math.min(number, missingFrom - 1);
        if (found <= latest) return null;
        latest = found;
        return scene(found);
      },
      isAhead: (number) => number < missingFrom,
      stop: note('pictures stopped'),
      close: note('pictures closed'),
    },
    sound: {
      setFiles: (_: PlayedFiles, seconds: number, gainDb: number) =>
        void done.push(`sound of ${seconds} s at ${gainDb} dB`),
      replaceFiles: note('other sound'),
      prepare: async (at: number) => void done.push(`sound from ${at}`),
      start: note('sound started'),
      stop: note('sound stopped'),
      refill: () => {},
    } as never,
    clock: new Clock(),
    cubes: { of: () => afterTurns(5, {}) } as never,
    onFailure: (reason) => void done.push(reason),
  });
  const timeline = timelineOf([timelineClip(0, seconds)]);
  const plan = { timeline, gainDb: -3, takes: [], music: null } as PlaybackPlan;
  const files: PlayedFiles = { timeline, takes: [], music: null };
  playback.setPlan(plan, files);
  return {
    ...{ playback, plan, files, done, drawn },
    fail: () => {
      fails = true;
    },
    isAnimated: () => frame !== null,
    missFrom: (number: number) => {
      missingFrom = number;
    },
    /** After so many seconds the page draws. */
    pass: async (seconds: number) => {
      now += seconds;
      frame?.();
      await Promise.resolve();
    },
    settled: () => afterTurns(20, undefined),
  };
}

test('plays each frame at its time up to the last, and again from the first', async (t) => {
  const { playback, done, drawn, pass, settled } = opened(t);
  await settled();
  const { frameCount, framesPerSecond, isShown, width } = playback.state;
  assert.deepEqual([frameCount, framesPerSecond, isShown, width], [20, 10, true, 16]);
  for (const run of [1, 2]) {
    drawn.length = 0;
    await playback.play();
    assert.deepEqual(done.slice(-2), ['sound from 0', 'sound started'], `${run}`);
    for (const [seconds, frame] of [
      [0.05, 0],
      [0.06, 1],
      [0.09, 2],
      [0.2, 4],
      [1.49, 18],
      [0.05, 19],
    ] as const) {
      await pass(seconds);
      assert.equal(playback.state.frame, frame);
      assert.ok(playback.state.isPlaying);
    }
    assert.ok(drawn.every(({ isMoving }) => isMoving));
    await pass(0.1);
    assert.deepEqual([playback.state.isPlaying, playback.state.frame], [false, 19]);
    assert.deepEqual([drawn.at(-1)!.isMoving, done.at(-1)], [false, 'pictures stopped']);
  }
});

test('seeks to the frame at a time, within the plan', async (t) => {
  const { playback } = opened(t);
  for (const [seconds, frame] of [
    [0.35, 3],
    [0.39999, 3],
    [0.3999999999, 4],
    [-1, 0],
    [1.95, 19],
    [9, 19],
  ] as const) {
    await playback.seek(seconds);
    assert.equal(playback.state.frame, frame, `${seconds}`);
  }
  await playback.step(-3);
  assert.equal(playback.state.frame, 16);
});

test('playing continues after a seek, and stops with a step', async (t) => {
  const { playback, done } = opened(t);
  await playback.play();
  await playback.seekFrame(5);
  assert.deepEqual(
    [playback.state.isPlaying, playback.state.frame, done.at(-2)],
    [true, 5, 'sound from 0.5'],
  );
  await playback.step(1);
  assert.deepEqual([playback.state.isPlaying, playback.state.frame], [false, 6]);
});

test('the sound waits for pictures that are missing for more than .3 s', async (t) => {
  const { playback, missFrom, pass, settled } = opened(t);
  await settled();
  await playback.play();
  await pass(0.45);
  assert.equal(playback.state.frame, 4);
  missFrom(5);
  // [seconds that pass, is it loading, frame]
  for (const [seconds, isLoading] of [
    [0.2, false],
    [0.09, false],
    [0.02, true],
    [5, true],
  ] as const) {
    await pass(seconds);
    assert.deepEqual([playback.state.isLoading, playback.state.frame], [isLoading, 4], `${seconds}`);
  }
  missFrom(9);
  // The picture that was awaited, then those ahead of it.
  await pass(1);
  await pass(1);
  await settled();
  assert.equal(playback.state.isLoading, false);
  // The clock stood at .76 s.
  await pass(0.1);
  assert.equal(playback.state.frame, 8);
  for (const seconds of [0.1, 0.25]) await pass(seconds);
  assert.ok(playback.state.isLoading, 'a second time');
  // Playing again waits .3 s from its own start.
  playback.pause();
  await pass(5);
  await playback.play();
  await pass(0.15);
  assert.equal(playback.state.isLoading, false);
});

test('a picture that is often late gets fewer lines', async (t) => {
  const { playback, drawn, pass, settled } = opened(t, 20);
  await settled();
  await playback.play();
  for (let frame = 0; frame < 60; frame++) await pass(0.1);
  assert.equal(drawn.at(-1)!.lines, 540);
  for (let frame = 0; frame < 12; frame++) await pass(0.2);
  await pass(0.1);
  assert.equal(drawn.at(-1)!.lines, 540, '12 of 60 frames are late');
  for (const seconds of [0.2, 0.1]) await pass(seconds);
  assert.equal(drawn.at(-1)!.lines, 360);
});

test('what is stopped before its device is open begins nothing', async (t) => {
  const { playback, done, settled } = opened(t);
  await settled();
  const beginning = playback.play();
  playback.pause();
  await beginning;
  assert.ok(!done.some((what) => what.startsWith('sound from')), done.join(', '));
  assert.equal(playback.state.isPlaying, false);
});

test('another plan is shown at the same moment; other files of the same plan go on', async (t) => {
  const { playback, plan, files, done, settled } = opened(t);
  await settled();
  await playback.seekFrame(8);
  playback.setPlan(plan, files);
  assert.deepEqual(done.slice(-2), ['other pictures', 'other sound']);
  const timeline = { ...timelineOf([timelineClip(0, 1)]), frameRate: { numerator: 20, denominator: 1 } };
  playback.setPlan({ ...plan, timeline }, { ...files, timeline });
  await settled();
  assert.deepEqual([playback.state.framesPerSecond, playback.state.frame], [20, 16]);
  playback.close();
  assert.deepEqual(done.slice(-2), ['pictures closed', 'painter closed']);
});

test('draws again what changes, and reports what cannot be drawn', async (t) => {
  const { playback, done, drawn, fail, isAnimated, settled } = opened(t);
  await settled();
  assert.ok(done.includes('pictures of another plan') && done.includes('sound of 2 s at -3 dB'));
  playback.setView('slider');
  assert.equal(drawn.at(-1)!.view, 'slider');
  await playback.play();
  assert.ok(isAnimated());
  playback.pause();
  assert.ok(!isAnimated());
  fail();
  playback.setLine(0.2);
  assert.equal(done.at(-1), 'Error: The picture cannot be read');
});

test('another side’s sound and other pictures: playing continues only if it did', async (t) => {
  const { playback, plan, files, done, drawn, settled } = opened(t);
  await settled();
  playback.setSound('before');
  await settled();
  assert.deepEqual([playback.state.isPlaying, done.at(-1)], [false, 'sound of 2 s at -3 dB']);
  drawn.length = 0;
  playback.setPlan(plan, { ...files });
  await settled();
  assert.equal(drawn.length, 1, 'other files are drawn at once');
  await playback.play();
  playback.setSound('after');
  await settled();
  assert.ok(playback.state.isPlaying);
  const shown: number[] = [];
  playback.replacePictures({
    setFiles: (given: PlayedFiles) => void shown.push(given.takes.length),
    show: async (number: number) => ({ number }) as Scene,
    close: () => {},
  } as never);
  await settled();
  assert.deepEqual([shown, playback.state.isPlaying, done.includes('pictures closed')], [[0], false, true]);
});

/** Shows takes 0, 1 and 2 for a second each. */
const threeTakes = (...grades: unknown[]) => {
  const clips = [0, 1, 2].map((take) => ({ ...timelineClip(take, take + 1), take }));
  return { ...timelineOf(clips), takes: grades.map((grade) => ({ grade })) } as never;
};

test('grades of the plan that is shown arrive later, first that of the shown take', async (t) => {
  const { playback, plan, files, done, settled } = opened(t, 3);
  await settled();
  await playback.seekFrame(15);
  done.length = 0;
  for (const grades of [
    ['of a plan that is replaced', 'of it', 'too'],
    ['of the last plan', 'of it', null],
  ]) {
    const timeline = threeTakes(...grades);
    playback.setPlan({ ...plan, timeline }, { ...files, timeline });
  }
  await playback.ready();
  const cubes = done.filter((what) => what.startsWith('cube'));
  assert.deepEqual(cubes, ['cube 1: a table', 'cube 2: none', 'cube 0: a table']);
});

test('grades of takes that are not shown are not drawn', async (t) => {
  const { playback, plan, files, done, drawn, settled } = opened(t, 3);
  await settled();
  await playback.seekFrame(15);
  const drawnFor = async (grades: readonly (string | null)[]) => {
    const timeline = threeTakes(...grades);
    done.length = 0;
    drawn.length = 0;
    playback.setPlan({ ...plan, timeline }, { ...files, timeline });
    await playback.ready();
    await settled();
    return drawn.length;
  };
  // With the letters, and the picture of the moment.
  assert.equal(await drawnFor(['a', 'b', 'c']), 3);
  assert.equal(done.filter((what) => what.startsWith('cube')).length, 3);
});

test('until the grades of another strength are computed, those before are mixed further', async (t) => {
  const { playback, plan, files, drawn, settled } = opened(t, 3);
  const planned = (grade: string, share: number) => {
    const timeline = threeTakes(grade, grade, grade);
    playback.setPlan({ ...plan, timeline }, { ...files, timeline }, share);
  };
  planned('of .8', 1);
  await playback.ready();
  await settled();
  const shares = () => [...new Set(drawn.map(({ gradeShare }) => Number(gradeShare.toFixed(3))))];
  drawn.length = 0;
  playback.setStrengthMix(0.4 / 0.8);
  assert.deepEqual(shares(), [0.5]);
  drawn.length = 0;
  // The plan of .6 arrives, while the slider is at .4.
  planned('of .6', 0.4 / 0.6);
  await playback.ready();
  await settled();
  assert.deepEqual(shares(), [0.5, 0.667]);
});
