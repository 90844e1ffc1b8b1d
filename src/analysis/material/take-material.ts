/** Material of a take for an edit: which moments are usable, how they look and how they move. Plain JSON. */
import type { Span } from '../facts.ts';

export const TAKE_FAULTS = [
  'blurred',
  'shaken',
  'dark',
  'overexposed',
  'covered',
  'frozen',
  'swinging',
  'own_cut',
  'sideways',
] as const;
/** Why moments of a take cannot be shown. `own_cut`: too near a cut or transition that the take itself has; `sideways`: the picture lies on its side. */
export type TakeFault = (typeof TAKE_FAULTS)[number];

export interface FaultSpan extends Span {
  readonly fault: TakeFault;
}

/** A sudden change of motion: a landing, a clap, a turn. */
export interface Impact {
  readonly timeSeconds: number;
  /** 0..1 within the take. */
  readonly strength: number;
}

/** Where the camera points, comparable within one part of a take. */
export interface CameraPlace {
  /** Shift of the content since the take's start, in diagonals of the picture. */
  readonly x: number;
  readonly y: number;
  /** Natural logarithm of its scale since then. */
  readonly zoom: number;
  /** Number of the part: a new one begins at the take's own cuts, and where the camera's motion is not measured. */
  readonly part: number;
}

/** One value per step of `stepSeconds`, from the take's start. */
export interface MaterialCurves {
  /** Camera motion in diagonals of the picture per second. */
  readonly motion: readonly number[];
  /** Motion that is not the camera's, in diagonals per second. */
  readonly activity: readonly number[];
  /** Standard deviation of luma over 255. */
  readonly contrast: readonly number[];
  /** Share of pixels with fine structure, 0..1. */
  readonly detail: readonly number[];
  /** Mean CIELAB lightness, 0..100. */
  readonly lightness: readonly number[];
  /** Absolute sharpness, independent of contrast and of the file's size: `PictureFacts.sharpness`. */
  readonly sharpness: readonly number[];
  /**
   * Quality of the picture within its take, 0..1: sharp, steady, well exposed. Ranks moments without a fault; 1 in trimmed shots. Absent: not
   * measured.
   */
  readonly quality?: readonly number[];
  /** How much there is to see, 0..1: sky, walls and floors have little; trimmed shots have 1. Absent: not measured. */
  readonly worth?: readonly number[];
  /** Height of the largest face with its shoulders as a share of the picture's; 0: none. */
  readonly faceHeight: readonly number[];
  /** 1: a figure in front of a background is in the samples before and after (every 1.5 s); 0: not; absent: not measured. */
  readonly figure?: readonly number[];
  /** How well people are seen, −.4..1: whole faces most, nobody 0, figures without heads less. Absent: not measured. */
  readonly people?: readonly number[];
  /** Point of attention, 0..1 from the left and the top. */
  readonly focusX: readonly number[];
  readonly focusY: readonly number[];
}

export interface TakeMaterial {
  /** Infinity is not JSON: a photo has 0. */
  readonly durationSeconds: number;
  readonly isPhoto: boolean;
  /** A video in which nothing moves. Left out: no. */
  readonly isMotionless?: boolean;
  /** Height in pixels: crops keep it, and pictures shown whole fill it. Absent: not known. */
  readonly lines?: number;
  readonly stepSeconds: number;
  readonly curves: MaterialCurves;
  /** Ascending by start; spans of different faults may overlap. */
  readonly faults: readonly FaultSpan[];
  /** Ascending. */
  readonly impacts: readonly Impact[];
  /** Phrases of speech: an edit that plays this take's sound does not cut within them. */
  readonly speech: readonly Span[];
  /**
   * Views for likeness, one per `viewSeconds`. A view is `VIEW_BYTES` numbers 0..255 of a small picture,
   * without its mean and scale, so that twins in other encodings and exposures are alike.
   */
  readonly viewSeconds: number;
  readonly views: readonly (readonly number[])[];
  /** One per view; absent: not measured. */
  readonly places?: readonly CameraPlace[];
}

/** Numbers of a view: 8 × 8 cells of luma. */
export const VIEW_BYTES = 64;
