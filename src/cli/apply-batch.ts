import { basename, extname, join } from 'node:path';
import { isStyleDnaError, type StyleDnaError } from '../client/client.ts';
import { Failure } from '../domain/errors.ts';
import { visibleLine } from '../received/visible-text.ts';
import type { Applied, Apply, ApplyWork } from './apply-work.ts';
import { UsageError } from './command.ts';
import { assertOther, assertWritable, isThere } from './output-file.ts';
import { ProgressLine } from './progress-line.ts';

/** Result for one file of a batch. */
export type BatchResult = { readonly source: string; readonly output: string } & (
  | { readonly state: 'done'; readonly applied: Applied; readonly seconds: number }
  | { readonly state: 'skipped' }
  | { readonly state: 'failed'; readonly code: string; readonly message: string }
);

/** The output path of each source in the folder, by its name. Throws `UsageError` if two are equal. */
export function batchOutputs(sources: readonly string[], folder: string): readonly string[] {
  const outputs = sources.map((source) => join(folder, `${basename(source, extname(source))}.mp4`));
  const twice = outputs.findIndex((output, index) => outputs.indexOf(output) !== index);
  if (twice !== -1) {
    const other = sources[outputs.indexOf(outputs[twice])];
    throw new UsageError(
      `${other} and ${sources[twice]} would both be written to ${outputs[twice]}; rename one`,
    );
  }
  return outputs;
}

/**
 * Processes the sources in turn and reports each result at once. A `Failure` of one source does not stop the others;
 * other errors and an interruption do.
 */
export async function applyBatch(
  apply: Apply,
  works: readonly ApplyWork[],
  options: {
    readonly overwrite: boolean;
    readonly signal: AbortSignal;
    readonly onResult: (result: BatchResult) => void;
  },
): Promise<readonly BatchResult[]> {
  const results: BatchResult[] = [];
  for (const [index, work] of works.entries()) {
    const { source, output } = work;
    const line = new ProgressLine(`${index + 1} of ${works.length}  ${basename(source)}`);
    const { signal } = options;
    const startedAt = performance.now();
    let result: BatchResult;
    try {
      if (!options.overwrite && (await isThere(output))) result = { source, output, state: 'skipped' };
      else {
        await assertWritable(output, 'video');
        const applied = await apply(work, { signal, onProgress: (fraction) => line.update(fraction) });
        const seconds = (performance.now() - startedAt) / 1000;
        result = { source, output, state: 'done', applied, seconds };
      }
    } catch (error) {
      if (signal.aborted || !isOfOneFile(error)) throw error;
      const [code, message] = [visibleLine(error.code), visibleLine(error.detail)];
      result = { source, output, state: 'failed', code, message };
    } finally {
      line.end();
    }
    results.push(result);
    options.onResult(result);
  }
  return results;
}

/** Checks outputs before hours of work. Throws `Failure` if an output is one of the input files. */
export async function assertOthers(outputs: readonly string[], inputs: readonly string[]): Promise<void> {
  for (const output of outputs) await assertOther(output, inputs);
}

export function batchText(result: BatchResult): string {
  const { source, output } = result;
  switch (result.state) {
    case 'done':
      return `${output}  ${result.applied.summary?.text ?? 'done'}`;
    case 'skipped':
      return `${output}  exists already: skipped (--overwrite replaces it)`;
    case 'failed':
      return `${source}  failed: ${result.message.replace(`"${source}": `, '')} (${result.code})`;
  }
}

/** `3 done, 1 skipped, 1 failed`. */
export function batchCounts(results: readonly BatchResult[]): string {
  const counts = (['done', 'skipped', 'failed'] as const).map(
    (state) => [state, results.filter((result) => result.state === state).length] as const,
  );
  return counts
    .filter(([state, count]) => count > 0 || state === 'done')
    .map(([state, count]) => `${count} ${state}`)
    .join(', ');
}

/** An unreachable service affects all files. */
function isOfOneFile(error: unknown): error is Failure | StyleDnaError {
  const isAway = isStyleDnaError(error, 'CONNECTION_FAILED', 'TIMEOUT', 'UNEXPECTED_ANSWER');
  return error instanceof Failure || (isStyleDnaError(error) && !isAway);
}
