/** Shapes and rates that `auto` follows, and the report of the others. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Box, SubjectTrack } from '../../src/analysis/facts.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import { framesPerSecond } from '../../src/domain/time.ts';
import { presetNamed, withPreset } from '../../src/presets/presets.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import { summariseEdit } from '../../src/style/plan/edit-summary.ts';
import { editText } from '../../src/style/plan/edit-words.ts';
import { planTimeline } from '../../src/style/plan/plan.ts';
import { clipFacts, cutAt, flatPicture } from '../support/clip-facts.ts';

type Facts = Parameters<typeof clipFacts>[0];

function planned(source: Facts, template: Facts, config: object = {}, style: object = {}) {
  const [facts, look] = [clipFacts(source), clipFacts(template)];
  const parsed = jobConfigSchema.parse(config);
  const { timeline, warnings } = planTimeline({
    source: facts,
    style: { ...extractStyle(look, { createdAt: new Date(0), fingerprint: null }), ...style },
    template: look,
    config: parsed,
  });
  const output = { durationSeconds: facts.video.durationSeconds, integratedLufs: null };
  return { timeline, warnings, summary: summariseEdit({ source: facts, timeline, config: parsed, output }) };
}

const rate = (frames: number, denominator = 1) => ({
  video: { frameRate: { numerator: frames, denominator } },
});

describe('the frame rate of an output at `auto`', () => {
  for (const [source, template, output] of [
    [rate(60), rate(30), 30],
    [rate(60), rate(30000, 1001), 30],
    [rate(60000, 1001), rate(30000, 1001), 30000 / 1001],
    [rate(60000, 1001), rate(30), 30000 / 1001],
    [rate(50), rate(25), 25],
    [rate(48), rate(24), 24],
    [rate(120), rate(24), 24],
    [rate(120), rate(60), 60],
    // Frames would be repeated or dropped unevenly.
    [rate(24), rate(30), 24],
    [rate(30), rate(24), 30],
    [rate(60), rate(24), 60],
    [rate(60), rate(25), 60],
    [rate(25), rate(24), 25],
    [rate(24), rate(60), 24],
    [rate(25), rate(50), 25],
    // A multiple, but a pan judders at it.
    [rate(60), rate(15), 60],
    [rate(24), rate(12), 24],
    // The same to the eye.
    [rate(30), rate(30000, 1001), 30],
    [rate(24000, 1001), rate(24), 24000 / 1001],
  ] as const) {
    const words = [source, template].map(({ video }) => framesPerSecond(video.frameRate).toFixed(2));
    test(`${words.join(' under ')}: ${output.toFixed(2)}`, () => {
      const { timeline, summary } = planned(source, template);
      assert.ok(Math.abs(framesPerSecond(timeline.frameRate) / output - 1) < 1e-6);
      const followsTemplate = Math.abs(output - framesPerSecond(template.video.frameRate)) < 0.5;
      const named = summary.not_followed?.map(({ component }) => component) ?? [];
      assert.deepEqual(named, followsTemplate ? [] : ['frame_rate']);
    });
  }

  test('true follows any, false none, and an image has none', () => {
    const at = (setting: boolean) => planned(rate(30), rate(24), { components: { frame_rate: setting } });
    assert.equal(framesPerSecond(at(true).timeline.frameRate), 24);
    assert.equal(framesPerSecond(at(false).timeline.frameRate), 30);
    assert.equal(at(false).summary.not_followed, undefined);
    const image = planned(rate(60), rate(30), {}, { source_kind: 'image' });
    assert.equal(framesPerSecond(image.timeline.frameRate), 60);
  });
});

const WIDE = { width: 1920, height: 1080 };
const UPRIGHT = { width: 1080, height: 1920 };
const SQUARE = { width: 1080, height: 1080 };
const FEED = { width: 1080, height: 1350 };
const TELEVISION = { width: 1440, height: 1080 };
const SCOPE = { width: 1920, height: 816 };

function speaker(box: Box, startSeconds = 0, endSeconds = 40): SubjectTrack {
  const boxes = Array.from({ length: Math.round(5 * (endSeconds - startSeconds)) }, (_, step) => ({
    timeSeconds: startSeconds + step / 5,
    box,
  }));
  return { startSeconds, endSeconds, boxes, salience: 0.9, kind: 'face' };
}
const MIDDLE = { x: 0.4, y: 0.2, width: 0.2, height: 0.6 };
/** From hair to neck, in shares of the height. */
const closeFace = (height: number) => speaker({ x: 0.1, y: 0, width: 0.8, height });
const ONE = [speaker(MIDDLE)];
const TWO = [0.1, 0.7].map((x) => speaker({ x, y: 0.3, width: 0.2, height: 0.5 }));
const TWO_FOR = (seconds: number) => [
  ...[0.1, 0.7].map((x) => speaker({ x, y: 0.3, width: 0.2, height: 0.5 }, 0, seconds)),
  speaker({ x: 0.4, y: 0.2, width: 0.2, height: 0.6 }, seconds, 40),
];

describe('the shape of an output at `auto`', () => {
  const captioned = { share: 1, style: null, confidence: 1 };
  const frame = { x: 0.02, y: 0.02, width: 0.95, height: 0.95 };
  const logo = { x: 0.85, y: 0.05, width: 0.1, height: 0.06 };
  const line = { startSeconds: 0, endSeconds: 40, box: { x: 0.1, y: 0.8, width: 0.8, height: 0.1 } };
  for (const [what, source, template, follows, subjects = [], captions] of [
    ['one speaker, upright', WIDE, UPRIGHT, true, ONE],
    ['nothing in particular, upright', WIDE, UPRIGHT, false],
    ['nothing in particular, in a square', WIDE, SQUARE, true],
    ['one speaker for half of the time', WIDE, UPRIGHT, true, [speaker(MIDDLE, 0, 20)]],
    [
      'a face that is wider than the crop',
      WIDE,
      UPRIGHT,
      false,
      [speaker({ x: 0.2, y: 0, width: 0.7, height: 1 })],
    ],
    ['one speaker for less', WIDE, UPRIGHT, false, [speaker(MIDDLE, 0, 19)]],
    ['a square', WIDE, SQUARE, true, ONE],
    ['a feed', WIDE, FEED, true, ONE],
    ['cinema', WIDE, SCOPE, true, ONE],
    ['television', WIDE, TELEVISION, true, ONE],
    ['two speakers who stand apart', WIDE, UPRIGHT, false, TWO],
    ['two speakers for a twentieth of the time', WIDE, UPRIGHT, true, TWO_FOR(2)],
    ['two speakers for a fifth of the time', WIDE, UPRIGHT, false, TWO_FOR(8)],
    ['captions as wide as the picture', WIDE, UPRIGHT, false, [], { ...captioned, spans: [line] }],
    ['a frame about the picture', WIDE, SQUARE, false, ONE, { ...captioned, spans: [], marks: [frame] }],
    ['a logo in a corner', WIDE, SQUARE, true, ONE, { ...captioned, spans: [], marks: [logo] }],
    // A strip of the face.
    ['an upright interview under a wide trailer', UPRIGHT, WIDE, false, ONE],
    ['an upright interview under a square', UPRIGHT, SQUARE, true, ONE],
    ['an upright interview under a feed', UPRIGHT, FEED, true, ONE],
    ['a square under a wide trailer', SQUARE, WIDE, true],
    ['a feed under a wide trailer', FEED, WIDE, false],
    ['a webcam under a wide trailer', TELEVISION, WIDE, true, [closeFace(0.8)]],
    ['a close face of a webcam', TELEVISION, WIDE, false, [closeFace(1)]],
  ] as const) {
    test(`${what}: ${follows ? 'followed' : 'left'}`, () => {
      const transitions = subjects.filter(({ startSeconds }) => startSeconds > 0);
      const video = {
        ...source,
        transitions: transitions.map(({ startSeconds }) => cutAt(startSeconds)),
        ...(captions === undefined ? {} : { captions }),
      };
      const { timeline, summary } = planned(
        { video, motion: { subjects: [...subjects] } },
        { video: template },
      );
      const shape = follows ? template : source;
      assert.ok(
        Math.abs((timeline.width * shape.height) / (timeline.height * shape.width) - 1) < 0.01,
        `${timeline.width}×${timeline.height}`,
      );
      assert.equal(summary.not_followed?.[0]?.component, follows ? undefined : 'aspect_ratio');
      assert.ok(timeline.clips.every(({ fit }) => fit === 'crop'));
    });
  }

  test('an upright crop shows figures that it holds', () => {
    const profile = (from: number, parts: number) =>
      Array.from({ length: 24 }, (_, part) => (part >= from && part < from + parts ? 1 / parts : 0));
    /** A hand of a twentieth of the figure lies four parts beside it. */
    const withHand = (parts: number) =>
      profile(9, parts).map((share, at) => (at === 4 ? 0.05 : 0.95 * share));
    const ratioWith = (parts: number, looks: number, hands = 0) => {
      const figures = Array.from({ length: 4 }, (_, at) => ({
        timeSeconds: 10 * at,
        across: at < hands ? withHand(parts) : at < looks ? profile(9, parts) : profile(0, 0),
        down: at < looks ? profile(4, 16) : profile(0, 0),
      }));
      const { timeline } = planned({ video: { ...WIDE, figures } }, { video: UPRIGHT });
      return timeline.width < timeline.height;
    };
    assert.equal(ratioWith(6, 4), true);
    assert.equal(ratioWith(6, 3), true);
    assert.equal(ratioWith(6, 2), false);
    assert.equal(ratioWith(8, 4), true, 'the crop holds .95 of the figure');
    assert.equal(ratioWith(6, 4, 1), false, 'it cuts a hand in a quarter of the looks');
    assert.equal(ratioWith(9, 4), false, 'the crop holds .84 of the figure');
    assert.equal(ratioWith(12, 4), false, 'lying down');
  });

  for (const [what, from, parts, tall, follows] of [
    ['a player who is taller than the crop in a fifth of the looks', 6, 15, 2, false],
    ['a player who is as tall in a tenth', 6, 15, 1, true],
    ['a player who fits', 6, 13, 10, true],
    ['somebody who reaches the lower edge', 6, 18, 10, true],
  ] as const)
    test(`a square under 16:9, ${what}: ${follows ? 'followed' : 'left'}`, () => {
      const profile = (first: number, count: number) =>
        Array.from({ length: 24 }, (_, part) => (part >= first && part < first + count ? 1 / count : 0));
      const figures = Array.from({ length: 10 }, (_, at) => ({
        timeSeconds: 4 * at,
        across: profile(10, 4),
        down: profile(from, at < tall ? parts : 10),
      }));
      const { timeline } = planned({ video: { ...SQUARE, figures } }, { video: WIDE });
      assert.equal(timeline.width > timeline.height, follows, `${timeline.width}×${timeline.height}`);
    });

  test('a crop holds a headline beside its subject, and leaves a logo', () => {
    const left = (mark: Box) => {
      const { timeline } = planned(
        {
          video: { ...SQUARE, captions: { ...captioned, spans: [], marks: [mark] } },
          motion: { subjects: [...ONE] },
        },
        { video: UPRIGHT },
      );
      const [{ from }] = timeline.clips;
      return [from.x, from.x + from.width] as const;
    };
    const [start, end] = left({ x: 0.14, y: 0.1, width: 0.5, height: 0.06 });
    assert.ok(start <= 0.14 && end >= 0.64, `${start}..${end}`);
    const [middle] = left(logo);
    assert.ok(Math.abs(middle - 0.22) < 0.03, `${middle}`);
  });

  for (const [what, flat, hardness, cards, follows] of [
    ['a drawn page', 0.6, 0.18, [], false],
    ['a camera before a wall', 0.59, 0.2, [], true],
    ['a blurred camera before a plain wall', 0.9, 0.17, [], true],
    ['a title that crops hold', 0.95, 0.2, [{ x: 0.4, y: 0.4, width: 0.2, height: 0.2 }], true],
  ] as const)
    test(`${what}: ${follows ? 'followed' : 'left'}`, () => {
      const timesSeconds = Array.from({ length: 40 }, (_, second) => second);
      const flats = timesSeconds.map(() => flat);
      const picture = flatPicture(timesSeconds, flats, hardness);
      const { timeline } = planned({ video: { ...WIDE, picture, cards } }, { video: TELEVISION });
      assert.equal(timeline.width / timeline.height < 1.5, follows, `${timeline.width}×${timeline.height}`);
    });

  for (const [what, area, template, shown] of [
    ['37:20 is 16:9', { x: 0, y: 0, width: 1, height: 1 }, { width: 1480, height: 800 }, 1],
    ['wide bars stay', { x: 0.125, y: 0, width: 0.75, height: 1 }, WIDE, 1],
    ['bars of a few lines go', { x: 0.02, y: 0, width: 0.96, height: 1 }, WIDE, 0.96],
  ] as const)
    test(`at the source's own ratio ${what}`, () => {
      const { timeline, summary } = planned(
        { video: { ...WIDE, activeArea: area, shotAreas: [area] } },
        { video: template },
      );
      assert.ok(Math.abs(timeline.width / timeline.height - 16 / 9) < 0.01);
      assert.ok(Math.abs(timeline.clips[0].from.width - shown) < 1e-6, `${timeline.clips[0].from.width}`);
      assert.equal(summary.not_followed, undefined);
    });

  test('follows on request: `true`, or a manner of framing', () => {
    for (const config of [{ components: { aspect_ratio: true } }, { framing: 'pad' }, { framing: 'crop' }]) {
      const { timeline, summary } = planned({ video: UPRIGHT }, { video: WIDE }, config);
      assert.ok(timeline.width > timeline.height, JSON.stringify(config));
      assert.equal(summary.not_followed, undefined);
    }
  });

  test('a still changes neither shape nor rate', () => {
    const { timeline } = planned(
      { video: { ...WIDE, ...rate(60).video } },
      { video: { ...UPRIGHT, ...rate(30).video } },
      {},
      { source_kind: 'image' },
    );
    assert.ok(timeline.width > timeline.height);
    assert.equal(framesPerSecond(timeline.frameRate), 60);
  });

  test('a preset that is about a shape gives it', () => {
    const { components } = withPreset(presetNamed('vertical-short'), {}) as { components: object };
    assert.deepEqual(components, { aspect_ratio: true, talk: false });
    const config = withPreset(presetNamed('vertical-short'), { components: { aspect_ratio: 'auto' } });
    assert.deepEqual(config.components, { aspect_ratio: 'auto', talk: false });
  });
});

test('one line names what was not followed, and how to request it', () => {
  const { summary } = planned(
    { video: { ...UPRIGHT, ...rate(24).video } },
    { video: { ...WIDE, ...rate(30).video } },
  );
  assert.deepEqual(summary.not_followed, [
    { component: 'aspect_ratio', source: '9:16', style: '16:9' },
    { component: 'frame_rate', source: '24', style: '30' },
  ]);
  assert.match(
    editText(summary),
    /shape left at 9:16 \(the look has 16:9\), left at 24 frames a second \(the look has 30\)$/,
  );
});

test('a stored config without the new values keeps its meaning', () => {
  const { components } = jobConfigSchema.parse({ components: { aspect_ratio: false, frame_rate: true } });
  assert.deepEqual([components.aspect_ratio, components.frame_rate], [false, true]);
  const defaults = jobConfigSchema.parse({}).components;
  assert.deepEqual([defaults.aspect_ratio, defaults.frame_rate, defaults.subtitles], ['auto', 'auto', true]);
  assert.equal(jobConfigSchema.safeParse({ components: { aspect_ratio: 0.5 } }).success, false);
});
