/** Vectors of four 32-bit numbers. Sums over their lanes add lane 0 to lane 2, lane 1 to lane 3, and then the two. */

export function sumOfIntegers(v: v128): i32 {
  const pairs = i32x4.add(v, swapHalves(v));
  return i32x4.extract_lane(pairs, 0) + i32x4.extract_lane(pairs, 1);
}

/** The order of the additions is fixed, because floating-point sums depend on it. */
export function sumOfFloats(v: v128): f32 {
  const pairs = f32x4.add(v, swapHalves(v));
  return f32x4.extract_lane(pairs, 0) + f32x4.extract_lane(pairs, 1);
}

/** `sum` + `a` × `b`, not fused: the product is rounded before it is added. */
export function addProduct(sum: v128, a: v128, b: v128): v128 {
  return f32x4.add(sum, f32x4.mul(a, b));
}

function swapHalves(v: v128): v128 {
  return i64x2.shuffle(v, v, 1, 0);
}
