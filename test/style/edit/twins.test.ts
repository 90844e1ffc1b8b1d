/** Which takes show one moment, however they are stored. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { WHOLE_PICTURE } from '../../../src/analysis/facts.ts';
import { viewOf as smallViewOf } from '../../../src/analysis/picture/view.ts';
import type { Picture } from '../../../src/domain/footage.ts';
import type { EditTake } from '../../../src/style/edit/edit-plan.ts';
import { TakeViews, timeLinesOf } from '../../../src/style/edit/look-alikes.ts';
import { changed, noiseScene, viewOf } from '../../support/moving-picture.ts';
import { contentOf, madeTake } from './made-material.ts';

const SECONDS = 12;
const VIEWS = 2 * SECONDS;
const SIZE = [160, 90] as const;

/** A take that pans over a scene, from `start` views on, with each picture changed. */
function panned(content: number, change: (picture: Picture) => Picture, start = 0, scene = 1): EditTake {
  const picture = noiseScene(scene, 960, 270, 14);
  const take = madeTake({ content: contentOf(content), seconds: SECONDS, seed: 7 });
  const views = Array.from({ length: VIEWS }, (_, at) => {
    const seen = viewOf(picture, ...SIZE, { x: 6 * (at + start) - 70 });
    return [...smallViewOf(change(seen), WHOLE_PICTURE)];
  });
  return { ...take, material: { ...take.material, views } };
}

function cropped(left: number, top: number, side: number): (picture: Picture) => Picture {
  return ({ width, height, data }) => {
    const size = { width: Math.round(side * width), height: Math.round(side * height) };
    const at = (i: number) =>
      (Math.round(top * height) + Math.floor(i / size.width)) * width +
      Math.round(left * width) +
      (i % size.width);
    const part = Uint8Array.from({ length: size.width * size.height }, (_, i) => data[at(i)]);
    return { ...size, channels: 1, data: part };
  };
}

function mirrored({ width, height, data }: Picture): Picture {
  const turned = data.map((_, i) => data[i - (i % width) + width - 1 - (i % width)]);
  return { width, height, channels: 1, data: turned };
}

function lineOf(takes: readonly EditTake[]) {
  return timeLinesOf(
    takes,
    takes.map(({ material }) => new TakeViews(material)),
  )[1];
}

const SAME = (picture: Picture) => picture;

describe('a take is a twin of itself', () => {
  for (const [name, change] of [
    ['lighter by .05 of gamma', (one: Picture) => changed(one, (value) => 255 * (value / 255) ** 0.95)],
    [
      'lighter by .3 of gamma and flatter',
      (one: Picture) => changed(one, (value) => 200 * (value / 255) ** 0.7),
    ],
    ['smaller', (one: Picture) => viewOf({ ...one }, 80, 45, {}, 2)],
    ['cropped by a tenth', cropped(0.05, 0.05, 0.9)],
    ['cropped by a tenth at its upper left corner', cropped(0, 0, 0.9)],
    ['cropped by a fifth', cropped(0.1, 0.1, 0.8)],
  ] as const) {
    test(name, () => {
      const pair = [panned(1, SAME), panned(2, change)];
      assert.deepEqual(lineOf(pair), { group: 0, offsetSeconds: 0 });
      assert.deepEqual(lineOf([...pair].reverse()), { group: 0, offsetSeconds: 0 });
    });
  }
});

/** The first `seconds` of a take in which little moves, with the noise of one storage. */
function trimmed(take: EditTake, seconds: number, noise: number): EditTake {
  const { material } = take;
  const steps = Math.round(seconds / material.stepSeconds);
  const { motion, activity } = material.curves;
  const curves = {
    ...material.curves,
    motion: motion.slice(0, steps).map((_, at) => noise * ((at * 7) % 3)),
    activity: activity
      .slice(0, steps)
      .map((_, at) => 0.004 + 0.004 * Math.abs(Math.sin(at)) + noise * (at % 2)),
  };
  const views = material.views.slice(0, Math.ceil(seconds / material.viewSeconds));
  return { ...take, material: { ...material, durationSeconds: seconds, curves, views } };
}

describe('a trimmed shot is a twin of itself at the same time', () => {
  for (const seconds of [0.8, 1, 1.6, 2.2])
    test(`${seconds} s`, () => {
      const pair = [panned(1, SAME), panned(2, SAME)].map((take, at) => trimmed(take, seconds, 0.0002 * at));
      assert.deepEqual(lineOf(pair), { group: 0, offsetSeconds: 0 });
    });
});

/** The take with pictures of one level for some of its views. */
function blackened(take: EditTake, isBlack: (view: number) => boolean, level: number): EditTake {
  const views = take.material.views.map((view, at) => (isBlack(at) ? view.map(() => level) : view));
  return { ...take, material: { ...take.material, views } };
}

describe('black pictures decide nothing about twins', () => {
  const half = (view: number) => view >= VIEWS / 2;
  for (const [name, isBlack, other, group] of [
    ['the second half of a take and its twin', half, panned(2, SAME), 0],
    ['the second half of another take', half, panned(2, SAME, 0, 3), 1],
    ['all but two views', (view: number) => view >= 2, panned(2, SAME), 1],
  ] as const)
    test(name, () => {
      const pair = [panned(1, SAME), other].map((take, at) => blackened(take, isBlack, at));
      assert.equal(lineOf(pair).group, group);
      assert.equal(lineOf([...pair].reverse()).group, group);
    });
});

describe('no twin', () => {
  for (const [name, other] of [
    ['mirrored', panned(2, mirrored)],
    ['another scene', panned(2, SAME, 0, 3)],
  ] as const)
    test(name, () => assert.equal(lineOf([panned(1, SAME), other]).group, 1));
});

describe('a shaken take and its twin agree in few pictures', () => {
  /** Every view but each third is of another place. */
  const shaken = (content: number, noise: number, motion = 1): EditTake => {
    const take = panned(content, SAME);
    const elsewhere = panned(content, SAME, 0, content + 5).material.views;
    const { curves, views } = take.material;
    return {
      ...take,
      material: {
        ...take.material,
        views: views.map((view, at) => (at % 3 === 0 ? view : elsewhere[at]!)),
        curves: {
          ...curves,
          motion: curves.motion.map((value, at) => motion * value + noise * ((at * 7) % 3)),
        },
      },
    };
  };
  for (const [name, other, group] of [
    ['it moves alike', shaken(2, 0.001), 0],
    ['it moves otherwise', shaken(2, 0.5), 1],
    ['it is shorter', { ...trimmed(shaken(2, 0.001), SECONDS - 1, 0) }, 1],
  ] as const)
    test(name, () => {
      assert.equal(lineOf([shaken(1, 0), other]).group, group);
      assert.equal(lineOf([other, shaken(1, 0)]).group, group);
    });

  test('both hardly move', () => {
    assert.equal(lineOf([shaken(1, 0, 0.01), shaken(2, 0, 0.01)]).group, 1);
  });
});

test('where the picture rests, motion tells the moment', () => {
  const whole = madeTake({ content: contentOf(1), seconds: SECONDS, seed: 9 });
  const [view] = whole.material.views;
  const rest = { ...whole, material: { ...whole.material, views: whole.material.views.map(() => view) } };
  const part: EditTake = {
    ...rest,
    content: contentOf(2),
    material: {
      ...rest.material,
      durationSeconds: 7,
      views: rest.material.views.slice(6, 20),
      curves: Object.fromEntries(
        Object.entries(rest.material.curves).map(([name, values]) => [name, values.slice(30, 100)]),
      ) as unknown as typeof rest.material.curves,
    },
  };
  assert.ok(Math.abs(lineOf([rest, part]).offsetSeconds - 3) < 0.01);
  assert.ok(Math.abs(lineOf([part, rest]).offsetSeconds + 3) < 0.01);
});

describe('takes of one scene at other times are no twins', () => {
  test('one camera that stays: the motion in them differs', () => {
    const [take] = [panned(1, SAME)];
    const views = take.material.views.map(() => take.material.views[0]!);
    const ofSeed = (seed: number): EditTake => {
      const made = madeTake({ content: contentOf(seed), seconds: SECONDS, seed });
      return { ...made, material: { ...made.material, views } };
    };
    for (const seed of [11, 12, 13, 14]) assert.equal(lineOf([ofSeed(7), ofSeed(seed)]).group, 1, `${seed}`);
  });

  test('stills: their pictures agree by less than those of twins', () => {
    const still = (content: number, views: readonly (readonly number[])[]): EditTake => {
      const made = madeTake({ content: contentOf(content), seconds: 2, seed: 7, isMotionless: true });
      const zero = made.material.curves.motion.map(() => 0);
      const curves = { ...made.material.curves, motion: zero, activity: zero };
      return { ...made, material: { ...made.material, curves, views: [...views] } };
    };
    const view = panned(1, SAME).material.views[0]!;
    // [share of the cells that differ, is it a twin]
    for (const [share, isTwin] of [
      [0, true],
      [0.07, false],
    ] as const) {
      const other = view.map((value, cell) => (cell < share * view.length ? 255 - value : value));
      const of = (one: readonly number[]) => Array.from({ length: 4 }, () => one);
      const pair = [still(1, of(view)), still(2, of(other))];
      const [first, second] = pair.map(({ material }) => new TakeViews(material));
      const correlation = first!.correlation(0, second!, 0);
      assert.ok(correlation > 0.9, `${correlation} would be enough where something moves`);
      assert.equal(lineOf(pair).group === 0, isTwin);
    }
  });
});
