/** Vectors of all 8×8 blocks between two pictures, and the camera's motion fitted to them. */
import {
  fit,
  loadModel,
  loadNoMotion,
  MIN_DEVIATION,
  modelX,
  modelY,
  refineCoarsely,
  saveModel,
} from './fit';
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

/**
 * Information of a gradient of 1 in every pixel of a block under noise of variance 1, in units of the inverse least
 * variance.
 */
const INFORMATION: f64 = <f64>(BLOCK * BLOCK) * MIN_DEVIATION * MIN_DEVIATION;
/** A block is textured if a perfect match would determine its vector at least this well (0..1, see `knownXx`). */
const TEXTURED: f64 = 0.7;
/**
 * A match found from the prediction is good if its residual is at most this share of the block's variance, or only
 * noise.
 */
const GOOD_SHARE: f64 = 0.2;
const GOOD_LEFT: f64 = 4 * NOISE * NOISE;
/**
 * Variance of the residual above which a block without texture is searched: its motion cannot be seen, only a change of
 * content.
 */
const PLAIN_LEFT: f64 = 9;
/** Largest share of a block's variance that a match may leave unexplained. */
const MATCHED_SHARE: f64 = 0.5;
/** Distance in blocks of the sample that tests a prediction. Coprime to common row lengths, so that columns vary. */
const SAMPLE_STEP = 7;
const SAMPLE_START = SAMPLE_STEP >> 1;

/** The camera's last motion, and its last non-zero one: film of 24 frames a second shown at 30 repeats frames. */
let lastModel: usize = 0;
let lastMoving: usize = 0;
/** Number of lost blocks. */
let lostCount: i32 = 0;

/** Sets the addresses of two models of four numbers (f64). */
export function placeLastMotion(lastAt: usize, lastMovingAt: usize): void {
  lastModel = lastAt;
  lastMoving = lastMovingAt;
}

/**
 * Computes the vectors from predictions. `pace`: interval between the two pictures over the previous interval. Returns
 * the number of blocks without a good match.
 */
export function matchBlocks(earlier: usize, later: usize, pace: f64): i32 {
  begin(earlier, later);
  const ownPace = choosePrediction(pace);
  clearFloats(knownXx);
  clearFloats(knownXy);
  clearFloats(knownYy);
  forgetCoarseShift();
  lostCount = 0;
  // A sample of blocks decides between predictions.
  matchFrom(SAMPLE_START, ownPace);
  refineCoarsely();
  for (let first = 0; first < SAMPLE_STEP; first++) if (first !== SAMPLE_START) matchFrom(first, ownPace);
  return lostCount;
}

/**
 * Loads the prediction that fits a sample of blocks best into the fit; returns the factor for the blocks' own motion.
 */
function choosePrediction(pace: f64): f64 {
  loadModel(lastMoving, pace);
  let least = sampleDifference();
  let best = lastMoving;
  loadModel(lastModel, pace);
  const last = sampleDifference();
  if (last <= least) {
    least = last;
    best = lastModel;
  }
  loadNoMotion();
  if (sampleDifference() < least) return 0;
  loadModel(best, pace);
  return best === lastModel ? pace : 0;
}

/** Sum of absolute differences of the sample under the loaded motion, in whole pixels. */
function sampleDifference(): i32 {
  let sum = 0;
  for (let i = SAMPLE_START; i < count; i += SAMPLE_STEP) {
    const x = Math.round(modelX(floatAt(positionX, i), floatAt(positionY, i)));
    const y = Math.round(modelY(floatAt(positionX, i), floatAt(positionY, i)));
    sum += difference(leftOf(i), topOf(i), x, y);
  }
  return sum;
}

/** Matches every `SAMPLE_STEP`-th block from the loaded prediction; blocks without a good match are lost. */
function matchFrom(first: i32, ownPace: f64): void {
  for (let i = first; i < count; i += SAMPLE_STEP) {
    const x = modelX(floatAt(positionX, i), floatAt(positionY, i)) + ownPace * floatAt(ownX, i);
    const y = modelY(floatAt(positionX, i), floatAt(positionY, i)) + ownPace * floatAt(ownY, i);
    choose(leftOf(i), topOf(i));
    describeBlock(i);
    // Without texture only the difference is needed.
    const plain = markAt(textured, i) === 0;
    match(x, y, plain ? 1 : MAX_COMPARISONS);
    storeMatch(i);
    if (foundLeft > (plain ? PLAIN_LEFT : max(GOOD_LEFT, chosenVariance * GOOD_SHARE)))
      setShort(lost, lostCount++, i);
  }
}

/** Searches the lost blocks at half size. */
export function searchLost(earlierHalf: usize, laterHalf: usize): void {
  beginSearch(earlierHalf, laterHalf);
  for (let k = 0; k < lostCount; k++) {
    const i = shortAt(lost, k);
    find(i);
    choose(leftOf(i), topOf(i));
    describeBlock(i);
    match(2 * <f64>shortAt(searchedX, i), 2 * <f64>shortAt(searchedY, i), MAX_COMPARISONS);
    if (foundLeft < floatAt(leftOver, i)) storeMatch(i);
  }
}

/** Fits the camera's motion. */
export function fitBlocks(): void {
  fit(4 * <f64>coarseX, 4 * <f64>coarseY);
}

/** Fits again, to the blocks that disagree with the first fit. */
export function fitWithout(): void {
  for (let i = 0; i < count; i++) {
    if (markAt(agrees, i) === 0) continue;
    setFloat(knownXx, i, 0);
    setFloat(knownXy, i, 0);
    setFloat(knownYy, i, 0);
  }
  loadNoMotion();
  fit(0, 0);
  for (let i = 0; i < count; i++) if (markAt(agrees, i) === 1) rate(i);
}

/**
 * Call after the camera's motion is decided. `moves`: whether it is not zero; the next frame's prediction starts from
 * it.
 */
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

/** Gradients of the chosen block, corrected for noise, and whether it is textured. */
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

/** Stores the found match as the block's. */
function storeMatch(i: i32): void {
  setFloat(vectorX, i, foundX);
  setFloat(vectorY, i, foundY);
  setFloat(matchError, i, foundError);
  setFloat(leftOver, i, foundLeft);
  rate(i);
}

/** `known` matrix and weight of a block, from its gradients, its variance and the residual of its match. */
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
  // I(1 + I)⁻¹ with I the information in units of the least variance: limits the weight of one block.
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
