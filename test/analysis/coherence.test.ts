import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coherenceOf } from '../../src/analysis/camera/coherence.ts';
import type { MotionLog } from '../../src/analysis/optical-flow/log.ts';

const [COLUMNS, ROWS, FRAMES] = [20, 11, 31];
const SHOT = { startFrame: 0, endFrame: FRAMES, startSeconds: 0, endSeconds: FRAMES / 10 };
const PIXEL = 1 / 160;
/** Of the stored vectors. */
const STEPS_PER_PIXEL = 4;

interface Drawn {
  /** Of the camera, pixels a frame. */
  readonly shift?: number;
  readonly logScale?: number;
  /** Left over in a block, pixels a frame. */
  readonly residual?: (column: number, row: number) => number;
  readonly weight?: (column: number) => number;
}

/** Ten frames a second, one interval for each step between them. */
function logOf({ shift = 0, logScale = 0, residual = () => 0, weight = () => 255 }: Drawn): MotionLog {
  const blocks = COLUMNS * ROWS;
  const perBlock = (value: (column: number, row: number) => number) =>
    Array.from({ length: blocks }, (_, i) => value(i % COLUMNS, Math.floor(i / COLUMNS)));
  const constant = (value: number) => new Float32Array(FRAMES).fill(value);
  return {
    width: 160,
    height: 90,
    columns: COLUMNS,
    rows: ROWS,
    timesSeconds: Float64Array.from({ length: FRAMES }, (_, i) => i / 10),
    shiftX: constant(shift * PIXEL),
    shiftY: constant(0),
    logScale: constant(logScale),
    rotation: constant(0),
    support: constant(1),
    texture: constant(1),
    reach: constant(1),
    jump: constant(Number.NaN),
    intervals: Array.from({ length: FRAMES - 1 }, (_, i) => ({
      startFrame: i,
      endFrame: i + 1,
      residualX: Int8Array.from(perBlock((column, row) => residual(column, row) * STEPS_PER_PIXEL)),
      residualY: new Int8Array(blocks),
      weight: Uint8Array.from(perBlock(weight)),
      unmatched: new Uint8Array(blocks),
    })),
  };
}

const MEASURED = new Uint8Array(FRAMES).fill(1);

test('the share of the picture that goes with the camera, less what rests in the frame', () => {
  const isNear = (column: number) => column >= 5;
  const cases: readonly [what: string, expected: number, drawn: Drawn][] = [
    ['a pan', 1, { shift: 1 }],
    ['a zoom, whose middle does not count', 1, { logScale: 0.02 }],
    ['a subject before resting ground', 0.75 - 0.25, { shift: 1, residual: (c) => (isNear(c) ? 0 : -1) }],
    ['all but a corner rests', 0.25 - 0.75, { shift: 1, residual: (c) => (isNear(c) ? -1 : 0) }],
    [
      'what moves against the camera neither goes with it nor rests',
      0.75,
      { shift: 1, residual: (c) => (isNear(c) ? 0 : -2) },
    ],
    [
      'plain blocks do not count',
      1,
      { shift: 1, residual: (c) => (isNear(c) ? 0 : -1), weight: (c) => (isNear(c) ? 1 : 0) },
    ],
    ['parallax goes with it', 1, { shift: 1, residual: () => 0.25 }],
  ];
  for (const [what, expected, drawn] of cases)
    assert.ok(Math.abs(coherenceOf(logOf(drawn), MEASURED, SHOT)! - expected) < 1e-9, what);
});

test('is unknown if the camera hardly moves, or no step is measured', () => {
  assert.equal(coherenceOf(logOf({ shift: 0.1 }), MEASURED, SHOT), null);
  assert.equal(coherenceOf(logOf({ shift: 1 }), new Uint8Array(FRAMES), SHOT), null);
  assert.equal(coherenceOf(logOf({ shift: 1 }), MEASURED, { ...SHOT, endFrame: 2 }), null);
});

test('an unmeasured step separates the steps before and after it', () => {
  const measured = MEASURED.map((one, i) => (i % 2 === 0 ? 0 : one));
  assert.equal(coherenceOf(logOf({ shift: 1 }), measured, SHOT), null, 'no two steps in a row');
});
