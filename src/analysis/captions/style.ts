import type { CaptionFacts } from '../facts.ts';
import type { TitleFacts, TitleSample } from '../title-facts.ts';
import { InkColor } from './color.ts';
import { isMostlyOver, type Text } from './join.ts';
import type { TextPiece } from './judge.ts';

/** Captions whose middle is below this share of the height are at the bottom; as far above its middle, at the top. */
const CAPTION_PLACE = 0.62;
/** Height of an outline's line over that of its ink. */
const OUTLINE_GROWTH = [1.03, 1.5] as const;

/** The style of most captions, weighted by their time on screen. */
export function describeStyle(texts: readonly Text[]): CaptionFacts['style'] {
  const middles = texts.map((text) => text.box.y + text.box.height / 2).sort((a, b) => a - b);
  const middle = middles[middles.length >> 1];
  const inks = texts.map((text) => {
    const ink = inkOf(text);
    return { ...ink, weight: ink.weight * (text.endSeconds - text.startSeconds) };
  });
  let brightness = 0;
  for (const { piece, weight } of inks) brightness += piece.bright ? weight : -weight;
  const likely = inks.filter(({ piece }) => piece.bright === brightness >= 0);
  const heights = likely.map(({ piece }) => piece.lineHeight).sort((a, b) => a - b);
  const levels = likely.map(({ piece }) => piece.inkLevel).sort((a, b) => a - b);
  const strokes = likely.map(({ piece }) => piece.strokeWidth).sort((a, b) => a - b);
  const color = new InkColor();
  let outlines = 0;
  let boxes = 0;
  for (const { piece, outlined, weight } of likely) {
    color.merge(piece.color);
    outlines += outlined ? weight : -weight;
    boxes += !outlined && piece.ground === 'box' ? weight : -weight;
  }
  return {
    position: middle < 1 - CAPTION_PLACE ? 'top' : middle > CAPTION_PLACE ? 'bottom' : 'middle',
    // Lines without descenders or capitals measure too low: the upper quartile is closer to the type size.
    lineHeight: heights[Math.floor(0.75 * (heights.length - 1) + 0.5)],
    color: color.hex(levels[levels.length >> 1]),
    outlined: outlines > 0,
    boxed: boxes > 0,
    strokeWidth: strokes[strokes.length >> 1],
  };
}

/** Smaller titles than this share of the largest are lines below it. */
const SAME_TYPE = 0.8;

/** The look of the largest titles. An even tone beside the letters may be a box or a soft shadow: `title-box.ts` decides. */
export function describeTitles(titles: readonly Text[]): TitleFacts {
  const largest = Math.max(...titles.map(({ piece }) => piece.lineHeight));
  const same = titles.filter(({ piece }) => piece.lineHeight >= SAME_TYPE * largest);
  const { position, lineHeight, color, outlined, strokeWidth } = describeStyle(same)!;
  const edge = { top: 0, middle: 0.5, bottom: 1 }[position];
  const anchors = same.map(({ box }) => box.y + edge * box.height).sort((a, b) => a - b);
  return {
    ...{ position, anchorY: anchors[anchors.length >> 1], lineHeight, color, outlined },
    ...(strokeWidth === undefined ? {} : { strokeWidth }),
    sample: sampleOf(same),
  };
}

/** The title that is shown longest: backgrounds differ most below it. */
function sampleOf(titles: readonly Text[]): TitleSample {
  const seconds = ({ startSeconds, endSeconds }: Text) => endSeconds - startSeconds;
  const longest = titles.reduce((one, other) => (seconds(other) > seconds(one) ? other : one));
  const { startSeconds, endSeconds, box } = longest;
  const { lineHeight, inkLevel } = inkOf(longest).piece;
  return { startSeconds, endSeconds, box, lineHeight, inkLevel };
}

interface Ink {
  readonly piece: TextPiece;
  readonly outlined: boolean;
  /** Certainty, as a factor on the time on screen. */
  readonly weight: number;
}

/**
 * Decides which of the two tones of a text is the ink, and whether it is outlined. An outline has ink on one side
 * only and so no even tone beside it. The gaps of a box between the letters have only ink beside them, while the
 * ink has the box, which continues. If both are alike, the outline is wider and a little higher than its ink.
 */
function inkOf({ piece, other }: Text): Ink {
  if (other === null || !isMostlyOver(piece.box, other.box)) {
    return { piece, outlined: piece.ground === 'outline', weight: 1 };
  }
  for (const [first, second] of [
    [piece, other],
    [other, piece],
  ] as const) {
    if (first.ground === second.ground) break;
    if (second.ground === 'open') return { piece: first, outlined: true, weight: 2 };
    if (first.ground === 'box' && second.ground === 'outline')
      return { piece: first, outlined: false, weight: 2 };
  }
  const [wide, narrow] = piece.box.width > other.box.width ? [piece, other] : [other, piece];
  const growth = wide.lineHeight / narrow.lineHeight;
  return growth >= OUTLINE_GROWTH[0] && growth <= OUTLINE_GROWTH[1]
    ? { piece: narrow, outlined: true, weight: 1 }
    : { piece: wide, outlined: false, weight: 1 };
}
