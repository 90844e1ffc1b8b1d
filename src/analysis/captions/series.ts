import type { CaptionFacts, CaptionSpan, Span } from '../facts.ts';
import { joinPieces, type Text } from './join.ts';
import type { TextPiece } from './judge.ts';
import { sharesLine } from './place.ts';
import { linesOf, type SeriesEvidence, seriesEvidence, unionSeconds } from './series-evidence.ts';
import { WEIGHTS } from './series-weights.ts';
import { describeStyle, describeTitles } from './style.ts';
import { detectionsOf } from './words.ts';

/** Least probability at which texts in one place are captions. */
const MIN_PROBABILITY = 0.5;
/** Most lines of captions shown together: more are a page, a screen or credits. */
const MAX_LINES = 4;
/**
 * A text that is shown once, for a shorter time, must look this much like text. 26 texts: patterns of a scene .65
 * to .83, parts of clocks and pages .82, titles and names .90 to .99.
 */
const BRIEF_SECONDS = 1.5;
const MIN_BRIEF_LIKENESS = 0.87;
/**
 * A title whose look is followed: eight rendered titles in four styles .77 to .96; from this likeness on their sizes were within 12 %, with the
 * right weight, color and place.
 */
const SURE_TITLE = { likeness: 0.92, seconds: 1.5 } as const;
/** The same for one that is shown throughout: three marks .83 to .92, textures .62 and .79. */
const MIN_MARK_LIKENESS = 0.8;
/**
 * Lettering that no change of the picture proves to be an overlay: a page or a banner in a still picture. 78
 * clips had seven such texts, of .86 to 1: six were lettering, one the edge of a drawing.
 */
const MIN_STILL_SECONDS = 1.5;
const MIN_STILL_LIKENESS = 0.85;
/** Largest line, as a share of the picture's height, below that likeness: a film's house front has .26, a pie .38. */
const MAX_DOUBTFUL_LINE = 0.2;
/** Words follow each other: a gap up to this long is a missed word. */
const BRIDGED_SECONDS = 0.5;
/** Confidence in the absence of captions grows with the length of the clip, up to this. */
const FULL_CONFIDENCE_SECONDS = 5;

/** Texts that alternate in one place. */
export interface Series {
  readonly texts: readonly Text[];
  readonly evidence: SeriesEvidence;
}

/**
 * Captions alternate: several texts, of one type, in one place. A text that is shown once (a title, a name)
 * is in the spans, because it is an overlay too, but makes no caption style. A page of text, a clock and a
 * logo are excluded.
 */
export function summariseCaptions(pieces: readonly TextPiece[], clip: Span): CaptionFacts {
  const { series, texts } = findSeries(pieces, clip);
  const judged = series.map((one) => ({ ...one, probability: probabilityOf(one.evidence) }));
  const captions = judged
    .filter(({ probability }) => probability >= MIN_PROBABILITY)
    .flatMap((one) => bridged(one.texts))
    .sort((a, b) => a.startSeconds - b.startSeconds);
  const titles = judged
    .filter(({ probability }) => probability < MIN_PROBABILITY)
    .flatMap((one) => one.texts.filter((text) => isTitle(text, texts)));
  const sure = titles.filter(isSureTitle);
  const marks = texts.filter((text) => isMark(text, clip));
  const named = new Set([...captions, ...titles, ...marks].map(({ piece }) => piece));
  const lettering = texts.filter((text) => isLettering(text) && !named.has(text.piece));
  const toSpan = spansOf([...titles, ...lettering]);
  const clipSeconds = clip.endSeconds - clip.startSeconds;
  const likeliest = Math.max(0, ...judged.map(({ probability }) => probability));
  return {
    share: clipSeconds > 0 ? Math.min(1, unionSeconds(captions) / clipSeconds) : 0,
    spans: [...captions, ...titles].sort((a, b) => a.startSeconds - b.startSeconds).map(toSpan),
    ...(marks.length > 0 && { marks: marks.map(({ box }) => box) }),
    ...(lettering.length > 0 && { lettering: lettering.map(toSpan) }),
    style: captions.length === 0 ? null : describeStyle(captions),
    ...(sure.length > 0 && { titleStyle: describeTitles(sure) }),
    confidence:
      captions.length === 0
        ? Math.min(1, clipSeconds / FULL_CONFIDENCE_SECONDS) * (1 - likeliest)
        : likeliest,
  };
}

/** Turns texts into spans. Those of `texts` with the same words get the same number as `text`. */
function spansOf(texts: readonly Text[]): (seen: Text) => CaptionSpan {
  const repeated = detectionsOf(texts).filter((detections) => detections.length > 1);
  return (seen) => {
    const { startSeconds, endSeconds, box } = seen;
    const text = repeated.findIndex((detections) => detections.includes(seen));
    return { startSeconds, endSeconds, box, ...(text === -1 ? {} : { text }) };
  };
}

/**
 * The texts of a clip, and those of them that alternate. A text that stays from beginning to end is a logo or a
 * sign.
 */
export function findSeries(
  pieces: readonly TextPiece[],
  clip: Span,
): { readonly series: readonly Series[]; readonly texts: readonly Text[] } {
  const texts = joinPieces(pieces, clip.endSeconds);
  const places: Text[][] = [];
  for (const text of texts) {
    if (isThroughout(text, clip)) continue;
    const place = places.find((others) => others.some((other) => sharesLine(other, text)));
    if (place === undefined) places.push([text]);
    else place.push(text);
  }
  const clipSeconds = clip.endSeconds - clip.startSeconds;
  const series = places.map((place) => {
    const crowds = place.map((text) => crowdAbout(text, texts));
    return { texts: place, evidence: seriesEvidence(place, crowds, clipSeconds) };
  });
  return { series, texts };
}

function isThroughout({ startSeconds, endSeconds }: Span, clip: Span): boolean {
  return startSeconds <= clip.startSeconds && endSeconds >= clip.endSeconds;
}

/** Whether a text lies over the picture, or certainly consists of letters. A text that moves belongs to the scene. */
function isLettering({ startSeconds, endSeconds, piece, isOverlay, hasMoved }: Text): boolean {
  if (hasMoved) return false;
  if (piece.likeness >= MIN_STILL_LIKENESS)
    return isOverlay || endSeconds - startSeconds >= MIN_STILL_SECONDS;
  return isOverlay && piece.lineHeight <= MAX_DOUBTFUL_LINE;
}

/** Whether a text that does not alternate is a title or a name: over the picture, of few lines, and certainly text. */
function isTitle(text: Text, all: readonly Text[]): boolean {
  const isStill = text.isOverlay && !text.hasMoved;
  return isStill && linesOf(text) + crowdAbout(text, all) <= MAX_LINES && isReadable(text);
}

/** Whether the look of a title is certain. Dark ink on no even tone may be the gap between an outline and its letters. */
function isSureTitle({ startSeconds, endSeconds, piece }: Text): boolean {
  const isLong = endSeconds - startSeconds >= SURE_TITLE.seconds;
  return isLong && piece.likeness >= SURE_TITLE.likeness && (piece.bright || piece.ground !== 'open');
}

/** Whether a text is a watermark: over the picture from beginning to end. */
function isMark(text: Text, clip: Span): boolean {
  const isStill = text.isOverlay && !text.hasMoved;
  return isThroughout(text, clip) && isStill && text.piece.likeness >= MIN_MARK_LIKENESS;
}

/** A brief text that hardly looks like text is a pattern of the scene. */
function isReadable({ startSeconds, endSeconds, piece }: Text): boolean {
  return endSeconds - startSeconds >= BRIEF_SECONDS || piece.likeness >= MIN_BRIEF_LIKENESS;
}

/** 0..1, by logistic regression. */
function probabilityOf(evidence: SeriesEvidence): number {
  const names = Object.keys(WEIGHTS) as (keyof SeriesEvidence)[];
  const odds = names.reduce((sum, name) => sum + WEIGHTS[name] * evidence[name], 0);
  return 1 / (1 + Math.exp(-odds));
}

/** Lines of the other texts that are shown for most of this one's time. `all`: in order of time. */
function crowdAbout(text: Text, all: readonly Text[]): number {
  let lines = 0;
  for (const other of all) {
    if (other.startSeconds > text.endSeconds) break;
    if (other === text) continue;
    const together =
      Math.min(other.endSeconds, text.endSeconds) - Math.max(other.startSeconds, text.startSeconds);
    if (2 * together > text.endSeconds - text.startSeconds) lines += linesOf(other);
  }
  return lines;
}

/** Texts of a series, extended over short gaps to the next one. */
function bridged(texts: readonly Text[]): Text[] {
  return texts.map((text, index) => {
    const next = texts[index + 1];
    const pause = next === undefined ? 0 : next.startSeconds - text.endSeconds;
    return pause > 0 && pause < BRIDGED_SECONDS && !text.isOverlay
      ? { ...text, endSeconds: next!.startSeconds }
      : text;
  });
}
