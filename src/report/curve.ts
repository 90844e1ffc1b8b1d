/** Paths over columns of equal width: column i is centred on x = i + 0.5. */

const text = (value: number) => Number(value.toFixed(2));

/** A line through the columns; null leaves a gap. */
export function linePath(values: readonly (number | null)[], y: (value: number) => number): string {
  let path = '';
  let isDrawing = false;
  for (const [column, value] of values.entries()) {
    if (value === null) {
      isDrawing = false;
      continue;
    }
    const height = text(y(value));
    // A single column is a short stroke.
    if (!isDrawing) path += `M${column} ${height}`;
    path += `L${column + 0.5} ${height}`;
    if (column === values.length - 1 || values[column + 1] === null) path += `L${column + 1} ${height}`;
    isDrawing = true;
  }
  return path;
}

/** The area between two curves. */
export function bandPath(
  upper: readonly number[],
  lower: readonly number[],
  y: (value: number) => number,
): string {
  const along = (values: readonly number[]) => {
    const points = values.map((value, column) => `${column + 0.5} ${text(y(value))}`);
    return [`0 ${text(y(values[0] ?? 0))}`, ...points, `${values.length} ${text(y(values.at(-1) ?? 0))}`];
  };
  return `M${along(upper).join('L')}L${along(lower).reverse().join('L')}Z`;
}

/** The value with this share of the values below it, by size: one outlier does not set the scale. */
export function usualSize(values: readonly number[], share: number, least: number): number {
  const sizes = values.map(Math.abs).sort((one, other) => one - other);
  return Math.max(least, sizes[Math.floor((sizes.length - 1) * share)] ?? 0);
}
