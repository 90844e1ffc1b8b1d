/**
 * How names are compared: without regard to case, in one composition (macOS sends letters and accents apart). Done here, because
 * `lower` of a database in the locale C knows ASCII alone.
 */
export function searchText(...names: readonly (string | null)[]): string {
  const given = names.filter((name) => name !== null);
  return given.join('\n').normalize('NFC').toLowerCase();
}
