/**
 * What the analyses find out about one clip: plain JSON, kept by content and analyser version.
 * Definitions and units are those of `docs/style-dna.md`. What was not found is null or absent, never made up.
 */
import type { FrameRate } from '../domain/time.ts';
import type { MusicFacts } from './music-facts.ts';
import type { PictureFacts } from './picture-facts.ts';

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
/** Where the edge or the picture moves to. */
export type Direction = (typeof DIRECTIONS)[number];

/**
 * A change of shot. It runs from the last frame that is all old (`startFrame`) to the first that is all new
 * (`endFrame`); for a cut these are neighbours, and the time of the cut is `endSeconds`.
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
  /** A fade that opens or closes the clip itself: no shot lies beyond it, and it is no change of shot. */
  readonly edge?: 'start' | 'end';
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

/** Colour of a shot or clip in CIELAB (D65); black frames, cards, borders and captions left out. */
export interface ColourStatistics {
  /** Lightness at the percentiles 0, 5, 10 … 100 (21 values, 0..100). */
  readonly lightnessPercentiles: readonly number[];
  readonly meanA: number;
  readonly meanB: number;
  /** Covariance of (a, b): aa, ab, bb. */
  readonly covariance: readonly [number, number, number];
  /** Mean (a, b) in the shadows (L < 35), mid-tones and highlights (L > 70); null where < 1 % of pixels lie. */
  readonly tones: {
    readonly shadows: readonly [number, number] | null;
    readonly midtones: readonly [number, number] | null;
    readonly highlights: readonly [number, number] | null;
  };
  /** Robust mean (a, b) of the near-neutral mid-tones, and the share of pixels that it rests on. */
  readonly neutral: { readonly a: number; readonly b: number; readonly share: number };
  /** Typical chroma, counted from half-way to the neutral: the mean of the middle half. */
  readonly medianChroma: number;
  /** Share of pixels in the skin sector, and their mean hue in degrees; null when there are next to none. */
  readonly skin: { readonly share: number; readonly hueDegrees: number } | null;
  /** Share of pixels at or beyond the ends of the range: [black, white]. */
  readonly clipped: readonly [number, number];
}

export interface PaletteColour {
  readonly hex: string;
  readonly weight: number;
}

/** Small pictures of a clip, evenly spread over its usable frames: they tell the colours of a part of the picture. */
export interface ColourMoments {
  /** Of each picture. */
  readonly width: number;
  readonly height: number;
  readonly timesSeconds: readonly number[];
  /** What of each lies inside black borders. */
  readonly areas: readonly Box[];
  /** Base64 of the RGB bytes of one picture after the other. */
  readonly rgb: string;
}

export interface ColourFacts {
  /** Equal weight per shot. */
  readonly clip: ColourStatistics;
  /** One per shot; null for shots without a usable frame. */
  readonly shots: readonly (ColourStatistics | null)[];
  readonly palette: readonly PaletteColour[];
  readonly moments: ColourMoments;
  /** The clip shows nothing but titles and logos on flat grounds, whose colours say nothing of a look. Left out: it shows more. */
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
  /** Of a text that was lost from sight and seen again where it stood: the same number for all its sightings. */
  readonly text?: number;
}

export interface CaptionFacts {
  /** Share of the running time with a burnt-in caption. */
  readonly share: number;
  /** Captions, and texts laid over the picture once (titles, names), which do not count for `share`. */
  readonly spans: readonly CaptionSpan[];
  /** Texts laid over the picture for the whole clip: marks of a station or a person. Left out: none. */
  readonly marks?: readonly Box[];
  /** Look of the captions; null when there are none. */
  readonly style: {
    readonly position: 'top' | 'middle' | 'bottom';
    /** Type size as a share of the picture's height. */
    readonly lineHeight: number;
    readonly color: string;
    readonly outlined: boolean;
    /** On a box of one tone; left out where it was not told. */
    readonly boxed?: boolean;
    /** Mean width of upright strokes over the type size, about 0.1 for regular and 0.19 for extra bold type. */
    readonly strokeWidth?: number;
  } | null;
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
  /** PQ or HLG: what was measured is its tone-mapped picture. */
  readonly hdr: boolean;
  /** A picture: its one frame lasts no time. */
  readonly isStill: boolean;
  /** The picture inside the black bars that the whole clip has; all of it where it has none. */
  readonly activeArea: Box;
  /** Likewise of each shot: some may have bars that others have not. */
  readonly shotAreas: readonly Box[];
  readonly shots: readonly Shot[];
  /** In time order, hard cuts among them. */
  readonly transitions: readonly Transition[];
  readonly shotConfidence: number;
  readonly colour: ColourFacts;
  readonly captions: CaptionFacts;
  readonly picture: PictureFacts;
  /** What stands out by its colour: at most one track for each shot. This and what follows is empty where it was not asked for. */
  readonly salientTracks: readonly SubjectTrack[];
  /** Heads with their shoulders. */
  readonly faces: readonly SubjectTrack[];
  /** Where figures stand before a ground, look by look, in time order. */
  readonly figures: readonly FigureLook[];
  /** One per shot, in order. */
  readonly attention: readonly AttentionProfile[];
  /**
   * Of each shot what stands on a card, a ground of one colour that reaches all edges of the picture: a logo, a title. Null: there is no such
   * ground.
   */
  readonly cards: readonly (Box | null)[];
  /** What of the file is played in another way than it is stored, or not at all; left out: nothing. */
  readonly fileWarnings?: readonly { readonly code: string; readonly message: string }[];
  /** Start of the presentation on the clock of an MPEG transport stream; left out: the container has none. */
  readonly mpegStartSeconds?: number;
}

export type Band = 'low' | 'mid' | 'high' | 'full';

export interface Beat {
  readonly timeSeconds: number;
  readonly confidence: number;
  readonly band: Band;
}

export interface Tempo {
  readonly bpm: number;
  readonly confidence: number;
}

export interface Span {
  readonly startSeconds: number;
  readonly endSeconds: number;
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
export type Genre = (typeof GENRES)[number];

/** A time in speech just before a syllable that stands out. */
export interface SpeechOnset {
  readonly timeSeconds: number;
  /** Length of the pause before it; 0: none. */
  readonly pauseSeconds: number;
  /** How deep the level falls before it, below the lower of the syllables on both sides. */
  readonly dipDb: number;
  /** How far the syllable lies above the median syllable of its phrase. */
  readonly stressDb: number;
}

/** Result of the stage `audio_analysis` for a clip that has sound. */
export interface AudioFacts {
  /** Sound of the file that could not be decoded; left out: none. */
  readonly fileWarnings?: readonly { readonly code: string; readonly message: string }[];
  readonly durationSeconds: number;
  readonly sampleRate: number;
  readonly channels: number;
  readonly loudness: LoudnessFacts;
  /** Long-term average spectrum of the sounding parts: third-octave centres (Hz) and levels (dB, power, any common offset). */
  readonly spectrum: {
    readonly centresHz: readonly number[];
    readonly levelsDb: readonly number[];
    /** What each band falls to between the sounds, in the same unit: at most the noise in it. */
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
  readonly tempo: (Tempo & { readonly alternatives: readonly Tempo[] }) | null;
  /** The beat grid; empty without a tempo. */
  readonly beats: readonly Beat[];
  readonly speech: {
    readonly share: number;
    /** Phrases: they end at pauses of 0.3 s. */
    readonly spans: readonly Span[];
    readonly confidence: number;
    /** Ascending; left out: not measured. */
    readonly onsets?: readonly SpeechOnset[];
  };
  readonly silence: { readonly share: number; readonly spans: readonly Span[] };
  readonly genre: { readonly name: Genre; readonly confidence: number };
  /** Left out: not measured. */
  readonly music?: MusicFacts;
  readonly confidence: number;
}

export const CAMERA_LABELS = ['static', 'pan', 'tilt', 'zoom_in', 'zoom_out', 'handheld', 'moving'] as const;
export type CameraLabel = (typeof CAMERA_LABELS)[number];

/**
 * Camera motion from one frame to the next, one entry per frame (the first of a shot is 0).
 * The content of the earlier frame moves by (shiftX, shiftY) frame widths and heights, is scaled by
 * exp(logScale) and turned by `rotation` radians about the middle.
 */
export interface MotionCurve {
  readonly timesSeconds: readonly number[];
  readonly shiftX: readonly number[];
  readonly shiftY: readonly number[];
  readonly logScale: readonly number[];
  readonly rotation: readonly number[];
  /** Mean motion left after the camera's, in frame diagonals per frame. */
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

/** Where the eye goes in a shot, in equal parts of the picture from the left and from the top; each list sums to 1. */
export interface AttentionProfile {
  readonly across: readonly number[];
  readonly down: readonly number[];
}

/** Shares of what is seen of figures at a moment; nothing but zeros where there is none. */
export interface FigureLook extends AttentionProfile {
  readonly timeSeconds: number;
  /** Where it goes from then on, until the next look or another picture, about five points a second; left out: nothing is known of it. */
  readonly way?: readonly WayPoint[];
}

/** How far something has gone from where it was first, in shares of the picture's sides. */
export interface WayPoint {
  readonly timeSeconds: number;
  readonly x: number;
  readonly y: number;
}

/** What the eye follows through one shot. */
export interface SubjectTrack {
  /** A head with its shoulders, what moves, or what stands out by its colour. */
  readonly kind: 'face' | 'motion' | 'colour';
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** About five a second. */
  readonly boxes: readonly { readonly timeSeconds: number; readonly box: Box }[];
  /** 0..1: how much it stands out. */
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

/** All that is known of one clip. `audio` is null when it has none. */
export interface ClipFacts {
  readonly video: VideoFacts;
  readonly audio: AudioFacts | null;
  readonly motion: MotionFacts;
}
