/** The second camera's framing: read as a cut, heads and captions whole, no softer than it must be. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Box, FigureLook, SubjectTrack } from '../../src/analysis/facts.ts';
import {
  type CloserOptions,
  canComeCloser,
  closerFraming,
  closerZoom,
  meanShift,
} from '../../src/style/plan/closer-framing.ts';
import { clipFacts, flatPicture } from '../support/clip-facts.ts';

const WHOLE: Box = { x: 0, y: 0, width: 1, height: 1 };
const SHOT = { startSeconds: 0, endSeconds: 8 };
const RUN = { startSeconds: 2, endSeconds: 4 };
const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });
const track = (place: Box, { from = 0, to = 8, salience = 0.6 } = {}): SubjectTrack => ({
  kind: 'motion',
  startSeconds: from,
  endSeconds: to,
  salience,
  boxes: Array.from({ length: 5 * (to - from) }, (_, k) => ({ timeSeconds: from + k / 5, box: place })),
});

/** A profile of the parts of a side, all of it between two places. */
const profile = (from: number, to: number) => {
  const shares = Array.from({ length: 24 }, (_, part) =>
    Math.max(0, Math.min(to, (part + 1) / 24) - Math.max(from, part / 24)),
  );
  return shares.map((share) => share / (to - from));
};
const lookAt = (timeSeconds: number, { x, y, width, height }: Box): FigureLook => ({
  timeSeconds,
  across: profile(x, x + width),
  down: profile(y, y + height),
});

/** `faces` are heads with shoulders, as the analysis draws them, and subjects like any other. */
function clip({
  subjects = [],
  faces = [],
  figures = [],
  captions = [],
  marks = [],
}: {
  readonly subjects?: SubjectTrack[];
  readonly faces?: SubjectTrack[];
  readonly figures?: FigureLook[];
  readonly captions?: readonly { readonly box: Box; readonly at: number }[];
  readonly marks?: readonly Box[];
}) {
  const spans = captions.map(({ box, at }) => ({ startSeconds: at, endSeconds: at + 1, box }));
  return clipFacts({
    video: {
      durationSeconds: 8,
      faces,
      figures,
      captions: { share: 0, spans, marks, style: null, confidence: 1 },
    },
    motion: { subjects: [...faces, ...subjects] },
  });
}

const closer = (parts: Parameters<typeof clip>[0], wide = WHOLE, options: Partial<CloserOptions> = {}) =>
  closerFraming(clip(parts), RUN, [wide], {
    shot: SHOT,
    area: WHOLE,
    maxZoom: 1.5,
    focus: null,
    previous: null,
    ...options,
  });
const zoomOf = (framing: Box | null, wide = WHOLE) => wide.width / framing!.width;
const holds = (outer: Box, inner: Box) =>
  inner.x >= outer.x - 1e-9 &&
  inner.y >= outer.y - 1e-9 &&
  inner.x + inner.width <= outer.x + outer.width + 1e-9 &&
  inner.y + inner.height <= outer.y + outer.height + 1e-9;
/** Share of the inner box. */
const insideShare = (outer: Box, inner: Box) => {
  const along = (axis: 'x' | 'y', side: 'width' | 'height') =>
    Math.max(
      0,
      Math.min(outer[axis] + outer[side], inner[axis] + inner[side]) - Math.max(outer[axis], inner[axis]),
    ) / inner[side];
  return along('x', 'width') * along('y', 'height');
};
const headOf = ({ x, y, width, height }: Box) => box(x + 0.2 * width, y, 0.6 * width, 0.5 * height);

describe('how far the points of the picture go across the cut', () => {
  for (const [what, framing, shift] of [
    ['nowhere', WHOLE, 0],
    ['a tenth aside', box(0.1, 0, 1, 1), 0.1],
    ['down as well', box(0.3, 0.4, 1, 1), 0.5],
    ['twice as near: by their way from the middle', box(0.25, 0.25, 0.5, 0.5), 0.375],
  ] as const) {
    test(what, () => assert.ok(Math.abs(meanShift(WHOLE, framing) - shift) < 0.001));
  }
});

describe('how much closer', () => {
  const picture = { width: 1920, height: 1080 };
  for (const [what, wide, output, zoom] of [
    ['the most, where nothing is scaled up', WHOLE, picture, 1.5],
    ['two pixels for one at most', WHOLE, { width: 2880, height: 1620 }, 2 / 1.5],
    ['but enough to be seen', WHOLE, { width: 5760, height: 3240 }, 1.2],
    ['an upright crop is scaled up already', box(0.3, 0, 0.316, 1), { width: 1080, height: 1920 }, 1.2],
    ['a crop of its own size', box(0.3, 0, 0.316, 1), { width: 606, height: 1080 }, 1.5],
  ] as const) {
    test(what, () => assert.ok(Math.abs(closerZoom([wide], output, picture) - zoom) < 0.01));
  }
});

describe('where it looks', () => {
  test('at nothing: about the middle, as close as it may', () => {
    const framing = closer({})!;
    assert.equal(zoomOf(framing), 1.5);
    assert.ok(Math.abs(framing.x + framing.width / 2 - 0.5) < 0.04);
    for (const maxZoom of [1.2, 1.3, 1.4]) {
      const aside = closer({}, WHOLE, { maxZoom })!;
      assert.ok(zoomOf(aside) <= maxZoom + 1e-9);
      assert.ok(meanShift(WHOLE, aside) > 0.15, 'less close, but aside');
    }
  });

  for (const [what, place] of [
    ['left', box(0.1, 0.3, 0.15, 0.4)],
    ['right', box(0.75, 0.3, 0.15, 0.4)],
    ['above', box(0.4, 0.05, 0.2, 0.3)],
    ['middle', box(0.4, 0.35, 0.2, 0.3)],
  ] as const) {
    test(`at its subject, ${what}: whole, with a margin, and the change is visible`, () => {
      const framing = closer({ subjects: [track(place)] })!;
      assert.ok(holds(framing, place), JSON.stringify(framing));
      assert.ok(meanShift(WHOLE, framing) >= 0.17, String(meanShift(WHOLE, framing)));
      assert.ok(holds(WHOLE, framing), 'inside the picture');
      const room = Math.min(place.x - framing.x, framing.x + framing.width - place.x - place.width);
      assert.ok(room >= 0.04 * framing.width, `room ${room}`);
    });
  }

  for (const top of [0.06, 0.1, 0.15])
    test(`at a figure, with its top at ${top}, though its lower part is more salient`, () => {
      const figures = [2, 3].map((seconds) => lookAt(seconds, box(0.3, top, 0.4, 0.95 - top)));
      const held = [0, 1, 2].map(() => track(box(0.4, 0.6, 0.2, 0.38), { salience: 1 }));
      const framing = closer({ figures, subjects: held })!;
      assert.ok(framing.y <= top + 0.03, JSON.stringify(framing));
    });

  test('a subject of another shot, or of an earlier time, does not count', () => {
    const middle = closer({});
    const place = box(0.02, 0.02, 0.1, 0.1);
    const shot = { startSeconds: 1.5, endSeconds: 4.5 };
    assert.deepEqual(closer({ subjects: [track(place, { to: 1 })] }), middle);
    assert.deepEqual(closer({ subjects: [track(place, { from: 5 })] }), middle);
    assert.deepEqual(closer({ subjects: [track(place, { to: 1 })] }, WHOLE, { shot }), middle);
    assert.notDeepEqual(closer({ subjects: [track(place, { to: 2 })] }), middle, 'just gone');
  });

  describe('at figures that are neither faces nor move', () => {
    const person = box(0.65, 0.2, 0.15, 0.6);
    const looks = [0, 1.5, 3, 4.5].map((seconds) => lookAt(seconds, person));

    test('they are seen, and what moves faintly elsewhere does not lead away from them', () => {
      const crop = box(0.55, 0, 0.316, 1);
      const faint = track(box(0.36, 0.4, 0.1, 0.2), { salience: 0.2 });
      for (const subjects of [[], [faint]]) {
        const framing = closer({ figures: looks, subjects }, crop, { maxZoom: 1.2 })!;
        assert.ok(insideShare(framing, person) > 0.8, JSON.stringify(framing));
      }
    });

    test('with a face and others, the face leads', () => {
      const bust = box(0.05, 0.1, 0.25, 0.6);
      const framing = closer({ figures: looks, faces: [track(bust, { salience: 0.8 })] })!;
      assert.ok(insideShare(framing, headOf(bust)) > 0.98, JSON.stringify(framing));
    });

    test('found only elsewhere in the shot, its head is not cut', () => {
      const missed = [2, 3].map((seconds) => ({
        timeSeconds: seconds,
        across: profile(0, 1).map(() => 0),
        down: profile(0, 1).map(() => 0),
      }));
      const small = lookAt(7, box(0.25, 0.05, 0.08, 0.6));
      assert.ok(closer({ figures: [...missed, small] })!.y <= 0.05);
    });

    test('those of another shot, and those outside the wide framing, do not count', () => {
      const options = { shot: { startSeconds: 1.6, endSeconds: 4.4 } };
      const before = [lookAt(1.5, person), lookAt(1.6, box(0.1, 0.2, 0.15, 0.6))];
      assert.ok(closer({ figures: before }, WHOLE, options)!.x < 0.1);
      const crop = box(0.1, 0, 0.316, 1);
      assert.deepEqual(closer({ figures: looks }, crop), closer({}, crop));
    });

    test('two who stand apart are both whole, or one is: never one and a half', () => {
      const two = (left: Box, right: Box) =>
        [0, 1.5, 3, 4.5].map((seconds) => {
          const [one, other] = [lookAt(seconds, left), lookAt(seconds, right)];
          return { ...one, across: one.across.map((share, part) => (share + other.across[part]!) / 2) };
        });
      const [left, right] = [box(0.3, 0.2, 0.12, 0.6), box(0.6, 0.2, 0.12, 0.6)];
      const both = closer({ figures: two(left, right) })!;
      for (const person of [left, right]) assert.ok(insideShare(both, person) > 0.8, JSON.stringify(both));
      const wide = [box(0.02, 0.2, 0.4, 0.6), box(0.58, 0.2, 0.4, 0.6)] as const;
      assert.equal(closer({ figures: two(...wide) }), null);
    });

    test('a moment at which none is seen counts as none', () => {
      const nobody = { timeSeconds: 2, across: profile(0, 1).map(() => 0), down: profile(0, 1).map(() => 0) };
      assert.deepEqual(closer({ figures: [nobody] }), closer({}));
    });
  });

  test('it stays inside the visible part', () => {
    const area = box(0.1, 0.12, 0.8, 0.76);
    const framing = closer({ subjects: [track(box(0.1, 0.2, 0.1, 0.2))] }, area, { area })!;
    assert.ok(holds(area, framing), JSON.stringify(framing));
  });

  test('the second camera stays where it was, unless that is clearly worse', () => {
    const place = box(0.7, 0.3, 0.15, 0.4);
    const previous = box(0.27, 0.1, 1 / 1.4, 1 / 1.4);
    assert.equal(closer({ subjects: [track(place)] }, WHOLE, { previous }), previous);
    const away = box(0, 0.1, 1 / 1.5, 1 / 1.5);
    assert.notEqual(closer({ subjects: [track(place)] }, WHOLE, { previous: away }), away);
    const nearly = box(0.05, 0.05, 0.9, 0.9);
    assert.notEqual(closer({ subjects: [track(place)] }, WHOLE, { previous: nearly }), nearly, 'unseen');
  });
});

describe('heads', () => {
  for (const [what, busts] of [
    ['one', [box(0.3, 0.1, 0.3, 0.6)]],
    ['close up', [box(0.15, 0.05, 0.7, 0.95)]],
    ['two', [box(0.1, 0.2, 0.3, 0.6), box(0.6, 0.25, 0.3, 0.6)]],
    ['two far apart', [box(0, 0.2, 0.22, 0.5), box(0.78, 0.2, 0.22, 0.5)]],
    ['three', [box(0.05, 0.3, 0.2, 0.5), box(0.4, 0.2, 0.2, 0.5), box(0.72, 0.3, 0.2, 0.5)]],
  ] as const) {
    test(`${what}: inside or outside, never cut`, () => {
      const framing = closer({ faces: busts.map((bust) => track(bust, { salience: 0.8 })) })!;
      const shares = busts.map((bust) => insideShare(framing, headOf(bust)));
      for (const share of shares) assert.ok(share <= 0.02 || share >= 0.98, shares.join(' '));
      assert.ok(Math.max(...shares) >= 0.98, 'somebody is seen');
    });
  }

  const crop = box(0.3, 0, 0.316, 1);

  test('one that no closer framing holds leaves the first camera', () => {
    const bust = box(0.21, 0.2, 0.48, 0.8);
    assert.equal(closer({ faces: [track(bust, { salience: 0.8 })] }, crop, { maxZoom: 1.2 }), null);
  });

  /** Moves by so much a second. */
  const walking = (speed: number) => {
    const boxes = Array.from({ length: 40 }, (_, at) => ({
      timeSeconds: at / 5,
      box: box(0.4 - speed * (at / 5 - 3), 0.1, 0.2, 0.5),
    }));
    return { ...track(box(0, 0, 0, 0), { salience: 0.8 }), kind: 'face' as const, boxes };
  };
  for (const [what, speed, isHeld] of [
    ['that sways is whole at all moments', 0.02, true],
    ['that walks through the framing leaves the first camera', 0.08, false],
  ] as const)
    test(`one ${what}`, () => {
      const face = walking(speed);
      const framing = closer({ faces: [face] }, crop, { maxZoom: 1.2 });
      assert.equal(framing !== null, isHeld);
      if (framing === null) return;
      const during = face.boxes.filter(({ timeSeconds }) => timeSeconds >= 2 && timeSeconds < 4);
      for (const one of during) assert.ok(insideShare(framing, headOf(one.box)) > 0.98);
    });

  for (const [what, top] of [
    ['high', 0.1],
    ['in the middle', 0.3],
  ] as const)
    test(`${what}: with room for hair and caps`, () => {
      const faces = [track(box(0.35, top, 0.3, 0.6), { salience: 0.8 })];
      const low = track(box(0.4, 0.75, 0.2, 0.25), { salience: 1 });
      const framing = closer({ faces, subjects: [low] })!;
      assert.ok(framing.y <= top - 0.04, JSON.stringify(framing));
    });
});

describe('figures', () => {
  test('one that rises before it is seen again has its highest place in view', () => {
    const rising = {
      ...lookAt(2, box(0.4, 0.3, 0.2, 0.7)),
      way: [] as { timeSeconds: number; x: number; y: number }[],
    };
    const looks = [-0.2, 0].map((y) => ({
      ...rising,
      way: [0, 1].map((at) => ({ timeSeconds: 2 + at, x: 0, y: at * y })),
    }));
    for (const [at, top] of [0.1, 0.3].entries())
      assert.ok(closer({ figures: [looks[at]!] })!.y <= top - 0.02, String(at));
  });

  for (const [what, faceAt, place, leastHeld] of [
    [
      'a couple of whom one face was found: neither is cut',
      box(0.08, 0.2, 0.4, 0.7),
      box(0.05, 0.2, 0.9, 0.8),
      0.84,
    ],
    ['one person: shoulders may be cut', box(0.2, 0.1, 0.6, 0.9), box(0.1, 0.1, 0.8, 0.9), 0.84],
  ] as const)
    test(what, () => {
      const figures = [2, 3].map((seconds) => lookAt(seconds, place));
      const framing = closer({ figures, faces: [track(faceAt, { salience: 0.9 })] });
      if (framing !== null)
        assert.ok(
          insideShare(box(framing.x, 0, framing.width, 1), place) >= leastHeld,
          JSON.stringify(framing),
        );
    });
});

test('a face that fills the picture from side to side gets no closer framing; one with air at a side does', () => {
  const face = (x: number, width: number): SubjectTrack => ({
    startSeconds: 0,
    endSeconds: 8,
    boxes: Array.from({ length: 40 }, (_, at) => ({ timeSeconds: at / 5, box: box(x, 0.2, width, 0.8) })),
    salience: 0.9,
    kind: 'face',
  });
  assert.equal(closer({ faces: [face(0, 1)] }), null);
  assert.equal(closer({ faces: [face(0.01, 0.98)] }), null);
  assert.notEqual(closer({ faces: [face(0.1, 0.8)] }), null);
  assert.notEqual(closer({ faces: [face(0, 0.8)] }), null);
});

describe('letters of the shot would jump in size', () => {
  const talker = [track(box(0.3, 0.1, 0.3, 0.6), { salience: 0.8 })];
  const low = box(0.35, 0.8, 0.3, 0.1);
  for (const [what, letters, canBe] of [
    ['none', {}, true],
    ['a caption in the run', { captions: [{ box: low, at: 2.5 }] }, false],
    ['one soon after it: letters that move are found late', { captions: [{ box: low, at: 5.5 }] }, false],
    ['one later', { captions: [{ box: low, at: 6.5 }] }, true],
    ['a watermark', { marks: [box(0.8, 0.05, 0.15, 0.06)] }, false],
  ] as const)
    test(what, () =>
      assert.equal(
        canComeCloser(clip({ faces: talker, ...letters }), RUN, { focus: null, needsFace: true }),
        canBe,
      ),
    );
});

describe('a face leads what comes closer', () => {
  const bust = box(0.3, 0.1, 0.3, 0.6);
  const beside = box(0.65, 0.3, 0.3, 0.6);
  for (const [what, parts, canBe] of [
    ['a face all the time', { faces: [track(bust)] }, true],
    ['a face that is gone for a fifth of the run', { faces: [track(bust, { from: 0, to: 3.6 })] }, true],
    ['a face with another that passes', { faces: [track(bust), track(beside, { from: 0, to: 2.3 })] }, true],
    ['two faces: a third would be missed', { faces: [track(bust), track(beside)] }, false],
    ['a face that is gone for half of it', { faces: [track(bust, { from: 0, to: 3 })] }, false],
    ['a figure without a face: feet would be cut', { figures: [lookAt(2, bust), lookAt(3, bust)] }, false],
    ['a thing that moves', { subjects: [track(bust)] }, false],
    ['nobody', {}, false],
  ] as readonly (readonly [string, Parameters<typeof clip>[0], boolean])[])
    test(what, () => assert.equal(canComeCloser(clip(parts), RUN, { focus: null, needsFace: true }), canBe));
});

test('a hand that goes aside in the shot is whole, or the first camera stays', () => {
  const [body, hand] = [profile(0.5, 0.9), profile(0.12, 0.18)];
  const look = (timeSeconds: number): FigureLook => ({
    timeSeconds,
    across: body.map((share, part) => 0.95 * share + 0.05 * hand[part]!),
    down: profile(0.2, 1),
  });
  const framing = closer({ figures: [6, 7].map(look), faces: [track(box(0.55, 0.15, 0.3, 0.5))] });
  if (framing !== null) assert.ok(framing.x <= 0.15, JSON.stringify(framing));
  const still = [6, 7].map((seconds) => ({ ...look(seconds), across: body }));
  const free = closer({ figures: still, faces: [track(box(0.55, 0.15, 0.3, 0.5))] })!;
  assert.ok(free.x > 0.15, `without the hand it would be closer: ${JSON.stringify(free)}`);
});

describe('a drawn picture', () => {
  for (const [what, seconds, flat, canBe] of [
    ['sampled before and after the run alone', [1, 9], [0.9, 0.9], false],
    [
      'for a moment of a drawn video, a camera’s picture',
      [0, 1, 2.5, 3.5, 5, 6, 7],
      [0.9, 0.9, 0.1, 0.1, 0.9, 0.9, 0.9],
      false,
    ],
    ['for a part of a video, in another part', [0, 2.5, 3.5, 5, 6], [0.9, 0.1, 0.1, 0.1, 0.1], true],
  ] as const) {
    test(what, () => {
      const faces = [track(box(0.3, 0.1, 0.3, 0.6), { to: 10 })];
      const source = clipFacts({
        video: { durationSeconds: 10, picture: flatPicture(seconds, flat), faces },
      });
      assert.equal(canComeCloser(source, RUN, { focus: null, needsFace: true }), canBe);
    });
  }
});
