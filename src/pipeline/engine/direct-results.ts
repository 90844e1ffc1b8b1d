/** Types of the results for the command line and the library, free of FFmpeg's types, because users compile against them. */
import type { AudioFacts, ClipFacts } from '../../analysis/facts.ts';
import type { EditOptions } from '../../domain/edit-options.ts';
import type { Warning } from '../../domain/stage.ts';
import type { SourceMedia } from '../../style/export/source-media.ts';
import type { EditResult } from '../../style/model/edit-result.ts';
import type { EditSummary } from '../../style/model/edit-summary.ts';
import type { Style } from '../../style/model/schema.ts';
import type { Timeline } from '../../style/model/timeline.ts';

/** The facts of a clip, or of a sound file. */
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
  /** The first take's grade as a `.cube` file: a 3D table, and the 1D table of a LUT that has one; null: colors stay. */
  readonly cube: string | null;
  readonly warnings: readonly Warning[];
  /** Properties of each take for editing programs; `audioChannels` 0: no sound. */
  readonly takeMedia: readonly Omit<SourceMedia, 'fileName' | 'durationSeconds' | 'width' | 'height'>[];
}

/** The plan of an edit from many takes. */
export interface PlanOfTakes extends Plan {
  readonly edit: EditResult;
  /** Channels of the song; 0: there is none. */
  readonly musicChannels: number;
}

/** The plan as data, and as files for other programs. */
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

/** The output's measurements from its verification. */
export interface AppliedOutput {
  readonly frameCount: number;
  readonly durationSeconds: number;
  /** Integrated loudness; null: no sound, or nothing but silence. */
  readonly integratedLufs: number | null;
  /** Null: no sound. */
  readonly truePeakDbtp: number | null;
  /** Difference from the planned loudness, which would have needed too much limiting; 0: none. */
  readonly loudnessMissingLu: number;
}

export interface AppliedStyle {
  readonly plan: PlannedEdit;
  readonly output: AppliedOutput;
  /** The changes to the source, as data and as text, with the service's names. */
  readonly summary: EditSummary;
  /** Names of the files in the folder for artifacts; empty without that folder. */
  readonly artifacts: readonly string[];
  /** Warnings of the plan and of its rendering. */
  readonly warnings: readonly Warning[];
}

/** Wishes of an edit; files are named by their paths. */
export interface TakesOptions {
  readonly sound: EditOptions['sound'];
  readonly duration: EditOptions['duration'];
  readonly order: EditOptions['order'];
  readonly rhythm: EditOptions['rhythm'];
  readonly titles: EditOptions['titles'];
  readonly musicStartSeconds: number | null;
  readonly pins: readonly {
    readonly slot: number;
    readonly file: string;
    /** In the take; null or left out: chosen. */
    readonly startSeconds?: number | null;
    /** Point that crops keep in view, in shares of the picture; null or left out: chosen. */
    readonly focus?: { readonly x: number; readonly y: number } | null;
  }[];
  /** Beats by which slots are longer than planned; left out: none. */
  readonly lengths?: readonly { readonly slot: number; readonly beats: number }[];
  readonly bans: readonly { readonly file: string; readonly range: readonly [from: number, to: number] }[];
  /** Whether bans plan the whole edit again. Left out: no. */
  readonly replan?: boolean;
}

/** Takes and a song of an edit. */
export interface TakesInput {
  /** Videos and photos, in the order of the story. */
  readonly takes: readonly {
    readonly file: string;
    readonly exclude: readonly (readonly [from: number, to: number])[];
    readonly mustUse: boolean;
    /** In a talk; left out: by what is heard. */
    readonly role?: NonNullable<EditOptions['takes'][number]['role']>;
    /** A SubRip or WebVTT file with the words of a take that speaks in a talk; left out: its own text track. */
    readonly captions?: string;
  }[];
  /** Null: no song. */
  readonly music: string | null;
  readonly options: TakesOptions;
}

/** A rendered edit. */
export interface AppliedTakes {
  readonly plan: PlannedEdit;
  /** `video_id`s are keys of `files`. */
  readonly edit: EditResult;
  /** Paths as in the request, by `video_id`. */
  readonly files: Readonly<Record<string, string>>;
  readonly output: AppliedOutput;
  readonly artifacts: readonly string[];
  readonly warnings: PlannedEdit['warnings'];
}
