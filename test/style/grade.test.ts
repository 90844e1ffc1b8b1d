import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ColorStatistics } from '../../src/analysis/facts.ts';
import { rgbToLab } from '../../src/signal/color-space.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import { writeCube } from '../../src/style/look/cube-file.ts';
import { cubeOf, gradeLab, gradeLut } from '../../src/style/look/grade.ts';
import { cloudOfStatistics, colorCloud } from '../../src/style/look/grade-cloud.ts';
import { type GradeSource, outOfGamutShare, planGrade } from '../../src/style/look/grade-plan.ts';
import { eigenvalues, majorAxis } from '../../src/style/look/symmetric.ts';
import { fitToneCurve } from '../../src/style/look/tone-curve.ts';
import { type DialTargets, dialsOf, dialTargets, NEUTRAL_PRIOR } from '../../src/style/model/color-dials.ts';
import { GREY_LEVELS, type Look, lookAt, NO_LOOK } from '../../src/style/model/look.ts';
import type { Style } from '../../src/style/model/schema.ts';
import type { Grade } from '../../src/style/model/timeline.ts';
import { clipFacts, colorStatistics, videoFacts } from '../support/clip-facts.ts';
import { IDENTITY_GRADE } from '../support/identity-grade.ts';

function styleOf(statistics: ColorStatistics): Style {
  const { color } = videoFacts();
  const facts = clipFacts({ video: { color: { ...color, clip: statistics } } });
  return extractStyle(facts, { createdAt: new Date(0), fingerprint: null });
}

/** A source with people in it, and with no look of its own. */
function sourceOf(statistics: ColorStatistics, parts: Partial<GradeSource> = {}): GradeSource {
  return { statistics, cloud: cloudOfStatistics(statistics), look: NO_LOOK, people: 1, ...parts };
}

function gradeTo(
  statistics: ColorStatistics,
  style: Style,
  strength: number,
  parts: Partial<GradeSource> = {},
): Grade {
  return planGrade(sourceOf(statistics, parts), style, strength)!.grade;
}

/** Statistics of many kinds, from grey film to neon, seeded. */
function randomStatistics(random: () => number): ColorStatistics {
  const between = (low: number, high: number) => low + (high - low) * random();
  const dark = between(0, 40);
  const bright = between(dark + 10, 100);
  const [sdA, sdB] = [between(0.1, 30), between(0.1, 30)];
  const mean = [between(-30, 30), between(-30, 30)] as const;
  return colorStatistics({
    lightnessPercentiles: Array.from({ length: 21 }, (_, index) => dark + ((bright - dark) * index) / 20),
    meanA: mean[0],
    meanB: mean[1],
    covariance: [sdA ** 2, between(-0.8, 0.8) * sdA * sdB, sdB ** 2],
    tones: { shadows: random() < 0.3 ? null : [mean[0], mean[1]], midtones: [...mean], highlights: null },
    neutral: { a: mean[0] / 2, b: mean[1] / 2, share: random() },
    medianChroma: Math.hypot(...mean),
  });
}

const WARM = colorStatistics({
  meanA: 6,
  meanB: 20,
  neutral: { a: 5, b: 18, share: 0.7 },
  tones: { shadows: [5, 15], midtones: [6, 20], highlights: [6, 22] },
  medianChroma: 22,
});

test('the dials and their targets are inverses', () => {
  const random = seededRandom(7);
  const between = (low: number, high: number) => low + (high - low) * random();
  for (let round = 0; round < 50; round++) {
    const p5 = between(0, 40);
    const dials = dialsOf({
      neutral: [between(-10, 10), between(-15, 15)],
      p5,
      p95: between(p5 + 10, 100),
      medianChroma: between(2, 22),
    });
    const back = dialsOf(dialTargets(dials));
    const bounded = Object.values(dials).some((value) => Math.abs(value) > 95);
    if (bounded) continue;
    for (const name of Object.keys(dials) as (keyof typeof dials)[]) {
      assert.ok(Math.abs(back[name] - dials[name]) < 0.5, `${name}: ${dials[name]} became ${back[name]}`);
    }
  }
});

const SIGNS: readonly [keyof ReturnType<typeof dialsOf>, Partial<DialTargets>, number][] = [
  ['temperature', { neutral: [3, 10] }, 1],
  ['temperature', { neutral: [-3, -10] }, -1],
  ['tint', { neutral: [8, -5] }, 1],
  ['tint', { neutral: [-8, 5] }, -1],
  ['saturation', { medianChroma: 28 }, 1],
  ['saturation', { medianChroma: 3 }, -1],
];
for (const [name, parts, sign] of SIGNS) {
  test(`${name} ${sign > 0 ? 'rises' : 'falls'} with ${JSON.stringify(parts)}`, () => {
    assert.equal(Math.sign(dialsOf({ neutral: [0, 0], ...NEUTRAL_PRIOR, ...parts })[name]), sign);
  });
}

test('a cloud has the statistics that it was drawn from', () => {
  const random = seededRandom(21);
  for (let round = 0; round < 20; round++) {
    const statistics = randomStatistics(random);
    const cloud = cloudOfStatistics(statistics);
    const mean = [0, 0, 0];
    for (let at = 0; at < cloud.length; at++) mean[at % 3] += (3 * cloud[at]) / cloud.length;
    const median = cloud[Math.floor(cloud.length / 6) * 3];
    assert.ok(Math.abs(median - statistics.lightnessPercentiles[10]) < 1, `median ${median}`);
    assert.ok(Math.hypot(mean[1] - statistics.meanA, mean[2] - statistics.meanB) < 1.5, String(mean));
  }
});

const GOLDEN: Look = {
  greys: GREY_LEVELS.map((level) => ({ in: level, out: 6 + 0.92 * level, a: 4, b: 0.16 * level })),
  chroma: 1.2,
};
const styleWithLook = (look: Look): Style => {
  const style = styleOf(colorStatistics());
  delete style.color_statistics;
  return { ...style, look: { greys: look.greys.map((grey) => ({ ...grey })), chroma: look.chroma } };
};

test('strength 0 is no grade; an authored look is applied unchanged', () => {
  assert.equal(planGrade(sourceOf(WARM), styleOf(colorStatistics()), 0), null);
  const grade = gradeTo(colorStatistics(), styleWithLook(GOLDEN), 1, { look: GOLDEN });
  const out = new Float64Array(3);
  for (const level of [30, 50, 70]) {
    gradeLab(grade, level, 0, 0, out);
    const wanted = lookAt(GOLDEN, level);
    const apart = Math.hypot(out[0] - wanted.out, out[1] - wanted.a, out[2] - wanted.b);
    assert.ok(apart < 2, `${level}: ${out}`);
  }
  assert.equal(grade.chroma, 1.2);
});

test('of a measured style, part of the source’s own look is removed first', () => {
  const measured: Style = {
    ...styleWithLook(GOLDEN),
    ...{ color_statistics: styleOf(WARM).color_statistics },
  };
  const warmth = (look: Look) => {
    const out = new Float64Array(3);
    gradeLab(gradeTo(colorStatistics(), measured, 0.3, { look }), 50, 0, 0, out);
    return out[2];
  };
  const [plain, golden] = [warmth(NO_LOOK), warmth(GOLDEN)];
  assert.ok(plain > 2 && golden < 0.9 * plain && golden > 0.4 * plain, `${plain} and ${golden}`);
});

test('black and white stays black and white up to strength .8, and its contrast follows; a toned clip keeps its tone', () => {
  const out = new Float64Array(3);
  const styled = styleOf({
    ...WARM,
    lightnessPercentiles: Array.from({ length: 21 }, (_, at) => 4 + at * 3),
  });
  const graded = (monochrome: number, strength: number, [a, b] = [0, 0]) => {
    gradeLab(gradeTo(colorStatistics(), styled, strength, { monochrome, people: 0 }), 50, a, b, out);
    return [...out] as [number, number, number];
  };
  const [lightness, a, b] = graded(1, 0.8);
  assert.ok(Math.hypot(a, b) < 1e-3 && lightness < 47, `${lightness} ${a} ${b}`);
  assert.ok(graded(0, 0.8)[2] > 2 && graded(1, 1)[2] > 8);
  const isReported = (monochrome: number, strength: number, template = styled) =>
    planGrade({ ...sourceOf(colorStatistics()), monochrome }, template, strength)!.isMonochromeKept;
  assert.deepEqual([isReported(1, 0.8), isReported(0, 0.8), isReported(1, 1)], [true, false, false]);
  assert.equal(isReported(1, 0.8, styleOf(colorStatistics())), false, 'a look without casts');
  const [, tonedA, tonedB] = graded(1, 0.8, [3, 9]);
  assert.ok(Math.hypot(tonedA - 3, tonedB - 9) < 0.5, `${tonedA} ${tonedB}`);
});

test('a logarithmic recording is developed: its contrast and color become those of a picture', () => {
  const flat = colorStatistics({
    lightnessPercentiles: Array.from({ length: 21 }, (_, at) => 30 + 2.2 * at),
    covariance: [6, 0, 12],
    medianChroma: 2,
  });
  const look: Look = {
    greys: GREY_LEVELS.map((level) => ({ in: level, out: 27 + 0.5 * level, a: 0, b: 0 })),
    chroma: 0.45,
  };
  const grade = gradeTo(flat, styleOf(colorStatistics()), 0.8, { look });
  const [dark, bright] = [new Float64Array(3), new Float64Array(3)];
  gradeLab(grade, 34, 0, 0, dark);
  gradeLab(grade, 70, 4, 4, bright);
  assert.ok(bright[0] - dark[0] > 50, `${dark[0]} to ${bright[0]}`);
  assert.ok(Math.hypot(bright[1], bright[2]) > 1.3 * Math.hypot(4, 4), String(bright));
});

test('a style too dark to watch takes 6 from a tone and less from black and from light ones, at strength 1 more, with a warning', () => {
  const black = colorStatistics({ lightnessPercentiles: Array.from({ length: 21 }, (_, at) => 0.6 * at) });
  const source = sourceOf(colorStatistics());
  const lossAt = (lightness: number, strength: number) => {
    const planned = planGrade(source, styleOf(black), strength)!;
    assert.ok(planned.isToneHeldBack);
    const out = new Float64Array(3);
    gradeLab(planned.grade, lightness, 0, 0, out);
    return lightness - out[0];
  };
  for (const [lightness, most] of [
    [10, 5],
    [20, 5.7],
    [30, 6],
    [40, 6],
    [50, 5.3],
    [60, 4.7],
    [70, 4],
  ] as const) {
    const loss = lossAt(lightness, 0.8);
    assert.ok(loss > most - 0.5 && loss < most + 0.3, `${lightness} loses ${loss}`);
  }
  assert.ok(lossAt(50, 1) > 20, `${lossAt(50, 1)}`);
  assert.ok(!planGrade(source, styleOf(colorStatistics()), 1)!.isToneHeldBack);
});

test('under a template without darks, black hair stays black where a face is found, and blacks rise by 3 at the most', () => {
  const hazy = colorStatistics({
    lightnessPercentiles: Array.from({ length: 21 }, (_, at) => 40 + 2.5 * at),
  });
  const look: Look = {
    ...NO_LOOK,
    greys: NO_LOOK.greys.map((grey) => ({ ...grey, out: Math.min(98, grey.out + 20) })),
  };
  const source = sourceOf(
    colorStatistics({ lightnessPercentiles: Array.from({ length: 21 }, (_, at) => 4.5 * at) }),
  );
  const raisedAt = (lightness: number, strength: number, faceLightness?: number) => {
    const { grade } = planGrade({ ...source, faceLightness }, { ...styleOf(hazy), look }, strength)!;
    const out = new Float64Array(3);
    gradeLab(grade, lightness, 0, 0, out);
    return out[0] - lightness;
  };
  const values = [
    raisedAt(0, 0.8),
    raisedAt(0, 1),
    raisedAt(10, 0.8, 60),
    raisedAt(10, 0.8),
    raisedAt(20, 0.8, 60),
  ];
  const [black, full, hair, free, shirt] = values as [number, number, number, number, number];
  assert.ok(black <= 3.01 && full > 8, `${values}`);
  assert.ok(hair < 5.5 && free > hair + 0.5 && free < 6.01 && shirt < 9.01, `${values}`);
});

test('under a brighter template that has blacks, darks stay dark without a face too; under one without, a dim picture rises', () => {
  const raisedAt = (lightness: number, black: number) => {
    const template = colorStatistics({
      lightnessPercentiles: Array.from({ length: 21 }, (_, at) => (at < 2 ? black : 40 + 2.5 * at)),
    });
    const source = sourceOf(
      colorStatistics({ lightnessPercentiles: Array.from({ length: 21 }, (_, at) => 4.5 * at) }),
    );
    const out = new Float64Array(3);
    gradeLab(planGrade(source, styleOf(template), 0.8)!.grade, lightness, 0, 0, out);
    return out[0] - lightness;
  };
  for (const [lightness, most] of [
    [10, 2.8],
    [20, 5.6],
    [30, 8.8],
  ] as const) {
    const [deep, pale] = [raisedAt(lightness, 5), raisedAt(lightness, 30)];
    assert.ok(deep > 0.8 * most && deep <= most + 0.01 && pale > most + 1, `${lightness}: ${deep}, ${pale}`);
  }
});

test('a dark template darkens a face by 6 at the most, and a dark face not at all', () => {
  const night = colorStatistics({ lightnessPercentiles: Array.from({ length: 21 }, (_, at) => 2.5 * at) });
  const faceAfter = (faceLightness: number) => {
    const out = new Float64Array(3);
    gradeLab(
      planGrade(sourceOf(colorStatistics(), { faceLightness }), styleOf(night), 0.8)!.grade,
      faceLightness,
      14,
      19,
      out,
    );
    return out[0];
  };
  for (const [face, least] of [
    [65, 58.5],
    [52, 45.5],
    [35, 34.5],
  ] as const)
    assert.ok(faceAfter(face) > least, `${face} becomes ${faceAfter(face)}`);
});

test('white is guarded from a measured look up to .8, and not at 1 or from an authored look', () => {
  const guards = ([0.8, 1] as const).map(
    (strength) => gradeTo(colorStatistics(), styleOf(WARM), strength).whiteGuard,
  );
  const authored = gradeTo(colorStatistics(), styleWithLook(GOLDEN), 0.8).whiteGuard;
  assert.deepEqual([...guards, authored], [1, 0, 0]);
});

test('a bright template makes no face lighter than 72, and does not change one that is lighter', () => {
  const bright = colorStatistics({
    lightnessPercentiles: Array.from({ length: 21 }, (_, at) => Math.min(100, 50 + 3 * at)),
  });
  const dim = colorStatistics({ lightnessPercentiles: Array.from({ length: 21 }, (_, at) => 4.7 * at) });
  const raiseOf = (faceLightness: number | undefined, at: number, strength = 0.8) => {
    const out = new Float64Array(3);
    const planned = planGrade(sourceOf(dim, { faceLightness }), styleOf(bright), strength)!;
    gradeLab(planned.grade, at, 0, 0, out);
    return out[0] - at;
  };
  assert.ok(raiseOf(undefined, 65) > 10, `${raiseOf(undefined, 65)}`);
  assert.ok(Math.abs(raiseOf(65, 65) - 7) < 1.5, `${raiseOf(65, 65)}`);
  assert.ok(Math.abs(raiseOf(76, 76)) < 1.5, `${raiseOf(76, 76)}`);
  assert.ok(raiseOf(65, 65, 1) > 10, 'strength 1');
});

test('wood takes the cast that skin is guarded from', () => {
  const turnOf = (people: number) => {
    const grade = gradeTo(
      colorStatistics(),
      styleWithLook({ ...GOLDEN, greys: GOLDEN.greys.map((grey) => ({ ...grey, a: -12 })) }),
      1,
      { people },
    );
    const out = new Float64Array(3);
    gradeLab(grade, 60, 16, 18, out);
    return Math.abs(Math.atan2(out[2], out[1]) - Math.atan2(18, 16)) * (180 / Math.PI);
  };
  assert.ok(turnOf(1) <= 10.01 && turnOf(0) > 20, `${turnOf(1)} and ${turnOf(0)}`);
});

test('the pale skin of a flat recording is guarded as the skin that it is', () => {
  const [pale, grey] = [
    [1.8, 2.2],
    [0.3, 0.4],
  ] as const;
  const greenish: Grade = {
    ...IDENTITY_GRADE,
    chroma: 1.4,
    offsets: [{ at: 0, a: -7, b: 9 }],
    skinGuardDegrees: 9,
  };
  const turnOf = (grade: Grade, [a, b]: readonly [number, number]) => {
    const out = new Float64Array(3);
    gradeLab(grade, 50, a, b, out);
    return ((Math.atan2(out[2], out[1]) - Math.atan2(b, a)) * 180) / Math.PI;
  };
  assert.ok(turnOf(greenish, pale) > 40, 'taken for a grey');
  assert.ok(turnOf({ ...greenish, paleness: 5 }, pale) < 20);
  assert.ok(turnOf({ ...greenish, paleness: 5 }, grey) > 40, 'greys may take any cast');
});

/** A blue stage: every grey of it is blue, and nothing in it is warm. */
const BLUE = { chroma: 1, greys: GREY_LEVELS.map((level) => ({ in: level, out: level, a: 5, b: -40 })) };

test('people under any light keep the color of skin, and the distance between skin and grey stays', () => {
  const neon = { chroma: 1.4, greys: BLUE.greys.map((grey) => ({ ...grey, a: 40, b: -10 })) };
  for (const look of [BLUE, neon, GOLDEN, { ...NO_LOOK, chroma: 1.8 }]) {
    const grade = gradeTo(colorStatistics(), styleWithLook(look), 1);
    const out = new Float64Array(3);
    const shown = (a: number, b: number) => {
      gradeLab(grade, 60, a, b, out);
      return [out[1], out[2]] as const;
    };
    const skin = [15, 18] as const;
    const kept = Math.hypot(...shown(...skin)) / Math.hypot(...skin);
    assert.ok(kept > 0.59 && kept < 1.26, `${kept} of skin's chroma`);
    // From grey over beige to skin, and across skin's hues, one step in is no more than four out.
    for (let at = 0; at < 40; at++) {
      for (const [a, b, stepA, stepB] of [
        [0.015 * at * 20, 0.02 * at * 20, 0.6, 0.8],
        [40 - at, 4, -0.6, 0.8],
        [20 - 0.5 * at, 0.5 * at, -0.7, 0.7],
      ] as const) {
        const [from, to] = [shown(a, b), shown(a + stepA, b + stepB)];
        const step = Math.hypot(to[0] - from[0], to[1] - from[1]);
        assert.ok(step < 4, `${step} at ${a}, ${b}`);
      }
    }
  }
});

test('casts are limited on people, with a warning', () => {
  const grade = (people: number) =>
    planGrade(sourceOf(colorStatistics(), { people }), styleWithLook(BLUE), 1)!;
  const [people, table] = [grade(1), grade(0)];
  const blueOf = ({ grade: { offsets } }: typeof people) => offsets[12].b;
  assert.ok(blueOf(people) < -5, 'still blue');
  assert.ok(blueOf(people) > 0.7 * blueOf(table), `${blueOf(people)} of ${blueOf(table)}`);
  assert.deepEqual([people.areCastsHeldBack, table.areCastsHeldBack], [true, false]);
  assert.ok(!planGrade(sourceOf(colorStatistics()), styleOf(WARM), 0.4)!.areCastsHeldBack);
});

test('skin loses less than a third of what a pale look takes from other colors', () => {
  const keptUnder = (chroma: number) => {
    const grade = gradeTo(colorStatistics(), styleWithLook({ ...BLUE, chroma }), 1);
    const out = new Float64Array(3);
    gradeLab(grade, 60, 14, 18, out);
    return Math.hypot(out[1], out[2]) / Math.hypot(14, 18);
  };
  assert.ok(Math.abs(keptUnder(0.5) - 0.9 * 0.5 ** 0.2) < 0.03, `${keptUnder(0.5)}`);
  assert.ok(keptUnder(0.5) > keptUnder(0.3), `${keptUnder(0.3)}`);
});

describe('up to .8 a measured look', () => {
  const measured = (look: object) => ({ ...styleOf(colorStatistics()), look }) as Style;

  test('drains colors less than at strength 1, and not at all less in black and white', () => {
    const chromaUnder = (chroma: number, strength: number) =>
      gradeTo(colorStatistics(), measured({ ...NO_LOOK, chroma, confidence: 1 }), strength).chroma;
    const [whole, careful, none] = [chromaUnder(0.4, 1), chromaUnder(0.4, 0.8), chromaUnder(0, 0.8)];
    assert.ok(careful > 0.6 && careful > whole + 0.2 && none < 0.02, `${whole} ${careful} ${none}`);
  });

  test('raises no tone of a picture with a median of 48 by more than 14', () => {
    const greys = GREY_LEVELS.map((level) => ({
      ...{ in: level, a: 0, b: 0 },
      out: Math.min(100, level + 40 * Math.sin((level * Math.PI) / 100)),
    }));
    const { lightness } = gradeTo(colorStatistics(), measured({ greys, chroma: 1, confidence: 1 }), 0.8);
    const gain = Math.max(...lightness.map((knot) => knot.out - knot.in));
    assert.ok(gain > 12 && gain < 14, `${gain}`);
  });
});

test('a red dress keeps .7 of its chroma under a look that leaves .5 to others, and loses it in black and white', () => {
  const keptUnder = (chroma: number) => {
    const pale = styleWithLook({ ...NO_LOOK, chroma });
    const out = new Float64Array(3);
    gradeLab(gradeTo(colorStatistics(), pale, 0.8, { people: 0 }), 45, 65, 40, out);
    return Math.hypot(out[1], out[2]) / Math.hypot(65, 40);
  };
  assert.ok(keptUnder(0.5) > 0.7, `${keptUnder(0.5)}`);
  assert.ok(keptUnder(0.25) > 0.5, `${keptUnder(0.25)}`);
  assert.ok(keptUnder(0.02) < 0.1, `${keptUnder(0.02)}`);
});

/** A template that is near black except for the share `visible`, 0..1. */
function mostlyBlack(visible: number, spread: number): ColorStatistics {
  const first = 20 * (1 - visible);
  return colorStatistics({
    lightnessPercentiles: Array.from({ length: 21 }, (_, at) =>
      at < first ? (7 * at) / 20 : 9 + 3 * (at - first),
    ),
    meanA: 2,
    meanB: 3,
    covariance: [spread ** 2, 0, spread ** 2],
    tones: { shadows: [1, 1], midtones: [5, 12], highlights: null },
  });
}

test('under a night of .4 visible picture a face keeps .7 of its chroma in color, and less than .45 in black and white', () => {
  const keptUnder = (chroma: number, spread: number) => {
    const style = {
      ...styleOf(mostlyBlack(0.4, spread)),
      look: { ...NO_LOOK, chroma, confidence: 0.6 },
    } as Style;
    const out = new Float64Array(3);
    gradeLab(gradeTo(colorStatistics(), style, 0.8, { people: 1 }), 60, 18, 22, out);
    return Math.hypot(out[1], out[2]) / Math.hypot(18, 22);
  };
  assert.ok(keptUnder(0.4, 6) > 0.7, `${keptUnder(0.4, 6)}`);
  assert.ok(keptUnder(0.02, 0.3) < 0.45, `${keptUnder(0.02, 0.3)}`);
});

test('a template whose visible part is colored is not black and white, however much of it is black', () => {
  const style = { ...styleOf(mostlyBlack(0.25, 1.6)), look: { ...NO_LOOK, confidence: 0.6 } } as Style;
  assert.ok(gradeTo(colorStatistics(), style, 0.8, { people: 0 }).chroma > 0.6);
});

test('asphalt under a bright drawing is raised by less than a stop, and stays grey, with a warning', () => {
  const even = (dark: number, bright: number) =>
    Array.from({ length: 21 }, (_, at) => dark + ((bright - dark) * at) / 20);
  // With black tires and white lines: without either it would count as a logarithmic recording.
  const asphalt = colorStatistics({ lightnessPercentiles: [2, ...even(22, 56).slice(1, -1), 95] });
  const drawing = colorStatistics({
    lightnessPercentiles: even(35, 90),
    meanA: -20,
    meanB: 30,
    tones: { shadows: [-20, 30], midtones: [-20, 30], highlights: [-20, 30] },
  });
  const { grade, isWhiteKept } = planGrade(sourceOf(asphalt, { people: 0 }), styleOf(drawing), 0.8)!;
  const out = new Float64Array(3);
  gradeLab(grade, 39, 0, 0, out);
  // One stop more is a lightness of 53.
  assert.ok(out[0] < 53, `${out[0]}`);
  assert.ok(Math.hypot(out[1], out[2]) < 25, `${out[1]}, ${out[2]}`);
  assert.ok(isWhiteKept);
});

test('if only figures show people, skin is guarded as much, and casts stay', () => {
  const planned = (people: number) =>
    planGrade(sourceOf(colorStatistics(), { people }), styleWithLook(BLUE), 1)!;
  const skinOf = ({ grade }: ReturnType<typeof planned>) => {
    const out = new Float64Array(3);
    gradeLab(grade, 60, 14, 18, out);
    return [out[1], out[2]] as const;
  };
  const [none, half] = [planned(0), planned(0.5)];
  assert.deepEqual(half.grade.offsets, none.grade.offsets);
  assert.ok(!half.areCastsHeldBack);
  const guarded = skinOf({ ...half, grade: { ...half.grade, skinShare: 1 } });
  for (const axis of [0, 1] as const) {
    const middle = (skinOf(none)[axis] + guarded[axis]) / 2;
    assert.ok(Math.abs(skinOf(half)[axis] - middle) < 1e-6, `${skinOf(half)[axis]} beside ${middle}`);
  }
});

test('lights stay light under a template without any, with a warning', () => {
  const dim = colorStatistics({ lightnessPercentiles: Array.from({ length: 21 }, (_, at) => 5 + 1.5 * at) });
  const table = colorStatistics({
    lightnessPercentiles: Array.from({ length: 21 }, (_, at) => Math.min(95, 10 + 6 * at)),
  });
  const out = new Float64Array(3);
  for (const [strength, least] of [
    [0.8, 85],
    [1, 60],
  ] as const) {
    const { grade, isToneHeldBack } = planGrade(sourceOf(table), styleOf(dim), strength)!;
    gradeLab(grade, 95, 0, 0, out);
    assert.ok(out[0] > least, `strength ${strength}: ${out[0]}`);
    assert.ok(isToneHeldBack);
  }
});

test('a curve is nowhere flatter than its limit where the picture is, darkened or lightened', () => {
  const slopeTowards = (low: number, high: number) => {
    const [from, to] = [
      [20, 90],
      [low, high],
    ].map(([dark, bright]) => Array.from({ length: 21 }, (_, at) => dark! + ((bright! - dark!) * at) / 20));
    const limits = { minSlope: 0.45, maxSlope: 1.42, maxBlack: 10, restraint: 0 };
    const knots = fitToneCurve(from!, to!, limits);
    return (knots[8].out - knots[4].out) / 40;
  };
  const [dark, lifted] = [slopeTowards(2, 35), slopeTowards(70, 90)];
  for (const slope of [dark, lifted]) assert.ok(slope > 0.44 && slope < 0.6, `${slope}`);
});

test('over random pairs: lightness rises everywhere within its slopes, little leaves the gamut, all is finite', () => {
  const random = seededRandom(11);
  for (let round = 0; round < 15; round++) {
    const [source, target] = [randomStatistics(random), randomStatistics(random)];
    const style = styleOf(target);
    if (round % 3 === 0) {
      delete style.color_statistics;
      delete style.look;
    }
    const grade = gradeTo(source, style, 0.2 + 0.8 * random());
    for (let at = 1; at < grade.lightness.length; at++) {
      const [left, right] = [grade.lightness[at - 1], grade.lightness[at]];
      const slope = (right.out - left.out) / (right.in - left.in);
      const used = source.lightnessPercentiles[0] <= left.in && source.lightnessPercentiles[20] >= right.in;
      assert.ok(slope >= (used ? 0.449 : 0.149) && slope <= 2.6, `slope ${slope}`);
    }
    assert.ok(grade.lightness[0].out >= 0 && grade.lightness.at(-1)!.out <= 100 + 1e-6);
    assert.ok(grade.chroma >= 0 && grade.chroma <= 2.9, `a factor of chroma of ${grade.chroma}`);
    const outside = outOfGamutShare(grade, cloudOfStatistics(source));
    assert.ok(outside <= 0.2, `${outside} out of the gamut`);
    assert.ok(!/null|NaN/.test(JSON.stringify(grade)));
  }
});

test('a stronger style is nearer to its target, in lightness and in color', () => {
  const source = colorStatistics();
  const target = { ...WARM, lightnessPercentiles: Array.from({ length: 21 }, (_, at) => 4 + at * 3) };
  const out = new Float64Array(3);
  const distances = [0.2, 0.5, 0.8, 1].map((strength) => {
    gradeLab(gradeTo(source, styleOf(target), strength), 48, 0, 0, out);
    return Math.hypot(out[0] - 34, out[1] - 6, out[2] - 20);
  });
  for (let at = 1; at < distances.length; at++)
    // This warm template is followed as a whole from .8 on: a difference of less than 1 is not visible.
    assert.ok(distances[at] <= distances[at - 1] + 1, String(distances));
  // Greys take 4 of a warm cast and lose 6 of lightness at the most.
  assert.ok(distances[2] < 0.8 * Math.hypot(48 - 34, 6, 20), String(distances));
});

test('a dark stage with few lights stays dark under a bright template, except at full strength', () => {
  const curve = (start: number, power: number) =>
    Array.from({ length: 21 }, (_, at) => start + (100 - start) * (at / 20) ** power);
  const stage = colorStatistics({ lightnessPercentiles: curve(0, 3) });
  const bright = styleOf(colorStatistics({ lightnessPercentiles: curve(40, 1) }));
  const figure = (strength: number) => {
    const out = new Float64Array(3);
    gradeLab(gradeTo(stage, bright, strength), 50, 0, 0, out);
    return out[0];
  };
  assert.ok(figure(0.8) < figure(1) - 6, `${figure(0.8)} and ${figure(1)}`);
});

test('a vivid style with the palette of a pale, warm source tints its greys little', () => {
  const look = { greys: NO_LOOK.greys.map((grey) => ({ ...grey })), chroma: 2.2 };
  const vivid: Style = { ...styleOf(WARM), look };
  const pale = { look: { ...NO_LOOK, chroma: 0.4 }, people: 0 };
  const grade = gradeTo(WARM, vivid, 0.8, pale);
  const out = new Float64Array(3);
  gradeLab(grade, 50, 0, 0, out);
  assert.ok(Math.hypot(out[1], out[2]) < 4, String(out));
});

test('a black-and-white style takes all color at the default strength', () => {
  const flat = colorStatistics({ covariance: [0.1, 0, 0.1], medianChroma: 0.3 });
  const lut = gradeLut(gradeTo(WARM, styleOf(flat), 0.8), 9);
  const lab = new Float64Array(3);
  for (let at = 0; at < lut.length; at += 3) {
    rgbToLab(lut[at], lut[at + 1], lut[at + 2], lab);
    assert.ok(Math.hypot(lab[1]!, lab[2]!) < 2, `chroma ${Math.hypot(lab[1]!, lab[2]!)}`);
  }
});

test('six dials alone act in their directions, and dials at 0 leave the picture alone', () => {
  const neutral = { temperature: 0, tint: 0, saturation: 0, contrast: 0, highlights: 0, shadows: 0 };
  const by = (dials: Partial<typeof neutral>): Grade => {
    const style = styleOf(colorStatistics());
    delete style.color_statistics;
    delete style.look;
    return gradeTo(colorStatistics(), { ...style, color_grade: { ...neutral, ...dials } }, 0.8);
  };
  const at = (grade: Grade, lightness: number, a: number, b: number) => {
    const out = new Float64Array(3);
    gradeLab(grade, lightness, a, b, out);
    return [...out] as [number, number, number];
  };
  const still = at(by({}), 40, 10, -10);
  assert.ok(Math.hypot(still[0] - 40, still[1] - 10, still[2] + 10) < 0.2, String(still));
  assert.ok(at(by({ temperature: 50 }), 50, 0, 0)[2] > 5);
  assert.ok(at(by({ temperature: -50 }), 50, 0, 0)[2] < -5);
  assert.ok(at(by({ tint: 50 }), 50, 0, 0)[1] > 4);
  assert.ok(at(by({ saturation: 60 }), 50, 20, 0)[1] > 24);
  assert.ok(Math.abs(at(by({ saturation: -100 }), 50, 20, 0)[1]) < 2);
  const contrast = by({ contrast: 60 });
  assert.ok(at(contrast, 80, 0, 0)[0] - at(contrast, 20, 0, 0)[0] > 62);
  assert.ok(at(by({ highlights: 60 }), 80, 0, 0)[0] > 81);
  assert.ok(at(by({ shadows: 60 }), 15, 0, 0)[0] > 17);
});

test('skin keeps its hue within the guard, under every style', () => {
  const random = seededRandom(5);
  const out = new Float64Array(3);
  for (let round = 0; round < 12; round++) {
    const target = { ...randomStatistics(random), covariance: [200, 0, 150] as const };
    const grade = gradeTo(colorStatistics(), styleOf(target), 1);
    for (const hue of [42, 50, 60]) {
      const [a, b] = [24 * Math.cos((hue * Math.PI) / 180), 24 * Math.sin((hue * Math.PI) / 180)];
      gradeLab(grade, 60, a, b, out);
      if (Math.hypot(out[1], out[2]) < 1) continue;
      const turned = Math.abs((Math.atan2(out[2], out[1]) * 180) / Math.PI - hue);
      assert.ok(Math.min(turned, 360 - turned) <= grade.skinGuardDegrees + 0.01, `turned ${turned}`);
    }
  }
});

test('the cube: identity for an identity grade, inside 0..1 always, written red fastest', () => {
  const lut = gradeLut(IDENTITY_GRADE, 5);
  for (let at = 0; at < 125; at++) {
    const expected = [at % 5, Math.floor(at / 5) % 5, Math.floor(at / 25)].map((value) => value / 4);
    for (let axis = 0; axis < 3; axis++) assert.ok(Math.abs(lut[at * 3 + axis] - expected[axis]) < 1e-4);
  }
  const strong = gradeLut({ ...IDENTITY_GRADE, chroma: 1.8, offsets: [{ at: 0, a: 20, b: 20 }] }, 9);
  assert.ok(strong.every((value) => value >= 0 && value <= 1));
  const lines = writeCube({ size: 5, rgb: lut }, 'a "title"\nin two').trimEnd().split('\n');
  assert.equal(lines.filter((line) => /^[\d.]+ [\d.]+ [\d.]+$/.test(line)).length, 125);
  assert.ok(lines.includes('LUT_3D_SIZE 5'));
  assert.equal(lines.indexOf('0.250000 0.000000 0.000000') - lines.indexOf('0.000000 0.000000 0.000000'), 1);
});

test('a cloud’s a and b have the covariance of the statistics, with its sign', () => {
  for (const together of [120, -120]) {
    const cloud = colorCloud({
      lightnessPercentiles: Array.from({ length: 21 }, (_, at) => 20 + 2.5 * at),
      mean: [3, 5],
      covariance: [250, together, 150],
      tones: [null, null, null],
    });
    let sum = 0;
    for (let at = 0; at < cloud.length; at += 3) sum += (cloud[at + 1] - 3) * (cloud[at + 2] - 5);
    assert.ok(Math.abs(sum / (cloud.length / 3) - together) < 30, `${sum / (cloud.length / 3)}`);
  }
});

test('eigenvalues and the major axis are those of the matrix', () => {
  const random = seededRandom(3);
  for (let round = 0; round < 20; round++) {
    const matrix = [2 * random(), 2 * random() - 1, 2 * random()] as const;
    const [x, y] = majorAxis(matrix);
    const [large, small] = eigenvalues(matrix);
    assert.ok(
      Math.hypot(matrix[0] * x + matrix[1] * y - large * x, matrix[1] * x + matrix[2] * y - large * y) < 1e-9,
    );
    assert.ok(Math.abs(large * small - (matrix[0] * matrix[2] - matrix[1] ** 2)) < 1e-9);
  }
});

test('the table of a grade is computed once, until another grade is drawn', () => {
  const table = cubeOf(IDENTITY_GRADE, 5);
  assert.equal(cubeOf({ ...IDENTITY_GRADE }, 5), table);
  assert.deepEqual(table.rgb, gradeLut(IDENTITY_GRADE, 5));
  const pale = { ...IDENTITY_GRADE, lightness: [10, 90].map((out, index) => ({ in: 100 * index, out })) };
  assert.deepEqual(cubeOf(pale, 5).rgb, gradeLut(pale, 5));
  assert.equal(cubeOf(pale, 9).size, 9);
});
