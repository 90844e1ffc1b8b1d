/** Smooth step from 0 to 1 (Hermite); 0 before, 1 after. */
export function smooth(value: number): number {
  const t = Math.max(0, Math.min(1, value));
  return t * t * (3 - 2 * t);
}

/** Random values of a lattice, 0..1, interpolated smoothly. */
export function valueNoise(x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [dx, dy] = [smooth(x - left), smooth(y - top)];
  const value = (column: number, row: number) => {
    const turned = Math.sin(column * 127.1 + row * 311.7) * 43758.5453;
    return turned - Math.floor(turned);
  };
  const upper = value(left, top) + dx * (value(left + 1, top) - value(left, top));
  const lower = value(left, top + 1) + dx * (value(left + 1, top + 1) - value(left, top + 1));
  return upper + dy * (lower - upper);
}
