import type { Box, CaptionFacts, CaptionSpan } from '../../src/analysis/facts.ts';
import type { Truth } from '../lib/truth.ts';
import { overlapOf } from './box-overlap.ts';

/** Hues apart by which a color is another, and the chroma (levels) from which it has a hue at all. */
const HUE_TOLERANCE = 30;
const MIN_CHROMA = 60;
const LINE_HEIGHT_TOLERANCE = 1.35;

export interface CaptionScore {
  /** Whether the clip has captions, and whether the analysis found them. */
  readonly wanted: boolean;
  readonly found: boolean;
  readonly share: number;
  readonly confidence: number;
  /** Where the truth knows each caption, and captions were found. */
  readonly spans: SpanScore | null;
  readonly style: StyleScore | null;
}

interface SpanScore {
  /** Share of the true caption time that was found, and found time outside it over the true time. */
  readonly recall: number;
  readonly excess: number;
  /** Mean intersection over union of the found boxes with the true ones at the same time. */
  readonly boxOverlap: number;
}

interface StyleScore {
  readonly position: boolean;
  readonly lineHeight: boolean;
  readonly color: boolean;
  readonly outlined: boolean;
}

/** Null where it is open to argument whether there are captions. */
export function scoreCaptions(found: CaptionFacts, truth: Truth): CaptionScore | null {
  if (truth.captions === null) return null;
  const { caption_spans: spans, caption_style: style } = truth.made;
  return {
    wanted: truth.captions,
    found: found.style !== null,
    share: found.share,
    confidence: found.confidence,
    spans: spans === undefined || found.style === null ? null : scoreSpans(found.spans, spans.map(toSpan)),
    style:
      style === undefined || found.style === null
        ? null
        : {
            position: found.style.position === style.position,
            lineHeight:
              Math.abs(Math.log(found.style.lineHeight / style.line_height)) <=
              Math.log(LINE_HEIGHT_TOLERANCE),
            color: sameColor(found.style.color, style.color),
            outlined: found.style.outlined === style.outlined,
          },
  };
}

function toSpan(span: { readonly start_s: number; readonly end_s: number; readonly box: Box }): CaptionSpan {
  return { startSeconds: span.start_s, endSeconds: span.end_s, box: span.box };
}

/** In steps of a hundredth of a second; where captions lie over each other, the box around them counts. */
function scoreSpans(found: readonly CaptionSpan[], wanted: readonly CaptionSpan[]): SpanScore {
  const last = Math.max(0, ...found.map((span) => span.endSeconds), ...wanted.map((span) => span.endSeconds));
  let both = 0;
  let foundOnly = 0;
  let wantedTime = 0;
  let overlap = 0;
  for (let step = 0; step < last * 100; step++) {
    const seconds = (step + 0.5) / 100;
    const box = boxAt(found, seconds);
    const trueBox = boxAt(wanted, seconds);
    if (trueBox !== null) wantedTime++;
    if (box === null) continue;
    if (trueBox === null) foundOnly++;
    else {
      both++;
      overlap += overlapOf(box, trueBox);
    }
  }
  return {
    recall: wantedTime === 0 ? 1 : both / wantedTime,
    excess: wantedTime === 0 ? 0 : foundOnly / wantedTime,
    boxOverlap: both === 0 ? 0 : overlap / both,
  };
}

function boxAt(spans: readonly CaptionSpan[], seconds: number): Box | null {
  let box: Box | null = null;
  for (const span of spans) {
    if (seconds < span.startSeconds || seconds >= span.endSeconds) continue;
    box = box === null ? span.box : around(box, span.box);
  }
  return box;
}

function around(a: Box, b: Box): Box {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}

/** The same hue, or both without one and both light or both dark. */
function sameColor(a: string, b: string): boolean {
  const [one, other] = [a, b].map(describe) as [Tone, Tone];
  if (one.hue === null || other.hue === null) return one.hue === other.hue && one.light === other.light;
  const apart = Math.abs(one.hue - other.hue);
  return Math.min(apart, 360 - apart) <= HUE_TOLERANCE;
}

interface Tone {
  readonly hue: number | null;
  readonly light: boolean;
}

/** Hue in degrees as in HSV. */
function describe(hex: string): Tone {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [
    number,
    number,
    number,
  ];
  const most = Math.max(red, green, blue);
  const chroma = most - Math.min(red, green, blue);
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 128;
  if (chroma < MIN_CHROMA) return { hue: null, light };
  const sextant =
    most === red
      ? (green - blue) / chroma
      : most === green
        ? 2 + (blue - red) / chroma
        : 4 + (red - green) / chroma;
  return { hue: (60 * sextant + 360) % 360, light };
}

/** Share of correct answers over clips; 1 without any. */
export function captionTotals(scores: readonly CaptionScore[]): { precision: number; recall: number } {
  const right = scores.filter(({ wanted, found }) => wanted && found).length;
  const found = scores.filter((score) => score.found).length;
  const wanted = scores.filter((score) => score.wanted).length;
  return { precision: found === 0 ? 1 : right / found, recall: wanted === 0 ? 1 : right / wanted };
}
