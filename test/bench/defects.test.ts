/** The benchmark's rules for defects, on pictures and plans with known answers. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { barsOf } from '../../bench/defects/bars.ts';
import { colorFlags } from '../../bench/defects/colors.ts';
import { type ComparedMoment, samePoints } from '../../bench/defects/compared.ts';
import { faceFlags, framingFlags, letterFlags } from '../../bench/defects/framings.ts';
import { loudnessFlags } from '../../bench/defects/loudness.ts';
import { labPicture } from '../../bench/fidelity/frames.ts';
import type { CameraLabel, ClipFacts } from '../../src/analysis/facts.ts';
import { type Clip, type Reframe, type Timeline, wholeClip } from '../../src/style/model/timeline.ts';
import { clipFacts, cutAt, flatPicture, motionFacts } from '../support/clip-facts.ts';

const SIZE = { width: 40, height: 40 };
const WHOLE = { x: 0, y: 0, width: 1, height: 1 };

type Draw = (x: number, y: number) => readonly [number, number, number];
const flat =
  (rgb: readonly [number, number, number]): Draw =>
  () =>
    rgb;
const grey =
  (level: number): Draw =>
  () => [level, level, level];

function pictureOf(draw: Draw) {
  const rgb = new Uint8Array(SIZE.width * SIZE.height * 3);
  for (let y = 0; y < SIZE.height; y++)
    for (let x = 0; x < SIZE.width; x++) rgb.set(draw(x, y), 3 * (y * SIZE.width + x));
  return labPicture(SIZE.width, SIZE.height, rgb);
}

/** Moments of one shot, two a second. */
function moments(before: Draw, after: Draw): ComparedMoment[] {
  const [source, output] = [pictureOf(before), pictureOf(after)];
  const place = { framing: WHOLE, isCrop: true };
  const points = samePoints({ source, output }, place, SIZE);
  return Array.from({ length: 80 }, (_, at) => {
    const seconds = at / 2 + 0.25;
    return {
      ...{ sourceSeconds: seconds, outputSeconds: seconds, framing: WHOLE },
      source,
      output,
      ...points,
    };
  });
}

const half =
  (left: Draw, right: Draw): Draw =>
  (x, y) =>
    x < SIZE.width / 2 ? left(x, y) : right(x, y);
const SKIN = flat([200, 150, 125]);
const RED = flat([200, 20, 30]);
/** A sky that is lighter below, in 8 bits. */
const sky =
  (slope: number, draw: (x: number, y: number) => number = () => 0): Draw =>
  (x, y) =>
    grey(Math.round(150 + slope * y + draw(x, y)))(x, y);
const grain = (x: number, y: number) => ((x * 7919 + y * 104729) % 13) - 6;
const rows =
  (bar: Draw, inside: Draw): Draw =>
  (x, y) =>
    y < 6 || y >= 34 ? bar(x, y) : inside(x, y);

describe('colors against the source', () => {
  const face = {
    ...{ kind: 'face' as const, startSeconds: 0, endSeconds: 40, salience: 1 },
    boxes: Array.from({ length: 200 }, (_, k) => ({ timeSeconds: k / 5, box: WHOLE })),
  };
  for (const [what, before, after, wanted] of [
    ['the same', half(grey(240), RED), half(grey(240), RED), []],
    ['a lilac white', half(grey(240), grey(60)), half(flat([235, 225, 245]), grey(60)), ['cast on white']],
    [
      'white goods in dim light that are mauve',
      half(grey(160), grey(60)),
      half(flat([166, 155, 166]), grey(60)),
      ['cast on white'],
    ],
    ['a white table that is grey', half(grey(240), grey(60)), half(grey(205), grey(60)), ['dull white']],
    [
      'a colored wall may turn',
      half(flat([230, 200, 160]), grey(60)),
      half(flat([200, 200, 200]), grey(60)),
      [],
    ],
    ['an opening in the dark', grey(115), grey(54), ['dark shot']],
    ['a bit darker', grey(115), grey(80), []],
    ['a black shirt that is grey', half(grey(25), grey(140)), half(grey(55), grey(140)), ['haze']],
    ['a black shirt in a faded look', half(grey(25), grey(140)), half(grey(38), grey(140)), []],
    ['darker skin', SKIN, flat([165, 122, 101]), ['skin darker']],
    ['redder skin', SKIN, flat([215, 142, 120]), ['skin redder']],
    ['grey bars', rows(grey(0), grey(120)), rows(grey(20), grey(120)), ['lifted bars']],
    ['black bars', rows(grey(0), grey(120)), rows(grey(3), grey(130)), []],
    ['a dark ground without an end is no bar', rows(grey(0), grey(8)), rows(grey(20), grey(20)), []],
    [
      'a jacket that is rust',
      half(RED, grey(90)),
      half(flat([190, 90, 10]), grey(90)),
      ['hue of a strong color'],
    ],
    ['a sky with more contrast', sky(0.5), sky(1), []],
    ['a sky in bands', sky(0.5), sky(0, (_, y) => 6 * Math.floor(y / 8)), ['blocks or bands']],
    ['a sky in blocks', sky(0.5), sky(0.5, (x, y) => ((x ^ y) & 8) / 2), ['blocks or bands']],
    [
      'a sky of blocks before',
      sky(0.5, (x, y) => ((x ^ y) & 8) / 2),
      sky(0.5, (x, y) => ((x ^ y) & 8) / 1.5),
      [],
    ],
    ['letters that appear', sky(0), sky(0, (x, y) => (x % 8 < 2 && y > 18 && y < 22 ? 30 : 0)), []],
    ['grain', sky(0.5, grain), sky(0.5, (x, y) => 1.5 * grain(x, y)), []],
  ] as const) {
    test(what, () => {
      const faces = before === SKIN ? [face] : [];
      const { shots } = clipFacts().video;
      const found = colorFlags(moments(before, after), { shots, faces }).map(({ defect }) => defect);
      assert.deepEqual(found, [...wanted]);
    });
  }

  test('a flag needs a third of the moments of its shot', () => {
    const [good, bad] = [moments(grey(115), grey(110)), moments(grey(115), grey(54))];
    const mixed = (count: number) => [...bad.slice(0, count), ...good.slice(count)];
    const found = (count: number) => colorFlags(mixed(count), clipFacts().video).length;
    assert.deepEqual([found(20), found(30)], [0, 1]);
  });

  test('points are compared inside a framing, and inside a padded picture', () => {
    const source = pictureOf((x) => (x < 20 ? [0, 0, 0] : [255, 255, 255]));
    const right: Reframe = { x: 0.5, y: 0, width: 0.5, height: 1 };
    const crop = samePoints({ source, output: source }, { framing: right, isCrop: true }, SIZE);
    assert.ok(crop.before.every((value, at) => at % 3 > 0 || value > 99));
    const padded = samePoints({ source, output: source }, { framing: right, isCrop: false }, SIZE);
    assert.equal(padded.before.length, 3 * SIZE.height * (SIZE.width / 2));
  });

  test('the width of bars, without the lines beside the picture', () => {
    const { top, bottom, left, right } = barsOf([pictureOf(rows(grey(0), grey(120)))]);
    assert.deepEqual([top, bottom, left, right], [0.1, 0.1, 0, 0]);
  });
});

describe('loudness', () => {
  for (const [what, source, output, wanted] of [
    ['a calm source that shouts', -27, -9.6, 'too loud'],
    ['a loud one may stay loud', -13, -9.6, undefined],
    ['nobody hears it', -16, -20.4, 'too quiet'],
    ['it was not louder', -29, -28, undefined],
    ['silence', null, -70, undefined],
    ['lost', -16, null, 'too quiet'],
  ] as const) {
    test(what, () => assert.equal(loudnessFlags(source, output)[0]?.defect, wanted));
  }
});

const CLOSER: Reframe = { x: 0.2, y: 0.2, width: 0.5, height: 0.5 };
/** Wide and closer framings that change at these times of 40 s. */
function planOf(...times: readonly number[]): Timeline {
  const bounds = [0, ...times, 40];
  const clips = bounds.slice(1).map((end, at): Clip => {
    const clip = wholeClip(bounds[at]!, end, at === 0 ? 'start' : 'punch_in');
    return at % 2 === 0 ? clip : { ...clip, from: CLOSER, to: CLOSER };
  });
  return {
    ...{ version: 2, frameRate: { numerator: 25, denominator: 1 }, width: 1280, height: 720 },
    ...{ takes: [{ grade: null }], clips, transitions: [], audio: null, captions: [] },
  };
}

describe('framings', () => {
  const moving = (label: CameraLabel) =>
    clipFacts({
      motion: motionFacts({ shots: [{ label, confidence: 1, shake: 0, zoom: 0 }] }),
    });
  const screen = clipFacts({
    video: {
      picture: flatPicture([1, 12, 22], [0.9, 0.9, 0.1]),
      captions: {
        ...{ share: 0, style: null, confidence: 1, spans: [] },
        lettering: [{ startSeconds: 0, endSeconds: 40, box: { x: 0, y: 0, width: 0.1, height: 0.1 } }],
      },
    },
  });
  const cut = clipFacts({ video: { transitions: Array.from({ length: 19 }, (_, k) => cutAt(2 * (k + 1))) } });
  for (const [what, facts, plan, wanted] of [
    ['long ones', clipFacts(), planOf(10, 15, 20), []],
    ['a short one', clipFacts(), planOf(10, 11), ['short framing']],
    ['a short one of a cut source', cut, planOf(10.3, 11), []],
    ['five in eight seconds', clipFacts(), planOf(10, 11.3, 12.6, 13.9, 15.2), ['many framings']],
    ['one on a zoom', moving('zoom_in'), planOf(10), ['framing on a zoom']],
    ['one in a pan', moving('pan'), planOf(10), []],
    ['a closer one of a page', screen, planOf(10, 20), ['framing of letters']],
    ['a closer one of another part', screen, planOf(20), []],
    ['two in a pan', moving('pan'), planOf(10, 20), ['hopping in a pan']],
  ] as const) {
    test(what, () =>
      assert.deepEqual(
        framingFlags(facts as ClipFacts, plan).map(({ defect }) => defect),
        [...wanted],
      ),
    );
  }
});

describe('what a framing cuts', () => {
  const lettered = (x: number) =>
    clipFacts({
      video: {
        captions: {
          ...{ share: 0, style: null, confidence: 1 },
          spans: [{ startSeconds: 8, endSeconds: 20, box: { x, y: 0.3, width: 0.3, height: 0.1 } }],
        },
      },
    });
  const faced = (x: number, y = 0.3) =>
    clipFacts({
      video: {
        faces: [
          {
            ...{ kind: 'face', startSeconds: 0, endSeconds: 40, salience: 1 },
            boxes: Array.from({ length: 200 }, (_, k) => ({
              timeSeconds: k / 5,
              box: { x, y, width: 0.22, height: 0.3 },
            })),
          },
        ],
      },
    });
  /** A figure seen from this part of its profile down. */
  const standing = (part: number, across: readonly [number, number] = [8, 16]) =>
    clipFacts({
      video: {
        figures: [
          {
            timeSeconds: 15,
            across: Array.from({ length: 24 }, (_, at) => (at >= across[0] && at < across[1] ? 0.125 : 0)),
            down: Array.from({ length: 24 }, (_, at) => (at >= part ? 1 / (24 - part) : 0)),
          },
        ],
      },
    });
  const plan = planOf(10, 20);
  for (const [what, found, wanted] of [
    ['hair of a face', faceFlags(faced(0.3, 0.15), plan), ['hair cut']],
    ['hair of a figure', faceFlags(standing(3), plan), ['hair cut']],
    ['a figure that may begin at the edge', faceFlags(standing(4), plan), []],
    ['a figure far above', faceFlags(standing(0), plan), []],
    ['a figure beside', faceFlags(standing(3, [18, 24]), plan), []],
    ['letters inside', letterFlags(lettered(0.3), plan), []],
    ['letters cut', letterFlags(lettered(0.5), plan), ['letters cut']],
    ['letters outside', letterFlags(lettered(0.7), plan), []],
    ['a face inside', faceFlags(faced(0.3), plan), []],
    ['a face cut', faceFlags(faced(0.58), plan), ['face cut']],
    ['a face lost', faceFlags(faced(0.75), plan), ['face lost']],
  ] as const) {
    test(what, () =>
      assert.deepEqual(
        found.map(({ defect }) => defect),
        [...wanted],
      ),
    );
  }
});
