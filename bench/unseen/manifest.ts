/**
 * Real clips and songs from public repositories that no detector was developed on, each in one of two halves for good:
 * only `tuning` may be looked at in detail. The files stay outside the repository; their truths are in `truth/`.
 */
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const HALVES = ['tuning', 'reporting'] as const;

export interface UnseenFile {
  /** Its name here; the truth is `truth/` and this name with `.truth.json` for its ending. */
  readonly file: string;
  readonly half: (typeof HALVES)[number];
  /** Nothing is known of it that `analysis.ts` could score: `framing.ts` and `fidelity.ts` use it. */
  readonly truth?: false;
  /** Where the source is had: a repository at a commit, or a package of a distribution. */
  readonly repository?: string;
  readonly commit?: string;
  readonly package?: string;
  readonly path: string;
  /** Of the source, before anything is cut out. */
  readonly sha256: string;
  readonly licence: string;
  /** Length of the used part. */
  readonly seconds: number;
  /** The part that is used; without it the source is used as it is. */
  readonly cut?: { readonly start_s: number; readonly length_s: number };
}

export function readManifest(): UnseenFile[] {
  return JSON.parse(readFileSync(pathOf('manifest.json'), 'utf8')) as UnseenFile[];
}

/** Path of the truth that belongs to a file of the manifest. */
export function truthOf(file: string): string {
  return pathOf(`truth/${truthName(file)}`);
}

export function truthName(file: string): string {
  return `${basename(file, extname(file))}.truth.json`;
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
