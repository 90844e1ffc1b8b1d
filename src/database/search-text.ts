/**
 * Normalizes names for comparison: case-insensitive, in one Unicode composition (macOS sends letters and
 * accents separately). Done here, because `lower` of a database in the locale C only knows ASCII.
 */
export function searchText(...names: readonly (string | null)[]): string {
  const present = names.filter((name) => name !== null);
  return present.join('\n').normalize('NFC').toLowerCase();
}
