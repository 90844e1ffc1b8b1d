import type { CaptionFacts, CaptionSpan } from '../facts.ts';
import { joinPieces, type Text } from './join.ts';
import type { TextPiece } from './judge.ts';
import { isAligned, shareOnOneLine, sharesLine } from './place.ts';
import { CAPTION_PLACE, describeStyle } from './style.ts';

const SERIES = {
  /** What stands for more of the clip than this is a logo or a sign. */
  maxOfClip: 0.95,
  /** Lines of one caption; what has more is a page. */
  maxLines: 4,
  /** Distance of lines over their height. */
  lineAdvance: 1.25,
  /** Other lines that stand at the same time: text in a crowd is a screen's or a credit's. */
  crowd: 3,
  /** Ends (in line heights) by which two texts differ: what comes back between the same ends is a logo or a clock. */
  otherEnds: 0.28,
  /** What stands for longer is no word of a row of words; so many standing texts make a series without other proof. */
  briefSeconds: 0.8,
  minStanding: 4,
  /** Brief texts that make a series, how many of them must differ in width, and the share of its time that they fill. */
  minBrief: 6,
  minWidths: 3,
  minFilled: 0.4,
  /** Rows of words stand about the middle; what changes in a corner is a counter. */
  wordsOffCentre: 0.2,
  /** In a clip this short one text is a caption when it stands where captions do. */
  shortSeconds: 10,
  loneOffCentre: 0.06,
  /** What is wider than this runs from edge to edge: a ticker. */
  maxWidth: 0.93,
  /** A clock: share of texts with one right end, and how much smaller that with one left end is. */
  maxInLine: 0.7,
  lessInLine: 0.2,
  maxCompared: 40,
  /** Share of a slot's texts that may look as if they moved. */
  maxMoved: 0.4,
  /**
   * Where nothing proves that texts lie on the picture, the share of them that stands on one line: cloth and leaves are taken
   * for text somewhere else at every look (sam2_cups .6), words of real and made series keep to theirs (1).
   */
  minOnOneLine: 0.75,
  /** Words come one after the other: a pause up to this long is a word that was missed. */
  bridgedSeconds: 0.5,
} as const;

/** Texts that take turns in one place. */
interface Slot {
  readonly texts: Text[];
}

/**
 * Captions take turns: several texts, of one kind of type, in one place. A text that is shown once (a title, a
 * name) is kept among the spans, for it lies on the picture too, but makes no style of captions; a page of text,
 * a clock and a logo are none.
 */
export function summariseCaptions(
  pieces: readonly TextPiece[],
  clip: { readonly startSeconds: number; readonly endSeconds: number },
): CaptionFacts {
  const clipSeconds = clip.endSeconds - clip.startSeconds;
  const texts = joinPieces(pieces, clip.endSeconds);
  const brief = texts.filter((text) => text.endSeconds - text.startSeconds < SERIES.maxOfClip * clipSeconds);
  const slots = fillSlots(brief);
  const isLone = (slot: Slot) => clipSeconds < SERIES.shortSeconds && isLoneCaption(slot, texts);
  const series = slots.filter((slot) => isSeries(slot, texts) || isLone(slot));
  const captions = series
    .flatMap((slot) => bridged(slot.texts))
    .sort((a, b) => a.startSeconds - b.startSeconds);
  const titles = slots
    .filter((slot) => !series.includes(slot))
    .flatMap((slot) => slot.texts)
    .filter(
      (text) =>
        text.sure &&
        !text.moved &&
        linesOf(text) <= SERIES.maxLines &&
        crowdAbout(text, texts) < SERIES.crowd,
    );
  const toSpan = ({ startSeconds, endSeconds, box }: Text): CaptionSpan => ({
    startSeconds,
    endSeconds,
    box,
  });
  return {
    share: clipSeconds > 0 ? Math.min(1, unionSeconds(captions) / clipSeconds) : 0,
    spans: [...captions, ...titles].sort((a, b) => a.startSeconds - b.startSeconds).map(toSpan),
    style: captions.length === 0 ? null : describeStyle(captions),
    // That there are none is known the better the longer one has looked, and the less there is that might be some.
    confidence:
      captions.length === 0 ? Math.min(0.9, clipSeconds / 5) * (1 - doubt(slots)) : sureness(captions),
  };
}

function isSeries(slot: Slot, all: readonly Text[]): boolean {
  const { texts } = slot;
  const many = (holds: (text: Text) => boolean, share: number) =>
    texts.filter(holds).length > share * texts.length;
  const isCrowded = (text: Text) => crowdAbout(text, all) >= SERIES.crowd;
  if (many(isCrowded, 0.5)) return false;
  if (many((text) => text.box.width > SERIES.maxWidth, 0.5) || many((text) => text.moved, SERIES.maxMoved))
    return false;
  // A clock is found in parts that all end where it ends: words do not, unless they begin in one place too.
  const inLine = commonShare(texts, endOf);
  if (
    texts.length >= SERIES.minBrief &&
    inLine > SERIES.maxInLine &&
    inLine > commonShare(texts, startOf) + SERIES.lessInLine
  )
    return false;
  const sure = texts.filter((text) => text.sure && !text.moved && !isCrowded(text));
  const aligned = sure.length > 2 || (sure.length === 2 && isAligned(sure[0].box, sure[1].box));
  if (aligned && countDistinct(sure, startOf, endOf) >= 2) return true;
  if (shareOnOneLine(texts) < SERIES.minOnOneLine) return false;
  const from = texts[0].startSeconds;
  const until = Math.max(...texts.map((text) => text.endSeconds));
  if (unionSeconds(texts) < SERIES.minFilled * (until - from)) return false;
  const standing = texts.filter(isStanding).length;
  if (standing >= SERIES.minStanding && countDistinct(texts, startOf, endOf) >= 2) return true;
  const centred = texts.filter(({ box }) => Math.abs(box.x + box.width / 2 - 0.5) <= SERIES.wordsOffCentre);
  return centred.length >= SERIES.minBrief && countDistinct(centred, startOf, endOf) >= SERIES.minWidths;
}

function isLoneCaption(slot: Slot, all: readonly Text[]): boolean {
  const [text] = slot.texts;
  if (slot.texts.length > 1 || !text.sure || text.moved || crowdAbout(text, all) >= SERIES.crowd)
    return false;
  const { x, y, width, height } = text.box;
  return (
    Math.abs(x + width / 2 - 0.5) <= SERIES.loneOffCentre &&
    y + height / 2 > CAPTION_PLACE &&
    width <= SERIES.maxWidth
  );
}

function isStanding(text: Text): boolean {
  return text.sure || text.endSeconds - text.startSeconds > SERIES.briefSeconds;
}

const startOf = ({ box }: Text): number => box.x;
const endOf = ({ box }: Text): number => box.x + box.width;

/** How many texts differ in one of these ends from all before them; it stops counting when there are enough. */
function countDistinct(texts: readonly Text[], ...ends: readonly ((text: Text) => number)[]): number {
  const seen: Text[] = [];
  for (const text of texts) {
    const least = SERIES.otherEnds * text.look.lineHeight;
    if (seen.every((other) => ends.some((end) => Math.abs(end(other) - end(text)) > least))) seen.push(text);
    if (seen.length >= SERIES.minWidths) break;
  }
  return seen.length;
}

/** The largest share of texts that have this end in common. */
function commonShare(texts: readonly Text[], end: (text: Text) => number): number {
  let most = 0;
  for (const text of texts.slice(0, SERIES.maxCompared)) {
    const least = SERIES.otherEnds * text.look.lineHeight;
    most = Math.max(most, texts.filter((other) => Math.abs(end(other) - end(text)) <= least).length);
  }
  return most / texts.length;
}

function linesOf(text: Text): number {
  return Math.max(1, Math.round(text.box.height / (SERIES.lineAdvance * text.look.lineHeight)));
}

/** Lines of other texts, in order of time, that stand for most of this one's time. */
function crowdAbout(text: Text, all: readonly Text[]): number {
  let lines = linesOf(text) > SERIES.maxLines ? linesOf(text) : 0;
  for (const other of all) {
    if (other.startSeconds > text.endSeconds) break;
    if (other === text) continue;
    const together =
      Math.min(other.endSeconds, text.endSeconds) - Math.max(other.startSeconds, text.startSeconds);
    if (together > 0.5 * (text.endSeconds - text.startSeconds)) lines += linesOf(other);
  }
  return lines;
}

function fillSlots(texts: readonly Text[]): Slot[] {
  const slots: Slot[] = [];
  for (const text of texts) {
    const slot = slots.find(
      ({ texts }) =>
        sharesLine(texts[0], text) || texts.slice(-SERIES.minBrief).some((other) => sharesLine(other, text)),
    );
    if (slot === undefined) slots.push({ texts: [text] });
    else slot.texts.push(text);
  }
  return slots;
}

function bridged(texts: readonly Text[]): Text[] {
  return texts.map((text, index) => {
    const next = texts[index + 1];
    const pause = next === undefined ? 0 : next.startSeconds - text.endSeconds;
    return pause > 0 && pause < SERIES.bridgedSeconds && !text.sure
      ? { ...text, endSeconds: next!.startSeconds }
      : text;
  });
}

function unionSeconds(spans: readonly Pick<CaptionSpan, 'startSeconds' | 'endSeconds'>[]): number {
  let total = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const span of spans) {
    total += Math.max(0, span.endSeconds - Math.max(until, span.startSeconds));
    until = Math.max(until, span.endSeconds);
  }
  return total;
}

/** One caption may be a mistake, several of like kind hardly. */
function sureness(texts: readonly Text[]): number {
  const weight = (text: Text) => (text.sure ? 0.6 : isStanding(text) ? 0.2 : 0.1);
  return 1 - texts.reduce((left, text) => left * (1 - weight(text) * text.look.likeness), 1);
}

/** What might have been captions: the most texts in one place that were no series. */
function doubt(slots: readonly Slot[]): number {
  let most = 0;
  for (const { texts } of slots) {
    const able = texts.filter(
      (text) => !text.moved && text.box.width <= SERIES.maxWidth && linesOf(text) <= SERIES.maxLines,
    );
    most = Math.max(
      most,
      able.reduce((sum, text) => sum + (text.sure ? 2 : 1), 0),
    );
  }
  return Math.min(0.7, 0.1 * Math.max(0, most - 1));
}
