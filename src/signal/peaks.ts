/** Places greater than their left and not less than their right neighbour, ends left out. */
export function localMaxima(values: ArrayLike<number>): number[] {
  const places: number[] = [];
  for (let i = 1; i + 1 < values.length; i++) {
    if (values[i] > values[i - 1] && values[i] >= values[i + 1]) places.push(i);
  }
  return places;
}

/** Where the parabola through a maximum and its neighbours peaks (−0.5..0.5 from `place`), and how high. */
export function refinePeak(values: ArrayLike<number>, place: number): { place: number; value: number } {
  const left = values[place - 1] ?? values[place];
  const right = values[place + 1] ?? values[place];
  const curve = left - 2 * values[place] + right;
  if (curve >= 0) return { place, value: values[place] };
  const shift = Math.min(0.5, Math.max(-0.5, (0.5 * (left - right)) / curve));
  return { place: place + shift, value: values[place] - 0.25 * (left - right) * shift };
}
