import type { Reading } from './view.ts';

/** A reading; not found without a value, or with confidence 0. */
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

/** Text of a value that may be missing. */
export function maybe<Value>(
  value: Value | null | undefined,
  words: (value: Value) => string | null,
): string | null {
  return value === null || value === undefined ? null : words(value);
}
