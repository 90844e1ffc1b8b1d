import type { Warning } from '../domain/stage.ts';
import { visibleJson, visibleLine } from '../received/visible-text.ts';

/** Prints data for a machine. */
export function printJson(value: unknown): void {
  console.log(visibleJson(value));
}

/** Prints warnings, one line each. Their texts can contain names from files and from a service. */
export function printNotes(warnings: readonly Pick<Warning, 'message'>[], indent = ''): void {
  for (const { message } of warnings) console.error(`${indent}Note: ${visibleLine(message)}`);
}
