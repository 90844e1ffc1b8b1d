/** View model of a report: its words and numbers, without markup or facts. */
import type { CameraLabel, Easing, TransitionType } from '../analysis/facts.ts';
import type { Envelope } from '../domain/footage.ts';

/** A measured value. */
export interface Reading {
  readonly label: string;
  /** Null: not found. */
  readonly value: string | null;
  readonly confidence: number | null;
  readonly note?: string;
}

export interface StillView {
  readonly id: string;
  readonly timeSeconds: number;
  readonly width: number;
  readonly height: number;
  /** A `data:` URI. */
  readonly source: string;
}

export interface ShotView {
  readonly number: number;
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** Null: not found. */
  readonly camera: { readonly label: CameraLabel; readonly confidence: number } | null;
  /** In time order; empty where there are more shots than pictures. */
  readonly stills: readonly StillView[];
  /** Transition from the previous shot; null for the first. */
  readonly entry: TransitionView | null;
}

export interface TransitionView {
  readonly type: TransitionType;
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly easing: Easing;
  readonly confidence: number;
  /** Name with direction and length. */
  readonly text: string;
  readonly isEdge: boolean;
  /** The half of the pulse that a cut is on; null: neither, or no cut. */
  readonly beat: 'beat' | 'off-beat' | null;
}

export interface WaveView extends Envelope {
  /** Samples of ±`fullScale` reach the edges of the row; 0: silence. */
  readonly fullScale: number;
}

export interface BeatView {
  readonly timeSeconds: number;
  readonly confidence: number;
}

/** Time spans of one kind; null confidence: not measurable. */
export interface LaneView {
  readonly name: string;
  readonly kind: 'speech' | 'silence' | 'captions';
  readonly spans: readonly { readonly startSeconds: number; readonly endSeconds: number }[];
  readonly share: number;
  readonly confidence: number | null;
}

export interface MotionView {
  /** One value for each of the equal columns of the time axis. Pan and tilt: frame widths and heights a second. */
  readonly pan: readonly number[];
  readonly tilt: readonly number[];
  /** Log scale a second. */
  readonly zoom: readonly number[];
  /** Frame diagonals a second: motion of the camera and of subjects. */
  readonly speed: readonly number[];
  readonly zooms: readonly {
    readonly startSeconds: number;
    readonly endSeconds: number;
    readonly logScale: number;
  }[];
  readonly punchIns: readonly { readonly timeSeconds: number; readonly logScale: number }[];
  readonly confidence: number;
}

export interface LoudnessView {
  /** Once a second; null: silent. */
  readonly shortTermLufs: readonly (number | null)[];
  readonly integratedLufs: number | null;
  readonly truePeakDbtp: number | null;
}

export interface TimeView {
  readonly durationSeconds: number;
  /** Null: no video, or frames of unequal length. */
  readonly framesPerSecond: number | null;
  /** Width over height; null: no video. */
  readonly ratio: number | null;
  readonly shots: readonly ShotView[];
  readonly transitions: readonly TransitionView[];
  readonly wave: WaveView | null;
  readonly beats: readonly BeatView[];
  readonly lanes: readonly LaneView[];
  readonly motion: MotionView | null;
  readonly loudness: LoudnessView | null;
}

export interface DialView {
  readonly name: string;
  /** −100..100; null: not found. */
  readonly value: number | null;
  /** Labels of the two ends. */
  readonly ends: readonly [string, string];
  readonly kind: 'temperature' | 'tint' | 'saturation' | 'contrast' | 'highlights' | 'shadows';
}

export interface ColorView {
  readonly palette: readonly { readonly hex: string; readonly weight: number }[];
  readonly dials: readonly DialView[];
  readonly confidence: number;
  /** L at the percentiles 0, 5 … 100; null: not found. */
  readonly lightness: readonly number[] | null;
  readonly chroma: ChromaView | null;
  readonly readings: readonly Reading[];
}

/** Colors in the plane of CIELAB's a and b. */
export interface ChromaView {
  readonly mean: readonly [number, number];
  readonly covariance: readonly [number, number, number];
  readonly tones: readonly { readonly name: string; readonly at: readonly [number, number] }[];
  readonly neutral: readonly [number, number] | null;
  readonly skinDegrees: number | null;
}

export interface ShareView {
  readonly name: string;
  readonly kind: string;
  readonly share: number;
}

export interface RhythmView {
  readonly lengths: readonly number[];
  readonly quantiles: {
    readonly p10: number;
    readonly p25: number;
    readonly p50: number;
    readonly p75: number;
    readonly p90: number;
  } | null;
  readonly mix: readonly ShareView[];
  readonly primary: { readonly type: TransitionType; readonly easing: Easing } | null;
  readonly confidence: number | null;
  readonly readings: readonly Reading[];
}

export interface CameraView {
  readonly labels: readonly ShareView[];
  readonly confidence: number | null;
  readonly readings: readonly Reading[];
}

export interface AudioView {
  /** Hz and dB about their mean; null: not found. */
  readonly spectrum: { readonly centresHz: readonly number[]; readonly levelsDb: readonly number[] } | null;
  readonly tempos: readonly {
    readonly bpm: number;
    readonly confidence: number;
    readonly isChosen: boolean;
  }[];
  readonly confidence: number | null;
  readonly readings: readonly Reading[];
}

export interface CaptionView {
  /** Null: none found. */
  readonly look: {
    readonly position: 'top' | 'middle' | 'bottom';
    readonly lineHeight: number;
    readonly color: string;
    readonly outlined: boolean;
  } | null;
  readonly confidence: number | null;
  readonly readings: readonly Reading[];
}

/** One of the few headline findings, all shown equally large. */
export interface HeadlineView {
  readonly label: string;
  readonly value: string;
  readonly note: string | null;
  readonly confidence: number | null;
  readonly drawing: 'palette' | 'shots' | 'wave' | 'camera';
}

export interface ReportView {
  /** Distinguishes the contents of several reports on one page. */
  readonly key: string;
  /** The file's name; null if only its bytes are known. */
  readonly name: string | null;
  /** The style in one sentence. */
  readonly sentence: string;
  /** Duration, ratio, size …, for the line under the name. */
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  readonly headlines: readonly HeadlineView[];
  /** Limits of the measurement, and missing findings. */
  readonly notes: readonly string[];
  /** Address of the file for playing; null: only its pictures are shown. */
  readonly videoAddress: string | null;
  /** An image has neither duration nor sound. */
  readonly isStill: boolean;
  readonly time: TimeView;
  /** Null: no video, or no sound. */
  readonly color: ColorView | null;
  readonly rhythm: RhythmView | null;
  readonly camera: CameraView | null;
  readonly captions: CaptionView | null;
  readonly audio: AudioView | null;
  readonly json: string;
  readonly createdAt: string;
  readonly version: string;
}
