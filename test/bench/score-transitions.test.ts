/** The transition score beyond hits: confusions of types, easings, and calibration. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { TrueTransition, Truth } from '../../bench/lib/truth.ts';
import { confidenceThirds } from '../../bench/score/calibration.ts';
import { scoreTransitions } from '../../bench/score/transitions.ts';
import type { Transition, VideoFacts } from '../../src/analysis/facts.ts';

function score(transitions: readonly Partial<Transition>[], truth: Partial<Truth>) {
  const facts = { transitions, durationSeconds: 60, frameRate: { numerator: 25, denominator: 1 } };
  const none = { cutsSeconds: [], optionalCutsSeconds: [], transitions: [] };
  return scoreTransitions(facts as unknown as VideoFacts, { ...none, ...truth } as unknown as Truth);
}

const cut = (seconds: number, confidence: number): Partial<Transition> => ({
  type: 'cut',
  startSeconds: seconds - 0.04,
  endSeconds: seconds,
  confidence,
});
const span = { startSeconds: 4, endSeconds: 5, optional: false, loose: false };

it('reports confusions by name, and counts each finding once', () => {
  const wanted: TrueTransition[] = [
    { ...span, type: 'wipe', easing: 'linear' },
    { ...span, startSeconds: 8, endSeconds: 9, type: 'zoom' },
  ];
  const { judged, confusions, easings } = score(
    [
      cut(1, 0.9),
      cut(2, 0.3),
      { type: 'slide', startSeconds: 4, endSeconds: 5, easing: 'linear', confidence: 0.5 },
    ],
    { cutsSeconds: [1, 3], transitions: wanted },
  );
  assert.deepEqual(judged, [
    { confidence: 0.9, right: 1 },
    { confidence: 0.3, right: 0 },
    { confidence: 0.5, right: 0 },
  ]);
  assert.deepEqual(confusions, [
    { wanted: 'wipe', found: 'slide' },
    { wanted: 'none', found: 'cut' },
    { wanted: 'zoom', found: 'none' },
    { wanted: 'cut', found: 'none' },
  ]);
  assert.deepEqual(easings, { right: 0, wanted: 0 });
});

it('compares the easing of correctly named transitions', () => {
  const found = (easing: Transition['easing']) =>
    score([{ type: 'wipe', startSeconds: 4, endSeconds: 5, easing, confidence: 1 }], {
      transitions: [{ ...span, type: 'wipe', easing: 'ease_in' }],
    }).easings;
  assert.deepEqual(found('ease_in'), { right: 1, wanted: 1 });
  assert.deepEqual(found('linear'), { right: 0, wanted: 1 });
});

it('sorts findings into thirds of confidence', () => {
  const findings = [0.9, 0.1, 0.5, 0.8, 0.2, 0.6].map((confidence) => ({
    confidence,
    right: confidence > 0.55 ? 1 : 0,
  }));
  assert.deepEqual(confidenceThirds(findings), [
    { count: 2, from: 0.1, to: 0.2, meanRight: 0 },
    { count: 2, from: 0.5, to: 0.6, meanRight: 0.5 },
    { count: 2, from: 0.8, to: 0.9, meanRight: 1 },
  ]);
  assert.deepEqual(confidenceThirds([]), []);
});
