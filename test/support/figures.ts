import { appendFileSync } from 'node:fs';
import type { TestContext } from 'node:test';

/** What a test saw of a fault. */
export interface FaultFigures {
  /** How often the fault was made. */
  readonly tried: number;
  /** The slowest of what the table of faults bounds, in milliseconds; left out where nothing is. */
  readonly slowestMs?: number;
  /** Acknowledged things that were not there afterwards, and whatever happened twice. */
  readonly lost: number;
  /** What else is worth knowing, in words. */
  readonly seen?: string;
}

/** Reports figures; also as a line of JSON in the file that FAULT_FIGURES names, for the table of docs/reliability.md. */
export function tellFigures(t: TestContext, fault: string, figures: FaultFigures): void {
  const { tried, slowestMs, lost, seen } = figures;
  const slowest = slowestMs === undefined ? '' : `, slowest ${Math.round(slowestMs)} ms`;
  t.diagnostic(`${fault}: tried ${tried}×${slowest}, lost ${lost}${seen === undefined ? '' : `; ${seen}`}`);
  const file = process.env['FAULT_FIGURES'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ fault, ...figures })}\n`);
}

/** The value that this share of the sorted values does not exceed. `share`: 0..1. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
