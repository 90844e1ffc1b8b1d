import type { AudioFacts, ClipFacts, MotionFacts, VideoFacts } from '../analysis/facts.ts';
import type { Envelope, Still, StreamFormat } from '../footage.ts';
import type { JobConfig } from '../job-config.ts';
import type { FileOutline } from '../media/read/outline.ts';
import type { ProbeResult } from '../media/read/probe.ts';
import type { ComparisonRequest } from '../render/comparison.ts';
import type { RenderedOutput, RenderRequest } from '../render/render.ts';
import type { Style } from '../style/model/schema.ts';
import type { SourceCaptions } from '../style/plan/captions.ts';
import type { PlannedEdit } from './direct-results.ts';

/** Sound of a clip, and its Chromaprint where there is enough of it. */
export interface AudioResult {
  readonly facts: AudioFacts;
  readonly fingerprint: string | null;
}

export interface PlanInput {
  readonly source: ClipFacts;
  /** Null: no style, a clean re-encode. */
  readonly style: Style | null;
  readonly template: ClipFacts | null;
  readonly config: JobConfig;
  /** A caption file, or a video whose text track to read; null: neither is wanted. */
  readonly captions: { readonly origin: SourceCaptions['origin']; readonly path: string } | null;
}

/** What a picture of the findings needs beyond them. */
export interface Preview {
  readonly format: StreamFormat;
  readonly stills: readonly Still[];
  /** Null: no sound. */
  readonly envelope: Envelope | null;
}

export interface PreviewInput {
  readonly path: string;
  readonly durationSeconds: number;
  /** Ascending; empty for sound alone. */
  readonly stillTimesSeconds: readonly number[];
  readonly stillAreaPixels: number;
  readonly envelopeColumns: number;
}

/**
 * What a media child can be asked for: plain data in, plain data out. Paths are made by the parent; a task writes
 * only into its working folder and to the paths it is given.
 */
export interface Tasks {
  readonly ping: { input: null; output: 'pong' };
  /** Loads the code of every other task, so that Node compiles it and keeps what it compiled. */
  readonly compile: { input: null; output: null };
  readonly outline: { input: { path: string }; output: FileOutline };
  readonly probe: { input: { path: string; maxDurationSeconds: number }; output: ProbeResult };
  readonly video: { input: { path: string; motionLogPath: string }; output: VideoFacts };
  /** Null: the clip has no sound. `durationSeconds` only scales the progress. */
  readonly audio: { input: { path: string; durationSeconds: number | null }; output: AudioResult | null };
  readonly motion: { input: { motionLogPath: string; video: VideoFacts }; output: MotionFacts };
  readonly style: { input: { facts: ClipFacts; fingerprint: string | null; createdAt: Date }; output: Style };
  readonly preview: { input: PreviewInput; output: Preview };
  readonly plan: { input: PlanInput; output: PlannedEdit };
  readonly compare: { input: ComparisonRequest; output: null };
  readonly render: { input: RenderRequest; output: RenderedOutput & { sha256: string } };
}

export type TaskName = keyof Tasks;
export type TaskInput<T extends TaskName> = Tasks[T]['input'];
export type TaskOutput<T extends TaskName> = Tasks[T]['output'];
