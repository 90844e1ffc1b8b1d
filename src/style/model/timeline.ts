/**
 * The plan as data: an edit decision list that defines the output before rendering. `render` turns it into filter
 * graphs without knowing the reasons.
 */

import { type Direction, type Easing, type TransitionType, WHOLE_PICTURE } from '../../analysis/facts.ts';
import type { CubeGrade } from '../../domain/footage.ts';
import type { AutomaticComponent } from '../../domain/job-choices.ts';
import { type FrameRate, framesPerSecond } from '../../domain/time.ts';
import type { CaptionFace } from './caption-face.ts';
import type { TalkReport } from './talk.ts';

/** A part of the source's displayed picture: 0..1 from the left and the top, inside the picture. */
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

/** One source of pictures. */
export interface Take {
  /** Null: colors are unchanged. */
  readonly grade: Grade | CubeGrade | null;
}

/**
 * One uninterrupted run of a take. Clips follow each other without gaps in the output. With one take they are
 * in the order of their source times, which never overlap. With several they have any order, and a take can
 * be used more than once.
 */
export interface Clip {
  /** Number of its take, from 0. */
  readonly take: number;
  readonly sourceStartSeconds: number;
  readonly sourceEndSeconds: number;
  /**
   * Why this clip begins: a cut of the source, a new framing, an omitted part, an omitted part of a talk, the
   * start, or a slot of an edit. `source_transition`: the middle of a gradual transition of the source to a card with another
   * framing.
   */
  readonly reason: 'start' | 'source_cut' | 'source_transition' | 'punch_in' | 'trim' | 'pause' | 'slot';
  /** Framing at the clip's start and end, moving by `easing`. Equal: a fixed crop. */
  readonly from: Reframe;
  readonly to: Reframe;
  readonly easing: Easing;
  /**
   * Left and top edge of the framing over source time, instead of those of `from` and `to`: it follows a subject.
   * Ascending in time; constant before the first key and after the last.
   */
  readonly track?: readonly TrackKey[];
  /**
   * Offsets of the framing's left and top edge that cancel camera shake, one entry per source frame. Left out: no
   * stabilisation.
   */
  readonly steady?: readonly TrackKey[];
  /**
   * `crop` fills the output with the reframe. `pad` fits the whole of it over a blurred copy of itself.
   * `extend` fits the whole of it and extends the colors of its edges, for pictures with a background of one
   * color.
   */
  readonly fit: 'crop' | 'pad' | 'extend';
}

/**
 * A gradual transition instead of the cut before clip `clipIndex`, centred on it. With handles, both clips play on at full speed. Without,
 * the clip before stretches its last half-duration over the whole transition, the clip after its first, so that nothing shifts.
 */
export interface TimelineTransition {
  readonly clipIndex: number;
  readonly type: Exclude<TransitionType, 'cut'>;
  readonly durationSeconds: number;
  readonly easing: Easing;
  readonly direction?: Direction;
  /** Both takes have half of the duration beyond the cut. Left out: no. */
  readonly hasHandles?: boolean;
  /** `#rrggbb` that a `fade_color` passes through. */
  readonly color?: string;
}

/**
 * A color transform in CIELAB (D65). L follows a monotone curve through `lightness` knots (0..100,
 * ascending, linear between). Then (a, b) change by `chroma` and an offset that depends on L. The style's
 * strength is already included.
 */
export interface Grade {
  readonly lightness: readonly { readonly in: number; readonly out: number }[];
  /** Factor on (a, b); 0: black and white. */
  readonly chroma: number;
  /** (a, b) added at L = `at`, linear between, constant outside. */
  readonly offsets: readonly { readonly at: number; readonly a: number; readonly b: number }[];
  /** Casts, as `offsets`, that greys do not receive: colors of the opposite hue lose chroma instead. Left out: none. */
  readonly heldCasts?: Grade['offsets'];
  /** Hue turn allowed in the skin sector, in degrees. */
  readonly skinGuardDegrees: number;
  /**
   * Ratio of natural chroma to the source's, for flat recordings: the skin guard judges natural colors. Left
   * out: 1.
   */
  readonly paleness?: number;
  /** Strength of the skin guard, 0..1. Left out: 1. */
  readonly skinShare?: number;
  /** Factor of chroma of strong colors, where it is not `chroma`. */
  readonly strongChroma?: number;
  /** Protection of strong colors from casts, 0..1; default 0. */
  readonly colorGuard?: number;
  /** Protection of white from a loss of lightness, 0..1; default 0. */
  readonly whiteGuard?: number;
  /** Protection of skin from a loss of lightness, 0..1; default 0. */
  readonly skinLightnessGuard?: number;
}

export interface AudioPlan {
  /** Gains at third-octave centres in dB; a smooth curve through them is applied. */
  readonly equalizer: readonly { readonly hz: number; readonly gainDb: number }[];
  /** Targets of the dynamics; null: unchanged. */
  readonly compressor: {
    /** Loudness range (EBU Tech 3342) in LU, narrowed or widened slowly; null: unchanged. */
    readonly rangeLu: number | null;
    /** Greatest peak-to-loudness ratio in dB; null: unchanged. */
    readonly crestDb: number | null;
  } | null;
  /** Loudness to reach by linear gain; null: unchanged (no sound, silence). */
  readonly targetLufs: number | null;
  /** Limit of all peaks; null: unchanged. */
  readonly truePeakDbtp: number | null;
}

/** A run of sound in the output: of a take, or of the music. */
export interface SoundSpan {
  /** Number of the take; `music`: the song. */
  readonly source: number | 'music';
  readonly sourceStartSeconds: number;
  /** In the output. */
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly gainDb: number;
  /** Lengths of the fades at both ends, inside the span; of equal power. */
  readonly fadeInSeconds: number;
  readonly fadeOutSeconds: number;
  /** A pause of the take under another take; its loudness is not that of the take. Left out: false. */
  readonly isRoomTone?: boolean;
}

/** All sound of an edit. Spans may overlap: they are added. */
export interface SoundMix {
  readonly spans: readonly SoundSpan[];
  /** Gain of the music over the output's time, linear in dB between; empty: 0 dB. Ascending. */
  readonly musicGain: readonly { readonly timeSeconds: number; readonly gainDb: number }[];
}

/** Style of all captions; sizes in pixels of the output. */
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
  /** Position of the ink's top, middle or bottom edge: 0..1 from the picture's top. */
  readonly anchorY: number;
  /** `#rrggbb` */
  readonly color: string;
  /** Separation of the letters from the picture. */
  readonly ground: 'outline' | 'box' | 'shadow';
  /** Left out: black or white, against the letters, of `BOX_OPACITY`. */
  readonly box?: { readonly color: string; readonly opacity: number };
  /** How it appears and disappears; left out: at once. */
  readonly animationIn?: CaptionAnimation;
  readonly animationOut?: CaptionAnimation;
}

/** Durations are shorter where a caption is: at most a third of its time each. */
export interface CaptionAnimation {
  readonly type: 'fade' | 'slide' | 'pop';
  readonly seconds: number;
  /** Of `slide`: the side that it comes from, or leaves to. */
  readonly side?: 'left' | 'right' | 'top' | 'bottom';
  /** Of `slide`: from its place, in pixels of the output. */
  readonly distancePixels?: number;
}

/** Captions never overlap: each ends before the next begins, or when it does. Output times. */
export interface CaptionCue {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly lines: readonly string[];
  /** A face with all its letters. */
  readonly face: CaptionFace;
  /** Baseline of the first line, in pixels from the output's top. */
  readonly baselineY: number;
  /** Middle of its lines, in pixels from the output's left; left out: the output's middle. */
  readonly centerX?: number;
  /** Of a title with a style of its own; left out: the timeline's `captionLook`. */
  readonly look?: CaptionLook;
}

/** A part of the style that `auto` does not apply. */
export interface NotFollowed {
  readonly component: AutomaticComponent;
  /** Text for people: `9:16`, or frames a second. */
  readonly source: string;
  readonly style: string;
}

export interface Timeline {
  readonly version: 2;
  readonly frameRate: FrameRate;
  /** Output size, both even. */
  readonly width: number;
  readonly height: number;
  readonly takes: readonly Take[];
  readonly clips: readonly Clip[];
  readonly transitions: readonly TimelineTransition[];
  /** Null: there is no sound. */
  readonly audio: AudioPlan | null;
  /** Left out: the sound of the only take, cut like its picture. */
  readonly sound?: SoundMix;
  readonly captions: readonly CaptionCue[];
  /** Left out: there are no captions. */
  readonly captionLook?: CaptionLook;
  /** Left out: everything that was requested is followed. */
  readonly notFollowed?: readonly NotFollowed[];
  /** Left out: no part of a talk is omitted. */
  readonly talk?: TalkReport;
}

/** A run of the source with its whole picture, without movement. */
export function wholeClip(
  sourceStartSeconds: number,
  sourceEndSeconds: number,
  reason: Clip['reason'] = 'start',
): Clip {
  return {
    take: 0,
    sourceStartSeconds,
    sourceEndSeconds,
    reason,
    from: WHOLE_PICTURE,
    to: WHOLE_PICTURE,
    easing: 'linear',
    fit: 'crop',
  };
}

/** Duration of the output in seconds: transitions do not shorten it. */
export function timelineDurationSeconds(timeline: Pick<Timeline, 'clips'>): number {
  return timeline.clips.reduce((sum, clip) => sum + clip.sourceEndSeconds - clip.sourceStartSeconds, 0);
}

/** First output frame of each clip, then the number of frames, at least 1: one entry more than clips. */
export function clipStartFrames(timeline: Pick<Timeline, 'clips' | 'frameRate'>): readonly number[] {
  const rate = framesPerSecond(timeline.frameRate);
  let seconds = 0;
  const starts = timeline.clips.map((clip) => {
    const start = Math.round(seconds * rate);
    seconds += clip.sourceEndSeconds - clip.sourceStartSeconds;
    return start;
  });
  return [...starts, Math.max(1, Math.round(timelineDurationSeconds(timeline) * rate))];
}

/** Gain of the music in dB at a time of the output. */
export function musicGainDbAt(keys: SoundMix['musicGain'], seconds: number): number {
  const next = keys.findIndex(({ timeSeconds }) => timeSeconds > seconds);
  const before = next === -1 ? keys.at(-1) : (keys[next - 1] ?? keys[0]);
  const after = next === -1 ? before : keys[next];
  if (before === undefined || after === undefined) return 0;
  const length = after.timeSeconds - before.timeSeconds;
  const share = length > 0 ? (seconds - before.timeSeconds) / length : 0;
  return before.gainDb + (after.gainDb - before.gainDb) * share;
}
