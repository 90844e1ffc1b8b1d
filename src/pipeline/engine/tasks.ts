import type { AudioFacts, ClipFacts, MotionFacts, VideoFacts } from '../../analysis/facts.ts';
import type { EditOptions } from '../../domain/edit-options.ts';
import type { ErrorCode, Failure } from '../../domain/errors.ts';
import type { CubeGrade, Envelope, Size, Still, StreamFormat } from '../../domain/footage.ts';
import type { JobConfig } from '../../domain/job-config.ts';
import type { PictureFormat, PlannedOutput } from '../../domain/preview.ts';
import type { ProxyOutline } from '../../domain/proxy.ts';
import type { VideoProbe, Warning } from '../../domain/stage.ts';
import type { TimeRange } from '../../domain/time-range.ts';
import type { SoundPiece } from '../../domain/transcription.ts';
import type { FileOutline } from '../../media/read/outline.ts';
import type { ComparisonRequest } from '../../render/comparison.ts';
import type { DraftRequest, RenderedDraft } from '../../render/draft.ts';
import type { JoinRequest } from '../../render/join.ts';
import type { PicturedSegment } from '../../render/previews/joined-pictures.ts';
import type { StoryboardLayout } from '../../render/previews/storyboard-layout.ts';
import type { ProxyRequest } from '../../render/proxy.ts';
import type { RenderedOutput, RenderRequest } from '../../render/render.ts';
import type { RenderedSegment, SegmentsRequest } from '../../render/segment.ts';
import type { AudioOutcome, SoundRequest } from '../../render/sound/audio-file.ts';
import type { StoryboardRequest } from '../../render/storyboard.ts';
import type { EncoderTrial } from '../../render/verify/encoder-trial.ts';
import type { EditResult } from '../../style/model/edit-result.ts';
import type { OutputMoment } from '../../style/model/output-moment.ts';
import type { Style } from '../../style/model/schema.ts';
import type { Timeline } from '../../style/model/timeline.ts';
import type { SourceCaptions } from '../../style/plan/captions.ts';
import type { MeasuredTake } from '../../style/plan/edit.ts';
import type { Plan, PlanOfTakes } from './direct-results.ts';

/** Facts of a clip's sound, and its Chromaprint fingerprint if it is long enough. */
export interface AudioResult {
  readonly facts: AudioFacts;
  readonly fingerprint: string | null;
}

/** The content of a file's headers, and the result of the probe for its picture. */
export interface InspectedFile {
  readonly outline: FileOutline;
  /** Error code and detail if the probe refuses the file; null: there is no picture. */
  readonly probe: VideoProbe | { readonly refusal: readonly [code: ErrorCode, detail: string] } | null;
}

/** All measurements of a clip. */
export interface MeasuredClip {
  readonly video: VideoFacts;
  /** Null: it has no sound. */
  readonly audio: AudioResult | null;
  readonly motion: MotionFacts;
  /** Null: not requested. */
  readonly style: Style | null;
}

/** Requested measurements of a clip's picture. */
interface VideoInput {
  readonly path: string;
  /** The part that is measured, on its own clock; undefined: all. */
  readonly range?: TimeRange | undefined;
  readonly motionLogPath: string;
  /** Whether the clip may be reframed: then faces and other subjects are measured. */
  readonly withSubjects: boolean;
}

/** Requested measurements of a clip. */
interface MeasureInput extends VideoInput {
  /** Creation time for the Style DNA, which is then extracted too; null: not requested. */
  readonly styleAt: Date | null;
}

export interface PlanInput {
  readonly source: ClipFacts;
  /** Null: no style, a clean re-encode. */
  readonly style: Style | null;
  readonly template: ClipFacts | null;
  readonly config: JobConfig;
  /** A LUT that replaces the style's own grade. */
  readonly cube?: CubeGrade;
  /** A caption file, a video whose text track is read, or words as JSON; null: not requested. */
  readonly captions: { readonly origin: SourceCaptions['origin']; readonly path: string } | null;
}

/** Inputs of the plan of an edit from many takes. */
interface TakesPlanInput extends Pick<PlanInput, 'config' | 'cube'> {
  /** In the order of the request. */
  readonly takes: readonly MeasuredTake[];
  /** Null: no song. */
  readonly music: AudioResult | null;
  readonly style: Style;
  /** Null: a style without its template. */
  readonly template: { readonly facts: ClipFacts; readonly fingerprint: string | null } | null;
  readonly options: EditOptions;
  /** Words of a talk, per take; null: none. Left out: it shows none. */
  readonly captions?: readonly PlanInput['captions'][];
}

/** Files of a clip's measurements, which are JSON. */
export type MeasuredFiles = Readonly<Record<'video' | 'audio' | 'motion', string>>;

/** Inputs of a plan as data. Measurements are files, because a child that stays open reads them once. */
export interface PlanDataInput extends Pick<PlanInput, 'config' | 'style' | 'captions'> {
  /** In the order of the request. */
  readonly takes: readonly (Omit<MeasuredTake, 'facts'> & { readonly files: MeasuredFiles })[];
  /** Measurements of the song; null: none. */
  readonly musicPath: string | null;
  readonly template: MeasuredFiles | null;
  /** Null: a styled video of the only take. */
  readonly edit: EditOptions | null;
  /** The file of the only take, for its text track; null: of an edit. */
  readonly sourcePath: string | null;
}

export interface PlanData {
  readonly timeline: Timeline;
  /** Null: a styled video of one source. */
  readonly edit: EditResult | null;
  /** Gain that brings the sound to its planned loudness, in dB. */
  readonly loudnessGainDb: number;
  readonly warnings: readonly Warning[];
}

/** Wishes that no plan can follow. An answer: a failed task would end its child, which has read the measurements. */
export interface PlanRefusal {
  readonly refused: Pick<Failure, 'code' | 'detail' | 'fields'>;
}

/** Additional data for the picture of a report. */
export interface Preview {
  readonly format: StreamFormat;
  readonly stills: readonly Still[];
  /** Null: no sound. */
  readonly envelope: Envelope | null;
}

export interface PreviewInput {
  readonly path: string;
  /** Where the part begins that is shown; left out: the start of the file. All other times count from here. */
  readonly startSeconds?: number;
  readonly durationSeconds: number;
  /** Ascending; empty for sound alone. */
  readonly stillTimesSeconds: readonly number[];
  readonly stillAreaPixels: number;
  readonly envelopeColumns: number;
}

/** Pictures of an output for its report. */
export type OutputPreviewInput = Pick<
  PreviewInput,
  'stillTimesSeconds' | 'stillAreaPixels' | 'envelopeColumns'
>;
export type OutputPreview = Omit<Preview, 'format'>;

/** `preview`: pictures of the source, which is decoded anyway; undefined: not requested. */
type RenderInput = Omit<RenderRequest, 'stills' | 'outputStills'> & {
  readonly preview?: PreviewInput;
  /** Left out: not requested. */
  readonly outputPreview?: OutputPreviewInput;
};

/** Rendered segments, each with the file of its pictures, and the pictures of the output to write. */
export interface JoinInput extends JoinRequest {
  readonly segments: readonly (JoinRequest['segments'][number] & PicturedSegment)[];
  readonly posterPath: string;
  readonly filmstripPath: string;
  /** Left out: not requested. */
  readonly outputPreview?: OutputPreviewInput;
}

export interface RenderedFile extends RenderedOutput {
  readonly sha256: string;
  /** Of the source. Null: not requested, or failed. */
  readonly preview: Preview | null;
  /** Null: not requested. */
  readonly outputPreview: OutputPreview | null;
}

/** Frames of the source, original and graded, in one picture. */
interface PreviewPictureInput {
  readonly plan: PlanInput;
  readonly sourcePath: string;
  /** Of the whole file. */
  readonly sourceSeconds: number;
  /** Seconds of the source, at least one. */
  readonly momentsSeconds: readonly number[];
  /** Of each frame; both even. */
  readonly frameSize: Size;
  /** The source's frames in this size if `framesKept`, else the path to write them to. */
  readonly framesPath: string;
  readonly hasFrames: boolean;
  readonly format: PictureFormat;
  readonly picturePath: string;
}

interface PreviewPictureOutput {
  /** Times of the moments in the output; null: not shown. */
  readonly moments: readonly (OutputMoment | null)[];
  readonly output: PlannedOutput;
  readonly warnings: readonly Warning[];
}

/** Small pictures of a video. */
interface PicturesInput {
  readonly path: string;
  /** 0 for an image. */
  readonly durationSeconds: number;
  readonly posterPath: string;
  readonly filmstripPath: string;
}

interface PicturesOutput {
  readonly tile: Size;
  readonly tileSeconds: readonly number[];
}

/** A proxy of a video, a photo or a sound file. */
interface ProxyInput extends ProxyRequest {
  /** From the probe; scales the progress of a sound. */
  readonly durationSeconds: number;
}

/**
 * Tasks of a media child: plain data as input and output. The parent chooses all paths; a task writes only into its
 * working folder and to the paths of its input.
 */
interface Tasks {
  readonly ping: { input: null; output: 'pong' };
  /** Loads the code of all other tasks, so that Node caches the compiled code. */
  readonly compile: { input: null; output: null };
  readonly outline: { input: { path: string }; output: FileOutline };
  readonly probe: { input: { path: string; maxDurationSeconds: number }; output: VideoProbe };
  /** `outline`, and `probe` for a file with a picture of any length. */
  readonly inspect: { input: { path: string }; output: InspectedFile };
  /** `video`, `audio` and `motion` in turn. */
  readonly measure: { input: MeasureInput & { readonly durationSeconds: number }; output: MeasuredClip };
  /**
   * `inspect`, whose result is reported at once, then `measure` for a clip within the limits of this task: see
   * `ordinaryDuration`.
   */
  readonly analyse: {
    input: MeasureInput;
    readonly found: InspectedFile;
    output: { readonly inspected: InspectedFile; readonly measured: MeasuredClip | null };
  };
  readonly video: { input: VideoInput; output: VideoFacts };
  /** Null: the clip has no sound. `durationSeconds` only scales the progress. */
  readonly audio: {
    input: Pick<VideoInput, 'path' | 'range'> & { readonly durationSeconds: number | null };
    output: AudioResult | null;
  };
  /** Writes the sound for a transcription engine into the folder; null: the clip has no sound. `durationSeconds` only scales the progress. */
  readonly speechSound: {
    input: { path: string; durationSeconds: number; folder: string };
    output: readonly SoundPiece[] | null;
  };
  readonly motion: { input: { motionLogPath: string; video: VideoFacts }; output: MotionFacts };
  readonly style: { input: { facts: ClipFacts; fingerprint: string | null; createdAt: Date }; output: Style };
  /** Of a sound file. */
  readonly soundStyle: {
    input: { audio: AudioFacts; fingerprint: string | null; createdAt: Date };
    output: Style;
  };
  readonly preview: { input: PreviewInput; output: Preview };
  readonly pictures: { input: PicturesInput; output: PicturesOutput };
  readonly proxy: { input: ProxyInput; output: ProxyOutline };
  readonly plan: { input: PlanInput; output: Plan };
  /** The plan of an edit from many takes. */
  readonly planTakes: { input: TakesPlanInput; output: PlanOfTakes };
  readonly planData: { input: PlanDataInput; output: PlanData | PlanRefusal };
  readonly previewPicture: { input: PreviewPictureInput; output: PreviewPictureOutput };
  /** A moment of each slot of an edit, in one picture. */
  readonly storyboard: { input: StoryboardRequest; output: StoryboardLayout };
  readonly draft: { input: DraftRequest; output: RenderedDraft };
  readonly compare: { input: ComparisonRequest; output: null };
  /** Parts of an output that is rendered in parts. */
  readonly segments: { input: SegmentsRequest; output: readonly RenderedSegment[] };
  /** The sound of a whole output, as a separate file. */
  readonly sound: { input: SoundRequest; output: AudioOutcome };
  /** Tries an encoder; throws if it cannot be used. */
  readonly tryEncoder: { input: EncoderTrial; output: null };
  readonly join: { input: JoinInput; output: Omit<RenderedFile, 'preview'> };
  readonly render: { input: RenderInput; output: RenderedFile };
}

export type TaskName = keyof Tasks;
export type TaskInput<T extends TaskName> = Tasks[T]['input'];
export type TaskOutput<T extends TaskName> = Tasks[T]['output'];
/** Data that a task reports before its end. */
export type TaskFound<T extends TaskName> = Tasks[T] extends { readonly found: infer Found } ? Found : never;
