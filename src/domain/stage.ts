import type { CubeGrade } from './footage.ts';
import type { JobConfig } from './job-config.ts';

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

/** Something a client should know although the work succeeded. */
export interface Warning {
  /** UPPER_SNAKE, stable. */
  readonly code: string;
  readonly message: string;
}

/** What a file turned out to be when it was probed. */
export interface VideoProbe {
  readonly contentType: string;
  readonly container: string;
  /** Measured over the packets of the picture: headers lie. 0 for an image. */
  readonly durationSeconds: number;
  /** As displayed. */
  readonly width: number;
  readonly height: number;
  readonly rotation: number;
  /** 0 for an image. */
  readonly frameRate: number;
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
  /** As its probe found; limits on the work grow with it. */
  readonly durationSeconds: number;
  /** As displayed. */
  readonly width: number;
  readonly height: number;
}

/** What is to be done, whoever asks for it: a job of the service, a command, a caller of the library. */
export interface JobWork {
  /** Left out: no job of a service. */
  readonly jobId?: string;
  readonly source: VideoReference;
  readonly template: VideoReference | null;
  /** A Style DNA given by the client instead of a template, validated; else null. */
  readonly style: unknown;
  /** A table of colours for the place of the style's own grade, read from a `.cube` file at hand. */
  readonly cube?: CubeGrade;
  readonly config: JobConfig;
  readonly signal: AbortSignal;
  /** `fraction` 0..1 of this stage, never falling; called at least every second of work. */
  readonly onProgress: (fraction: number) => void;
}

/**
 * What is made on the queue of jobs in place of the styled video, for looking before rendering: what is found in the source with
 * its report, or a small piece of the output. To who lists jobs it is none.
 */
export type Product =
  | { readonly kind: 'analysis' }
  /** Of the output's time. */
  | { readonly kind: 'draft'; readonly startSeconds: number; readonly durationSeconds: number };

/** A frame of the output, while it is drawn. */
export interface LiveFrame {
  /** 1, 2, 3 … within the attempt. */
  readonly sequence: number;
  /** Of the output's time. */
  readonly atSeconds: number;
}

/** Does one part of a stage's work; what it resolves with is kept as JSON. */
export type DoPart = (part: number, options: Pick<JobWork, 'signal' | 'onProgress'>) => Promise<unknown>;

/** Work that is divided into parts, which every worker that has nothing else to do may take. */
export interface SharedParts {
  /**
   * Has parts 0 … `count` − 1 of a plan done, each once, here and by whoever helps (`RunPart`); resolves with what each gave, in
   * their order. `plan` names what they are parts of: what was done for it before, in an attempt that was lost, is not
   * done again.
   */
  all(
    plan: string,
    count: number,
    doPart: DoPart,
    onProgress: (fraction: number) => void,
  ): Promise<readonly unknown[]>;
  /** Forgets what the parts gave. */
  forget(): Promise<void>;
}

/** One stage of one attempt at one job. */
export interface StageWork extends JobWork {
  readonly jobId: string;
  readonly attempt: number;
  readonly stage: StageName;
  /** Null: the styled video. */
  readonly product: Product | null;
  /** Called when a frame was stored that can be looked at while the output is drawn. */
  readonly onFrame?: (frame: LiveFrame) => void;
  /** Left out: nobody helps. */
  readonly parts?: SharedParts;
}

/** A file that a job leaves for download. */
export interface Artifact {
  readonly name: string;
  readonly blobKey: string;
  readonly contentType: string;
  readonly sizeBytes: number;
}

/** What a job makes public when it completes. */
export interface Publication {
  /** StyleJSON; null when the extraction failed. */
  readonly style: unknown;
  /** What was done to the source (EditSummary); left out by what is no styled video, and in rows of earlier versions. */
  readonly summary?: unknown;
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
 * when aborted; anything else is a bug. Keeps its own results, so that calling it again after a crash
 * is cheap when it had finished.
 */
export type RunStage = (work: StageWork) => Promise<StageOutcome>;

/** Does one part of a stage that another worker runs, as that would; throws as `RunStage` does. */
export type RunPart = (
  work: StageWork,
  part: { readonly plan: string; readonly part: number },
) => Promise<unknown>;
