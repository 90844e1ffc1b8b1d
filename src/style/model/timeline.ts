/**
 * The plan as data: an edit decision list that says what the output is, before any pixel is touched.
 * `render` turns it into filter graphs; it never asks why the plan is so.
 */

import { type Direction, type Easing, type TransitionType, WHOLE_PICTURE } from '../../analysis/facts.ts';
import type { CubeGrade } from '../../domain/footage.ts';
import type { AutomaticComponent } from '../../domain/job-choices.ts';
import type { FrameRate } from '../../domain/time.ts';
import type { CaptionFace } from './caption-face.ts';

/** A part of the source's displayed picture: 0..1 from the left and the top. May not leave the picture. */
export interface Reframe {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface TrackKey {
  readonly timeSeconds: number;
  readonly x: number;
  readonly y: number;
}

/**
 * One uninterrupted run of the source. Clips follow each other without gaps in the output, in the order of
 * their source times, which never overlap: the source is read once, forwards.
 */
export interface Clip {
  readonly sourceStartSeconds: number;
  readonly sourceEndSeconds: number;
  /**
   * Why this clip begins: a cut of the source, a framing cut in, a part left out, the beginning; or the middle of a gradual transition of the
   * source to a card that is framed otherwise.
   */
  readonly reason: 'start' | 'source_cut' | 'source_transition' | 'punch_in' | 'trim';
  /** Framing at the clip's start and end; between them it moves by `easing`. Equal: a fixed crop. */
  readonly from: Reframe;
  readonly to: Reframe;
  readonly easing: Easing;
  /**
   * Where the left and top edge of the framing are over the source's time, in place of those of `from` and `to`: it
   * follows a subject. Ascending in time; held before the first key and after the last.
   */
  readonly track?: readonly TrackKey[];
  /**
   * What is added to the framing's left and top edge while a frame of the source is shown, one entry for each of its
   * frames: it undoes the camera's shake. Left out: the camera is left as it is.
   */
  readonly steady?: readonly TrackKey[];
  /**
   * `crop` fills the output with the reframe; `pad` fits the whole of it over a blurred copy of itself; `extend` fits the whole of it and
   * goes on with the colours of its edges, for pictures whose ground is of one colour.
   */
  readonly fit: 'crop' | 'pad' | 'extend';
}

/**
 * A gradual transition in place of the cut before clip `clipIndex`, centred on it. The clip before plays its
 * last half-duration stretched over the whole, the clip after its first half likewise, so that nothing shifts.
 */
export interface TimelineTransition {
  readonly clipIndex: number;
  readonly type: Exclude<TransitionType, 'cut'>;
  readonly durationSeconds: number;
  readonly easing: Easing;
  readonly direction?: Direction;
  /** `#rrggbb` that a `fade_color` passes through. */
  readonly color?: string;
}

/**
 * A colour transform in CIELAB (D65): L by a monotone curve through `lightness` knots (0..100, ascending,
 * linear between), then (a, b) by `matrix` and an offset that depends on L, all blended with the identity by
 * nothing: the style's strength is already in the numbers.
 */
export interface Grade {
  readonly lightness: readonly { readonly in: number; readonly out: number }[];
  /** Row-major 2×2 on (a − centre, b − centre). */
  readonly matrix: readonly [number, number, number, number];
  readonly centre: readonly [number, number];
  /** (a, b) added at L = `at`, linear between, held outside. */
  readonly offsets: readonly { readonly at: number; readonly a: number; readonly b: number }[];
  /** Hue turn allowed in the skin sector, in degrees. */
  readonly skinGuardDegrees: number;
  /** How many times paler than life the source's colours are, as a flat recording's: the guard judges them as in life. Left out: 1. */
  readonly paleness?: number;
  /** How far skin is guarded, 0..1. Left out: 1. */
  readonly skinShare?: number;
}

export interface AudioPlan {
  /** Gains at third-octave centres in dB; a smooth curve through them is applied. */
  readonly equalizer: readonly { readonly hz: number; readonly gainDb: number }[];
  /** What the dynamics are fitted to; null: they stay as they are. */
  readonly compressor: {
    /** Loudness range (EBU Tech 3342) in LU, narrowed or widened slowly; null: as it is. */
    readonly rangeLu: number | null;
    /** Greatest peak-to-loudness ratio in dB; null: as it is. */
    readonly crestDb: number | null;
  } | null;
  /** The loudness to reach by linear gain; null: leave as it is (no sound, silence). */
  readonly targetLufs: number | null;
  /** What no peak exceeds; null: peaks stay as they are. */
  readonly truePeakDbtp: number | null;
}

/** How all captions look; sizes in pixels of the output. */
export interface CaptionLook {
  /** Whole lines, or word by word. */
  readonly timing: 'lines' | 'words';
  readonly face: CaptionFace;
  readonly sizePixels: number;
  /** From baseline to baseline. */
  readonly pitchPixels: number;
  /** Longest line, in type sizes. */
  readonly lineEm: number;
  readonly position: 'top' | 'middle' | 'bottom';
  /** Where the ink's top, middle or bottom edge is: 0..1 from the picture's top. */
  readonly anchorY: number;
  /** `#rrggbb` */
  readonly color: string;
  /** What parts the letters from the picture. */
  readonly ground: 'outline' | 'box' | 'shadow';
}

/** Captions never overlap: each ends when the next begins, or before. Times are the output's. */
export interface CaptionCue {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly lines: readonly string[];
  /** One that has all the letters. */
  readonly face: CaptionFace;
  /** Of the first line, in pixels from the output's top. */
  readonly baselineY: number;
}

/** A part of the style that `auto` leaves as the source has it. */
export interface NotFollowed {
  readonly component: AutomaticComponent;
  /** As shown to a person: `9:16`, or frames a second. */
  readonly source: string;
  readonly style: string;
}

export interface Timeline {
  readonly version: 1;
  readonly frameRate: FrameRate;
  /** Output picture, both even. */
  readonly width: number;
  readonly height: number;
  readonly clips: readonly Clip[];
  readonly transitions: readonly TimelineTransition[];
  /** Null: colours stay. */
  readonly grade: Grade | CubeGrade | null;
  /** Null: the source has no sound. */
  readonly audio: AudioPlan | null;
  readonly captions: readonly CaptionCue[];
  /** Left out: there are no captions. */
  readonly captionLook?: CaptionLook;
  /** Left out: everything that was requested is followed. */
  readonly notFollowed?: readonly NotFollowed[];
}

/** A run of the source with its whole picture, standing still. */
export function wholeClip(
  sourceStartSeconds: number,
  sourceEndSeconds: number,
  reason: Clip['reason'] = 'start',
): Clip {
  return {
    sourceStartSeconds,
    sourceEndSeconds,
    reason,
    from: WHOLE_PICTURE,
    to: WHOLE_PICTURE,
    easing: 'linear',
    fit: 'crop',
  };
}

/** Running time of the output in seconds: transitions do not shorten it. */
export function timelineDurationSeconds(timeline: Pick<Timeline, 'clips'>): number {
  return timeline.clips.reduce((sum, clip) => sum + clip.sourceEndSeconds - clip.sourceStartSeconds, 0);
}
