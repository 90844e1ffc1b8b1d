/**
 * Robust 4-parameter similarity: the best of some hypotheses (standing still, the prediction, the coarse shift), then reweighted least
 * squares with Geman–McClure weights. Deterministic.
 */
import { count, floatAt, knownXx, knownXy, knownYy, positionX, positionY, vectorX, vectorY } from './planes';

/** Least standard deviation of a vector, pixels: limits the weight of texture and the effect of small residuals. */
export const MIN_DEVIATION: f64 = 0.1;

/** Number of parameters. There are as many normal equations, each with as many factors and a right side. */
const SIZE: usize = 4;
const EQUATION: usize = SIZE + 1;
const NUMBER_BYTES: usize = 8;

/** (tx, ty, a, b), f64: v = t + (aX − bY, bX + aY) with X, Y in units of the radius. */
let model: usize = 0;
/** The normal equations, f64. */
let normal: usize = 0;
/** Scales positions to about 1. */
let radius: f64 = 1;
let bestCost: f64 = 0;

/** Sets the addresses of a model (four numbers) and of the normal equations (twenty numbers). */
export function placeFit(modelAt: usize, normalAt: usize, positionRadius: f64): void {
  model = modelAt;
  normal = normalAt;
  radius = positionRadius;
}

/** Fits the model. The loaded model is one of the hypotheses. */
export function fit(coarseX: f64, coarseY: f64): void {
  bestCost = cost(parameter(0), parameter(1), parameter(2), parameter(3), Infinity);
  tryShift(0, 0);
  if (coarseX !== 0 || coarseY !== 0) tryShift(coarseX, coarseY);
  // From a wide scale to that of well determined blocks.
  refineCoarsely();
  refine(0.4);
  refine(0.2);
  refine(0.12);
  refine(0.1);
}

/** The first two passes, from the loaded model. */
export function refineCoarsely(): void {
  refine(1.5);
  refine(0.8);
}

/** Loads the model without motion. */
export function loadNoMotion(): void {
  memory.fill(model, 0, NUMBER_BYTES * SIZE);
}

/** Loads a model, scaled by `pace`. */
export function loadModel(from: usize, pace: f64): void {
  for (let at: usize = 0; at < NUMBER_BYTES * SIZE; at += NUMBER_BYTES)
    store<f64>(model + at, pace * load<f64>(from + at));
}

export function saveModel(to: usize): void {
  memory.copy(to, model, NUMBER_BYTES * SIZE);
}

/** Motion at a place relative to the picture's middle, pixels. */
export function modelX(x: f64, y: f64): f64 {
  return parameter(0) + (parameter(2) * x - parameter(3) * y) / radius;
}

export function modelY(x: f64, y: f64): f64 {
  return parameter(1) + (parameter(3) * x + parameter(2) * y) / radius;
}

/** Length of a vector along the directions in which the block's is determined. */
export function knownLength(i: i32, x: f64, y: f64): f64 {
  return Math.sqrt(
    max<f64>(0, distance(floatAt(knownXx, i), floatAt(knownXy, i), floatAt(knownYy, i), x, y)),
  );
}

/** Squared distance of a vector from the model, along the directions in which it is determined. */
function distance(xx: f64, xy: f64, yy: f64, x: f64, y: f64): f64 {
  return xx * x * x + 2 * xy * x * y + yy * y * y;
}

function parameter(place: usize): f64 {
  return load<f64>(model + NUMBER_BYTES * place);
}

function tryShift(x: f64, y: f64): void {
  const found = cost(x, y, 0, 0, bestCost);
  if (found >= bestCost) return;
  bestCost = found;
  loadNoMotion();
  store<f64>(model, x);
  store<f64>(model, y, NUMBER_BYTES);
}

/** Stops when the cost exceeds `limit`. */
function cost(tx: f64, ty: f64, a: f64, b: f64, limit: f64): f64 {
  let sum: f64 = 0;
  for (let i = 0; i < count && sum < limit; i++) {
    const xx = floatAt(knownXx, i);
    const yy = floatAt(knownYy, i);
    const weight = xx + yy;
    if (weight === 0) continue;
    const x = floatAt(positionX, i) / radius;
    const y = floatAt(positionY, i) / radius;
    const dx = floatAt(vectorX, i) - tx - a * x + b * y;
    const dy = floatAt(vectorY, i) - ty - b * x - a * y;
    const squared = distance(xx, floatAt(knownXy, i), yy, dx, dy) / weight;
    sum += (weight * squared) / (squared + 1);
  }
  return sum;
}

/** One pass of reweighted least squares; keeps the model if too few blocks are determined. */
function refine(scale: f64): void {
  const tx = parameter(0);
  const ty = parameter(1);
  const a = parameter(2);
  const b = parameter(3);
  memory.fill(normal, 0, NUMBER_BYTES * SIZE * EQUATION);
  for (let i = 0; i < count; i++) {
    const xx = floatAt(knownXx, i);
    const xy = floatAt(knownXy, i);
    const yy = floatAt(knownYy, i);
    if (xx + yy === 0) continue;
    const x = floatAt(positionX, i) / radius;
    const y = floatAt(positionY, i) / radius;
    const vx = floatAt(vectorX, i);
    const vy = floatAt(vectorY, i);
    const dx = vx - tx - a * x + b * y;
    const dy = vy - ty - b * x - a * y;
    const ratio = 1 / (1 + distance(xx, xy, yy, dx, dy) / (scale * scale));
    const w = ratio * ratio;
    accumulate(w * xx, w * xy, w * yy, x, y, vx, vy);
  }
  // With texture in one spot only, scale and rotation are undetermined: this sets them to zero.
  for (let p: usize = 0; p < SIZE; p++) add(p, p, 1e-6);
  solve();
}

/** Adds one block to the normal equations, to their upper triangle. */
function accumulate(xx: f64, xy: f64, yy: f64, x: f64, y: f64, vx: f64, vy: f64): void {
  // Rows of the design: (1, 0, x, −y) for the horizontal part, (0, 1, y, x) for the vertical.
  const kx2 = xx * x + xy * y;
  const kx3 = xy * x - xx * y;
  const ky2 = xy * x + yy * y;
  const ky3 = yy * x - xy * y;
  const fx = xx * vx + xy * vy;
  const fy = xy * vx + yy * vy;
  add(0, 0, xx);
  add(0, 1, xy);
  add(0, 2, kx2);
  add(0, 3, kx3);
  add(0, 4, fx);
  add(1, 1, yy);
  add(1, 2, ky2);
  add(1, 3, ky3);
  add(1, 4, fy);
  add(2, 2, x * kx2 + y * ky2);
  add(2, 3, x * kx3 + y * ky3);
  add(2, 4, x * fx + y * fy);
  add(3, 3, -y * kx3 + x * ky3);
  add(3, 4, -y * fx + x * fy);
}

/** Gauss elimination of the symmetric system, stored as its upper triangle. Does not change the model if it is singular. */
function solve(): void {
  for (let r: usize = 1; r < SIZE; r++) for (let c: usize = 0; c < r; c++) setFactor(r, c, factor(c, r));
  for (let p: usize = 0; p < SIZE; p++) {
    const pivot = factor(p, p);
    if (!(pivot > 0)) return;
    for (let r = p + 1; r < SIZE; r++) {
      const times = factor(r, p) / pivot;
      for (let c = p; c < EQUATION; c++) setFactor(r, c, factor(r, c) - times * factor(p, c));
    }
  }
  for (let r = SIZE; r-- > 0; ) {
    let value = factor(r, SIZE);
    for (let c = r + 1; c < SIZE; c++) value -= factor(r, c) * parameter(c);
    store<f64>(model + NUMBER_BYTES * r, value / factor(r, r));
  }
}

function factor(row: usize, column: usize): f64 {
  return load<f64>(normal + NUMBER_BYTES * (EQUATION * row + column));
}

function setFactor(row: usize, column: usize, value: f64): void {
  store<f64>(normal + NUMBER_BYTES * (EQUATION * row + column), value);
}

function add(row: usize, column: usize, value: f64): void {
  setFactor(row, column, factor(row, column) + value);
}
