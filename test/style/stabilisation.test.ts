import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { meanShake } from '../../src/analysis/camera/shake.ts';
import { type CaptionFacts, WHOLE_PICTURE } from '../../src/analysis/facts.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import { Studio } from '../../src/library.ts';
import { PRESETS } from '../../src/presets/presets.ts';
import { isSteadied } from '../../src/style/plan/edit-moments.ts';
import { planTimeline } from '../../src/style/plan/plan.ts';
import { stabilisation } from '../../src/style/plan/stabilisation.ts';
import { clipFacts, LEADING_FACE } from '../support/clip-facts.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { noiseScene, viewOf } from '../support/moving-picture.ts';

const RATE = 25;
const SECONDS = 8;
const RUN = { startSeconds: 0, endSeconds: SECONDS };
const CALM = { area: WHOLE_PICTURE, wantedShake: 0, reach: 1 };

type Way = (seconds: number) => number;

/** A clip of one shot whose content is at (x, y), in frame widths and heights, at each moment. */
function filmed(x: Way, y: Way, shake: number, support = 1) {
  const timesSeconds = Array.from({ length: SECONDS * RATE }, (_, frame) => frame / RATE);
  const steps = (way: Way) =>
    timesSeconds.map((time, n) => (n === 0 ? 0 : way(time) - way(timesSeconds[n - 1])));
  const zeros = timesSeconds.map(() => 0);
  const plain = clipFacts({ video: { durationSeconds: SECONDS } });
  return clipFacts({
    video: { durationSeconds: SECONDS, faces: [LEADING_FACE] },
    motion: {
      shots: plain.video.shots.map(() => ({ label: 'handheld', confidence: 1, shake, zoom: 0 })),
      curve: {
        timesSeconds,
        shiftX: steps(x),
        shiftY: steps(y),
        logScale: zeros,
        rotation: zeros,
        residual: zeros,
        support: timesSeconds.map(() => support),
      },
    },
  });
}

const STILL: Way = () => 0;
const TREMOR: Way = (seconds) => 0.01 * Math.sin(2 * Math.PI * 4 * seconds);
const PAN: Way = (seconds) => 0.1 * seconds;

describe('hand shake is removed', () => {
  test('a tremor, all of it, and with no more magnification than it needs', () => {
    const found = stabilisation(filmed(TREMOR, STILL, 0.2), RUN, WHOLE_PICTURE, CALM);
    assert.ok(found !== null);
    for (const { timeSeconds, x, y } of found.offsets) {
      assert.ok(Math.abs(x - TREMOR(timeSeconds)) < 0.0012, `${timeSeconds}: ${x}`);
      assert.equal(y, 0);
    }
    const { width } = found.framing;
    assert.ok(width > 0.975 && width < 0.985, String(width));
  });

  test('a tremor on a pan: the pan stays, from the first frame to the last', () => {
    const found = stabilisation(
      filmed((t) => TREMOR(t) + PAN(t), STILL, 0.2),
      RUN,
      WHOLE_PICTURE,
      CALM,
    );
    for (const { timeSeconds, x } of found!.offsets)
      assert.ok(Math.abs(x - TREMOR(timeSeconds)) < 0.0012, `${timeSeconds}: ${x}`);
  });

  test('a framing with a sufficient margin is not magnified', () => {
    const upright = { x: 0.3, y: 0, width: 0.32, height: 1 };
    assert.deepEqual(stabilisation(filmed(TREMOR, STILL, 0.2), RUN, upright, CALM)!.framing, upright);
  });

  test('a margin is needed on both sides of both axes', () => {
    const share = 0.9;
    // A tenth of the picture is free, all of it beyond one edge: the framing lies at the other.
    const framings = [
      { what: 'at the left edge', x: 0, y: 0.05, axis: 'x' },
      { what: 'at the right edge', x: 0.1, y: 0.05, axis: 'x' },
      { what: 'at the upper edge', x: 0.05, y: 0, axis: 'y' },
      { what: 'at the lower edge', x: 0.05, y: 0.1, axis: 'y' },
    ] as const;
    for (const { what, x, y, axis } of framings) {
      const facts = axis === 'x' ? filmed(TREMOR, STILL, 0.2) : filmed(STILL, TREMOR, 0.2);
      const { framing } = stabilisation(facts, RUN, { x, y, width: share, height: share }, CALM)!;
      // 0.01 of tremor on each side, about the middle.
      assert.ok(Math.abs(framing.width - (share - 0.02)) < 0.002, `${what}: ${framing.width}`);
      assert.ok(Math.abs(framing.height - framing.width) < 1e-9);
      assert.ok(Math.abs(framing.x + framing.width / 2 - (x + share / 2)) < 1e-9, 'about its middle');
      assert.ok(Math.abs(framing.y + framing.height / 2 - (y + share / 2)) < 1e-9, 'about its middle');
    }
  });

  test('a margin is needed on the side to which a hand strays far, and less on the other', () => {
    // A jerk of .03 to one side, six times in fifty frames.
    const jerk: Way = (seconds) => (Math.round(RATE * seconds) % 8 === 0 ? 0.03 : 0);
    const widthAt = (x: number, way: Way) =>
      stabilisation(filmed(way, STILL, 0.2), RUN, { x, y: 0.05, width: 0.9, height: 0.9 }, CALM)!.framing
        .width;
    const back: Way = (seconds) => -jerk(seconds);
    for (const [what, far, near] of [
      ['to the right', widthAt(0.1, jerk), widthAt(0, jerk)],
      ['to the left', widthAt(0, back), widthAt(0.1, back)],
    ] as const) {
      assert.ok(Math.abs(far - (0.9 - 2 * 0.02625)) < 0.004, `${what}: ${far}`);
      assert.ok(Math.abs(near - (0.9 - 2 * 0.00375)) < 0.004, `${what}, the other side: ${near}`);
    }
  });

  test('large wandering is followed rather than magnified without end', () => {
    const wander: Way = (seconds) => 0.2 * Math.sin((2 * Math.PI * seconds) / 2.5) + TREMOR(seconds);
    const { framing, offsets } = stabilisation(filmed(wander, STILL, 0.2), RUN, WHOLE_PICTURE, CALM)!;
    assert.ok(framing.width >= 1 / 1.12 - 1e-9);
    assert.ok(Math.max(...offsets.map(({ x }) => Math.abs(x))) < 0.09);
  });

  test('half the reach undoes half', () => {
    const [whole, half] = [1, 0.5].map(
      (reach) => stabilisation(filmed(TREMOR, STILL, 0.2), RUN, WHOLE_PICTURE, { ...CALM, reach })!,
    );
    for (const [at, { x }] of whole!.offsets.entries())
      assert.ok(Math.abs(half!.offsets[at].x - x / 2) < 1e-9);
  });
});

describe('unchanged clips:', () => {
  const caption = { startSeconds: 3, endSeconds: 5, box: { x: 0.2, y: 0.8, width: 0.6, height: 0.1 } };
  const lettered = (captions: Partial<CaptionFacts>) => {
    const facts = filmed(TREMOR, STILL, 0.2);
    const all = { share: 0.2, spans: [], style: null, confidence: 1, ...captions };
    return { ...facts, video: { ...facts.video, captions: all } };
  };
  const cases = [
    { what: 'a calm source', facts: filmed(TREMOR, STILL, 0.01), options: CALM },
    {
      what: 'a shaky source of a shaky style',
      facts: filmed(TREMOR, STILL, 0.06),
      options: { ...CALM, wantedShake: 0.05 },
    },
    { what: 'a picture with a caption', facts: lettered({ spans: [caption] }), options: CALM },
    { what: 'a picture with a logo', facts: lettered({ marks: [caption.box] }), options: CALM },
    { what: 'a camera whose path is not known', facts: filmed(TREMOR, STILL, 0.2, 0.3), options: CALM },
  ];
  for (const { what, facts, options } of cases)
    test(what, () => assert.equal(stabilisation(facts, RUN, WHOLE_PICTURE, options), null));
});

test('a face that fills the picture is not enlarged: its ears would be cut', () => {
  const shaken = filmed(TREMOR, TREMOR, 0.2);
  const faceOf = (x: number, width: number) => ({
    ...{ kind: 'face' as const, startSeconds: 0, endSeconds: SECONDS, salience: 1 },
    boxes: Array.from({ length: 5 * SECONDS }, (_, at) => ({
      timeSeconds: at / 5,
      box: { x, y: 0.2, width, height: 0.8 },
    })),
  });
  const isSteady = (x: number, width: number) => {
    const source = { ...shaken, video: { ...shaken.video, faces: [faceOf(x, width)] } };
    return stabilisation(source, RUN, WHOLE_PICTURE, CALM) !== null;
  };
  assert.equal(isSteady(0.3, 0.4), true);
  // A head of .39 with its ears, .06 and .045 from the left edge of the picture: .05 and .035 from that of the framing.
  assert.equal(isSteady(0.06 - 0.055, 0.5), true);
  assert.equal(isSteady(0.045 - 0.055, 0.5), false);
  // A small one may be as near.
  assert.equal(isSteady(0.045 - 0.011, 0.1), true);
  // The head with its ears reaches from .005 to .995, and the margin is .01 and more.
  assert.equal(isSteady(-0.1346, 1.269), false);
});

test('a closer framing still looks closer than one that stabilization has magnified', () => {
  const style = { ...PRESETS[0].style, camera_shake: 0, cut_frequency: 0.5 };
  const config = jobConfigSchema.parse({ components: { aspect_ratio: false, pacing: 1 } });
  const { timeline } = planTimeline({ source: filmed(TREMOR, TREMOR, 0.2), style, template: null, config });
  const widths = timeline.clips.map(({ from }) => from.width);
  assert.ok(widths.length >= 4, `${widths.length} clips`);
  for (const [index, width] of widths.entries()) {
    if (index % 2 === 1) assert.ok(widths[index - 1] / width >= 1.15, `${widths[index - 1]} and ${width}`);
  }
});

test('a padded picture rests, however much it was shaken', () => {
  const style = { ...PRESETS[0].style, camera_shake: 0, cut_frequency: 0, aspect_ratio: '9:16' };
  const source = filmed(TREMOR, TREMOR, 0.2);
  for (const [framing, steadied] of [
    ['crop', true],
    ['pad', false],
  ] as const) {
    const { timeline } = planTimeline({
      ...{ source, style, template: null },
      config: jobConfigSchema.parse({ framing }),
    });
    assert.deepEqual([...new Set(timeline.clips.map(isSteadied))], [steadied], framing);
  }
});

test('a shaken film is calm after drawing and measuring again', async () => {
  const folder = temporaryFolder();
  const [width, height] = [320, 180];
  const scene = noiseScene(11);
  const shaken = (seconds: number) => ({
    x: 6 * Math.sin(2 * Math.PI * 2.6 * seconds),
    y: 4 * Math.sin(2 * Math.PI * 3.4 * seconds + 1),
  });
  const source = await makeClip(folder, {
    name: 'shaken',
    silent: true,
    durationSeconds: 1.2,
    draw: (rgb, seconds) => {
      const { data } = viewOf(scene, width, height, shaken(seconds), 1.2);
      for (let i = 0, at = 0; i < data.length; i++) {
        const level = data[i];
        rgb[at++] = level;
        rgb[at++] = level;
        rgb[at++] = level;
      }
    },
  });
  const studio = new Studio();
  const output = join(folder, 'calm.mp4');
  const style = { ...PRESETS[0].style, camera_shake: 0 };
  const components = { color: false, pacing: false, transitions: false, audio: false, frame_rate: false };
  await studio.apply({ source, output, look: { style }, config: { components } });
  const shakeOf = async (path: string) => {
    const analysis = await studio.analyze(path);
    assert.ok(analysis.kind === 'clip');
    return meanShake(analysis.facts.video, analysis.facts.motion)!;
  };
  const [before, after] = [await shakeOf(source), await shakeOf(output)];
  assert.ok(before > 0.1, `${before}`);
  assert.ok(after < 0.15 * before, `${after} of ${before}`);
});
