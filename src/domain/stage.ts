import type { EditOptions } from './edit-options.ts';
import type { CubeGrade } from './footage.ts';
import type { JobConfig } from './job-config.ts';
import type { TimeRange } from './time-range.ts';

/** The six stages in the order in which a job runs through them (interface specification, "Stage order"). */
export const STAGE_NAMES = [
  'video_analysis',
  'audio_analysis',
  'motion_analysis',
  'style_extraction',
  'style_application',
  'rendering',
] as const;

export type StageName = (typeof STAGE_NAMES)[number];

/** A note for the client about work that succeeded. */
export interface Warning {
  /** UPPER_SNAKE, stable. */
  readonly code: string;
  readonly message: string;
}

/**
 * The kind of an uploaded file, found from its bytes. A sound file is a song of an edit or a template, a picture a
 * template or a photo of an edit.
 */
export type VideoKind = 'video' | 'image' | 'audio';

/** Result of probing a file. */
export interface VideoProbe {
  readonly contentType: string;
  readonly container: string;
  /** Measured over packets, because headers can be wrong. 0 for an image. */
  readonly durationSeconds: number;
  /** As displayed; 0 for a sound file. */
  readonly width: number;
  readonly height: number;
  readonly rotation: number;
  /** 0 for an image and a sound file. */
  readonly frameRate: number;
  /** Empty for a sound file. */
  readonly videoCodec: string;
  readonly audioCodec: string | null;
  readonly warnings: readonly Warning[];
}

/** A stored video as the stages need it. */
export interface VideoReference {
  readonly videoId: string;
  readonly sha256: string;
  /** Key in the blob store. */
  readonly blobKey: string;
  /** The file's own name, without folders. */
  readonly filename: string;
  /** From its probe; limits of the work grow with it. */
  readonly durationSeconds: number;
  /** As displayed. */
  readonly width: number;
  readonly height: number;
  /** The part that counts; its facts count from its start. Left out: all of it. */
  readonly range?: TimeRange;
}

/** Whether it is a sound file, which has no picture. */
export function isSound({ width }: Pick<VideoReference, 'width'>): boolean {
  return width === 0;
}

/** The template, if it has a picture; null: there is no template, or it is a sound file. */
export function picturedTemplate({ template }: Pick<JobWork, 'template'>): VideoReference | null {
  return template === null || isSound(template) ? null : template;
}

/** A take that is left out. */
export interface LeftOutTake {
  readonly videoId: string;
  /** With the name of its file. */
  readonly reason: string;
}

/** Files and options of an edit from many takes. */
export interface EditWork {
  /** In the order of the request; the first is the job's source. Each has the options that are its own. */
  readonly takes: readonly VideoReference[];
  /** A song, or a video whose sound is used; null: none. A song has no width and height: 0. */
  readonly music: VideoReference | null;
  /** The `video_id`s are those of `takes` and `music`. */
  readonly options: EditOptions;
  /** Takes of the request that cannot be used; undefined: none. */
  readonly leftOut?: readonly LeftOutTake[];
}

/** Work of a job of the service, of a command, or of the library. */
export interface JobWork {
  /** Undefined: not a job of a service. */
  readonly jobId?: string;
  readonly source: VideoReference;
  readonly template: VideoReference | null;
  /** A validated Style DNA in place of a template; null: none. */
  readonly style: unknown;
  /** Left out: a styled video of the source alone. */
  readonly edit?: EditWork;
  /** A LUT that replaces the style's own grade. */
  readonly cube?: CubeGrade;
  readonly config: JobConfig;
  readonly signal: AbortSignal;
  /** `fraction` 0..1 of this stage, never falling; called at least every second of work. */
  readonly onProgress: (fraction: number) => void;
}

/**
 * The product of a job other than a styled video. `analysis`: of the source, with its report. `draft`: a
 * short part of the output. `storyboard`: of an edit, its plan and one picture. `plan`: of an edit, as data.
 * `comparison`: of another job's output with its source. `proxy`: a small copy of the source for players.
 * Lists of jobs do not contain these jobs.
 */
export type Product =
  | { readonly kind: 'analysis' }
  | { readonly kind: 'storyboard' }
  | { readonly kind: 'proxy' }
  | { readonly kind: 'plan' }
  /** In seconds of the output. */
  | { readonly kind: 'draft'; readonly startSeconds: number; readonly durationSeconds: number }
  /** `attempt`: of the job whose files are compared. */
  | { readonly kind: 'comparison'; readonly jobId: string; readonly attempt: number };

/** Whether a job makes this of an image or a sound file too. Null and undefined: a styled video. */
export function isMadeOfAnyFile(product: Product | null | undefined): boolean {
  return product?.kind === 'proxy' || product?.kind === 'analysis';
}

/** A frame of the output, while it is drawn. */
export interface LiveFrame {
  /** 1, 2, 3 … within the attempt. */
  readonly sequence: number;
  /** Time in the output. */
  readonly atSeconds: number;
}

/** Does one part of a stage's work; its result is stored as JSON. */
export type DoPart = (part: number, options: Pick<JobWork, 'signal' | 'onProgress'>) => Promise<unknown>;

/** Work divided into parts, which all idle workers claim. */
export interface SharedParts {
  /**
   * Runs parts 0 … `count` − 1 of a plan, each once, here and by other workers (`RunPart`); resolves with their results in order. Parts
   * that an earlier, lost attempt finished for the same `plan` are not repeated.
   */
  all(
    plan: string,
    count: number,
    doPart: DoPart,
    onProgress: (fraction: number) => void,
  ): Promise<readonly unknown[]>;
  /** Removes the results of the parts. */
  forget(): Promise<void>;
}

/** One stage of one attempt at one job. */
export interface StageWork extends JobWork {
  readonly jobId: string;
  readonly attempt: number;
  readonly stage: StageName;
  /** Null: the styled video. */
  readonly product: Product | null;
  /** Called when a live frame has been stored. */
  readonly onFrame?: (frame: LiveFrame) => void;
  /** Undefined: no other worker helps. */
  readonly parts?: SharedParts;
}

/** A file of a job for download. */
export interface Artifact {
  readonly name: string;
  readonly blobKey: string;
  readonly contentType: string;
  readonly sizeBytes: number;
}

/** Results of a completed job. */
export interface Publication {
  /** StyleJSON; null when the extraction failed. */
  readonly style: unknown;
  /** EditSummary; undefined for products and in rows of earlier versions. */
  readonly summary?: unknown;
  /** EditResult; undefined for jobs without an edit. */
  readonly edit?: unknown;
  readonly output: Artifact & { readonly sha256: string };
  readonly artifacts: readonly Artifact[];
}

export interface StageOutcome {
  readonly warnings: readonly Warning[];
  /** Present on the last stage only. */
  readonly publication?: Publication;
}

/**
 * Runs one stage to its end. Throws a `Failure` (domain/errors.ts) for foreseen trouble, the signal's reason
 * when aborted; anything else is a bug. Caches its results, so that a repeated call after a crash is
 * cheap.
 */
export type RunStage = (work: StageWork) => Promise<StageOutcome>;

/** Does one part of a stage that another worker runs; throws as `RunStage` does. */
export type RunPart = (
  work: StageWork,
  part: { readonly plan: string; readonly part: number },
) => Promise<unknown>;
