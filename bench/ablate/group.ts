import type { Findings } from '../lib/measure.ts';
import type { Clip } from './stages.ts';

/** Clips that are measured together. */
export interface Group {
  readonly name: string;
  readonly clips: readonly Clip[];
  /** Figures by name, of what was found in each clip, in their order. */
  figuresOf(found: readonly Findings[]): ReadonlyMap<string, number>;
}
