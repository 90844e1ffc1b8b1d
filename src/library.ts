/** The public face for those who import the package. */
export type { AudioFacts, ClipFacts, MotionFacts, VideoFacts } from './analysis/facts.ts';
export type { SoundtrackMatch } from './analysis/soundtrack/match.ts';
export { Failure } from './domain/errors.ts';
export { type JobConfig, type JobConfigInput, jobConfigSchema } from './domain/job-config.ts';
export type { PreviewMoment, PreviewPicture } from './domain/preview.ts';
export type {
  AppliedOutput,
  AppliedStyle,
  AppliedTakes,
  FileAnalysis,
  PlannedEdit,
  TakesInput,
  TakesOptions,
} from './pipeline/engine/direct-results.ts';
export { PRESETS, type Preset } from './presets/presets.ts';
export {
  type Edit,
  type MeasureOptions,
  Studio,
  type StudioOptions,
  type StyleSource,
  type TakesEdit,
  type TranscriptionOptions,
} from './studio.ts';
export { mergeStyles } from './style/merge/merge-styles.ts';
export type { StyleTemplate } from './style/merge/templates.ts';
export type { EditResult } from './style/model/edit-result.ts';
export type { EditMoment, EditSummary } from './style/model/edit-summary.ts';
export { type Style, styleSchema } from './style/model/schema.ts';
export type { Timeline } from './style/model/timeline.ts';
