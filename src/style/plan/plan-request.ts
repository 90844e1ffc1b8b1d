import type { ClipFacts } from '../../analysis/facts.ts';
import type { CubeGrade } from '../../domain/footage.ts';
import type { JobConfig } from '../../domain/job-config.ts';
import type { Style } from '../model/schema.ts';
import type { SourceCaptions } from './captions.ts';

export interface PlanRequest {
  readonly source: ClipFacts;
  /** Null: a clean re-encode. */
  readonly style: Style | null;
  /** Facts of the template, for directions and durations that the style lacks; null: no template. */
  readonly template: ClipFacts | null;
  readonly config: JobConfig;
  /** A LUT that replaces the style's own grade. */
  readonly cube?: CubeGrade;
  /** Undefined or null: there are none. */
  readonly captions?: SourceCaptions | null;
}
