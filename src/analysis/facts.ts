/** Findings about one clip, cached by content and analyzer version. Units: `docs/style-dna.md`. Missing ones are null or absent. */
import type { RecordingMarks } from '../domain/footage.ts';
import type { Span } from '../domain/spans.ts';
import type { FrameRate } from '../domain/time.ts';
import type { MusicFacts } from './music-facts.ts';
import type { PictureFacts } from './picture-facts.ts';
import type { TalkFacts } from './talk-facts.ts';
import type { TitleFacts } from './title-facts.ts';

export type { Span };

export const TRANSITION_TYPES = [
  'cut',
  'dissolve',
  'fade_black',
  'fade_white',
  'fade_color',
  'wipe',
  'slide',
  'circle',
  'zoom',
] as const;
export type TransitionType = (typeof TRANSITION_TYPES)[number];

export const EASINGS = ['linear', 'ease_in', 'ease_out', 'ease_in_out'] as const;
export type Easing = (typeof EASINGS)[number];

export const DIRECTIONS = ['left', 'right', 'up', 'down'] as const;
/** Direction in which the edge or the picture moves. */
export type Direction = (typeof DIRECTIONS)[number];

/**
 * A change of shot. It runs from the last frame that is completely old (`startFrame`) to the first that is
 * completely new (`endFrame`). For a cut these are adjacent, and the time of the cut is `endSeconds`.
 */
export interface Transition {
  readonly type: TransitionType;
  readonly startFrame: number;
  readonly endFrame: number;
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** Shape of the blend over time; `linear` for a cut. */
  readonly easing: Easing;
  readonly direction?: Direction;
  /** `#rrggbb` that a `fade_color` passes through. */
  readonly color?: string;
  /** A fade at the start or end of the clip: there is no shot beyond it, so it is no change of shot. */
  readonly edge?: 'start' | 'end';
  /** Of a cut: part of the picture stays. A static camera has a jump cut, or a picture in a layout changes. */
  readonly keepsPart?: true;
  readonly confidence: number;
}

/** Shots partition the clip; at a gradual transition the boundary is its middle. */
export interface Shot {
  readonly startFrame: number;
  /** Exclusive. */
  readonly endFrame: number;
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** Color of a shot or clip in CIELAB (D65); black frames, cards, borders and captions left out. */
export interface ColorStatistics {
  /** Lightness at the percentiles 0, 5, 10 … 100 (21 values, 0..100). */
  readonly lightnessPercentiles: readonly number[];
  readonly meanA: number;
  readonly meanB: number;
  /** Covariance of (a, b): aa, ab, bb. */
  readonly covariance: readonly [number, number, number];
  /**
   * Mean (a, b) in the shadows (L < 35), mid-tones and highlights (L > 70). Null if a tone has < 1 % of the
   * pixels.
   */
  readonly tones: {
    readonly shadows: readonly [number, number] | null;
    readonly midtones: readonly [number, number] | null;
    readonly highlights: readonly [number, number] | null;
  };
  /** Robust mean (a, b) of the near-neutral mid-tones, and their share of the pixels. */
  readonly neutral: { readonly a: number; readonly b: number; readonly share: number };
  /** Typical chroma, relative to the point half-way to the neutral: the mean of the middle half. */
  readonly medianChroma: number;
  /** Share of pixels in the skin sector, and their mean hue in degrees; null if there are almost none. */
  readonly skin: { readonly share: number; readonly hueDegrees: number } | null;
  /** Share of pixels at or beyond the ends of the range: [black, white]. */
  readonly clipped: readonly [number, number];
}

export interface PaletteColor {
  readonly hex: string;
  readonly weight: number;
}

/** Small pictures of a clip, evenly distributed over its usable frames, for the colors of a part of the picture. */
export interface ColorMoments {
  /** Size of each picture. */
  readonly width: number;
  readonly height: number;
  readonly timesSeconds: readonly number[];
  /** The part of each picture inside black bars. */
  readonly areas: readonly Box[];
  /** Base64 of the RGB bytes, one picture after the other. */
  readonly rgb: string;
}

export interface ColorFacts {
  /** Equal weight per shot. */
  readonly clip: ColorStatistics;
  /** One per shot; null for shots without a usable frame. */
  readonly shots: readonly (ColorStatistics | null)[];
  readonly palette: readonly PaletteColor[];
  readonly moments: ColorMoments;
  /**
   * The clip shows only titles and logos on plain backgrounds, whose colors are not part of a look. Absent: it shows
   * more.
   */
  readonly isCardsOnly?: true;
  readonly confidence: number;
}

/** Parts of a picture by their share of its size: 0..1 from the left and the top. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const WHOLE_PICTURE: Box = { x: 0, y: 0, width: 1, height: 1 };

export interface CaptionSpan {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly box: Box;
  /** Number of a text that disappeared and appeared again at the same position: the same for all its captions. */
  readonly text?: number;
}

export interface CaptionFacts {
  /** Share of the running time with a burnt-in caption. */
  readonly share: number;
  /** Captions, and texts laid over the picture once (titles, names), which do not count for `share`. */
  readonly spans: readonly CaptionSpan[];
  /** Texts over the picture for the whole clip: watermarks of a station or a person. Absent: none. */
  readonly marks?: readonly Box[];
  /**
   * Lettering that is neither a caption nor a single title: pages, labels, banners, and captions between such lines.
   * Only framings use it. Absent: none.
   */
  readonly lettering?: readonly CaptionSpan[];
  /** Look of the captions; null when there are none. */
  readonly style: {
    readonly position: 'top' | 'middle' | 'bottom';
    /** Type size as a share of the picture's height. */
    readonly lineHeight: number;
    readonly color: string;
    readonly outlined: boolean;
    /** On a box of one tone; absent if unknown. */
    readonly boxed?: boolean;
    /** Mean width of upright strokes over the type size, about 0.1 for regular and 0.19 for extra bold type. */
    readonly strokeWidth?: number;
  } | null;
  /** Look of the largest titles that are certain. Absent: none. */
  readonly titleStyle?: TitleFacts;
  readonly confidence: number;
}

/** Result of the stage `video_analysis`. */
export interface VideoFacts {
  readonly durationSeconds: number;
  readonly frameCount: number;
  /** Modal rate, snapped to a standard one. */
  readonly frameRate: FrameRate;
  readonly variableFrameRate: boolean;
  /** As displayed: after rotation and sample aspect. */
  readonly width: number;
  readonly height: number;
  /** PQ or HLG: measurements are of the tone-mapped picture. */
  readonly hdr: boolean;
  /** An image: its only frame has no duration. */
  readonly isStill: boolean;
  /** The picture inside the black or white bars of the whole clip; without bars the whole picture. */
  readonly activeArea: Box;
  /** The picture inside the bars of each shot. */
  readonly shotAreas: readonly Box[];
  readonly shots: readonly Shot[];
  /** In time order, hard cuts among them. */
  readonly transitions: readonly Transition[];
  readonly shotConfidence: number;
  readonly color: ColorFacts;
  readonly captions: CaptionFacts;
  readonly picture: PictureFacts;
  /** Regions with salient colors: at most one track a shot. Like the next fields, empty if not requested. */
  readonly salientTracks: readonly SubjectTrack[];
  /** Heads with their shoulders. */
  readonly faces: readonly SubjectTrack[];
  /** Confidence that the whole picture lies on its side, 0..1. Left out: upright, without faces, or not requested. */
  readonly sidewaysConfidence?: number;
  /** Positions of figures in front of a background, sample by sample, in time order. */
  readonly figures: readonly FigureLook[];
  /** One per shot, in order. */
  readonly attention: readonly AttentionProfile[];
  /** For each shot the logo or title on a card: a background of one color that reaches all edges. Null: no card. */
  readonly cards: readonly (Box | null)[];
  /** Parts of the file that are played differently from how they are stored, or not at all; absent: none. */
  readonly fileWarnings?: readonly { readonly code: string; readonly message: string }[];
  /** Start of the presentation on the clock of an MPEG transport stream; left out: the container has none. */
  readonly mpegStartSeconds?: number;
  /** Start timecode and reel of the camera. */
  readonly marks?: RecordingMarks;
}

export type Band = 'low' | 'mid' | 'high' | 'full';

export interface Beat {
  readonly timeSeconds: number;
  readonly confidence: number;
  readonly band: Band;
}

interface Tempo {
  readonly bpm: number;
  readonly confidence: number;
}

export interface LoudnessFacts {
  /** ITU-R BS.1770-4, gated; null when nothing passes the gate (silence). */
  readonly integratedLufs: number | null;
  /** EBU Tech 3342; null when not measurable. */
  readonly rangeLu: number | null;
  /** Four times oversampled; null for digital silence. */
  readonly truePeakDbtp: number | null;
  /** Short-term (3 s) loudness once a second, LUFS; null where silent. */
  readonly shortTermLufs: readonly (number | null)[];
}

/** Of StyleJSON. Only `MeasuredGenre` is found; a style from elsewhere may have the others. */
export const GENRES = [
  'electronic',
  'hip_hop',
  'rock',
  'pop',
  'classical',
  'acoustic',
  'ambient',
  'speech',
  'silence',
  'unknown',
] as const;
export type MeasuredGenre = Extract<(typeof GENRES)[number], 'speech' | 'silence' | 'unknown'>;

/** A time in speech just before a prominent syllable. */
export interface SpeechOnset {
  readonly timeSeconds: number;
  /** Length of the pause before it; 0: none. */
  readonly pauseSeconds: number;
  /** Depth of the dip before it, below the lower of the syllables on both sides. */
  readonly dipDb: number;
  /** Level of the syllable above the median syllable of its phrase. */
  readonly stressDb: number;
}

/** Result of the stage `audio_analysis` for a clip that has sound. */
export interface AudioFacts {
  /** Sound of the file that could not be decoded; absent: none. */
  readonly fileWarnings?: readonly { readonly code: string; readonly message: string }[];
  readonly durationSeconds: number;
  readonly sampleRate: number;
  readonly channels: number;
  readonly loudness: LoudnessFacts;
  /** Long-term average spectrum of the sounding parts: third-octave centres (Hz) and levels (dB, power, any common offset). */
  readonly spectrum: {
    readonly centresHz: readonly number[];
    readonly levelsDb: readonly number[];
    /** Level of each band between the sounds, in the same unit: an upper bound of its noise. */
    readonly quietDb: readonly number[];
  };
  /** Peak-to-loudness ratio in dB; null for silence. */
  readonly crestDb: number | null;
  /** Times (s) and strengths (0..1) of onsets. */
  readonly onsets: readonly {
    readonly timeSeconds: number;
    readonly strength: number;
    readonly band: Band;
  }[];
  /** Null when there is no pulse. */
  readonly tempo:
    | (Tempo & {
        /** 0..1: evidence for this pulse. Whether it is published and used depends on it, its octave may be uncertain. */
        readonly support: number;
        readonly alternatives: readonly Tempo[];
      })
    | null;
  /** The beat grid; empty without a tempo. */
  readonly beats: readonly Beat[];
  readonly speech: {
    readonly share: number;
    /** Phrases: they end at pauses of 0.3 s. */
    readonly spans: readonly Span[];
    readonly confidence: number;
    /** Ascending; absent: not measured. */
    readonly onsets?: readonly SpeechOnset[];
    readonly talk?: TalkFacts | null;
  };
  readonly silence: { readonly share: number; readonly spans: readonly Span[] };
  readonly genre: { readonly name: MeasuredGenre; readonly confidence: number };
  /** Absent: not measured. */
  readonly music?: MusicFacts;
  readonly confidence: number;
}

const CAMERA_LABELS = ['static', 'pan', 'tilt', 'zoom_in', 'zoom_out', 'handheld', 'moving'] as const;
export type CameraLabel = (typeof CAMERA_LABELS)[number];

/**
 * Camera motion from one frame to the next, one entry per frame (the first of a shot is 0). The content of
 * the earlier frame moves by (shiftX, shiftY) frame widths and heights. It is scaled by exp(logScale) and
 * turned by `rotation` radians about the middle.
 */
export interface MotionCurve {
  readonly timesSeconds: readonly number[];
  readonly shiftX: readonly number[];
  readonly shiftY: readonly number[];
  readonly logScale: readonly number[];
  readonly rotation: readonly number[];
  /** Mean residual motion after the camera's, in frame diagonals per frame. */
  readonly residual: readonly number[];
  /** 0..1: share of the textured blocks that the camera model explains. */
  readonly support: readonly number[];
}

export interface ShotMotion {
  readonly label: CameraLabel;
  readonly confidence: number;
  /** Root mean square of the high-passed camera path, in diagonals of the picture (inside black bars) per second. */
  readonly shake: number;
  /** Total log scale over the shot. */
  readonly zoom: number;
}

/**
 * Distribution of a viewer's attention in a shot, in equal parts of the picture from the left and from the
 * top. Each list sums to 1.
 */
export interface AttentionProfile {
  readonly across: readonly number[];
  readonly down: readonly number[];
}

/** Distribution of figures at a moment; all zeros if there is none. */
export interface FigureLook extends AttentionProfile {
  readonly timeSeconds: number;
  /** Path of the figures until the next sample or cut, about five points a second; absent: unknown. */
  readonly way?: readonly WayPoint[];
}

/** Displacement from the first position, in shares of the picture's sides. */
export interface WayPoint {
  readonly timeSeconds: number;
  readonly x: number;
  readonly y: number;
}

/** The subject of a shot. */
export interface SubjectTrack {
  /** A head with its shoulders, a moving object, or a region of salient color. */
  readonly kind: 'face' | 'motion' | 'color';
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** About five a second. */
  readonly boxes: readonly { readonly timeSeconds: number; readonly box: Box }[];
  /** 0..1: how salient it is. */
  readonly salience: number;
}

/** Result of the stage `motion_analysis`. */
export interface MotionFacts {
  readonly curve: MotionCurve;
  /** Median over frames of global plus residual motion, in diagonals of the picture (inside black bars) per second. */
  readonly medianSpeed: number;
  /** Share of the running time under a zoom: |Σ log scale| ≥ 0.03 per second, one sign. */
  readonly zoomShare: number;
  /** Cuts across which the picture only changes scale: log scale per such cut. */
  readonly punchIns: readonly { readonly timeSeconds: number; readonly logScale: number }[];
  /** One per shot, in order. */
  readonly shots: readonly ShotMotion[];
  readonly subjects: readonly SubjectTrack[];
  /** Activity (diagonals of the picture per second) once a second: its pace. */
  readonly activity: readonly number[];
  readonly confidence: number;
}

/** All findings of one clip. `audio` is null if it has no sound. */
export interface ClipFacts {
  readonly video: VideoFacts;
  readonly audio: AudioFacts | null;
  readonly motion: MotionFacts;
}
