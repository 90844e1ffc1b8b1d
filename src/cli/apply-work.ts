import { join } from 'node:path';
import type { Warning } from '../domain/stage.ts';
import type { DirectOptions } from '../pipeline/engine/direct-results.ts';
import type { Edit, Studio } from '../studio.ts';
import type { EditSummary } from '../style/model/edit-summary.ts';

/** The outputs of one call of `apply`. */
export interface ApplyWork extends Edit {
  readonly output: string;
  readonly comparison?: string;
  /** A folder. */
  readonly artifacts?: string;
  /** Whether existing files may be replaced. */
  readonly overwrite: boolean;
}

export interface Applied {
  /** Null: the service has an earlier version. */
  readonly summary: EditSummary | null;
  readonly warnings: readonly Warning[];
  /** All written files, the video first. */
  readonly files: readonly string[];
  /** Measurements that a service does not return. */
  readonly figures: object;
}

export type Apply = (work: ApplyWork, options: Required<DirectOptions>) => Promise<Applied>;

/** Does the work on this machine. */
export function applyHere(studio: Studio): Apply {
  return async (work, options) => {
    const { output, summary, warnings, artifacts } = await studio.apply(work, options);
    const beside = artifacts.map((name) => join(work.artifacts ?? '', name));
    const files = [work.output, ...(work.comparison === undefined ? [] : [work.comparison]), ...beside];
    return { summary, warnings, files, figures: output };
  };
}
