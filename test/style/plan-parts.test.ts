/** The parts of a plan one by one, on simple clips with countable results. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Box, SubjectTrack, Transition } from '../../src/analysis/facts.ts';
import { VIEW_BYTES } from '../../src/analysis/material/take-material.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import type { Style } from '../../src/style/model/schema.ts';
import { shownArea, withMargin } from '../../src/style/plan/area.ts';
import { placeCuts } from '../../src/style/plan/cut-placement.ts';
import { baseReframe, chooseFraming, piecesByView, viewOf } from '../../src/style/plan/framing.ts';
import { planPushIns } from '../../src/style/plan/motion.ts';
import { lengthQuantile, minShotSeconds, punchIn } from '../../src/style/plan/pacing.ts';
import { between, fittingShare } from '../../src/style/plan/padding.ts';
import { type Piece, segmentsOf, wholePieces } from '../../src/style/plan/segments.ts';
import { planTransitions } from '../../src/style/plan/transitions.ts';
import { clipFacts, cutAt, flatPicture, motionFacts, pictureFacts, pulse } from '../support/clip-facts.ts';
import { greyVideo } from '../support/grey-video.ts';

const grid = { rate: { numerator: 25, denominator: 1 }, frameCount: 1000 };
const STYLE = extractStyle(clipFacts(), { createdAt: new Date(0), fingerprint: null });
/** Pieces of so many frames, one after the other. */
function piecesOf(lengths: readonly number[], reason: Piece['reason'] = 'source_cut'): Piece[] {
  let at = 0;
  return lengths.map((length, index) => {
    at += length;
    return { startFrame: at - length, endFrame: at, reason: index === 0 ? 'start' : reason, isCloser: false };
  });
}
const isNear = (seen: number, wanted: number, what = '') =>
  assert.ok(Math.abs(seen - wanted) < 1e-9, `${what} ${seen}, not ${wanted}`);

describe('push-ins', () => {
  const FOUR = [100, 100, 100, 100];
  const pushed = (
    lengths: readonly number[],
    zoom_usage: number,
    { reach = 1, reason = 'source_cut' as Piece['reason'], own = 0, template = null as number | null } = {},
  ) => {
    const source = clipFacts({ motion: { zoomShare: own } });
    const seen = template === null ? null : clipFacts({ motion: { zoomShare: template } });
    return planPushIns(
      source,
      seen,
      piecesOf(lengths, reason),
      grid,
      { ...STYLE, zoom_usage },
      { reach, seed: 1 },
    );
  };
  const count = (growth: readonly number[]) => growth.filter((one) => one > 1).length;

  for (const [what, growth, wanted] of [
    ['half of the time', pushed(FOUR, 0.5), 2],
    ['half of that at half the reach', pushed(FOUR, 0.5, { reach: 0.5 }), 1],
    ['what the source zooms itself counts', pushed(FOUR, 0.5, { own: 0.25 }), 1],
    ['a template tells better than its style', pushed(FOUR, 0.5, { template: 0.75 }), 3],
    ['punch-ins are zooms of the style too', pushed(FOUR, 1, { reason: 'punch_in' }), 1],
    ['half of a piece is brought at least', pushed(FOUR, 0.125), 1],
    ['less is not', pushed(FOUR, 0.124), 0],
    ['none within less than 1.5 s', pushed([37, 37, 37], 1), 0],
    ['but within 1.52 s', pushed([38, 38, 38], 1), 3],
  ] as const) {
    test(what, () => assert.equal(count(growth), wanted));
  }

  test('none with lettering, which would grow with the picture', () => {
    const box = { x: 0.3, y: 0.8, width: 0.4, height: 0.1 };
    const spans = [0, 4.5, 12.5].map((startSeconds) => ({ startSeconds, endSeconds: startSeconds + 3, box }));
    const source = clipFacts({
      video: { durationSeconds: 16, captions: { ...clipFacts().video.captions, spans } },
    });
    for (let seed = 1; seed <= 8; seed++) {
      const growth = planPushIns(
        source,
        null,
        piecesOf(FOUR),
        grid,
        { ...STYLE, zoom_usage: 0.5 },
        { reach: 1, seed },
      );
      assert.deepEqual([count(growth), growth[2] > 1], [1, true], `seed ${seed}`);
    }
  });

  test('none of a drawn picture', () => {
    const picture = flatPicture([1, 5, 9, 13], [0.9, 0.59, 0.9, 0.9]);
    const source = clipFacts({ video: { durationSeconds: 16, picture } });
    const style = { ...STYLE, zoom_usage: 0.5 };
    const growth = planPushIns(source, null, piecesOf(FOUR), grid, style, { reach: 1, seed: 1 });
    assert.deepEqual([count(growth), growth[1] > 1], [1, true]);
  });

  test('by 4 % a second, 14 % at most', () => {
    isNear(pushed([75], 1)[0], Math.exp(0.12));
    isNear(pushed([250], 1)[0], Math.exp(0.14));
  });

  test('shots that are surely static alone, but for a tenth of a second of a neighbour', () => {
    const of = (second: Partial<ReturnType<typeof motionFacts>['shots'][number]>, cutSeconds: number) => {
      const [shot] = motionFacts().shots;
      const source = clipFacts({
        video: { durationSeconds: 8, transitions: [cutAt(cutSeconds)] },
        motion: { shots: [shot!, { ...shot!, ...second }] },
      });
      return planPushIns(
        source,
        null,
        piecesOf([100]),
        grid,
        { ...STYLE, zoom_usage: 1 },
        { reach: 1, seed: 1 },
      );
    };
    assert.equal(count(of({}, 2)), 1);
    assert.equal(count(of({ label: 'pan' } as never, 2)), 0);
    assert.equal(count(of({ confidence: 0 }, 2)), 0);
    assert.equal(count(of({ label: 'pan' } as never, 3.92)), 1);
    assert.equal(count(of({ label: 'pan' } as never, 3.88)), 0);
  });
});

describe('transitions', () => {
  type Mix = NonNullable<Style['transition_mix']>;
  const primary = (type: Transition['type'], duration_ms = 500) =>
    ({ type, duration_ms, easing: 'ease_in' }) as const;
  const seen = (type: Transition['type'], at: number, seconds: number, direction?: string) =>
    ({ ...cutAt(at), type, startSeconds: at, endSeconds: at + seconds, direction }) as Transition;
  const planned = (
    lengths: readonly number[],
    style: Partial<Style>,
    {
      reach = 1,
      caution = 1,
      own = [] as Transition[],
      template = null as Transition[] | null,
      reason = 'source_cut' as Piece['reason'],
    } = {},
  ) =>
    planTransitions(
      clipFacts({ video: { transitions: own } }),
      template === null ? null : clipFacts({ video: { transitions: template } }),
      piecesOf(lengths, reason),
      grid,
      { ...STYLE, transition_mix: undefined, primary_transition: undefined, ...style } as Style,
      { reach, seed: 4, caution },
    );
  const typesOf = (list: ReturnType<typeof planned>) => list.map(({ type }) => type).sort();
  const mixed = (mix: Mix, type: Transition['type'] = 'cut') => ({
    transition_mix: mix,
    primary_transition: primary(type),
  });
  const FIVE = [100, 100, 100, 100, 100];

  for (const [what, list, wanted] of [
    [
      'a primary type without a mix: everywhere',
      planned(FIVE, { primary_transition: primary('zoom') }),
      ['zoom', 'zoom', 'zoom', 'zoom'],
    ],
    [
      'the mix’s share of each',
      planned(FIVE, mixed({ dissolve: 0.5, wipe: 0.25, cut: 0.25 })),
      ['dissolve', 'dissolve', 'wipe'],
    ],
    [
      'half of it at half the reach',
      planned(FIVE, mixed({ dissolve: 0.5, cut: 0.5 }), { reach: 0.5 }),
      ['dissolve'],
    ],
    [
      'less what the source has, which counts as a place',
      planned(FIVE, mixed({ dissolve: 0.5, cut: 0.5 }), {
        own: [seen('dissolve', 2, 0.5), seen('wipe', 6, 0.5)],
      }),
      ['dissolve', 'dissolve'],
    ],
    [
      'one of the primary type, where its share is less',
      planned([100, 100, 100], mixed({ dissolve: 0.1, cut: 0.9 }, 'dissolve')),
      ['dissolve'],
    ],
    [
      'the primary type first, then by their shares, where places are few',
      planned([100, 100, 100], mixed({ slide: 0.4, dissolve: 0.45, wipe: 0.35, zoom: 0.3 } as Mix, 'zoom')),
      ['dissolve', 'zoom'],
    ],
    [
      'each in turn by its share',
      planned([100, 100, 100, 100, 100], mixed({ wipe: 0.75, dissolve: 0.5 } as Mix)),
      ['dissolve', 'dissolve', 'wipe', 'wipe'],
    ],
    [
      'less those of the type that the source has, of another none',
      planned(FIVE, mixed({ dissolve: 0.5, wipe: 0.5 }), {
        own: [seen('dissolve', 2, 0.5), seen('dissolve', 6, 0.5), seen('zoom', 8, 0.5)],
      }),
      // Of seven changes each has three and a half, so four: two dissolves less, between the wipes.
      ['dissolve', 'wipe', 'wipe', 'wipe'],
    ],
    [
      'a long type leaves short shots to a shorter one',
      planned([40, 40, 40, 40, 40], {
        transition_mix: { fade_black: 0.5, dissolve: 0.5 },
        primary_transition: primary('fade_black', 1800),
      }),
      ['dissolve', 'dissolve'],
    ],
    ['none of another', planned([100, 100, 100], mixed({ dissolve: 0.1, cut: 0.9 })), []],
    [
      'nor at less than half of the reach',
      planned([100, 100, 100], mixed({ dissolve: 0.1, cut: 0.9 }, 'dissolve'), { reach: 0.49 }),
      [],
    ],
    [
      'none where part of the picture stays',
      planned(
        FIVE,
        { primary_transition: primary('zoom') },
        {
          own: [cutAt(4), { ...cutAt(8), keepsPart: true }, cutAt(12), cutAt(16)],
        },
      ),
      ['zoom', 'zoom', 'zoom'],
    ],
    ['none at punch-ins', planned(FIVE, { primary_transition: primary('zoom') }, { reason: 'punch_in' }), []],
    [
      'but where something is left out',
      planned([100, 100], { primary_transition: primary('zoom') }, { reason: 'trim' }),
      ['zoom'],
    ],
  ] as const) {
    test(what, () => assert.deepEqual(typesOf(list), wanted));
  }

  // Five shots of 4 s; small pictures at .5, 1.5 … s, of one view until the cut at 8 s, and of another in each shot after it.
  test('a jump cut stays hard: somebody who speaks on must not go dark', () => {
    const viewTimesSeconds = Array.from({ length: 20 }, (_, at) => at + 0.5);
    const random = seededRandom(3);
    const shots = Array.from({ length: 5 }, () => Array.from({ length: VIEW_BYTES }, () => 255 * random()));
    const views = viewTimesSeconds.map((seconds) => shots[seconds < 8 ? 0 : Math.floor(seconds / 4)]!);
    const picture = pictureFacts({
      viewTimesSeconds,
      views: Buffer.from(Uint8Array.from(views.flat())).toString('base64'),
    });
    const placed = planTransitions(
      clipFacts({ video: { picture } }),
      null,
      piecesOf(FIVE),
      grid,
      { ...STYLE, transition_mix: undefined, primary_transition: primary('fade_black') },
      { reach: 1, seed: 4, caution: 1 },
    );
    assert.deepEqual(
      placed.map(({ clipIndex }) => clipIndex),
      [2, 3, 4],
    );
  });

  for (const [type, lengths, caution, placed] of [
    ['wipe', FIVE, 1, 0],
    ['wipe', FIVE, 0, 1],
    ['dissolve', FIVE, 1, 1],
    ['wipe', [100, 100, 100], 1, 1],
  ] as const)
    test(`one ${type} among ${lengths.length - 1} cuts, caution ${caution}: ${placed}`, () => {
      const share = 1 / (lengths.length - 1);
      const list = planned(lengths, mixed({ cut: 1 - share, [type]: share }, type), { caution });
      assert.equal(list.length, placed);
    });

  test('a screen recording gets none up to .8: its cuts are pages that change', () => {
    // Letters that appear on a dark page, a line in each picture.
    const page = greyVideo((x, y, time) => (y === time && x < 20 ? 200 : 30));
    const countAt = (caution: number) =>
      planTransitions(
        clipFacts({ video: page }),
        null,
        piecesOf(FIVE),
        grid,
        { ...STYLE, transition_mix: undefined, primary_transition: primary('dissolve') },
        { reach: 1, seed: 4, caution },
      ).length;
    assert.deepEqual([countAt(1), countAt(0) > 0], [0, true]);
  });

  for (const [what, lengths, style, template, seconds, caution = 1] of [
    [
      'as long as the style’s, in whole frames',
      [100, 100],
      { primary_transition: primary('zoom', 500) },
      null,
      0.52,
    ],
    ['two seconds at most', [200, 200], { primary_transition: primary('zoom', 5000) }, null, 2],
    ['a slide one', [200, 200], { primary_transition: primary('slide', 5000) }, null, 1],
    [
      'at 1 four fifths of the shorter neighbour at most',
      [100, 31],
      { primary_transition: primary('zoom', 2000) },
      null,
      24 / 25,
      0,
    ],
    [
      'nothing that is shorter than four frames',
      [100, 4],
      { primary_transition: primary('zoom', 2000) },
      null,
      null,
      0,
    ],
    ['four frames', [100, 5], { primary_transition: primary('zoom', 2000) }, null, 0.16, 0],
    [
      'as the template’s middle one of the type',
      [100, 100],
      mixed({ zoom: 1 }),
      [seen('zoom', 1, 1), seen('zoom', 4, 0.4), seen('zoom', 7, 0.6), seen('wipe', 9, 0.2)],
      0.6,
    ],
    ['up to .8 two fifths of the neighbour', [100, 25], { primary_transition: primary('zoom') }, null, 0.4],
    [
      'up to .8 none where .4 s find no place',
      [100, 20],
      { primary_transition: primary('zoom') },
      null,
      null,
    ],
    [
      'up to .8 none where two thirds find no place',
      [100, 82],
      { primary_transition: primary('zoom', 2000) },
      null,
      null,
    ],
    [
      'up to .8 as much as finds place, from two thirds on',
      [100, 85],
      { primary_transition: primary('zoom', 2000) },
      null,
      1.36,
    ],
    ['half a second where nothing tells', [100, 100], mixed({ zoom: 1 }), [], 0.52],
  ] as const) {
    test(what, () => {
      const [one] = planned(lengths, style, { template: template as Transition[] | null, caution });
      assert.equal(one?.durationSeconds ?? null, seconds);
    });
  }

  test('fades through a color have the style’s, not the template’s', () => {
    const style = { primary_transition: primary('fade_color'), transition_color: '#0040ff' };
    const template = [{ ...seen('fade_color', 3, 0.5), color: '#ff0000' }];
    const [fade] = planned([100, 100], style, { template });
    assert.deepEqual([fade!.type, fade!.color], ['fade_color', '#0040ff']);
    const [zoom] = planned([100, 100], { ...style, primary_transition: primary('zoom') });
    assert.equal(zoom!.color, undefined);
  });

  test('wipes and slides go where the template’s do, or left; easing is that of the primary type', () => {
    for (const type of ['wipe', 'slide', 'dissolve'] as const) {
      const has = type !== 'dissolve';
      const [there] = planned(
        [100, 100],
        { primary_transition: primary(type) },
        { template: [seen(type, 3, 0.5, 'up')] },
      );
      assert.deepEqual([there!.direction, there!.easing], [has ? 'up' : undefined, 'ease_in']);
      const [alone] = planned([100, 100], mixed({ [type]: 1 }));
      assert.deepEqual([alone!.direction, alone!.easing], [has ? 'left' : undefined, 'linear']);
    }
  });
});

test('an output has the lines of the shot in the middle, by their lines and by their time', () => {
  // 360, 720 and 540 lines inside the bars, for 10, 4 and 8 s.
  const areas = [0.5, 1, 0.75].map((height) => ({ x: 0, y: (1 - height) / 2, width: 1, height }));
  const { video } = clipFacts({ video: { durationSeconds: 22, transitions: [cutAt(10), cutAt(14)] } });
  const source = clipFacts({ video: { ...video, shotAreas: areas } });
  const own = { rate: grid.rate, frameCount: 550 };
  const { shown } = chooseFraming(
    source,
    { ratio: 1, manner: 'crop', focus: null },
    segmentsOf(video, own),
    own,
  );
  isNear(shown.height, 540, 'height');
  isNear(shown.width, 540, 'width');
});

for (const { ratio, width, height } of [
  // No side is longer than the source's lines allow, whichever of the two is the shorter.
  { ratio: 0.5, width: 720, height: 1440 },
  { ratio: 1, width: 720, height: 720 },
  { ratio: 2.5, width: 1800, height: 720 },
])
  test(`a padded output of ratio ${ratio} holds all of the picture in as many lines as the source has`, () => {
    const source = clipFacts({ video: { durationSeconds: 4 } });
    const own = { rate: grid.rate, frameCount: 100 };
    const shots = segmentsOf(source.video, own);
    const { shown, views, cutShare } = chooseFraming(
      source,
      { ratio, manner: 'pad', focus: null },
      shots,
      own,
    );
    isNear(shown.width, width, 'width');
    isNear(shown.height, height, 'height');
    assert.deepEqual([views[0].fit, views[0].window, cutShare], ['pad', { width: 1, height: 1 }, 0]);
  });

describe('a card, of which nobody sees where it ends', () => {
  const own = { rate: grid.rate, frameCount: 200 };
  const logo = (width: number) => ({ x: 0.5 - width / 2, y: 0.4, width, height: 0.2 });
  const framed = (cards: readonly (Box | null)[], manner: 'auto' | 'crop' | 'pad' = 'auto', area?: Box) => {
    const { video } = clipFacts({ video: { durationSeconds: 8, transitions: [cutAt(4)] } });
    const shotAreas = area === undefined ? video.shotAreas : [video.shotAreas[0], area];
    const source = clipFacts({ video: { ...video, cards, shotAreas } });
    const shots = segmentsOf(source.video, own);
    const framing = chooseFraming(source, { ratio: 9 / 16, manner, focus: null }, shots, own);
    return {
      view: framing.views[1],
      first: framing.views[0],
      seen: baseReframe(source, framing, own, shots[1]),
    };
  };
  // 9:16 of 16:9.
  const CROP = (9 / 16) ** 2;

  test('that a crop holds is in its middle', () => {
    const { view, seen } = framed([null, { ...logo(0.2), x: 0.6 }]);
    assert.equal(view.fit, 'crop');
    isNear(seen.x + seen.width / 2, 0.7, 'middle');
    isNear(seen.width, CROP, 'width');
  });

  test('that no crop contains is extended, with a margin; adjacent shots are cropped', () => {
    const { view, first, seen } = framed([null, logo(0.6)]);
    assert.deepEqual([first.fit, view.fit], ['crop', 'extend']);
    isNear(seen.x, 0.17, 'x');
    isNear(seen.width, 0.66, 'width');
    isNear(seen.height, 1, 'height');
  });

  test('that a requested crop cannot contain is framed like any crop', () => {
    const { seen } = framed([null, { ...logo(0.6), x: 0.4 }], 'crop');
    isNear(seen.x + seen.width / 2, 0.5, 'middle');
  });

  for (const [what, cards, wanted] of [
    [
      'that no crop holds is framed from the middle of a dissolve on',
      [null, logo(0.6)],
      [
        ['start', 'crop', 0, 100],
        ['source_transition', 'extend', 100, 200],
      ],
    ],
    [
      'goes back to the crop in the middle of a dissolve',
      [logo(0.6), null],
      [
        ['start', 'extend', 0, 100],
        ['source_transition', 'crop', 100, 200],
      ],
    ],
    [
      'that a crop holds stays in the same clip as what it dissolves from',
      [null, logo(0.2)],
      [['start', 'crop', 0, 200]],
    ],
  ] as const) {
    test(what, () => {
      const dissolve = { type: 'dissolve', easing: 'linear', confidence: 1 } as const;
      const span = { startFrame: 80, endFrame: 120, startSeconds: 3.2, endSeconds: 4.8 };
      const { video } = clipFacts({ video: { durationSeconds: 8, transitions: [{ ...dissolve, ...span }] } });
      const source = clipFacts({ video: { ...video, cards } });
      const framing = chooseFraming(
        source,
        { ratio: 9 / 16, manner: 'auto', focus: null },
        segmentsOf(source.video, own),
        own,
      );
      const pieces = piecesByView(wholePieces(segmentsOf(source.video, own)), framing);
      const seen = pieces.map((piece) => [
        piece.reason,
        viewOf(framing, piece).fit,
        piece.startFrame,
        piece.endFrame,
      ]);
      assert.deepEqual(seen, wanted);
      // Nothing is put where the source's own change is.
      const mix = { ...STYLE, transition_mix: { wipe: 1 } };
      assert.deepEqual(
        planTransitions(source, null, pieces, own, mix, { reach: 1, seed: 1, caution: 1 }),
        [],
      );
    });
  }

  for (const [what, cards, manner, area, wanted] of [
    ['is cropped where a crop is asked for', [null, logo(0.6)], 'crop', undefined, 'crop'],
    ['is padded where padding is', [null, logo(0.6)], 'pad', undefined, 'pad'],
    ['with bars is none', [null, logo(0.6)], 'auto', { x: 0, y: 0.1, width: 1, height: 0.8 }, 'crop'],
    ['is none where nothing says so', [], 'auto', undefined, 'crop'],
  ] as const) {
    test(what, () => assert.equal(framed(cards, manner, area).view.fit, wanted));
  }
});

describe('the visible part of a picture with bars', () => {
  const bars = { x: 0.1, y: 0.1, width: 0.8, height: 0.8 };
  const area = (...boxes: Box[]) => {
    const spans = boxes.map((box) => ({ startSeconds: 1, endSeconds: 2, box }));
    const captions = { share: 1, spans, style: null, confidence: 1 };
    return shownArea(clipFacts({ video: { activeArea: bars, captions } }).video, 0, 10);
  };
  const box = (x: number, y: number, width: number, height: number) => ({ x, y, width, height });

  for (const [side, inside, outside, wanted] of [
    ['left', box(0.071, 0.4, 0.2, 0.1), box(0.05, 0.4, 0.2, 0.1), box(0.02, 0.1, 0.88, 0.8)],
    ['upper', box(0.4, 0.071, 0.2, 0.1), box(0.4, 0.05, 0.2, 0.1), box(0.1, 0.02, 0.8, 0.88)],
    ['right', box(0.7, 0.4, 0.229, 0.1), box(0.7, 0.4, 0.25, 0.1), box(0.1, 0.1, 0.88, 0.8)],
    ['lower', box(0.4, 0.7, 0.2, 0.229), box(0.4, 0.7, 0.2, 0.25), box(0.1, 0.1, 0.8, 0.88)],
  ] as const) {
    test(`a caption beyond the ${side} bar’s edge stays, with a margin`, () => {
      assert.deepEqual(area(inside), bars);
      const seen = area(outside);
      for (const key of ['x', 'y', 'width', 'height'] as const) isNear(seen[key], wanted[key], key);
    });
  }

  test('the margin ends with the picture', () => {
    assert.deepEqual(withMargin(box(0, 0, 1, 1)), box(0, 0, 1, 1));
    const roomy = withMargin(box(0.5, 0.25, 0.125, 0.5));
    for (const [key, wanted] of Object.entries(box(0.47, 0.22, 0.185, 0.56)))
      isNear(roomy[key as 'x'], wanted, key);
  });
});

describe('a window that holds the subjects', () => {
  const WHOLE = { x: 0, y: 0, width: 1, height: 1 };
  /** From `from` on, so wide. */
  const subject = (from: number, size: number, upright: boolean, salience: number): SubjectTrack => ({
    kind: 'motion',
    startSeconds: 0,
    endSeconds: 4,
    salience,
    boxes: Array.from({ length: 20 }, (_, k) => ({
      timeSeconds: k / 5,
      box: upright
        ? { x: 0.4, y: from, width: 0.1, height: size }
        : { x: from, y: 0.4, width: size, height: 0.1 },
    })),
  });
  /** Two subjects, each a tenth wide, with this distance between their edges; one alone: the whole. */
  const subjectsOver = (size: number, upright: boolean, saliences: readonly number[]) => {
    const [first, second] = saliences as [number, number?];
    return second === undefined
      ? [subject(0.005, size, upright, first)]
      : [subject(0.005, 0.1, upright, first), subject(size - 0.095, 0.1, upright, second)];
  };
  const window = (
    size: number,
    { upright = false, saliences = [0.5, 0.5], caption = 0, area = WHOLE } = {},
  ) => {
    const spans =
      caption === 0
        ? []
        : [{ startSeconds: 0, endSeconds: 4, box: { x: 0.1, y: 0.1, width: caption, height: 0.1 } }];
    const captions = { share: 0, spans, style: null, confidence: 1 };
    const source = clipFacts({
      video: { captions },
      motion: { subjects: subjectsOver(size, upright, saliences) },
    });
    const crop = upright ? { width: 1, height: 0.3 } : { width: 0.3, height: 1 };
    const share = fittingShare(source, { startSeconds: 0, endSeconds: 4 }, crop, area);
    const found = between(crop, area, share);
    return upright ? found.height : found.width;
  };
  const step = (count: number, whole = 1) => 0.3 + (count / 12) * (whole - 0.3);
  for (const [what, seen, wanted] of [
    // Cores of 0.06 each: of the second a half is left out.
    ['the crop, where it holds three quarters of their cores', window(0.369), 0.3],
    ['else the smallest of twelve that holds 97 %', window(0.371), step(2)],
    ['or a larger one', window(0.5), step(4)],
    ['or all there is', window(0.99), 1],
    ['likewise upright', window(0.369, { upright: true }), 0.3],
    ['and larger', window(0.5, { upright: true }), step(4)],
    ['within the part that is shown', window(0.5, { area: { ...WHOLE, width: 0.7 } }), step(6, 0.7)],
    ['one alone is cropped, however wide', window(0.99, { saliences: [0.5] }), 0.3],
    ['one that counts a third of the other is not worth it', window(0.5, { saliences: [0.61, 0.2] }), 0.3],
    ['one that counts more is', window(0.5, { saliences: [0.59, 0.2] }), step(4)],
    ['what is faint does not count', window(0.5, { saliences: [0.3, 0.19] }), 0.3],
    ['what is not does', window(0.5, { saliences: [0.3, 0.21] }), step(4)],
    ['captions are held whole, with a margin', window(0.3, { caption: 0.6 }), step(8)],
    ['or by the crop', window(0.29, { caption: 0.2 }), 0.3],
    ['not at its very edges', window(0.3, { caption: 0.25 }), step(2)],
  ] as const) {
    test(what, () => isNear(seen, wanted));
  }

  for (const [what, head, caption, asks] of [
    ['a head and a caption that a crop holds together', 0.4, 0.55, false],
    ['a head above, out of reach from the caption', 0.05, 0.75, true],
    ['a caption above, out of reach from the head', 0.6, 0.05, true],
    ['a caption at its very edge', 0.4, 0.3, false],
  ] as const) {
    test(`${what}: ${asks ? 'more than a crop' : 'a crop'}`, () => {
      const spans = [
        { startSeconds: 0, endSeconds: 4, box: { x: 0.2, y: caption, width: 0.6, height: 0.08 } },
      ];
      const source = clipFacts({
        video: { captions: { share: 1, spans, style: null, confidence: 1 } },
        motion: { subjects: [subject(head, 0.2, true, 0.5)] },
      });
      const share = fittingShare(
        source,
        { startSeconds: 0, endSeconds: 4 },
        { width: 1, height: 0.3 },
        WHOLE,
      );
      assert.equal(share > 0, asks, String(share));
      // Its demand contains both: from the top of one to the end of the other, with the caption's margin.
      const needed = Math.max(head + 0.2, caption + 0.11) - Math.min(head, caption - 0.03);
      assert.ok(!asks || 0.3 + share * 0.7 >= 0.97 * needed - 0.2 * 0.03, String(share));
    });
  }
});

describe('cuts', () => {
  for (const [what, proposals, candidates, minFrames, wanted] of [
    ['the nearest of each', [100, 200], [95, 110, 195, 230], 20, [95, 195]],
    ['both, though the nearest of one leaves the other none', [100, 112], [100, 110, 150], 30, [100, 150]],
    ['the least of the squares', [100, 110], [60, 100, 140], 30, [100, 140]],
    ['one, where there is no second', [75, 150, 225], [150], 20, [150]],
    ['none where there is none', [100, 200], [], 20, []],
    ['as far apart as they must be', [100, 120], [100, 119], 20, [100]],
    ['and no farther', [100, 120], [100, 120], 20, [100, 120]],
    ['what is out of reach halves the longest gaps', [10, 20], [200, 280], 20, [200, 280]],
    ['where both parts are long enough', [10, 20], [200, 280], 21, [200]],
    ['the middle of them first', [10], [200, 220, 240], 20, [200]],
  ] as const) {
    test(what, () => {
      const frames = candidates.map((frame) => ({ frame, cost: 0 }));
      assert.deepEqual(
        placeCuts(proposals, frames, { startFrame: 0, endFrame: 300 }, () => minFrames),
        wanted,
      );
    });
  }

  test('the applied share of the style’s number, less those of the source; openings and endings do not count', () => {
    const fade = { ...cutAt(39), type: 'fade_black', edge: 'end' } as unknown as Transition;
    const source = clipFacts({ video: { transitions: [cutAt(10), cutAt(20), fade] } });
    const style = { ...STYLE, cut_frequency: 0.5 };
    const wanted = (reach: number) => {
      const { wantedCuts, placedCuts } = punchIn(source, segmentsOf(source.video, grid), grid, style, {
        reach,
        seed: 1,
        caution: 0,
      });
      return [wantedCuts, placedCuts];
    };
    assert.deepEqual(
      [wanted(1), wanted(0.5), wanted(0)],
      [
        [18, 18],
        [9, 9],
        [0, 0],
      ],
    );
  });

  test('that find no place near where they would fall part the longest that is left', () => {
    const whole = { startFrame: 0, endFrame: 1000 };
    const placed = (candidates: readonly number[], wanted: number) =>
      placeCuts(
        Array.from({ length: wanted }, (_, k) => k + 5),
        candidates.map((frame) => ({ frame, cost: 0 })),
        whole,
        () => 50,
      );
    // All would fall at the beginning, out of reach of any beat.
    assert.deepEqual(placed([610, 740, 760, 960], 1), [610]);
    assert.deepEqual(placed([610, 780, 790, 810, 960], 2), [610, 810]);
    assert.deepEqual(placed([520, 540, 750, 765, 955], 3), [520, 765]);
    assert.deepEqual(placed([300, 520, 950], 5), [300, 520, 950]);
    assert.deepEqual(placed([960], 1), []);
  });

  describe('fall where they may', () => {
    const style = { ...STYLE, cut_frequency: 0.5 };
    const cutsOf = (source: ReturnType<typeof clipFacts>, given: Style = style) =>
      punchIn(source, segmentsOf(source.video, grid), grid, given, { reach: 1, seed: 1, caution: 0 })
        .pieces.map(({ startFrame }) => startFrame)
        .filter((frame) => frame > 0);

    test('on beats, from eight of them on; else on the template’s where its cuts do', () => {
      // 50 beats a minute: every 30 frames.
      const beats = (count: number) => ({ audio: pulse(50, (count * 60) / 50) });
      const onBeats = (frames: readonly number[], every: number) =>
        frames.filter((frame) => frame % every === 0).length === frames.length && frames.length > 5;
      assert.ok(onBeats(cutsOf(clipFacts({ audio: pulse(50, 40) })), 30));
      assert.ok(!onBeats(cutsOf(clipFacts(beats(7))), 30));
      // Eight beats end after 9.6 s.
      const few = cutsOf(clipFacts(beats(8)));
      assert.ok(few.length > 0 && few.every((frame) => frame % 30 === 0 && frame <= 7 * 30), `${few}`);
      for (const [cuts_on_beat, isLocked] of [
        [0.21, true],
        [0.19, false],
      ] as const)
        assert.equal(onBeats(cutsOf(clipFacts(), { ...style, cuts_on_beat, tempo_bpm: 50 }), 30), isLocked);
    });

    test('but not inside speech; at its very end they may', () => {
      const span = (startSeconds: number, endSeconds: number) => ({ startSeconds, endSeconds });
      // Beats every 1.2 s: of 33 only those at 2.4, 12, 24 and 36 s are not inside.
      const spans = [span(0, 2.4), span(2.5, 12), span(3, 5), span(12.1, 24), span(24.1, 36), span(36.1, 40)];
      const speech = { share: 0.9, spans, confidence: 0.9 };
      assert.deepEqual(cutsOf(clipFacts({ audio: { ...pulse(50, 40), speech } })), [60, 300, 600, 900]);
      // One that begins on a beat forbids it.
      const begun = { ...speech, spans: [...spans.slice(0, 3), span(12, 24), ...spans.slice(4)] };
      assert.deepEqual(cutsOf(clipFacts({ audio: { ...pulse(50, 40), speech: begun } })), [60, 600, 900]);
    });

    test('in the segment whose shots would be longest, while all are long enough', () => {
      const source = clipFacts({ video: { transitions: [cutAt(20), cutAt(31)] } });
      for (const [wantedCuts, perSegment] of [
        [1, [1, 0, 0]],
        [2, [1, 1, 0]],
        [3, [2, 1, 0]],
        [4, [2, 1, 1]],
        [5, [3, 1, 1]],
        [6, [3, 2, 1]],
      ] as const) {
        const cut_frequency = (wantedCuts + 2) / 40;
        const frames = cutsOf(source, { ...STYLE, cut_frequency });
        const inside = [0, 500, 775].map(
          (from, index) => frames.filter((at) => at > from && at < [500, 775, 1000][index]).length,
        );
        assert.deepEqual(inside, perSegment, `${wantedCuts}: ${frames}`);
      }
    });

    test('no shot becomes shorter than the limit, for any requested number', () => {
      const lengths = { p10: 2, p25: 2, p50: 2, p75: 2, p90: 2, mean: 2 };
      const frames = cutsOf(clipFacts(), { ...STYLE, cut_frequency: 3, shot_lengths: lengths });
      const bounds = [0, ...frames, 1000];
      const shortest = Math.min(...bounds.slice(1).map((frame, index) => frame - bounds[index]));
      // Three fifths of the tenth quantile are 1.2 s; cuts may fall at tenths of a second.
      assert.ok(shortest >= 30 && shortest <= 33, `${shortest} frames`);
    });
  });

  test('lengths of shots lie between the style’s quantiles, without them about its mean', () => {
    const told = { ...STYLE, shot_lengths: { p10: 1, p25: 2, p50: 4, p75: 6, p90: 10, mean: 5 } };
    for (const [share, seconds] of [
      [0, 1],
      [0.1, 1],
      [0.175, 1.5],
      [0.5, 4],
      [0.625, 5],
      [0.9, 10],
      [1, 10],
    ] as const)
      isNear(lengthQuantile(told, share), seconds, `${share}:`);
    const { shot_lengths: _, ...untold } = { ...STYLE, cut_frequency: 0.5 };
    // Log-normal, of a spread of 0.4 about a mean of two seconds; the logistic approximates the normal quantile.
    for (const [share, quantile] of [
      [0.5, 0],
      [0.9, Math.log(9) / 1.702],
      [0, -Math.log(99) / 1.702],
      [1, Math.log(99) / 1.702],
    ] as const)
      isNear(lengthQuantile(untold, share), 2 * Math.exp(0.4 * quantile - 0.08), `${share}:`);
    isNear(minShotSeconds(told), 0.6);
    isNear(minShotSeconds(untold), 0.35);
  });
});
