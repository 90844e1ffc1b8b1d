/** Names the template of an edit by its shot lengths alone. */

/** What a shot without a counterpart costs, in factors of e of its length. */
const UNMATCHED = 0.7;

/** Lengths between cuts and both ends, in seconds. */
export function lengthsOf(cuts: readonly number[], endSeconds: number): number[] {
  const bounds = [0, ...cuts, endSeconds];
  return bounds.slice(1).map((bound, at) => Math.max(0.03, bound - bounds[at]!));
}

/** Number of the template whose lengths are nearest: by what lengths there are, and by their order. */
export function nearestTemplate(
  lengths: readonly number[],
  templates: readonly (readonly number[])[],
): number {
  const distances = templates.map((own) => lengthDistance(lengths, own) + orderDistance(lengths, own));
  return distances.indexOf(Math.min(...distances));
}

/** Wasserstein distance of the logarithms. */
function lengthDistance(one: readonly number[], other: readonly number[]): number {
  const steps = 100;
  const at = (sorted: readonly number[], share: number) =>
    Math.log(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!);
  const [first, second] = [one, other].map((lengths) => lengths.toSorted((a, b) => a - b)) as [
    number[],
    number[],
  ];
  let sum = 0;
  for (let step = 0; step < steps; step++)
    sum += Math.abs(at(first, (step + 0.5) / steps) - at(second, (step + 0.5) / steps));
  return sum / steps;
}

/** Edit distance of the logarithms, per shot. A longer template may go on: its rest is free. */
function orderDistance(lengths: readonly number[], template: readonly number[]): number {
  let row = template.map((_, at) => at * UNMATCHED);
  row.push(template.length * UNMATCHED);
  for (const length of lengths) {
    const next = [row[0]! + UNMATCHED];
    for (let at = 0; at < template.length; at++) {
      const same = row[at]! + Math.min(2 * UNMATCHED, Math.abs(Math.log(length / template[at]!)));
      next.push(Math.min(same, row[at + 1]! + UNMATCHED, next[at]! + UNMATCHED));
    }
    row = next;
  }
  return Math.min(...row) / lengths.length;
}
