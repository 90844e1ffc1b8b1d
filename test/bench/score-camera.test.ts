/** The benchmark's rules for camera, punch-ins and subjects, on findings with known answers. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { placingsOf, stepsOf, toScene } from '../../bench/generate/camera-path.ts';
import type { MadeTruth, Truth } from '../../bench/lib/truth.ts';
import {
  judgeCamera,
  labelRates,
  scoreCameraPath,
  scorePunchIns,
  scoreSubjects,
} from '../../bench/score/camera.ts';
import type { CameraLabel, ClipFacts, MotionFacts } from '../../src/analysis/facts.ts';

/** A clip of 320×180 at 10 frames a second with cuts at 1 s and 2 s. */
const TIMES = Array.from({ length: 30 }, (_, frame) => frame / 10);

function factsOf(labels: readonly CameraLabel[], motion: Partial<MotionFacts> = {}): ClipFacts {
  const none = TIMES.map(() => 0);
  const shots = labels.map((_, shot) => ({ startSeconds: shot, endSeconds: shot + 1 }));
  const curve = { timesSeconds: TIMES, shiftX: none, shiftY: none, logScale: none, rotation: none };
  return {
    video: { shots, durationSeconds: labels.length, width: 320, height: 180 },
    motion: {
      curve,
      punchIns: [],
      subjects: [],
      shots: labels.map((label, shot) => ({ label, confidence: shot === 0 ? 0.2 : 0.9 })),
      ...motion,
    },
    audio: null,
  } as unknown as ClipFacts;
}

function truthOf(made: MadeTruth, words: readonly string[] = []): Truth {
  const cameraNotes = words.map((one, shot) => ({ startSeconds: shot, words: one }));
  return { made, cameraNotes } as unknown as Truth;
}

describe('scoring the camera', () => {
  it('allows the labels that a description names', () => {
    const verdicts = judgeCamera(
      factsOf(['pan', 'static', 'moving']),
      truthOf({}, ['slow pan', 'push in', 'handheld']),
    );
    assert.deepEqual(
      verdicts.map(({ right }) => right),
      [true, false, true],
    );
  });

  it('counts an unsure label as none', () => {
    const labels = (['pan', 'tilt', 'static'] as const).map((label, shot) => ({
      start_s: shot,
      end_s: shot + 1,
      label,
    }));
    const verdicts = judgeCamera(factsOf(['static', 'tilt', 'static']), truthOf({ camera_labels: labels }));
    assert.deepEqual(labelRates(verdicts, 0), { precision: 2 / 3, recall: 2 / 3 });
    assert.deepEqual(labelRates(verdicts, 0.35), { precision: 1, recall: 2 / 3 });
    assert.deepEqual(labelRates([], 0.35), { precision: null, recall: null });
  });

  it('measures steps and their sums in pixels of 160×90', () => {
    const step = TIMES.map(() => 0.01);
    const none = TIMES.map(() => 0);
    const score = scoreCameraPath(
      factsOf(['pan']),
      truthOf({
        camera_path: { shift_x: step, shift_y: none, log_scale: none, rotation: none },
        camera_labels: [
          { start_s: 0, end_s: 1.5, label: 'pan' },
          { start_s: 2, end_s: 3, label: 'pan', unmeasurable: true },
        ],
      }),
    );
    assert.equal(score?.shiftPixels.length, 14);
    assert.ok(score.shiftPixels.every((error) => Math.abs(error - 1.6) < 1e-9));
    assert.equal(score.driftPixels.length, 1);
    assert.ok(Math.abs(score.driftPixels[0] - 16) < 1e-9);
    assert.equal(scoreCameraPath(factsOf(['pan']), truthOf({})), null);
  });

  it('requires a punch-in with its scale', () => {
    const punchIns = [
      { timeSeconds: 1.04, logScale: 0.19 },
      { timeSeconds: 2, logScale: 0.1 },
    ];
    const wanted = [
      { time_s: 1, log_scale: 0.2 },
      { time_s: 2, log_scale: 0.2 },
    ];
    const hits = scorePunchIns(factsOf(['static'], { punchIns }), truthOf({ punch_ins: wanted }));
    assert.deepEqual(hits, { right: 1, wrong: 1, missed: 1 });
  });

  it('compares a subject with the most salient track', () => {
    const boxAt = (x: number) => ({ x, y: 0.2, width: 0.2, height: 0.4 });
    const track = (x: number, salience: number) => ({
      startSeconds: 0,
      endSeconds: 1,
      boxes: [{ timeSeconds: 0.5, box: boxAt(x) }],
      kind: 'motion' as const,
      salience,
    });
    const boxes = [
      { time_s: 0.5, box: boxAt(0.4) },
      { time_s: 0.9, box: boxAt(0.4) },
    ];
    const score = scoreSubjects(
      factsOf(['static'], { subjects: [track(0.1, 0.2), track(0.5, 0.6)] }),
      truthOf({ subjects: [{ start_s: 0, end_s: 1, boxes }] }),
    );
    assert.ok(Math.abs(score!.overlaps[0] - 1 / 3) < 1e-9);
    assert.ok(Math.abs(score!.centreErrors[0] - 0.1) < 1e-9);
    assert.equal(score!.missed, 1);
  });
});

it('a path of steps places every view at the sum of its steps', () => {
  const steps = stepsOf(() => ({ x: 0.1, logScale: 0.2 }), 11, 10);
  const { placings, seen } = placingsOf(steps, 160, 90);
  const last = placings.at(-1)!;
  assert.ok(Math.abs(Math.hypot(last.a, last.b) - Math.exp(0.2)) < 1e-9);
  // What was in the middle moved right by a tenth of the diagonal, less what the zoom pushed it further.
  const [x, y] = toScene(last, last.x, last.y);
  assert.ok(Math.abs(x) < 1e-9 && Math.abs(y) < 1e-9);
  assert.ok(last.x > 0.1 * Math.hypot(160, 90) && last.x < 0.13 * Math.hypot(160, 90));
  assert.ok(seen.right === 80 && seen.left < -80);
});
