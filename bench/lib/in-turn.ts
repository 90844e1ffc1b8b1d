import { median } from '../../src/signal/statistics.ts';

/** Each work once, so many times over, that all meet the same load; the medians of each one's figures. */
export async function inTurn<Figures extends Readonly<Record<string, number>>>(
  rounds: number,
  works: Readonly<Record<string, () => Promise<Figures>>>,
): Promise<Readonly<Record<string, Figures>>> {
  const found = new Map<string, Figures[]>(Object.keys(works).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const [name, work] of Object.entries(works)) found.get(name)!.push(await work());
  const medians = [...found].map(([name, all]) => {
    const keys = Object.keys(all[0]);
    const figures = keys.map((key) => [key, median(all.map((one) => one[key]))]);
    return [name, Object.fromEntries(figures) as Figures] as const;
  });
  return Object.fromEntries(medians);
}
