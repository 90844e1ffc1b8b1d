/** Plans as data, made of measured videos before anything is rendered. */
import type { JobWork, VideoReference, Warning } from './stage.ts';

interface PlannedVideo {
  readonly videoId: string;
  readonly durationSeconds: number;
}

export interface PlanPreview {
  /** The `Timeline` of `src/style/model/timeline.ts`. */
  readonly timeline: object;
  /** EditResult; null: a styled video of one source. */
  readonly edit: unknown;
  /** Gain that brings the sound to its planned loudness, in dB. */
  readonly loudnessGainDb: number;
  readonly warnings: readonly Warning[];
  /** In the order of the timeline's numbers. */
  readonly takes: readonly (PlannedVideo & Pick<VideoReference, 'width' | 'height'>)[];
  readonly music: PlannedVideo | null;
}

/** Inputs of a plan. */
export type PlanRequest = Pick<JobWork, 'source' | 'template' | 'style' | 'config' | 'edit'>;

export interface StoredPlan extends PlanPreview {
  readonly videoId: string;
  readonly templateVideoId: string | null;
}

/** Makes plans within a request and stores them by their requests. */
export interface PlanService {
  idOf(request: PlanRequest): Promise<string>;
  /** Null: there is none, or no longer. */
  load(previewId: string): Promise<StoredPlan | null>;
  remove(previewId: string): Promise<void>;
  /**
   * The request without the takes that cannot be used. Null: measurements are not cached, or the edit cannot do without such a take.
   */
  measured(request: PlanRequest): Promise<PlanRequest | null>;
  /** Plans and stores. Throws VALIDATION_ERROR for wishes that no plan can follow, and what media processes throw. */
  plan(previewId: string, request: PlanRequest, signal: AbortSignal): Promise<StoredPlan>;
}
