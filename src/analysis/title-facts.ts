import type { Span } from '../domain/spans.ts';

/** Look of the largest certain titles. */
export interface TitleFacts {
  readonly position: 'top' | 'middle' | 'bottom';
  /** Type size as a share of the picture's height. */
  readonly lineHeight: number;
  readonly color: string;
  readonly outlined: boolean;
  /** Mean width of upright strokes over the type size. */
  readonly strokeWidth?: number;
  /** The ink's edge at `position`: 0..1 from the top. */
  readonly anchorY: number;
  /** The one that is measured frame by frame. */
  readonly sample: TitleSample;
  /** Absent: none, or unknown. */
  readonly box?: TitleBox;
  /** Absent: unknown. */
  readonly animationIn?: TitleAnimation;
  readonly animationOut?: TitleAnimation;
}

/** A title as the detector of captions found it. */
export interface TitleSample extends Span {
  /** Shares of the picture's width and height. */
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  /** Type size as a share of the picture's height. */
  readonly lineHeight: number;
  /** Grey level of the ink. */
  readonly inkLevel: number;
}

export interface TitleBox {
  readonly color: string;
  /** 0..1 */
  readonly opacity: number;
  readonly confidence: number;
}

/** `cut`: at once. `pop`: it grows or shrinks. */
export const TITLE_ANIMATIONS = ['cut', 'fade', 'slide', 'pop'] as const;
export const TITLE_SIDES = ['left', 'right', 'top', 'bottom'] as const;

/** How a title appears or disappears. */
export interface TitleAnimation {
  readonly type: (typeof TITLE_ANIMATIONS)[number];
  /** 0 for `cut`. */
  readonly seconds: number;
  /** Of `slide`: the side that it comes from, or leaves to. */
  readonly side?: (typeof TITLE_SIDES)[number];
  /** Of `slide`: distance from its place, as a share of the picture's width or height. */
  readonly distance?: number;
  readonly confidence: number;
}
