/** Fades through colors other than black and white, and what only looks like one. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DIRECTIONS, type Transition } from '../../src/analysis/facts.ts';
import { detect, drawn, flat, HEIGHT, type Image, mixed, Place, times, WIDTH } from './shot-scenes.ts';

const a = new Place(11).view();
const b = new Place(23).view();

function plain(color: string): Image {
  const image = flat(0);
  for (let i = 0; i < image.length; i++) image[i] = channelOf(color, i % 3);
  return image;
}

function channelOf(color: string, channel: number): number {
  return Number.parseInt(color.slice(1 + 2 * channel, 3 + 2 * channel), 16);
}

function assertColor(found: string | undefined, expected: string, tolerance = 6): void {
  assert.ok(found !== undefined && /^#[0-9a-f]{6}$/.test(found), `${found}`);
  for (let channel = 0; channel < 3; channel++) {
    const error = Math.abs(channelOf(found, channel) - channelOf(expected, channel));
    assert.ok(error <= tolerance, `${found}, expected ${expected}`);
  }
}

function only(transitions: readonly Transition[]): Transition {
  assert.equal(transitions.length, 1, JSON.stringify(transitions));
  return transitions[0];
}

const still = (count: number, image: Image) => times(count, () => image);
/** From `from` to `to` in `count` frames, neither end among them. */
const ramp = (count: number, from: Image, to: Image) =>
  times(count, (i) => mixed(from, to, (i + 1) / (count + 1)));
const types = (images: readonly Image[]) => detect(images).transitions.map(({ type }) => type);

/** Warning red, two brand blues, navy, brand green, greys, cream, brown, yellow. */
const COLORS = [
  '#ff0000',
  '#0a3cff',
  '#1877f2',
  '#101c4a',
  '#1db954',
  '#808080',
  '#404040',
  '#ffe6c8',
  '#5b3a1e',
  '#ffff00',
];

describe('fades through a color', () => {
  for (const color of COLORS) {
    it(`one change through ${color}, with that color`, () => {
      const ground = plain(color);
      const images = [...still(25, a), ...ramp(9, a, ground), ground, ...ramp(9, ground, b), ...still(25, b)];
      const found = only(detect(images).transitions);
      assert.equal(found.type, 'fade_color');
      assertColor(found.color, color);
      assert.ok(
        Math.abs(found.startFrame - 24) <= 1 && Math.abs(found.endFrame - 44) <= 1,
        JSON.stringify(found),
      );
      assert.equal(found.edge, undefined);
    });
  }

  it('a fast one has the color behind the little that still shows', () => {
    const ground = plain('#0a3cff');
    // No frame is all blue: an eighth of a picture shows at least.
    const images = [
      ...still(25, a),
      ...times(4, (i) => mixed(a, ground, (i + 0.5) / 4)),
      ...times(4, (i) => mixed(b, ground, (3.5 - i) / 4)),
      ...still(25, b),
    ];
    const found = only(detect(images).transitions);
    assert.equal(found.type, 'fade_color');
    assertColor(found.color, '#0a3cff', 12);
  });

  it('with sides of different lengths and a color that is held', () => {
    const ground = plain('#1db954');
    const images = [
      ...still(25, a),
      ...ramp(5, a, ground),
      ...still(6, ground),
      ...ramp(15, ground, b),
      ...still(25, b),
    ];
    const found = only(detect(images).transitions);
    assert.equal(found.type, 'fade_color');
    assert.ok(
      Math.abs(found.startFrame - 24) <= 1 && Math.abs(found.endFrame - 51) <= 1,
      JSON.stringify(found),
    );
  });

  it('at the start and the end of a clip, which are no change of shot', () => {
    const ground = plain('#c81e1e');
    const images = [
      ...still(5, ground),
      ...ramp(11, ground, a),
      ...still(25, a),
      ...ramp(11, a, ground),
      ...still(5, ground),
    ];
    const { transitions, shots } = detect(images);
    assert.deepEqual(
      transitions.map(({ type, edge }) => [type, edge]),
      [
        ['fade_color', 'start'],
        ['fade_color', 'end'],
      ],
    );
    for (const { color } of transitions) assertColor(color, '#c81e1e');
    assert.equal(shots.length, 1);
  });

  it('black and white keep their names, also those that a converted range turns grey', () => {
    for (const [color, type] of [
      ['#000000', 'fade_black'],
      ['#101010', 'fade_black'],
      ['#ffffff', 'fade_white'],
      ['#fffaeb', 'fade_white'],
    ] as const) {
      const ground = plain(color);
      const found = only(
        detect([...still(25, a), ...ramp(9, a, ground), ground, ...ramp(9, ground, b), ...still(25, b)])
          .transitions,
      );
      assert.equal(found.type, type, color);
      assert.equal(found.color, undefined);
    }
  });
});

describe('no fades through a color', () => {
  it('shots of one color between cuts', () => {
    assert.deepEqual(types([...still(25, a), ...still(40, plain('#7a9ec0')), ...still(25, b)]), [
      'cut',
      'cut',
    ]);
  });

  it('a wall under colored light', () => {
    const light = (i: number) => {
      const image = flat(0);
      for (let at = 0; at < image.length; at++) image[at] = 120 + 90 * Math.sin(i / 8 + 2.1 * (at % 3));
      return image;
    };
    assert.deepEqual(types(times(90, light)), []);
  });

  for (const direction of DIRECTIONS) {
    it(`something red that moves ${direction}, fills the picture and leaves it`, () => {
      const red = plain('#c81e1e');
      const images = [
        ...still(25, a),
        ...times(12, (i) => drawn('wipe', direction, a, red, (i + 1) / 13)),
        ...still(3, red),
        ...times(12, (i) => drawn('wipe', direction, red, a, (i + 1) / 13)),
        ...still(25, a),
      ];
      assert.ok(!types(images).includes('fade_color'));
    });
  }

  it('a round object that approaches the lens and retreats', () => {
    const red = plain('#c81e1e');
    const size = (i: number) => drawn('circle', 'left', a, red, 1.1 - Math.abs(i - 15) / 14);
    assert.ok(!types([...still(25, a), ...times(31, size), ...still(25, a)]).includes('fade_color'));
  });

  it('a picture that takes on a color and returns', () => {
    const red = plain('#ff2020');
    for (const [up, down] of [
      [12, 12],
      [0, 10],
      [3, 9],
    ] as const) {
      const images = [...still(30, a), ...ramp(up, a, red), red, ...ramp(down, red, a), ...still(30, a)];
      assert.deepEqual(types(images), [], `${up} and ${down} frames`);
    }
  });

  it('letters that appear and disappear on a card', () => {
    const card = plain('#0a3cff');
    const letters = card.slice();
    for (let y = 36; y < 54; y++)
      for (let x = 40; x < 120; x++)
        if (x % 8 < 4) letters.fill(255, 3 * (y * WIDTH + x), 3 * (y * WIDTH + x) + 3);
    assert.equal(HEIGHT, 90);
    const images = [
      ...still(25, a),
      ...still(5, card),
      ...ramp(8, card, letters),
      ...still(20, letters),
      ...ramp(8, letters, card),
      ...still(10, card),
    ];
    assert.deepEqual(types(images), ['cut']);
  });
});
