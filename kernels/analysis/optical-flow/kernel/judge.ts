/** Measures how well the fitted motion explains the picture. */
import { knownLength, MIN_DEVIATION, modelX, modelY } from './fit';
import {
  agrees,
  columns,
  count,
  countInside,
  endColumn,
  endRow,
  firstColumn,
  firstRow,
  floatAt,
  gone,
  isInside,
  knownXx,
  knownXy,
  knownYy,
  leaves,
  markAt,
  matchError,
  positionX,
  positionY,
  residual,
  residualX,
  residualY,
  rows,
  setFloat,
  setMark,
  textured,
  vectorX,
  vectorY,
  votes,
  weight,
} from './planes';

const NUMBER_BYTES: usize = 8;

/**
 * Measures the residuals of all blocks. A block agrees if its residual is at most `inlierPixels`. It votes
 * if, in addition, no motion would not explain it equally well. Writes eight numbers (f64). Four are numbers
 * of blocks: textured, textured and gone, agreeing, voting. Four are shares of voting blocks at the left,
 * right, upper and lower side, two blocks deep, without corners and bars.
 */
export function judge(inlierPixels: f64, out: usize): void {
  let texturedCount = 0;
  let goneCount = 0;
  let agreeing = 0;
  let voting = 0;
  for (let i = 0; i < count; i++) {
    texturedCount += markAt(textured, i);
    goneCount += markAt(textured, i) & markAt(gone, i);
    const known = floatAt(weight, i) !== 0;
    if (known) measureResidual(i);
    else setResidual(i, 0, 0, 0);
    const goes = known && floatAt(residual, i) <= inlierPixels;
    const decides = goes && isDecided(i);
    setMark(agrees, i, goes);
    setMark(votes, i, decides);
    if (goes) agreeing++;
    if (decides) voting++;
  }
  const right = endColumn - 1;
  const bottom = endRow - 1;
  store<f64>(out, texturedCount);
  store<f64>(out, goneCount, NUMBER_BYTES);
  store<f64>(out, agreeing, 2 * NUMBER_BYTES);
  store<f64>(out, voting, 3 * NUMBER_BYTES);
  const sides = out + 4 * NUMBER_BYTES;
  store<f64>(sides, votingShare(firstColumn, firstColumn + 1, firstRow + 2, bottom - 2));
  store<f64>(sides, votingShare(right - 1, right, firstRow + 2, bottom - 2), NUMBER_BYTES);
  store<f64>(sides, votingShare(firstColumn + 2, right - 2, firstRow, firstRow + 1), 2 * NUMBER_BYTES);
  store<f64>(sides, votingShare(firstColumn + 2, right - 2, bottom - 1, bottom), 3 * NUMBER_BYTES);
}

function measureResidual(i: i32): void {
  const atX = floatAt(positionX, i);
  const atY = floatAt(positionY, i);
  const x = floatAt(vectorX, i) - modelX(atX, atY);
  const y = floatAt(vectorY, i) - modelY(atX, atY);
  const xy = floatAt(knownXy, i);
  // Along an edge the match is arbitrary: that component does not count as motion.
  setResidual(i, floatAt(knownXx, i) * x + xy * y, xy * x + floatAt(knownYy, i) * y, knownLength(i, x, y));
}

function setResidual(i: i32, x: f64, y: f64, length: f64): void {
  setFloat(residualX, i, x);
  setFloat(residualY, i, y);
  setFloat(residual, i, length);
}

/** Whether a block agrees with the camera's motion but not with no motion: slow motion is near to both. */
function isDecided(i: i32): boolean {
  return floatAt(residual, i) <= knownLength(i, floatAt(vectorX, i), floatAt(vectorY, i)) + MIN_DEVIATION;
}

/** Share of the voting blocks among those that stay in the picture; 0 if fewer than a quarter do. */
function votingShare(left: i32, right: i32, top: i32, bottom: i32): f64 {
  let voting = 0;
  let staying = 0;
  for (let row = max(0, top); row <= min(rows - 1, bottom); row++) {
    for (let column = max(0, left); column <= min(columns - 1, right); column++) {
      voting += markAt(votes, row * columns + column);
      staying += 1 - markAt(leaves, row * columns + column);
    }
  }
  const blocks = (right - left + 1) * (bottom - top + 1);
  if (right < left || bottom < top || 4 * staying < blocks) return 0;
  return <f64>voting / <f64>staying;
}

/** Mean difference of the blocks inside the bars and their matches, grey levels; there is at least one block. */
export function meanError(): f64 {
  let sum: f64 = 0;
  for (let i = 0; i < count; i++) if (isInside(i)) sum += floatAt(matchError, i);
  return sum / <f64>countInside();
}
