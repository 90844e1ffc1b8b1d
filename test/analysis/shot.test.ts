import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cornerWipe } from '../../bench/generate/edit-drawing.ts';
import type { RgbPicture } from '../../bench/generate/footage.ts';
import { DIRECTIONS, EASINGS, type Transition, type TransitionType } from '../../src/analysis/facts.ts';
import {
  detect,
  drawn,
  flat,
  HEIGHT,
  here,
  type Image,
  mixed,
  Place,
  sequence,
  there,
  times,
  WIDTH,
} from './shot-scenes.ts';

function only(transitions: readonly Transition[]): Transition {
  assert.equal(transitions.length, 1, JSON.stringify(transitions));
  return transitions[0];
}

function near(actual: number, expected: number, tolerance: number, what: string): void {
  assert.ok(
    Math.abs(actual - expected) <= tolerance,
    `${what}: ${actual}, expected ${expected} ± ${tolerance}`,
  );
}

function asPicture(image: Image): RgbPicture {
  return { width: WIDTH, height: HEIGHT, data: Uint8Array.from(image) };
}

/** Values of a row of pixels. */
const ROW = 3 * WIDTH;

/** Each column's mean color in all of its pixels. */
function columnMeans(image: Image): Image {
  const sums = new Float64Array(ROW);
  for (let i = 0; i < image.length; i++) sums[i % ROW] += image[i] / HEIGHT;
  return image.map((_, i) => sums[i % ROW]);
}

describe('gradual transitions', () => {
  for (const type of ['dissolve', 'fade_black', 'fade_white', 'wipe', 'slide', 'circle', 'zoom'] as const) {
    // A zoom that begins slowly looks like a push-in at first: its start is not checked.
    for (const easing of EASINGS.filter((one) => type !== 'zoom' || one !== 'ease_in')) {
      it(`detects a ${type} with the easing ${easing}`, () => {
        const found = only(detect(sequence(type, easing, 'left', 16)).transitions);
        assert.equal(found.type, type);
        assert.equal(found.easing, easing);
        near(found.startFrame, 24, 2, 'start');
        near(found.endFrame, 40, 2, 'end');
        assert.ok(found.confidence >= 0.5);
      });
    }
  }

  for (const type of ['dissolve', 'fade_black', 'fade_white', 'wipe', 'slide', 'circle', 'zoom'] as const) {
    it(`detects a ${type} if every second frame is skipped`, () => {
      const images = sequence(type, 'linear', 'left', 16);
      const found = only(detect(images, { withMotion: true, isThinned: true }).transitions);
      assert.equal(found.type, type);
      near(found.startFrame, 24, 2, 'start');
      near(found.endFrame, 40, 2, 'end');
    });
  }

  for (const [type, firstRow] of [
    ['slide', (edge: number) => HEIGHT - edge],
    ['wipe', () => 0],
  ] as const) {
    it(`names an edge between panned shots by whether the new picture moves with it: ${type}`, () => {
      for (const seed of [3, 7, 9]) {
        const [old, fresh] = [new Place(seed), new Place(seed + 50)];
        const length = 12;
        const images = times(25 + length + 25, (i) => {
          const edge = Math.round((HEIGHT * Math.min(length, Math.max(0, i - 24))) / length);
          const image = old.view(i / 2);
          const entering = mixed(fresh.view(i / 2), columnMeans(fresh.view(i / 2)), 0.5);
          image.set(entering.subarray(ROW * firstRow(edge), ROW * (firstRow(edge) + edge)));
          return image;
        });
        assert.equal(only(detect(images, { withMotion: true }).transitions).type, type, `seed ${seed}`);
      }
    });
  }

  for (const type of ['wipe', 'slide'] as const) {
    for (const direction of DIRECTIONS) {
      it(`detects that a ${type} moves ${direction}`, () => {
        const found = only(detect(sequence(type, 'linear', direction, 12), { withMotion: true }).transitions);
        assert.equal(found.type, type);
        assert.equal(found.direction, direction);
      });
    }
  }

  // Each place changes in the order of both axes together: no straight line over one of them predicts the time.
  for (const [down, right] of [
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ] as const) {
    it(`finds a wipe from the corner ${down ? 'above' : 'below'} on the ${right ? 'left' : 'right'}, between moving pictures`, () => {
      const picture = (place: Place, i: number) => asPicture(place.view(i / 2, i / 4));
      const drawing = cornerWipe(down, right, 0);
      const images = times(60, (i) => {
        const share = Math.min(1, Math.max(0, (i - 23) / 16));
        return Float32Array.from(drawing(picture(here, i), picture(there, i), share).data);
      });
      const found = only(detect(images, { withMotion: true }).transitions);
      assert.equal(found.type, 'wipe');
      near(found.startFrame, 24, 3, 'start');
      near(found.endFrame, 40, 3, 'end');
    });
  }

  it('detects a closing circle', () => {
    const a = here.view();
    const b = there.view();
    const closing = times(15, (i) => drawn('circle', 'left', b, a, 1 - (i + 1) / 16));
    const found = only(detect([...times(25, a), ...closing, ...times(25, b)]).transitions);
    assert.equal(found.type, 'circle');
  });

  it('detects a zoom into a point that returns as another picture', () => {
    const a = here.view();
    const b = there.view();
    const still = flat(0).map((_, i) => a[(45 * 160 + 80) * 3 + (i % 3)]);
    const diving = times(15, (i) => {
      const progress = (i + 1) / 16;
      if (progress >= 0.5) return mixed(still, b, 2 * progress - 1);
      return here.view(0, 0, 1 / (1 - 2 * progress));
    });
    const found = only(detect([...times(25, a), ...diving, ...times(25, b)]).transitions);
    assert.equal(found.type, 'zoom');
  });

  it('takes a mixture with no shot behind it for a fade that closes the clip', () => {
    const a = here.view();
    // A vignette: the middle never gets white.
    const last = a.map((value, i) => {
      const x = (Math.floor(i / 3) % 160) / 160 - 0.5;
      return value + (255 - value) * Math.min(1, 0.4 + 3 * Math.abs(x));
    });
    const closing = times(18, (i) => mixed(a, last, (i + 1) / 18));
    const found = only(detect([...times(40, a), ...closing]).transitions);
    assert.equal(found.type, 'fade_white');
    assert.equal(found.edge, 'end');
  });

  const lengths: readonly [number, number, TransitionType][] = [
    [8, 4, 'dissolve'],
    [12.5, 6, 'dissolve'],
    [24, 60, 'dissolve'],
    [60, 30, 'wipe'],
    [240, 120, 'dissolve'],
  ];
  for (const [framesPerSecond, length, type] of lengths) {
    it(`finds a ${type} of ${length} frames at ${framesPerSecond} frames a second`, () => {
      const before = Math.max(6, Math.round(framesPerSecond));
      const images = sequence(type, 'linear', 'right', length, before);
      const found = only(
        detect([...images, ...times(before, images.at(-1)!)], { framesPerSecond }).transitions,
      );
      assert.equal(found.type, type);
      // Above 31 frames a second only every so manyth frame is looked at.
      const tolerance = Math.max(1, Math.ceil(framesPerSecond / 31)) + 1;
      near(found.startFrame, before - 1, tolerance, 'start');
      near(found.endFrame, before - 1 + length, tolerance, 'end');
    });
  }

  it('reports times instead of frames if the rate varies', () => {
    const images = sequence('dissolve', 'linear', 'left', 16);
    // The first half runs at 25 frames a second, the rest at 12.5.
    const timesSeconds = images.map((_, i) => (i < 32 ? i * 0.04 : 32 * 0.04 + (i - 32) * 0.08));
    const evenly = times(images.length, (i) => {
      const share = Math.min(1, Math.max(0, (timesSeconds[i] - 0.96) / 0.8));
      return mixed(here.view(), there.view(), share);
    });
    const found = only(detect(evenly, { timesSeconds }).transitions);
    near(found.startSeconds, 0.96, 0.09, 'start');
    near(found.endSeconds, 1.76, 0.09, 'end');
  });

  it('marks fades that open and close the clip', () => {
    const a = here.view();
    const images = [
      ...times(5, flat(0)),
      ...times(15, (i) => mixed(flat(0), a, (i + 1) / 16)),
      ...times(40, a),
      ...times(15, (i) => mixed(a, flat(255), (i + 1) / 16)),
      ...times(5, flat(255)),
    ];
    const { transitions, shots } = detect(images);
    assert.deepEqual(
      transitions.map(({ type, edge }) => [type, edge]),
      [
        ['fade_black', 'start'],
        ['fade_white', 'end'],
      ],
    );
    near(transitions[0].startFrame, 4, 1, 'start of the fade-in');
    near(transitions[0].endFrame, 20, 1, 'end of the fade-in');
    near(transitions[1].startFrame, 59, 1, 'start of the fade-out');
    near(transitions[1].endFrame, 75, 1, 'end of the fade-out');
    assert.equal(shots.length, 1);
  });

  it('takes the cut that ends a fade-out into the fade', () => {
    const a = here.view();
    const out = times(12, (i) => mixed(a, flat(0), (i + 1) / 12));
    const images = [...times(25, a), ...out, ...times(4, flat(0)), ...times(25, there.view())];
    const found = only(detect(images).transitions);
    assert.equal(found.type, 'fade_black');
    assert.equal(found.edge, undefined);
    near(found.startFrame, 24, 1, 'start');
    near(found.endFrame, 41, 1, 'end');
  });
});

describe('hard cuts', () => {
  for (const first of [24, 25]) {
    it(`puts one on frame ${first} or the next if every second frame is skipped`, () => {
      const images = times(50, (i) => (i < first ? here : there).view(i / 2));
      const cut = only(detect(images, { withMotion: true, isThinned: true }).transitions);
      assert.equal(cut.type, 'cut');
      near(cut.endFrame, first, 1, 'frame');
    });
  }

  it('puts a cut on the first frame of the new shot', () => {
    const { transitions, shots } = detect([...times(20, here.view()), ...times(20, there.view())]);
    const cut = only(transitions);
    assert.deepEqual([cut.type, cut.startFrame, cut.endFrame, cut.endSeconds], ['cut', 19, 20, 0.8]);
    assert.deepEqual(
      shots.map(({ startFrame, endFrame }) => [startFrame, endFrame]),
      [
        [0, 20],
        [20, 40],
      ],
    );
    assert.equal(shots[1].endSeconds, 1.6);
  });

  for (const framesPerSecond of [8, 12.5, 30, 60, 240]) {
    it(`finds shots of half a second at ${framesPerSecond} frames a second`, () => {
      const length = Math.round(framesPerSecond / 2);
      const places = [1, 2, 3, 4, 5].map((seed) => new Place(seed));
      const images = places.flatMap((place) => times(length, (i) => place.view((8 * i) / length)));
      assert.deepEqual(
        detect(images, { framesPerSecond }).transitions.map(({ endFrame }) => endFrame),
        [1, 2, 3, 4].map((k) => k * length),
      );
    });
  }

  it('finds a cut between repeated frames', () => {
    const repeated = (place: Place) => times(36, (i) => place.view(2 * Math.floor(i / 6)));
    const { transitions } = detect([...repeated(here), ...repeated(there)], {
      framesPerSecond: 60,
      noise: 0,
    });
    assert.deepEqual(
      transitions.map(({ endFrame }) => endFrame),
      [36],
    );
  });

  it('finds a cut in the middle of a fast pan', () => {
    const pan = (place: Place) => times(20, (i) => place.view(9 * i));
    const { transitions } = detect([...pan(here), ...pan(there)], { withMotion: true });
    assert.deepEqual(
      transitions.map(({ type, endFrame }) => [type, endFrame]),
      [['cut', 20]],
    );
  });

  it('finds a cut to a tighter framing of the same place', () => {
    const images = [...times(20, here.view()), ...times(20, here.view(0, 0, 1.2))];
    assert.equal(only(detect(images, { withMotion: true }).transitions).endFrame, 20);
  });
});

describe('one shot', () => {
  const a = here.view();
  const white = flat(250);
  const half = (image: Image) => image.map((value) => 0.6 * value);
  const title = a.slice();
  for (let y = 40; y < 50; y++) title.fill(255, (y * 160 + 40) * 3, (y * 160 + 120) * 3);
  const cases: readonly [string, readonly Image[]][] = [
    ['no frame', []],
    ['one frame', [a]],
    ['two frames', [a, a]],
    ['black', times(60, flat(0))],
    ['a still', times(60, a)],
    ['a flash of one frame', [...times(20, a), white, ...times(20, a)]],
    ['a flash of three frames', [...times(20, a), ...times(3, mixed(a, white, 0.8)), ...times(20, a)]],
    [
      'a flash that fades',
      [...times(20, a), ...times(3, (i) => mixed(a, white, 1 - i / 3)), ...times(20, a)],
    ],
    ['a dropped-out frame', [...times(20, a), flat(0), ...times(20, a)]],
    ['an exposure jump', [...times(20, a), ...times(20, half(a))]],
    [
      'an exposure ramp',
      times(60, (i) => a.map((value) => value * (1 - Math.min(0.5, Math.max(0, i - 20) / 40)))),
    ],
    ['a title that fades in', times(60, (i) => mixed(a, title, Math.min(1, Math.max(0, (i - 20) / 12))))],
    ['a pan', times(75, (i) => here.view(-1.5 * i))],
    ['a fast pan that begins and ends', times(75, (i) => here.view(-4 * Math.min(20, Math.max(0, i - 25))))],
    ['a whip pan', times(60, (i) => here.view(-14 * Math.min(9, Math.max(0, i - 25))))],
    ['a zoom', times(75, (i) => here.view(0, 0, Math.exp(0.01 * i)))],
    ['a fast zoom', times(60, (i) => here.view(0, 0, Math.exp(0.04 * Math.min(15, Math.max(0, i - 20)))))],
    ['an object that crosses', times(60, (i) => crossing(a, 3 * i - 40))],
  ];
  for (const [name, images] of cases) {
    it(`stays one: ${name}`, () => {
      const { transitions, shots } = detect(images, { withMotion: true });
      assert.deepEqual(transitions, []);
      assert.equal(shots.length, images.length === 0 ? 0 : 1);
    });
  }

  it('stays one: strong noise', () => {
    assert.deepEqual(detect(times(60, a), { noise: 25 }).transitions, []);
  });
});

function crossing(image: Image, left: number): Image {
  const out = image.slice();
  for (let y = 30; y < 90; y++) {
    const from = Math.max(0, left);
    const to = Math.min(160, left + 40);
    if (to > from) out.fill(20, (y * 160 + from) * 3, (y * 160 + to) * 3);
  }
  return out;
}

describe('long clips', () => {
  it('finds each transition once, also across chunk borders', () => {
    const framesPerSecond = 10;
    const places = Array.from({ length: 14 }, (_, i) => new Place(i + 40).view());
    const images: Image[] = [];
    const expected: [string, number][] = [];
    places.forEach((view, i) => {
      const next = places[i + 1];
      images.push(...times(52, view));
      if (next === undefined) return;
      expected.push([i % 2 === 0 ? 'dissolve' : 'cut', images.length - 1]);
      if (i % 2 === 0) images.push(...times(9, (k) => mixed(view, next, (k + 1) / 10)));
    });
    const { transitions, shots } = detect(images, { framesPerSecond });
    assert.deepEqual(
      transitions.map(({ type }) => type),
      expected.map(([type]) => type),
    );
    transitions.forEach((found, i) => {
      near(found.startFrame, expected[i][1], 1, `start of ${i}`);
    });
    assert.equal(shots.length, places.length);
  });
});
