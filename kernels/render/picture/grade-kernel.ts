/**
 * Looks up every pixel of an 8-bit 4:2:0 picture in two tables, in place. Memory layout:
 * `src/render/picture/grade-kernel.ts`; tables: `src/render/picture/grade-tables.ts`.
 *
 * The luma table has a byte for each cell of 4×4 chroma levels and each luma level. Its index is cell of U (7
 * bits), cell of V (7 bits), luma (8 bits). The chroma table has a pair of bytes, U then V, for each fourth
 * luma level and each chroma. Its index is luma / 4 (6 bits), U (8 bits), V (8 bits).
 */

/** Width and height of the luma plane are even and not 0; strides are in bytes. */
export function grade(
  lumaTable: usize,
  chromaTable: usize,
  y: usize,
  u: usize,
  v: usize,
  lumaStride: usize,
  chromaStride: usize,
  width: usize,
  height: usize,
): void {
  const end = y + height * lumaStride;
  for (let row = y; row < end; row += 2 * lumaStride) {
    gradeTwoRows(lumaTable, chromaTable, row, row + lumaStride, u, v, width);
    u += chromaStride;
    v += chromaStride;
  }
}

/** Each square of 2×2 luma samples shares one U and one V. The luma of a row is read and written two samples at a time. */
function gradeTwoRows(
  lumaTable: usize,
  chromaTable: usize,
  upper: usize,
  lower: usize,
  u: usize,
  v: usize,
  width: usize,
): void {
  const end = upper + width;
  do {
    const blue: u32 = load<u8>(u);
    const red: u32 = load<u8>(v);
    const upperPair: u32 = load<u16>(upper);
    const lowerPair: u32 = load<u16>(lower);
    const cell = lumaTable + (nearestCell(blue) << 15) + (nearestCell(red) << 8);
    store<u16>(upper, lookUpPair(cell, upperPair));
    store<u16>(lower, lookUpPair(cell, lowerPair));
    const meanLuma = (sumOfPair(upperPair) + sumOfPair(lowerPair)) >> 2;
    const chroma: u32 = load<u16>(chromaTable + 2 * (((meanLuma >> 2) << 16) | (blue << 8) | red));
    store<u8>(u, chroma);
    store<u8>(v, chroma >> 8);
    upper += 2;
    lower += 2;
    u++;
    v++;
  } while (upper < end);
}

/** Number of the chroma cell with the nearest centre, a multiple of 4. */
function nearestCell(chroma: u32): u32 {
  return (chroma + 2) >> 2;
}

/** Two samples in one number, the left one in the low byte. */
function lookUpPair(cell: usize, pair: u32): u32 {
  return (load<u8>(cell + (pair & 0xff)) as u32) | ((load<u8>(cell + (pair >> 8)) as u32) << 8);
}

function sumOfPair(pair: u32): u32 {
  return (pair & 0xff) + (pair >> 8);
}

/**
 * Smallest code of a plane in the low byte, greatest in the next byte. Width and height are not 0, the stride is in bytes; nothing
 * beyond a row's end is read.
 */
export function codeRange(plane: usize, stride: usize, width: usize, height: usize): u32 {
  let least = i8x16.splat(-1);
  let most = i8x16.splat(0);
  let low: u32 = 255;
  let high: u32 = 0;
  const vectors = width & ~15;
  for (let row = plane; row < plane + height * stride; row += stride) {
    let at = row;
    for (const end = row + vectors; at < end; at += 16) {
      const codes = v128.load(at);
      least = i8x16.min_u(least, codes);
      most = i8x16.max_u(most, codes);
    }
    for (const end = row + width; at < end; at++) {
      const code: u32 = load<u8>(at);
      low = min(low, code);
      high = max(high, code);
    }
  }
  return min(low, leastLane(least)) | (max(high, 255 - leastLane(v128.not(most))) << 8);
}

function leastLane(codes: v128): u32 {
  let v = i8x16.min_u(codes, i64x2.shuffle(codes, codes, 1, 0));
  v = i8x16.min_u(v, v128.shr<u64>(v, 32));
  v = i8x16.min_u(v, v128.shr<u64>(v, 16));
  v = i8x16.min_u(v, v128.shr<u64>(v, 8));
  return i8x16.extract_lane_u(v, 0);
}
