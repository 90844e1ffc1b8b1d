/** Types of the results for the command line and the library, free of FFmpeg's types, because users compile against them. */
import type { AudioFacts, ClipFacts } from '../../analysis/facts.ts';
import type { Warning } from '../../domain/stage.ts';
import type { SourceMedia } from '../../style/export/source-media.ts';
import type { EditResult } from '../../style/model/edit-result.ts';
import type { EditSummary } from '../../style/model/edit-summary.ts';
import type { Style } from '../../style/model/schema.ts';
import type { Timeline } from '../../style/model/timeline.ts';

/** A file's facts: those of a clip, or of sound alone. */
export type FileAnalysis =
  | {
      readonly kind: 'clip';
      readonly facts: ClipFacts;
      readonly fingerprint: string | null;
      /** Undefined: extracted from the facts when needed. */
      readonly style?: Style;
    }
  | { readonly kind: 'audio'; readonly audio: AudioFacts; readonly fingerprint: string | null };

export interface DirectOptions {
  readonly signal: AbortSignal;
  /** 0..1, never falling. */
  readonly onProgress?: (fraction: number) => void;
}

/** A plan without the names of files. */
export interface Plan {
  readonly timeline: Timeline;
  /** The first take's grade as a `.cube` file: a 3D table, and the 1D table of a LUT that has one; null: colours stay. */
  readonly cube: string | null;
  readonly warnings: readonly Warning[];
  /** What editing programs must know of each take; `audioChannels` 0: no sound. */
  readonly takeMedia: readonly Pick<SourceMedia, 'frameRate' | 'audioChannels'>[];
}

/** The plan of an edit from many takes. */
export interface PlanOfTakes extends Plan {
  readonly edit: EditResult;
  /** Channels of the song; 0: there is none. */
  readonly musicChannels: number;
}

/** The plan as data, and as the files in which other programs read it. */
export interface PlannedEdit extends Plan {
  /** Left out: a styled video of one source. */
  readonly edit?: EditResult;
  /** OpenTimelineIO; names the files. */
  readonly otio: string;
  /** Final Cut Pro 7 XML; names the files. */
  readonly finalCutXml: string;
  /** Words from speech as SubRip in the source's time, to be corrected and sent as its caption file; null: words have another origin. */
  readonly speech: string | null;
}

/** The output as it was measured when it was verified. */
export interface AppliedOutput {
  readonly frameCount: number;
  readonly durationSeconds: number;
  /** Integrated loudness; null: no sound, or nothing but silence. */
  readonly integratedLufs: number | null;
  /** Null: no sound. */
  readonly truePeakDbtp: number | null;
  /** How much quieter it is than planned, because more would have needed too much limiting; 0: it is not. */
  readonly loudnessMissingLu: number;
}

export interface AppliedStyle {
  readonly plan: PlannedEdit;
  readonly output: AppliedOutput;
  /** What was done to the source, as data and in words; names as the service's. */
  readonly summary: EditSummary;
  /** Names of the files in the folder for artifacts; empty without that folder. */
  readonly artifacts: readonly string[];
  /** The plan's, and those of its rendering. */
  readonly warnings: readonly Warning[];
}
