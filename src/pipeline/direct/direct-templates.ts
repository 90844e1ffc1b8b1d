/** The style of several local files. */
import { realpath } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { Failure } from '../../domain/errors.ts';
import { sha256Of } from '../../render/verify/file-hash.ts';
import { mergeStyles } from '../../style/merge/merge-styles.ts';
import type { Style } from '../../style/model/schema.ts';
import { MAX_TEMPLATES } from '../../style/model/template-limit.ts';
import type { DirectOptions } from '../engine/direct-results.ts';
import type { MediaEngine } from '../engine/engine.ts';
import { progressParts } from '../stages/stage-tools.ts';
import { analyseFile, assertFile, styleOfFile } from './direct.ts';

/** The common style of files that this machine measures. Throws as `commonStyle` does. */
export function styleOfFiles(
  engine: MediaEngine,
  files: readonly string[],
  { onProgress = () => {}, ...options }: DirectOptions,
): Promise<Style> {
  return commonStyle(files, onProgress, async (file, onPart) => {
    const wanted = { ...options, onProgress: onPart };
    return styleOfFile(engine, await analyseFile(engine, file, wanted), options);
  });
}

/**
 * Measures each file once and merges the styles. Throws VALIDATION_ERROR for none, more than ten, or equal files, and the
 * error of the first file that cannot be measured: a style of the others would not be the requested one.
 */
export async function commonStyle(
  files: readonly string[],
  onProgress: (fraction: number) => void,
  measure: (file: string, onProgress: (fraction: number) => void) => Promise<Style>,
): Promise<Style> {
  await assertTemplates(files);
  const parts = progressParts(
    onProgress,
    files.map(() => 1),
  );
  const templates = [];
  for (const [at, file] of files.entries())
    templates.push({ name: basename(file), style: await measure(file, parts[at]!) });
  return mergeStyles(templates);
}

/** Before the first measurement. Throws VALIDATION_ERROR, or FILE_NOT_FOUND. */
async function assertTemplates(files: readonly string[]): Promise<void> {
  if (files.length === 0 || files.length > MAX_TEMPLATES)
    throw new Failure(
      'VALIDATION_ERROR',
      `A style is made of 1 to ${MAX_TEMPLATES} templates; these are ${files.length}`,
    );
  const known = new Map<string, string>();
  for (const file of files) {
    const path = resolve(file);
    await assertFile(path, file);
    const hash = files.length === 1 ? path : await sha256Of(await realpath(path));
    const same = known.get(hash);
    if (same !== undefined)
      throw new Failure(
        'VALIDATION_ERROR',
        same === file
          ? `"${file}" is named twice`
          : `"${file}" is the same file as "${same}": name each once`,
        { file },
      );
    known.set(hash, file);
  }
}
