/** Limits of faults from both sides. A take of 20 s has 100 steps, each with a sample of the picture in its middle. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CameraCurves } from '../../../src/analysis/material/camera-curves.ts';
import { judgeTake } from '../../../src/analysis/material/faults.ts';
import type { PictureFacts } from '../../../src/analysis/picture-facts.ts';
import { cutAt, pictureFacts, videoFacts } from '../../support/clip-facts.ts';

const GOOD = {
  ...{ sharpness: 0.8, noise: 0, detail: 0.1, contrast: 0.2, lightness: 50 },
  ...{ black: 0, white: 0, highlight: 220, change: 100, difference: 0.1 },
};
const STEADY = { motion: 0, activity: 0, jitter: 0, support: 1 };
type Values = Readonly<Partial<typeof GOOD & typeof STEADY>>;

interface Made {
  readonly steps?: number;
  /** Of all steps. */
  readonly all?: Values;
  /** Of steps 40 to 49, or of those for which `isAt` holds. */
  readonly some?: Values;
  readonly isAt?: (step: number) => boolean;
  readonly shotStarts?: readonly number[];
}

function judged({ steps = 100, all = {}, some = {}, isAt = (at) => at >= 40 && at < 50, shotStarts }: Made) {
  const at = Array.from({ length: steps }, (_, step) => step);
  const column = (name: keyof Values) => {
    const usual = { ...GOOD, ...STEADY, ...all }[name];
    return at.map((step) => (isAt(step) ? (some[name] ?? usual) : usual));
  };
  const columns = (names: object) =>
    Object.fromEntries(Object.keys(names).map((name) => [name, column(name as keyof Values)]));
  const timesSeconds = at.map((step) => (step + 0.5) / 5);
  const picture = pictureFacts({ timesSeconds, ...(columns(GOOD) as Partial<PictureFacts>) });
  const durationSeconds = steps / 5;
  const video = videoFacts({ durationSeconds, picture });
  const shots = (shotStarts ?? [0]).map((startSeconds) => ({ ...video.shots[0]!, startSeconds }));
  return judgeTake({ ...video, shots }, columns(STEADY) as unknown as CameraCurves);
}

const spansOf = (made: Made) =>
  judged(made).faults.map(({ fault, startSeconds, endSeconds }) => [
    fault,
    Number(startSeconds.toFixed(3)),
    Number(endSeconds.toFixed(3)),
  ]);

test('each limit of a fault, from both sides', () => {
  // [fault in 10 of 100 steps, values with it, values without it]
  type Row = readonly [string, Made, readonly Made[]];
  const soft = { contrast: 0.039, detail: 0.0039, sharpness: 0.29 };
  const dark = { lightness: 3.9, highlight: 49 };
  const night = { lightness: 34.9, highlight: 180, black: 0.1 };
  const rows: readonly Row[] = [
    ['blurred', { some: { sharpness: 0.6 } }, [{ some: { sharpness: 0.61 } }]],
    ['blurred', { all: { sharpness: 0.44 } }, [{ all: { sharpness: 0.46 } }]],
    ['shaken', { some: { jitter: 0.0251 } }, [{ some: { jitter: 0.025 } }]],
    [
      'shaken',
      { some: { support: 0.19, detail: 0.0039 } },
      [{ some: { support: 0.21, detail: 0.0039 } }, { some: { support: 0.19, detail: 0.004 } }],
    ],
    ['swinging', { some: { motion: 0.91 } }, [{ some: { motion: 0.89 } }]],
    ['dark', { all: dark }, [{ all: { ...dark, lightness: 4.1 } }, { all: { ...dark, highlight: 51 } }]],
    [
      'dark',
      { some: { lightness: 29.9, highlight: 175 } },
      [{ some: { lightness: 30.1, highlight: 175 } }, { some: { lightness: 29.9, highlight: 177 } }],
    ],
    [
      'dark',
      { all: { lightness: 60 }, some: { lightness: 32.9, highlight: 100 } },
      [{ all: { lightness: 60 }, some: { lightness: 33.1, highlight: 100 } }],
    ],
    [
      'dark',
      { all: night, some: { lightness: 13.9, highlight: 90, black: 0.36 } },
      [
        { all: night, some: { lightness: 13.9, highlight: 90, black: 0.34 } },
        { all: night, some: { lightness: 14, highlight: 90, black: 0.36 } },
      ],
    ],
    ['dark', { all: { ...night, lightness: 35 }, some: { lightness: 20.9, highlight: 90 } }, []],
    [
      'overexposed',
      { some: { white: 0.5, lightness: 75 } },
      [{ some: { white: 0.5, lightness: 74.9 } }, { some: { white: 0.4, lightness: 90 } }],
    ],
    [
      'covered',
      { some: soft },
      [
        { some: { ...soft, contrast: 0.041 } },
        { some: { ...soft, detail: 0.0041 } },
        { some: { ...soft, sharpness: 0.31 } },
      ],
    ],
    ['frozen', { some: { change: 2.59 } }, [{ some: { change: 2.61 } }]],
    [
      'frozen',
      { some: { difference: 0.0159 } },
      [
        { some: { difference: 0.0161 } },
        { some: { difference: 0.0159 }, all: { motion: 0.0021 } },
        { some: { difference: 0.0159 }, all: { activity: 0.0021 } },
      ],
    ],
  ];
  for (const [fault, faulty, sound] of rows) {
    const found = (made: Made) => judged(made).faults.some((span) => span.fault === fault);
    assert.ok(found(faulty), `${fault}: ${JSON.stringify(faulty)}`);
    for (const made of sound) assert.ok(!found(made), `no ${fault}: ${JSON.stringify(made)}`);
  }
});

test('spans of faults', () => {
  const steps = (...ranges: readonly (readonly [number, number])[]) => ({
    isAt: (at: number) => ranges.some(([from, to]) => at >= from && at < to),
  });
  const swinging = { motion: 1 };
  const rows: readonly (readonly [Made, readonly (readonly [string, number, number])[]])[] = [
    [{}, []],
    [{ some: swinging }, [['swinging', 8, 10]]],
    [
      { some: swinging, ...steps([0, 5], [95, 100]) },
      [
        ['swinging', 0, 1],
        ['swinging', 19, 20],
      ],
    ],
    // Two good steps are no recovery, three are one.
    [{ some: swinging, ...steps([20, 25], [27, 30]) }, [['swinging', 4, 6]]],
    [
      { some: swinging, ...steps([20, 25], [28, 30]) },
      [
        ['swinging', 4, 5],
        ['swinging', 5.6, 6],
      ],
    ],
    // A sample's change is that from the sample before the last one; it may freeze in the window before, where nothing moves.
    [{ some: { change: 2 } }, [['frozen', 7.5, 10]]],
    [{ all: { motion: 0.1 }, some: { change: 2 } }, [['frozen', 7.7, 10]]],
    [{ all: { activity: 0.0021 }, some: { change: 2 } }, [['frozen', 7.7, 10]]],
    [{ some: { change: 2 }, ...steps([40, 41], [42, 43]) }, [['frozen', 7.5, 8.6]]],
    // A take of 3 s has a usual light, a shorter one does not.
    [{ steps: 15, some: { lightness: 20, highlight: 100 }, ...steps([10, 15]) }, [['dark', 2, 3]]],
    [{ steps: 14, some: { lightness: 20, highlight: 100 }, ...steps([9, 14]) }, []],
    // A shot of 8 s has its own light.
    [{ some: { lightness: 20, highlight: 100 }, ...steps([60, 100]), shotStarts: [0, 12] }, []],
    [
      { some: { lightness: 20, highlight: 100 }, ...steps([61, 100]), shotStarts: [0, 12.2] },
      [['dark', 12.2, 20]],
    ],
  ];
  for (const [made, expected] of rows) assert.deepEqual(spansOf(made), expected, JSON.stringify(made));
});

/** Faults of a take whose sharpness is known at each step. */
function blurredOf(sharpnessAt: (step: number) => number) {
  const timesSeconds = Array.from({ length: 100 }, (_, step) => (step + 0.5) / 5);
  const column = (value: number) => timesSeconds.map(() => value);
  const columns = Object.fromEntries(Object.entries(GOOD).map(([name, value]) => [name, column(value)]));
  const sharpness = timesSeconds.map((_, step) => sharpnessAt(step));
  const camera = { motion: column(0), activity: column(0), jitter: column(0), support: column(1) };
  const picture = pictureFacts({ timesSeconds, ...columns, sharpness });
  return judgeTake(videoFacts({ durationSeconds: 20, picture }), camera).faults.map((span) => [
    Number(span.startSeconds.toFixed(1)),
    Number(span.endSeconds.toFixed(1)),
  ]);
}

test('softness counts in short runs, and where it begins or ends at once', () => {
  // The take's best sharpness is .8; .76 of it is .608.
  const dip = (bend: number, at = 50) => blurredOf((step) => Math.min(0.8, 0.6 + bend * (step - at) ** 2));
  assert.deepEqual(dip(0.001), [[9.6, 10.6]], 'five steps');
  assert.deepEqual(dip(0.001, 50.5), [], 'six steps');
  // Falls slowly to a value, at once to .6 for 4 s, and rises slowly; and the same backwards.
  const fall = (to: number) => (step: number) =>
    step < 50
      ? Math.min(0.8, Math.max(to, to + (40 - step) * 0.01))
      : Math.min(0.8, 0.6 + Math.max(0, step - 70) * 0.012);
  for (const [to, from, last] of [
    [0.685, 10, 14.2],
    [0.675, null, null],
  ] as const) {
    const [forwards, backwards] = [blurredOf(fall(to)), blurredOf((step) => fall(to)(99 - step))];
    assert.deepEqual(forwards, from === null ? [] : [[from, last]], `${to}`);
    assert.deepEqual(
      backwards,
      from === null ? [] : [[Number((20 - last).toFixed(1)), 20 - from]],
      `${to} backwards`,
    );
  }
});

test('the best sharpness of a take is that of its clear moments', () => {
  // Noise in dark and frozen pictures looks sharp.
  const isAt = (step: number) => step < 35;
  for (const some of [
    { sharpness: 1.3, change: 2 },
    { sharpness: 1.3, lightness: 2, highlight: 20 },
  ])
    assert.ok(judged({ some, isAt }).faults.every(({ fault }) => fault !== 'blurred'));
  const blurred = blurredOf((step) => (step < 70 ? 0.3 : step < 85 ? 0.8 : 0.6));
  assert.deepEqual(blurred, [
    [0, 14],
    [17, 20],
  ]);
});

test('own cuts are faults for a quarter of a second on each side, within the take', () => {
  const { picture } = videoFacts();
  const camera = { motion: [0], activity: [0], jitter: [0], support: [1] };
  for (const [at, start, end] of [
    [10, 9.71, 10.25],
    [0.12, 0, 0.37],
    [19.92, 19.63, 20],
  ] as const) {
    const video = videoFacts({ durationSeconds: 20, picture, transitions: [cutAt(at, 25)] });
    const faults = judgeTake(video, camera).faults.filter(({ fault }) => fault === 'own_cut');
    assert.deepEqual(
      faults.map((span) => [
        span.fault,
        Number(span.startSeconds.toFixed(3)),
        Number(span.endSeconds.toFixed(3)),
      ]),
      [['own_cut', start, end]],
    );
  }
});

test('a fade from or to an end of the take costs the fade alone', () => {
  const { picture } = videoFacts();
  const camera = { motion: [0], activity: [0], jitter: [0], support: [1] };
  // [type, from, to, start of the fault, its end] in a take of 10 s.
  for (const [type, from, to, start, end] of [
    ['fade_black', 0.04, 0.4, 0, 0.4],
    ['fade_white', 9.5, 9.77, 9.5, 10],
    ['fade_black', 0.3, 0.8, 0.05, 1.05],
    ['dissolve', 9.2, 9.7, 8.95, 9.95],
    ['cut', 0.1, 0.14, 0, 0.39],
  ] as const) {
    const transition = { ...cutAt(5), type, startSeconds: from, endSeconds: to };
    const { faults } = judgeTake(
      videoFacts({ durationSeconds: 10, picture, transitions: [transition] }),
      camera,
    );
    const own = faults.filter(({ fault }) => fault === 'own_cut');
    assert.deepEqual(
      own.map((span) => [Number(span.startSeconds.toFixed(3)), Number(span.endSeconds.toFixed(3))]),
      [[start, end]],
      `${type} at ${from} s`,
    );
  }
});

test('a blur that turns black parts no trimmed shot, unless half of the shot is blurred', () => {
  // Ten steps; the last ones are blurred, the very last ones black as well.
  for (const [blurred, black, expected] of [
    [7, 3, ['dark']],
    [8, 3, ['blurred', 'dark']],
    [4, 0, []],
    [5, 0, ['blurred']],
  ] as const) {
    const at = Array.from({ length: 10 }, (_, step) => step);
    const pick = (usual: number, faulty: number, count: number) =>
      at.map((step) => (step >= 10 - count ? faulty : usual));
    const columns = Object.fromEntries(
      Object.entries(GOOD).map(([name, value]) => [name, at.map(() => value)]),
    );
    const picture = pictureFacts({
      ...(columns as Partial<PictureFacts>),
      timesSeconds: at.map((step) => (step + 0.5) / 5),
      sharpness: pick(0.8, 0.3, blurred),
      lightness: pick(50, 2, black),
      highlight: pick(220, 20, black),
    });
    const camera = {
      motion: pick(0, 0, 0),
      activity: pick(0, 0, 0),
      jitter: pick(0, 0, 0),
      support: pick(1, 1, 0),
    };
    const { faults } = judgeTake(videoFacts({ durationSeconds: 2, picture }), camera);
    assert.deepEqual(
      faults.map(({ fault }) => fault),
      expected,
      `${blurred} blurred, ${black} black`,
    );
  }
});

test('all of a take that lies on its side is a fault, also of a trimmed shot', () => {
  const camera = { motion: [0], activity: [0], jitter: [0], support: [1] };
  for (const durationSeconds of [20, 1]) {
    for (const [known, expected] of [
      [{ sidewaysConfidence: 0.8 }, [{ fault: 'sideways', startSeconds: 0, endSeconds: durationSeconds }]],
      [{}, []],
    ] as const) {
      const video = videoFacts({ durationSeconds, ...known });
      const faults = judgeTake(video, camera).faults.filter(({ fault }) => fault === 'sideways');
      assert.deepEqual(faults, expected);
    }
  }
});

test('quality is the product of sharpness, steadiness, light and clean pictures', () => {
  for (const [some, expected] of [
    [{}, 1],
    [{ jitter: 0.0125 }, Math.sqrt(0.75)],
    [{ jitter: 0.06 }, 0],
    [{ noise: 4 }, 0.5],
    [{ noise: 2 }, 0.8],
    [{ lightness: 40 }, 0.8],
    [{ lightness: 60 }, 1],
    [{ sharpness: 0.64 }, 0.8],
    [{ sharpness: 0.9 }, 1],
    [{ noise: 4, lightness: 40, sharpness: 0.64 }, 0.32],
  ] as const) {
    const { quality } = judged({ some, isAt: (at) => at >= 40 && at < 45 });
    assert.ok(Math.abs(quality[42]! - expected) < 1e-9, `${JSON.stringify(some)}: ${quality[42]}`);
    assert.equal(quality[30], 1);
  }
});

test('a take is motionless if nothing in it moves or changes', () => {
  for (const [all, some, expected] of [
    [{ change: 24, motion: 0.0004, activity: 0.0004 }, {}, true],
    [{ change: 24 }, { change: 25 }, false],
    [{ change: 24 }, { motion: 0.0006 }, false],
    [{ change: 24 }, { activity: 0.0006 }, false],
  ] as const)
    assert.equal(judged({ all, some }).isMotionless, expected, JSON.stringify([all, some]));
});
