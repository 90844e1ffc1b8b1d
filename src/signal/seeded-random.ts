/** Uniform random numbers in 0..1 that depend on `seed` only (xorshift32, Marsaglia 2003). */
export function seededRandom(seed: number): () => number {
  // 0 is the generator's only fixed point; the odd constant also separates neighbouring seeds.
  let state = (Math.imul(seed >>> 0, 0x9e3779b1) ^ 0x6a09e667) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 0x100000000;
  };
}

/** A shuffled copy (Fisher and Yates). */
export function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const order = [...items];
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other], order[at]];
  }
  return order;
}
