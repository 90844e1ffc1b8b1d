import { appendFileSync } from 'node:fs';
import type { TestContext } from 'node:test';

/** Figures of a fault. */
export interface FaultFigures {
  /** How often the fault was made. */
  readonly tried: number;
  /** The longest wait, in milliseconds; left out without a limit. */
  readonly slowestMs?: number;
  /** Acknowledged data that were missing afterwards, and effects that happened twice. */
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

/** Whether each row of docs/reliability.md is tested at its full count, which takes minutes: `FAULT_TRIES=full`. */
export const IS_FULL = process.env['FAULT_TRIES'] === 'full';
