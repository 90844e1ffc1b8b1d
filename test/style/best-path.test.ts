/** Paths of a framing over moving figures: it follows subjects, and rests when moves cost more than they gain. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FigureLook } from '../../src/analysis/facts.ts';
import { leavesStart } from '../../src/style/plan/framing-path.ts';
import { followSubject } from '../../src/style/plan/tracking.ts';
import { clipFacts } from '../support/clip-facts.ts';

const PARTS = 24;
const STILL = { x: 0.35, y: 0, width: 0.3, height: 1 };

/** A figure two parts wide with this middle over time, sampled every second. */
function looks(middle: (seconds: number) => number): FigureLook[] {
  return [0, 1, 2, 3, 4, 5, 6].map((timeSeconds) => {
    const part = Math.round(PARTS * middle(timeSeconds));
    const across = Array.from({ length: PARTS }, (_, at) => (at === part || at === part - 1 ? 0.5 : 0));
    return { timeSeconds, across, down: new Array(PARTS).fill(1 / PARTS) };
  });
}

function follow(
  figures: readonly FigureLook[],
  more: { readonly captionX?: number; readonly captionWidth?: number } = {},
) {
  const { captionX, captionWidth = 0.1 } = more;
  const box = { x: captionX ?? 0, y: 0.8, width: captionWidth, height: 0.05 };
  const captions = {
    share: 1,
    spans: captionX === undefined ? [] : [{ startSeconds: 0, endSeconds: 7, box }],
    style: null,
    confidence: 1,
  };
  return followSubject(clipFacts({ video: { durationSeconds: 7, figures, captions } }), STILL, 0, 7);
}

describe('a framing over figures', () => {
  test('rests while they rest, and while they sway within it', () => {
    assert.equal(follow(looks(() => 0.5)), undefined);
    const swaying = follow(looks((t) => 0.5 + 0.08 * (t % 2)))!;
    assert.ok(!leavesStart(swaying));
    assert.ok(Math.abs(swaying[0]!.x + STILL.width / 2 - 0.54) < 0.02, `${swaying[0]!.x}`);
  });

  test('rests in the middle of a path that is too short', () => {
    const track = follow(looks((t) => (t < 3 ? 0.25 : 0.29)))!;
    const [{ x }] = track as [(typeof track)[number]];
    assert.ok(track.every((key) => key.x === x && key.y === STILL.y));
    assert.ok(x <= 0.25 && x + STILL.width >= 0.29, `${x}`);
  });

  test('follows one that walks across and contains its middle throughout', () => {
    const middle = (t: number) => Math.min(0.8, 0.2 + 0.1 * t);
    const track = follow(looks(middle))!;
    for (const { timeSeconds, x, y } of track) {
      assert.ok(middle(timeSeconds) >= x && middle(timeSeconds) <= x + STILL.width, `${timeSeconds} s: ${x}`);
      assert.equal(y, STILL.y);
    }
  });

  test('does not make a short move that it would have to reverse', () => {
    const track = follow(looks((t) => (t === 3 ? 0.85 : 0.25)));
    assert.ok(track === undefined || track.every(({ x }) => x < 0.45));
  });

  test('keeps the captions inside, and does not move where they do not let it', () => {
    const walk = looks((t) => Math.min(0.8, 0.2 + 0.1 * t));
    for (const { x } of follow(walk, { captionX: 0.45 }) ?? [])
      assert.ok(x <= 0.45 && x + STILL.width >= 0.55);
  });

  test('rests about captions that are wider than it', () => {
    const walk = looks((t) => Math.min(0.8, 0.2 + 0.1 * t));
    const centre = STILL.x + STILL.width / 2;
    assert.equal(follow(walk, { captionX: centre - 0.17, captionWidth: 0.34 }), undefined);
    // It is not about them: the figure is more important.
    assert.notEqual(follow(walk, { captionX: 0.6, captionWidth: 0.34 }), undefined);
  });
});
