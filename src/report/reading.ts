import type { Reading } from './view.ts';

/** A reading that is not found when there is no value, or nothing speaks for it. */
export function found(
  label: string,
  value: string | null,
  confidence: number | null,
  note?: string,
): Reading {
  const isFound = value !== null && confidence !== 0;
  return {
    label,
    value: isFound ? value : null,
    confidence: isFound ? confidence : null,
    ...(note !== undefined && isFound ? { note } : {}),
  };
}

/** The words for a value that may not be there. */
export function maybe<Value>(
  value: Value | null | undefined,
  words: (value: Value) => string | null,
): string | null {
  return value === null || value === undefined ? null : words(value);
}
