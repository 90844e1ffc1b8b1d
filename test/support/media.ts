import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../shared/media/', import.meta.url));

/** The path of a file of the shared test media, or null in a clone that has none beside it. */
export function mediaPath(name: string): string | null {
  const path = ROOT + name;
  return existsSync(path) ? path : null;
}
