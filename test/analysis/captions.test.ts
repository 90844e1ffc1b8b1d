import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CaptionDetector } from '../../src/analysis/captions/captions.ts';
import type { CaptionFacts } from '../../src/analysis/facts.ts';
import { MotionFieldEstimator } from '../../src/analysis/optical-flow/field.ts';
import type { Frame, Picture } from '../../src/domain/footage.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { type Lettering, writeText } from '../support/lettering.ts';
import { mediaPath } from '../support/media.ts';
import { noiseScene, plainPicture, viewOf } from '../support/moving-picture.ts';

const FRAME_SECONDS = 0.3;
const scene = noiseScene(31, 900, 500, 6);

/** A frame with detail, as in a clip of about three frames a second. */
function frameOf(index: number, detail: Picture): Frame {
  const shrunk = viewOf(detail, 160, 90, {}, 4);
  const small = viewOf(detail, 48, 27, {}, detail.width / 48);
  const data = new Uint8Array(3 * small.data.length);
  for (const [i, value] of small.data.entries()) data.fill(value, 3 * i, 3 * i + 3);
  const color: Picture = { width: 48, height: 27, channels: 3, data };
  return { index, timeSeconds: index * FRAME_SECONDS, color, grey: shrunk, detail };
}

function detect(
  count: number,
  background: (index: number) => Picture,
  texts: (index: number) => Lettering[],
): CaptionFacts {
  const motion = new MotionFieldEstimator();
  const detector = new CaptionDetector();
  for (let i = 0; i < count; i++) {
    const detail = background(i);
    for (const text of texts(i)) writeText(detail, text);
    const frame = frameOf(i, detail);
    detector.push(frame, motion.push(frame.grey));
  }
  return detector.finish();
}

const moving = (i: number): Picture => viewOf(scene, 640, 360, { x: 9 * i - 50, y: 4 * i - 20 }, 1);
const still = (): Picture => viewOf(scene, 640, 360, {}, 1);
const caption: Lettering = {
  text: 'THE MAN IS HERE',
  dot: 3,
  middleX: 320,
  top: 300,
  level: 250,
  outline: 5,
};
const from = (first: number, last: number, text: Lettering) => (i: number) =>
  i >= first && i <= last ? [text] : [];

test('a caption over a moving picture is found with its times, position and design', () => {
  const facts = detect(14, moving, from(4, 9, caption));
  assert.equal(facts.spans.length, 1);
  const [{ startSeconds, endSeconds, box }] = facts.spans;
  assert.ok(Math.abs(startSeconds - 4 * FRAME_SECONDS) <= 0.16, `starts at ${startSeconds}`);
  assert.ok(Math.abs(endSeconds - 10 * FRAME_SECONDS) <= 0.16, `ends at ${endSeconds}`);
  assert.ok(Math.abs(box.x + box.width / 2 - 0.5) < 0.02 && Math.abs(box.y - 300 / 360) < 0.02);
  assert.ok(Math.abs(facts.share - 6 / 14) < 0.1);
  assert.equal(facts.style?.position, 'bottom');
  assert.equal(facts.style?.color, '#ffffff');
  assert.equal(facts.style?.outlined, true);
  // Capitals are about 0.77 of the type size high.
  assert.ok(Math.abs(facts.style.lineHeight - 21 / 0.77 / 360) < 0.015, `${facts.style.lineHeight}`);
});

test('captions of other kinds are found', () => {
  const kinds: readonly [what: string, background: (i: number) => Picture, text: Lettering][] = [
    ['in a still picture', still, caption],
    ['large, in the middle', moving, { ...caption, text: 'THE MAN', dot: 8, top: 150 }],
    [
      'on a cut to another scene',
      (i) => (i < 6 ? moving(i) : viewOf(noiseScene(5, 640, 360, 6), 640, 360, {}, 1)),
      caption,
    ],
    ['black on white', moving, { ...caption, level: 8, outline: 250, top: 30 }],
  ];
  for (const [what, background, text] of kinds) {
    const facts = detect(14, background, from(4, 9, text));
    assert.equal(facts.spans.length, 1, `${what}: ${JSON.stringify(facts.spans)}`);
  }
});

test('one caption after the other at the same place are two', () => {
  const next = { ...caption, text: 'NO ONE ELSE' };
  const facts = detect(14, moving, (i) => (i < 3 || i > 11 ? [] : [i < 7 ? caption : next]));
  assert.equal(facts.spans.length, 2);
});

test('two lines are one caption', () => {
  const lines = [{ ...caption, top: 270 }, caption];
  const facts = detect(12, moving, (i) => (i > 3 && i < 9 ? lines : []));
  assert.equal(facts.spans.length, 1);
  assert.ok(facts.spans[0].box.height > 45 / 360);
});

const WORDS = [
  'THE',
  'MAN',
  'IS',
  'HERE',
  'AT',
  'LAST',
  'NO',
  'ONE',
  'SMILES',
  'THERE',
  'OR',
  'HERE',
  'SO',
  'LEAN',
  'ON',
];

test('words shown one by one, none of them for two looks, are captions', () => {
  const word = (i: number): Lettering => ({ ...caption, text: WORDS[i % WORDS.length], dot: 5, top: 200 });
  const facts = detect(15, moving, (i) => (i > 1 ? [word(i)] : []));
  assert.equal(facts.style?.position, 'middle');
  assert.ok(facts.share > 0.6, `${facts.share}`);
  const middles = facts.spans.map(({ box }) => box.x + box.width / 2);
  assert.ok(middles.every((middle) => Math.abs(middle - 0.5) < 0.06));
});

test('small letters are captions, also on the lower edge', () => {
  // Capitals of seven pixels are 1.9 % of the height; the lowest place leaves .8 %.
  for (const top of [320, 350]) {
    const small = { ...caption, dot: 1, top };
    const facts = detect(14, moving, from(4, 9, small));
    assert.equal(facts.spans.length, 1, `at ${top}`);
    assert.ok(Math.abs(facts.spans[0].box.width - 89 / 640) < 0.02, `${facts.spans[0].box.width}`);
  }
});

test('a title shown once counts, but is no caption style', () => {
  const title = { ...caption, middleX: 200, top: 170 };
  const facts = detect(40, moving, from(4, 12, title));
  assert.equal(facts.spans.length, 1);
  assert.deepEqual([facts.style, facts.share], [null, 0]);
});

test('a text laid over the whole of a moving clip is a mark', () => {
  const mark = { ...caption, text: 'SON', middleX: 560, top: 20 };
  const facts = detect(14, moving, () => [mark]);
  const [{ x, y }] = facts.marks!;
  assert.ok(Math.abs(x - 533 / 640) < 0.02 && Math.abs(y - 20 / 360) < 0.02, `${x}, ${y}`);
  assert.deepEqual(detect(14, moving, () => []).marks, undefined);
});

test('other text is no caption', () => {
  const digits = ['TEN', 'ONE', 'SIT', 'TIN', 'NOT', 'LET', 'HIT', 'MEN'];
  const counter = (i: number): Lettering => ({ ...caption, text: digits[i % 8], middleX: 560, top: 20 });
  const cases: readonly [
    what: string,
    background: (i: number) => Picture,
    texts: (i: number) => Lettering[],
  ][] = [
    ['nothing written', moving, () => []],
    ['a logo through the whole clip', moving, () => [{ ...caption, text: 'SON', middleX: 560, top: 20 }]],
    ['a counter', moving, (i) => [counter(i)]],
    [
      'a sign that moves with the scene',
      moving,
      (i) => [{ ...caption, middleX: 450 - 9 * i, top: 200 - 4 * i }],
    ],
    [
      'a line of news that runs',
      moving,
      (i) => [{ ...caption, text: 'THE MAN IS HERE NO ONE SEES HIM THERE AT ALL', middleX: 900 - 40 * i }],
    ],
    [
      'a page of text that is turned',
      () => plainPicture(640, 360, 12),
      (i) =>
        Array.from({ length: 7 }, (_, line) => ({
          ...caption,
          text: i < 7 ? 'THE MAN IS HERE' : 'NO ONE ELSE IS THERE',
          top: 20 + 46 * line,
        })),
    ],
    [
      'a sign in a still shot between two cuts',
      (i) => (i < 4 || i > 9 ? moving(i) : still()),
      from(4, 9, caption),
    ],
    ['letters that the edge of the picture cuts', moving, from(4, 9, { ...caption, top: 349 })],
    ['a black picture', () => plainPicture(640, 360, 0), () => []],
  ];
  for (const [what, background, texts] of cases) {
    const facts = detect(14, background, texts);
    assert.deepEqual([what, facts.spans, facts.share, facts.style], [what, [], 0, null]);
  }
});

test('a clip of one frame, and none, have no captions', () => {
  assert.equal(new CaptionDetector().finish().share, 0);
  assert.equal(detect(1, still, () => [caption]).share, 0);
});

for (const [name, expected] of [
  [
    'edits/edit_vertical_a.mp4',
    [
      [0.3, 1.9],
      [2, 3.9],
      [4.2, 6.5],
      [7.5, 9.5],
    ],
  ],
  ['video/mdn_flower.mp4', []],
  // Knitted cloth that moves: rows of stitches look like words, on no line of their own.
  ['more/video/sam2_cups.mp4', []],
] as const) {
  test(`captions of ${name}`, async (t) => {
    const path = mediaPath(name);
    if (path === null) return t.skip(`needs ../shared/media/${name}`);
    const motion = new MotionFieldEstimator();
    const detector = new CaptionDetector();
    for await (const frame of openFrames(path)) detector.push(frame, motion.push(frame.grey));
    const { spans } = detector.finish();
    assert.equal(spans.length, expected.length);
    for (const [i, [start, end]] of expected.entries()) {
      assert.ok(Math.abs(spans[i].startSeconds - start) <= 0.2, `${spans[i].startSeconds} for ${start}`);
      assert.ok(Math.abs(spans[i].endSeconds - end) <= 0.2, `${spans[i].endSeconds} for ${end}`);
    }
  });
}
