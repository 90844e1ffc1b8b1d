/** Vectors of all 8×8 blocks between two pictures, and the camera's motion fitted to them. */
import { comeNear, fit, loadModel, MIN_DEVIATION, modelX, modelY, saveModel, standStill } from './fit';
import {
  agrees,
  areaBottom,
  areaLeft,
  areaRight,
  areaTop,
  BLOCK,
  clearFloats,
  count,
  floatAt,
  gone,
  gradientXx,
  gradientXy,
  gradientYy,
  isInside,
  knownXx,
  knownXy,
  knownYy,
  leaves,
  leftOf,
  leftOver,
  lost,
  markAt,
  matchError,
  ownX,
  ownY,
  positionX,
  positionY,
  searchedX,
  searchedY,
  setFloat,
  setMark,
  setShort,
  shortAt,
  textured,
  topOf,
  variance,
  vectorX,
  vectorY,
  weight,
} from './planes';
import {
  begin,
  choose,
  chosenVariance,
  chosenXx,
  chosenXy,
  chosenYy,
  difference,
  foundError,
  foundLeft,
  foundX,
  foundY,
  MAX_COMPARISONS,
  match,
  NOISE,
} from './refine';
import { beginSearch, coarseX, coarseY, find, forgetCoarseShift } from './search';

/** A gradient of 1 in every pixel of a block, in units of the least variance's inverse, noise of variance 1 assumed. */
const INFORMATION: f64 = <f64>(BLOCK * BLOCK) * MIN_DEVIATION * MIN_DEVIATION;
/** A block is textured when its vector could be known this well (0..1, see `knownXx`) by a perfect match. */
const TEXTURED: f64 = 0.7;
/** A match found from the prediction is good when it leaves this share of the block's variance, or only noise. */
const GOOD_SHARE: f64 = 0.2;
const GOOD_LEFT: f64 = 4 * NOISE * NOISE;
/** Without texture a vector says nothing: only a picture of something else is searched for, and this tells one. */
const PLAIN_LEFT: f64 = 9;
/** Share of a block's variance that a match may leave. */
const MATCHED_SHARE: f64 = 0.5;
/** Blocks apart in the sample that a prediction is judged by; odd against the rows' length, so that it wanders. */
const SAMPLE_STEP = 7;
const SAMPLE_START = SAMPLE_STEP >> 1;

/** The camera's last motion, and its last that was one: film at 24 frames a second shown at 30 rests between. */
let lastModel: usize = 0;
let lastMoving: usize = 0;
/** How many blocks are lost. */
let lostCount: i32 = 0;

/** Takes places for two models of four numbers (f64). */
export function placeLastMotion(lastAt: usize, lastMovingAt: usize): void {
  lastModel = lastAt;
  lastMoving = lastMovingAt;
}

/**
 * Fills in the vectors from predictions; `pace` is how many times as long it is from the earlier picture to the later as between the pictures
 * before. Returns how many blocks have no good match.
 */
export function matchBlocks(earlier: usize, later: usize, pace: f64): i32 {
  begin(earlier, later);
  const ownPace = choosePrediction(pace);
  clearFloats(knownXx);
  clearFloats(knownXy);
  clearFloats(knownYy);
  forgetCoarseShift();
  lostCount = 0;
  // A few blocks tell the others where to start.
  matchFrom(SAMPLE_START, ownPace);
  comeNear();
  for (let first = 0; first < SAMPLE_STEP; first++) if (first !== SAMPLE_START) matchFrom(first, ownPace);
  return lostCount;
}

/** Loads into the fit the prediction that a sample of blocks likes best; returns how many times as far the blocks' own motion goes on. */
function choosePrediction(pace: f64): f64 {
  loadModel(lastMoving, pace);
  let least = misses();
  let best = lastMoving;
  loadModel(lastModel, pace);
  const last = misses();
  if (last <= least) {
    least = last;
    best = lastModel;
  }
  standStill();
  if (misses() < least) return 0;
  loadModel(best, pace);
  return best === lastModel ? pace : 0;
}

/** Sum of absolute differences of the sample under the motion loaded into the fit, to whole pixels. */
function misses(): i32 {
  let sum = 0;
  for (let i = SAMPLE_START; i < count; i += SAMPLE_STEP) {
    const x = Math.round(modelX(floatAt(positionX, i), floatAt(positionY, i)));
    const y = Math.round(modelY(floatAt(positionX, i), floatAt(positionY, i)));
    sum += difference(leftOf(i), topOf(i), x, y);
  }
  return sum;
}

/** Matches one block of the sample's step from the loaded prediction, and each a step further; those without a good match are lost. */
function matchFrom(first: i32, ownPace: f64): void {
  for (let i = first; i < count; i += SAMPLE_STEP) {
    const x = modelX(floatAt(positionX, i), floatAt(positionY, i)) + ownPace * floatAt(ownX, i);
    const y = modelY(floatAt(positionX, i), floatAt(positionY, i)) + ownPace * floatAt(ownY, i);
    choose(leftOf(i), topOf(i));
    describeBlock(i);
    // Where no vector can be known, only the difference is of interest.
    const plain = markAt(textured, i) === 0;
    match(x, y, plain ? 1 : MAX_COMPARISONS);
    keep(i);
    if (foundLeft > (plain ? PLAIN_LEFT : max(GOOD_LEFT, chosenVariance * GOOD_SHARE)))
      setShort(lost, lostCount++, i);
  }
}

/** Looks for the lost blocks by the half levels of the pictures. */
export function searchLost(earlierHalf: usize, laterHalf: usize): void {
  beginSearch(earlierHalf, laterHalf);
  for (let k = 0; k < lostCount; k++) {
    const i = shortAt(lost, k);
    find(i);
    choose(leftOf(i), topOf(i));
    describeBlock(i);
    match(2 * <f64>shortAt(searchedX, i), 2 * <f64>shortAt(searchedY, i), MAX_COMPARISONS);
    if (foundLeft < floatAt(leftOver, i)) keep(i);
  }
}

/** Fits the camera's motion. */
export function fitBlocks(): void {
  fit(4 * <f64>coarseX, 4 * <f64>coarseY);
}

/** Fits again, to the blocks that do not agree. */
export function fitWithout(): void {
  for (let i = 0; i < count; i++) {
    if (markAt(agrees, i) === 0) continue;
    setFloat(knownXx, i, 0);
    setFloat(knownXy, i, 0);
    setFloat(knownYy, i, 0);
  }
  standStill();
  fit(0, 0);
  for (let i = 0; i < count; i++) if (markAt(agrees, i) === 1) rate(i);
}

/** To be called once it is decided what the camera did, and whether it moves: the next frame starts from it. */
export function remember(moves: boolean): void {
  saveModel(lastModel);
  if (moves) saveModel(lastMoving);
  for (let i = 0; i < count; i++) {
    const own = floatAt(weight, i) > 0 && markAt(agrees, i) === 0;
    const atX = floatAt(positionX, i);
    const atY = floatAt(positionY, i);
    const x = own ? floatAt(vectorX, i) - modelX(atX, atY) : 0;
    const y = own ? floatAt(vectorY, i) - modelY(atX, atY) : 0;
    setFloat(ownX, i, floatAt(knownXx, i) * x + floatAt(knownXy, i) * y);
    setFloat(ownY, i, floatAt(knownXy, i) * x + floatAt(knownYy, i) * y);
  }
}

/** Gradients of the chosen block, less what noise adds to them, and whether they could make a vector known. */
function describeBlock(i: i32): void {
  // Central differences of noise have half its variance.
  const noise = 0.5 * NOISE * NOISE;
  const xx = max<f64>(0, chosenXx - noise);
  const yy = max<f64>(0, chosenYy - noise);
  const most = Math.sqrt(xx * yy);
  const xy = max<f64>(-most, min<f64>(most, chosenXy));
  const apart = 0.5 * (xx - yy);
  const strongest = 0.5 * (xx + yy) + Math.sqrt(max<f64>(0, apart * apart + xy * xy));
  setFloat(gradientXx, i, xx);
  setFloat(gradientXy, i, xy);
  setFloat(gradientYy, i, yy);
  setFloat(variance, i, chosenVariance);
  const known = (INFORMATION / (NOISE * NOISE)) * strongest;
  setMark(textured, i, known / (1 + known) >= TEXTURED);
}

/** The match that was found is the block's. */
function keep(i: i32): void {
  setFloat(vectorX, i, foundX);
  setFloat(vectorY, i, foundY);
  setFloat(matchError, i, foundError);
  setFloat(leftOver, i, foundLeft);
  rate(i);
}

/** `known` matrix and weight of a block from its gradients, its variance and what the match left. */
function rate(i: i32): void {
  const inside = isInside(i);
  const remains = floatAt(leftOver, i);
  const matched = remains <= MATCHED_SHARE * floatAt(variance, i) || remains <= GOOD_LEFT;
  setMark(gone, i, !matched && remains > PLAIN_LEFT && inside);
  const toX = <f64>leftOf(i) + floatAt(vectorX, i);
  const toY = <f64>topOf(i) + floatAt(vectorY, i);
  const away =
    !inside || toX < areaLeft || toY < areaTop || toX + BLOCK > areaRight || toY + BLOCK > areaBottom;
  setMark(leaves, i, away);
  if (away) setMark(textured, i, false);
  if (markAt(textured, i) === 0 || !matched) {
    setKnown(i, 0, 0, 0);
    return;
  }
  // I(1 + I)⁻¹ with I the information in units of the least variance: caps what one block can say.
  const gain = INFORMATION / (NOISE * NOISE + remains);
  const a = gain * floatAt(gradientXx, i);
  const b = gain * floatAt(gradientXy, i);
  const d = gain * floatAt(gradientYy, i);
  const determinant = (1 + a) * (1 + d) - b * b;
  setKnown(i, (a * (1 + d) - b * b) / determinant, b / determinant, (d * (1 + a) - b * b) / determinant);
}

function setKnown(i: i32, xx: f64, xy: f64, yy: f64): void {
  setFloat(knownXx, i, xx);
  setFloat(knownXy, i, xy);
  setFloat(knownYy, i, yy);
  setFloat(weight, i, 0.5 * (floatAt(knownXx, i) + floatAt(knownYy, i)));
}
