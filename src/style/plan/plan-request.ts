import type { ClipFacts } from '../../analysis/facts.ts';
import type { CubeGrade } from '../../domain/footage.ts';
import type { JobConfig } from '../../domain/job-config.ts';
import type { Style } from '../model/schema.ts';
import type { SourceCaptions } from './captions.ts';

export interface PlanRequest {
  readonly source: ClipFacts;
  /** Null: a clean re-encode. */
  readonly style: Style | null;
  /** Facts of the template, where there is one: they tell directions and durations that a style leaves out. */
  readonly template: ClipFacts | null;
  readonly config: JobConfig;
  /** A table of colours for the place of the style's own grade. */
  readonly cube?: CubeGrade;
  /** Left out or null: there are none. */
  readonly captions?: SourceCaptions | null;
}
