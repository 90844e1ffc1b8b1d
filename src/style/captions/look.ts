import { INK_OF_LINE } from '../../analysis/captions/judge.ts';
import type { CaptionFacts } from '../../analysis/facts.ts';
import type { TitleAnimation, TitleBox } from '../../analysis/title-facts.ts';
import { lengthOf } from '../../domain/spans.ts';
import type { CaptionFace, FaceMetrics } from '../model/caption-face.ts';
import { PLAIN_CAPTIONS } from '../model/plain-captions.ts';
import type { Style } from '../model/schema.ts';
import type { CaptionLook, Timeline } from '../model/timeline.ts';

type SubtitleStyle = NonNullable<Style['subtitle_style']>;
type TitleStyle = NonNullable<Style['title_style']>;
type Position = SubtitleStyle['position'];

/** Captions are word by word if most are shorter than this, and there are at least this many. */
const WORD_SECONDS = 0.75;
const MIN_WORDS = 6;
/**
 * Height of the detector's rows of ink over that of capitals: it includes some descenders and any outline.
 * Measured on known type of four weights, 36 to 60 pixels.
 */
const INK_OVER_CAPITALS = { outlined: 1.12, bare: 0.97 } as const;
const ANCHORS: Readonly<Record<Position, number>> = { top: 0.1, middle: 0.5, bottom: 0.9 };
/** Stroke widths of Inter by the detector: 0.12 to 0.13 medium, 0.14 to 0.16 semi-bold, 0.18 to 0.2 extra bold. */
const MEDIUM_STROKES = 0.134;
const SEMIBOLD_STROKES = 0.17;
/** Default without a measurement. */
const USUAL_STROKES = { lines: 0.15, words: 0.19 } as const;
/** Largest width of a line (EBU R 95: graphics within 90 %), and the least ems per line. */
const SAFE_WIDTH = 0.86;
const MIN_LINE_EM = { lines: 9, words: 6 } as const;
/** About 42 characters (Netflix Timed Text Style Guide). */
const MAX_LINE_EM = 22;
/** Smaller type is unreadable. */
const MIN_PIXELS = 8;
/** From one baseline to the next: close to Inter's ascent plus descent, 1.21. */
const LINE_PITCH_EM = 1.22;
/** From the baseline down to the end of most lines' ink: between lines with and without descenders. */
const BELOW_BASELINE_EM = 0.12;
/** Free margin at the top and the bottom. */
const MARGIN = 0.04;

/** The caption style of a clip; undefined without captions. */
export function subtitleStyleOf({ style, spans }: CaptionFacts): SubtitleStyle | undefined {
  if (style === null) return undefined;
  const { position } = style;
  const edge = { top: 0, middle: 0.5, bottom: 1 }[position];
  const anchor = middleOf(spans.map(({ box }) => box.y + box.height * edge));
  const seconds = spans.map(lengthOf);
  const isWordByWord = spans.length >= MIN_WORDS && (middleOf(seconds) ?? 0) < WORD_SECONDS;
  return {
    position,
    line_height: rounded(style.lineHeight),
    color: style.color,
    outlined: style.outlined,
    ...(style.boxed === undefined ? {} : { boxed: style.boxed }),
    ...(style.strokeWidth === undefined ? {} : { stroke_width: rounded(style.strokeWidth) }),
    ...(anchor === null ? {} : { anchor_y: rounded(anchor) }),
    ...(spans.length === 0 ? {} : { timing: isWordByWord ? ('words' as const) : ('lines' as const) }),
  };
}

/** The title style of a clip; undefined without a certain title. */
export function titleStyleOf({ titleStyle: titles }: CaptionFacts): Style['title_style'] {
  if (titles === undefined) return undefined;
  return {
    position: titles.position,
    line_height: rounded(titles.lineHeight),
    color: titles.color,
    // The tone around the letters is the box.
    outlined: titles.outlined && titles.box === undefined,
    ...(titles.strokeWidth === undefined ? {} : { stroke_width: rounded(titles.strokeWidth) }),
    anchor_y: rounded(titles.anchorY),
    ...(titles.box === undefined ? {} : { box: boxField(titles.box) }),
    ...(titles.animationIn === undefined ? {} : { animation_in: animationField(titles.animationIn) }),
    ...(titles.animationOut === undefined ? {} : { animation_out: animationField(titles.animationOut) }),
  };
}

function boxField({ color, opacity, confidence }: TitleBox): NonNullable<TitleStyle['box']> {
  return { color, opacity: rounded(opacity), confidence: rounded(confidence) };
}

function animationField(animation: TitleAnimation): NonNullable<TitleStyle['animation_in']> {
  const { type, seconds, side, distance, confidence } = animation;
  return {
    type,
    duration_ms: Math.round(1000 * seconds),
    ...(side === undefined ? {} : { side }),
    ...(distance === undefined ? {} : { distance: rounded(distance) }),
    confidence: rounded(Math.min(1, confidence)),
  };
}

/** To thousandths. */
function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function middleOf(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? null;
}

/** A style's captions in an output: place, size, colors and face. */
export function captionLook(
  style: Pick<Style, 'subtitle_style'>,
  output: Pick<Timeline, 'width' | 'height'>,
  metricsOf: (face: CaptionFace) => FaceMetrics,
): CaptionLook {
  const captionStyle = { ...PLAIN_CAPTIONS, ...style.subtitle_style };
  const timing = captionStyle.timing ?? 'lines';
  const face = faceOf(captionStyle.stroke_width ?? USUAL_STROKES[timing]);
  const capital = metricsOf(face).capHeightEm;
  const wanted =
    (captionStyle.line_height * output.height * INK_OF_LINE) /
    (capital * INK_OVER_CAPITALS[captionStyle.outlined ? 'outlined' : 'bare']);
  const widest = (SAFE_WIDTH * output.width) / MIN_LINE_EM[timing];
  const sizePixels = Math.round(Math.max(MIN_PIXELS, Math.min(wanted, widest)));
  return {
    timing,
    face,
    sizePixels,
    ...lineMeasures(sizePixels, output.width),
    position: captionStyle.position,
    anchorY: captionStyle.anchor_y ?? ANCHORS[captionStyle.position],
    color: captionStyle.color,
    ground: captionStyle.outlined ? 'outline' : captionStyle.boxed === true ? 'box' : 'shadow',
  };
}

/** Distance of lines, and their longest in ems, of type in an output of this width. */
export function lineMeasures(
  sizePixels: number,
  outputWidth: number,
): Pick<CaptionLook, 'pitchPixels' | 'lineEm'> {
  return {
    pitchPixels: Math.round(LINE_PITCH_EM * sizePixels),
    lineEm: Math.min(MAX_LINE_EM, (SAFE_WIDTH * outputWidth) / sizePixels),
  };
}

function faceOf(strokeWidth: number): CaptionFace {
  if (strokeWidth < MEDIUM_STROKES) return 'inter-medium';
  return strokeWidth < SEMIBOLD_STROKES ? 'inter-semibold' : 'inter-extrabold';
}

/** Baseline of the first of `lines` lines, in pixels from the top; all lines stay inside the picture's margins. */
export function firstBaseline(
  look: CaptionLook,
  lines: number,
  capHeightEm: number,
  pictureHeight: number,
): number {
  const { sizePixels, pitchPixels, position, anchorY } = look;
  const capital = capHeightEm * sizePixels;
  const below = BELOW_BASELINE_EM * sizePixels;
  const between = (lines - 1) * pitchPixels;
  const anchor = anchorY * pictureHeight;
  const wanted = {
    top: anchor + capital,
    middle: anchor + (capital - between) / 2,
    bottom: anchor - below - between,
  }[position];
  const least = MARGIN * pictureHeight + capital;
  const most = (1 - MARGIN) * pictureHeight - below - between;
  return Math.round(Math.max(least, Math.min(most, wanted)));
}
