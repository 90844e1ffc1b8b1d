import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labToRgb, rgbToLab, rgbToOklab } from '../../src/signal/color-space.ts';
import { gradeLab, gradeRgb } from '../../src/style/look/grade.ts';
import { castWithin, leastLights, stepKeepingLight, withLights } from '../../src/style/look/lights.ts';
import { castOn, mappedColor } from '../../src/style/look/strong-colors.ts';
import { toneAt } from '../../src/style/look/tone-curve.ts';
import type { Grade } from '../../src/style/model/timeline.ts';
import { IDENTITY_GRADE } from '../support/identity-grade.ts';

/** A grade with one cast at all lightness and the protection of the default strength. */
const withCast = (a: number, b: number, parts: Partial<Grade> = {}): Grade => ({
  ...IDENTITY_GRADE,
  skinGuardDegrees: 180,
  colorGuard: 1,
  offsets: [{ at: 50, a, b }],
  ...parts,
});

/** Change of hue and chroma in Oklab by a grade, of a gamma-encoded RGB color. */
function through(grade: Grade, rgb: readonly [number, number, number]) {
  const [before, after, graded] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
  rgbToOklab(rgb[0], rgb[1], rgb[2], before);
  gradeRgb(grade, ...rgb, graded);
  rgbToOklab(graded[0], graded[1], graded[2], after);
  const cross = before[1] * after[2] - before[2] * after[1];
  const dot = before[1] * after[1] + before[2] * after[2];
  return {
    degrees: Math.abs((Math.atan2(cross, dot) * 180) / Math.PI),
    chroma: Math.hypot(after[1], after[2]) / Math.hypot(before[1], before[2]),
  };
}

const NIGHT = withCast(4, -25);
const GREEN_FILM = withCast(-18, 12);
const RED_STAGE = withCast(25, 12);
const STRONG_COLORS = [
  ['red brand under a green film look', [0.85, 0.08, 0.1], GREEN_FILM],
  ['red brand under a night sky', [0.85, 0.08, 0.1], NIGHT],
  ['face in blue light under a red stage', [0.25, 0.3, 0.85], RED_STAGE],
  ['flame, red part, under a night sky', [0.8, 0.25, 0.05], NIGHT],
  ['flame, orange part, under a night sky', [0.95, 0.55, 0.1], NIGHT],
  ['flame, yellow part, under a night sky', [1, 0.8, 0.3], NIGHT],
  ['green neon under a red stage', [0.1, 0.9, 0.3], RED_STAGE],
] as const;
for (const [name, rgb, grade] of STRONG_COLORS) {
  test(`${name}: hue within 5 degrees of Oklab, .8 of its chroma`, () => {
    const { degrees, chroma } = through(grade, rgb);
    assert.ok(degrees <= 5 && chroma >= 0.8, `${degrees.toFixed(1)} degrees, ${chroma.toFixed(2)}`);
  });
}

test('a grey takes the whole cast, and a monochrome grade tints strong colors as it tints greys', () => {
  const out = new Float64Array(3);
  gradeLab(NIGHT, 50, 0, 0, out);
  assert.deepEqual([...out], [50, 4, -25]);
  gradeLab({ ...NIGHT, chroma: 0 }, 50, 60, 40, out);
  assert.ok(Math.hypot(out[1] - 4, out[2] + 25) < 1e-9, String(out));
});

// Chroma over lightness, after over before, under a look that darkens the middle by 12 and raises chroma by a quarter.
const DARK = {
  ...withCast(0, 0, { chroma: 1.25 }),
  lightness: [
    [0, 0],
    [40, 28],
    [100, 100],
  ].map(([source, target]) => ({ in: source!, out: target! })),
};
for (const [name, lightness, a, b, colorGuard, most] of [
  ['red soil, protected in part', 41, 29, 22, 1, 1.45],
  ['a red brand', 45, 60, 40, 1, 1.3],
  ['red soil at strength 1', 41, 29, 22, 0, 2],
  ['a pale wall: as the look has it', 41, 4, 3, 1, 2],
] as const)
  test(`a strong color that darkens does not glow: ${name}`, () => {
    const out = new Float64Array(3);
    gradeLab({ ...DARK, colorGuard }, lightness, a, b, out);
    const grown = Math.hypot(out[1]!, out[2]!) / out[0]! / (Math.hypot(a, b) / lightness);
    assert.ok(grown <= most && (most < 2 || grown > 1.6), `${grown.toFixed(2)} times as saturated`);
  });

test('a strong color that becomes lighter keeps the chroma of the look', () => {
  const out = new Float64Array(3);
  const light = { ...DARK, lightness: DARK.lightness.map((knot) => ({ in: knot.out, out: knot.in })) };
  gradeLab(light, 28, 29, 22, out);
  assert.ok(out[0]! > 28 && Math.hypot(out[1]!, out[2]!) > 1.2 * Math.hypot(29, 22), String(out));
});

test('a cast of a strong color’s own hue is not limited', () => {
  const [a, b] = castOn([60, 30], Math.hypot(60, 30), [10, 5], 1);
  assert.ok(Math.hypot(a - 10, b - 5) < 1e-9);
});

test('protection folds no colors: the map of (a, b) keeps its orientation under casts up to 35', () => {
  const step = 0.01;
  const at = (grade: Grade, a: number, b: number) => {
    const out = new Float64Array(3);
    gradeLab(grade, 50, a, b, out);
    return [out[1], out[2]] as const;
  };
  for (const cast of [15, 25, 35]) {
    const grade = withCast(cast, 0);
    for (let a = -90; a <= 90; a += 3) {
      for (let b = -90; b <= 90; b += 3) {
        const [here, right, up] = [at(grade, a, b), at(grade, a + step, b), at(grade, a, b + step)];
        const determinant =
          (right[0] - here[0]) * (up[1] - here[1]) - (right[1] - here[1]) * (up[0] - here[0]);
        assert.ok(determinant > 0, `cast ${cast} folds at ${a}, ${b}`);
      }
    }
  }
});

test('a paler palette leaves strong colors most of their chroma, greys none; chroma never falls', () => {
  const grade = { ...IDENTITY_GRADE, chroma: 0.6, strongChroma: 0.9 };
  let last = 0;
  for (let chroma = 1; chroma < 100; chroma++) {
    const [a, b] = mappedColor(grade, chroma, 0);
    assert.ok(a > last && b === 0);
    last = a;
  }
  assert.ok(Math.abs(mappedColor(grade, 10, 0)[0] - 6) < 1e-9);
  assert.ok(Math.abs(mappedColor(grade, 60, 0)[0] - 54) < 1e-9);
});

test('a color that gets lighter or paler keeps its hue in Oklab', () => {
  const lighter = [
    { in: 0, out: 0 },
    { in: 50, out: 65 },
    { in: 100, out: 100 },
  ];
  for (const rgb of [
    [0, 0, 1],
    [0.6, 0, 1],
    [0.78, 0, 0],
    [0.08, 0.04, 0.9],
  ] as const) {
    for (const parts of [{ chroma: 0.5, strongChroma: 0.5 }, { lightness: lighter }]) {
      const { degrees } = through(withCast(5, 12, parts), rgb);
      assert.ok(degrees <= 5, `${rgb}: ${degrees.toFixed(1)} degrees`);
    }
  }
});

test('dark skin in warm light gets darker, not red, where its graded color lies outside the gamut', () => {
  const darker = [
    { in: 0, out: 0 },
    { in: 20, out: 12 },
    { in: 100, out: 87 },
  ];
  const skin = [0.347, 0.114, 0.006] as const;
  const { degrees } = through(withCast(2, 9, { lightness: darker, chroma: 1.05 }), skin);
  assert.ok(degrees < 8, `${degrees.toFixed(1)} degrees`);
});

test('a lighter look raises red letters less than greys, and a darker one lowers them less', () => {
  const lightness = (out: number, a: number) => {
    const curve = [
      { in: 0, out: 0 },
      { in: 40, out },
      { in: 100, out: 100 },
    ];
    const lab = new Float64Array(3);
    gradeLab(withCast(0, 0, { lightness: curve }), 40, a, 0, lab);
    return lab[0];
  };
  assert.ok(Math.abs(lightness(60, 70) - 48) < 1e-9 && lightness(60, 0) === 60);
  assert.ok(Math.abs(lightness(30, 70) - 35) < 1e-9 && lightness(30, 0) === 30);
});

test('protection is even: colors that differ by 1 in chroma differ by less than 4 after a cast of 25', () => {
  const [rgb, graded, lab] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
  for (let hue = 0; hue < 2 * Math.PI; hue += Math.PI / 12) {
    let last: readonly number[] | null = null;
    for (let chroma = 0; chroma < 90; chroma++) {
      labToRgb(55, chroma * Math.cos(hue), chroma * Math.sin(hue), rgb);
      if (Math.min(...rgb) < 0 || Math.max(...rgb) > 1) break;
      gradeRgb(withCast(0, 25), rgb[0], rgb[1], rgb[2], graded);
      rgbToLab(graded[0], graded[1], graded[2], lab);
      const [l, a, b] = lab;
      const step = last === null ? 0 : Math.hypot(l - last[0], a - last[1], b - last[2]);
      assert.ok(step < 4, `${step.toFixed(1)} at hue ${hue.toFixed(2)}, chroma ${chroma}`);
      last = [l, a, b];
    }
  }
});

test('white takes a small cast under any look, mid-tones nearly all of it', () => {
  for (const cast of [10, 20, 40]) {
    assert.ok(Math.hypot(...castWithin([0, -cast], 96)) <= 8);
    assert.ok(Math.hypot(...castWithin([0, -cast], 50)) > 0.98 * cast);
  }
  assert.deepEqual(castWithin([0, 0], 96), [0, 0]);
});

test('lights keep .9 of their lightness, or .65 where the template’s own are lower; the curve still rises', () => {
  const dark = Array.from({ length: 11 }, (_, at) => ({ in: 10 * at, out: 6 * at }));
  for (const [template, least] of [
    [95, 0.9],
    [40, 0.65],
  ] as const) {
    const knots = withLights(dark, 90, leastLights({ lights: 90, whiteGround: 0 }, template, 0));
    assert.ok(toneAt(knots, 90) >= least * 90, `${toneAt(knots, 90)}`);
    for (let at = 1; at < knots.length; at++) assert.ok(knots[at].out > knots[at - 1].out);
    assert.ok(toneAt(knots, 20) < 14, 'shadows stay dark');
  }
  assert.equal(withLights(dark, 90, 50), dark, 'lights that are bright enough are left');
  // At strengths up to .8 the ground of a page stays white.
  const least = (caution: number) => leastLights({ lights: 90, whiteGround: 1 }, 40, caution);
  assert.ok(least(1) >= 0.98 * 90 && least(0) < 0.7 * 90, `${least(1)}, ${least(0)}`);
});

test('a palette removes the color of wood, and little of purple or teal light and of blue water', () => {
  const step = (own: readonly [number, number], lightness: number, caution = 1) =>
    stepKeepingLight([-own[0], -own[1]], { own, lightness, caution });
  for (const own of [
    [15, -14],
    [-14, -4],
    [1, -20],
  ] as const) {
    assert.ok(Math.hypot(...step(own, 15)) < 0.25 * Math.hypot(...own), `${step(own, 15)}`);
    assert.deepEqual(step(own, 15, 0), [-own[0], -own[1]]);
  }
  const wood = step([10, 25], 40);
  assert.ok(Math.hypot(wood[0] + 10, wood[1] + 25) < 0.1, `${wood}`);
  // A greenish wall in a bright room is no light.
  const wall = step([-6, 2], 70);
  assert.ok(Math.hypot(wall[0] - 6, wall[1] + 2) < 1e-6, `${wall}`);
  // What goes the same way is not removed.
  assert.deepEqual(stepKeepingLight([8, -8], { own: [15, -14], lightness: 15, caution: 1 }), [8, -8]);
});

test('white loses at most four of its lightness under a dark look, paper two; colors and mid-greys follow', () => {
  const dark: Grade = {
    ...withCast(0, 0, { whiteGuard: 1 }),
    lightness: [
      { in: 0, out: 0 },
      { in: 57, out: 48 },
      { in: 100, out: 86 },
    ],
  };
  const lightnessOf = (grade: Grade, lightness: number, chroma = 0) => {
    const out = new Float64Array(3);
    gradeLab(grade, lightness, 0, chroma, out);
    return out[0];
  };
  for (const [lightness, wanted] of [
    [66, 62],
    [76, 72],
    [88, 84],
  ] as const)
    assert.ok(Math.abs(lightnessOf(dark, lightness, 3) - wanted) < 0.1, `${lightnessOf(dark, lightness, 3)}`);
  const dim = { ...dark, lightness: [dark.lightness[0]!, { in: 100, out: 89 }] };
  assert.ok(Math.abs(lightnessOf(dim, 100) - 98) < 0.1, `${lightnessOf(dim, 100)}`);
  for (const [lightness, chroma] of [
    [92, 19],
    [50, 0],
  ])
    assert.equal(
      lightnessOf(dark, lightness, chroma),
      lightnessOf({ ...dark, whiteGuard: 0 }, lightness, chroma),
    );
  // Under a very dark look a pale sky is not torn from white clouds.
  const night = {
    ...dark,
    lightness: [
      { in: 0, out: 0 },
      { in: 100, out: 60 },
    ],
  };
  assert.ok(lightnessOf(night, 92, 0) - lightnessOf(night, 92, 19) <= 9 + 1e-9);
  // Neighboring tones stay in order.
  const greys = Array.from({ length: 101 }, (_, at) => lightnessOf(dark, at));
  for (let at = 1; at <= 100; at++) assert.ok(greys[at] >= greys[at - 1], `${at}`);
});

test('skin loses at most two of its lightness where a grey loses eleven, in part where only figures show people; greys and foliage follow', () => {
  const dark: Grade = {
    ...withCast(0, 0),
    lightness: [
      { in: 0, out: 0 },
      { in: 55, out: 44 },
      { in: 100, out: 90 },
    ],
  };
  const lossOf = (skinLightnessGuard: number, lightness: number, a: number, b: number) => {
    const out = new Float64Array(3);
    gradeLab({ ...dark, skinLightnessGuard }, lightness, a, b, out);
    return lightness - out[0];
  };
  for (const lightness of [40, 55, 70]) assert.ok(lossOf(1, lightness, 14, 19) <= 2 + 1e-9, `${lightness}`);
  assert.ok(Math.abs(lossOf(0.5, 55, 14, 19) - (11 + 2) / 2) < 1e-9);
  for (const [a, b] of [
    [0, 0],
    [-18, 20],
  ] as const)
    assert.equal(lossOf(1, 55, a, b), 11);
});

test('cream under a pale blue look moves by at most 2; cream in black and white loses its tint, and colors follow', () => {
  const out = new Float64Array(3);
  const moved = (grade: Grade, lightness: number, b: number) => {
    gradeLab({ ...grade, whiteGuard: 1 }, lightness, 0, b, out);
    return Math.hypot(out[1], out[2] - b);
  };
  const blue = withCast(0, -4, { chroma: 0.7 });
  assert.ok(moved(blue, 85, 4) <= 2 + 1e-9, `${moved(blue, 85, 4)}`);
  for (const [lightness, b] of [
    [85, 25],
    [50, 9],
  ] as const)
    assert.ok(moved(blue, lightness, b) > 4.5, `${moved(blue, lightness, b)}`);
  gradeLab({ ...IDENTITY_GRADE, whiteGuard: 1, chroma: 0 }, 85, 0, 5, out);
  assert.ok(Math.abs(out[2]) < 1e-9, `${out[2]}`);
});

test('walls, concrete and rope keep their color under a strong cast, and gain a tenth of their chroma; colors follow', () => {
  const out = new Float64Array(3);
  const through = (grade: Partial<Grade>, lightness: number, a: number, b: number) => {
    gradeLab({ ...withCast(0, 0), whiteGuard: 1, ...grade }, lightness, a, b, out);
    return [out[1]!, out[2]!] as const;
  };
  const blue = { offsets: [{ at: 50, a: 0, b: -14 }] };
  for (const [lightness, b, most] of [
    [40, 4, 5],
    [40, 10, 5],
    [60, 10, 3.2],
    [90, 8, 2.5],
  ] as const) {
    const [, to] = through(blue, lightness, 0, b);
    assert.ok(b - to <= most + 1e-9 && b - to > 0.6 * most, `${lightness}, ${b} becomes ${to}`);
  }
  assert.ok(through(blue, 40, -6, 26)[1] < 26 - 8, 'a color takes more');
  for (const [chroma, most] of [
    [5, 5.5],
    [10, 11],
    [30, 42],
  ] as const)
    assert.ok(Math.abs(through({ chroma: 1.4 }, 40, 0, chroma)[1] - most) < 1e-9, `${chroma}`);
});

test('a cast that greys do not take arrives in colors of another hue, and not in those of its own', () => {
  const out = new Float64Array(3);
  const moved = (a: number, b: number) => {
    gradeLab({ ...withCast(0, 0), heldCasts: [{ at: 50, a: 0, b: 20 }] }, 50, a, b, out);
    return Math.hypot(out[1]! - a, out[2]! - b);
  };
  assert.ok(moved(0, 0) < 1e-9 && moved(10, 0) < 1e-9);
  assert.ok(moved(-34, 0) > 5, `${moved(-34, 0)}`);
  assert.ok(moved(0, 34) < 1e-9, `${moved(0, 34)}`);
});
