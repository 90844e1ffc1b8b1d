import type { Picture } from '../../domain/footage.ts';
import { mean } from '../../signal/statistics.ts';
import { type Axis, type Profile, profileAlong, type Range, STEP } from './line-profile.ts';

/**
 * Highest mean level of the outermost lines of black bars. Coded black is 0; a wrongly converted range gives 16 to 24,
 * and coding adds some levels.
 */
const MAX_BAR_LEVEL = 32;
/** Lowest mean level of the outermost lines of white bars: coded white is 255, a wrongly converted range gives 235. */
const MIN_WHITE_LEVEL = 230;
/**
 * Largest deviation of a bar's pixels from its tone, and of the two bars of a pair from each other. Coding rings
 * by up to 12 levels.
 */
const BAR_NOISE = 12;
/**
 * A line (row or column) shows picture if at least this share of its pixels differs from the bar's tone. The
 * first lines of a dark picture have .58, most scenes .9. Letters cover up to .4 of their rows, so a caption
 * or logo in a bar is below.
 */
const PICTURE_SHARE = 0.5;
/** Largest share of an empty line: lines of bar separate a wide caption box from the picture. */
const EMPTY_SHARE = 0.02;
/** A bar ends within this many lines of a picture of 640 pixels; vignettes, spotlights and skylines take more. */
const EDGE_LINES = 2;
/** Largest share of a bar's area, and of the lines before its edge, that captions and logos fill. */
const MAX_FILLED = 0.35;
/** Least rise of the level at the picture's edge. Dark scenes that fade out give no evidence. */
const MIN_RISE = 28;
/**
 * Coding rings from a bright picture into the bar. They reach half a block, of 16 pixels in 1280, with up to
 * a fifth of the picture's level (25 beside 170 seen).
 */
const RING_LINES = 8;
const RING_SHARE = 0.2;
/** If the first line's level is below this share of the next one's, the line mixes picture and bar. */
const MIXED_SHARE = 0.8;
/**
 * Least share of a side that bars leave: 9:16 in 16:9 leaves .316, a phone's 9:19.5 .26, 2.39:1 in 9:16 .235.
 * Narrower areas are titles and lights in the dark.
 */
const MIN_PICTURE = 0.22;

/** One end of a picture's rows or columns, in lines from that end. */
export interface BarEnd {
  /**
   * Latest line at which the picture may begin: the lines before it hold no picture. Null: the frame is too dark
   * to see any.
   */
  readonly depth: number | null;
  /**
   * Line at which the picture begins sharply after a bar; null without a sharp edge, as in dark scenes and
   * without bars.
   */
  readonly edge: number | null;
}

/** Evidence of one frame for the bars around it. */
export interface FrameEdges {
  readonly left: BarEnd;
  readonly right: BarEnd;
  readonly top: BarEnd;
  readonly bottom: BarEnd;
}

const OPEN: BarEnd = { depth: 0, edge: null };

/**
 * Searches for black or white bars in one grey picture. If both axes have bars, the second axis is measured between the bars
 * of the first.
 */
export function findBarEdges(picture: Picture): FrameEdges {
  const whole = { rows: { from: 0, to: picture.height }, columns: { from: 0, to: picture.width } };
  let [left, right] = endsAlong(picture, 'columns', whole.rows);
  const betweenColumns = between(left, right, picture.width);
  const [top, bottom] = endsAlong(picture, 'rows', betweenColumns ?? whole.columns);
  const betweenRows = between(top, bottom, picture.height);
  if (betweenColumns === null && betweenRows !== null)
    [left, right] = endsAlong(picture, 'columns', betweenRows);
  return { left, right, top, bottom };
}

function between(before: BarEnd, after: BarEnd, size: number): Range | null {
  return before.edge === null || after.edge === null ? null : { from: before.edge, to: size - after.edge };
}

function endsAlong(picture: Picture, axis: Axis, across: Range): readonly [BarEnd, BarEnd] {
  const size = axis === 'rows' ? picture.height : picture.width;
  const tones = [toneOf(picture, axis, 0, across), toneOf(picture, axis, size - 1, across)];
  const [darker, lighter] = [Math.min(...tones), Math.max(...tones)];
  const isPair = lighter - darker <= BAR_NOISE;
  if (darker > MAX_BAR_LEVEL && !(isPair && darker >= MIN_WHITE_LEVEL)) return [OPEN, OPEN];
  // Two ends of different tones are not bars: the lighter end then counts as picture.
  const tone = isPair ? (darker + lighter) / 2 : darker;
  const profile = profileAlong(picture, axis, across, tone, BAR_NOISE);
  const turned = { share: profile.share.toReversed(), rise: profile.rise.toReversed() };
  return [endOf(profile), endOf(turned)];
}

/** Median level of a line: letters and logos do not move it. */
function toneOf({ width, data }: Picture, axis: Axis, line: number, { from, to }: Range): number {
  const [start, step] = axis === 'rows' ? [line * width, 1] : [line, width];
  const levels = new Uint8Array(Math.max(0, Math.ceil((to - from) / STEP)));
  for (let at = 0; at < levels.length; at++) levels[at] = data[start + (from + at * STEP) * step];
  return levels.sort()[levels.length >> 1] ?? 0;
}

function endOf(profile: Profile): BarEnd {
  const first = pictureStart(profile.share);
  if (first === null) return { depth: null, edge: null };
  const depth = withoutRinging(profile.rise, first);
  return { depth, edge: edgeAt(profile, depth) };
}

function withoutRinging(rise: Float64Array, first: number): number {
  const brightest = rise
    .subarray(first, first + RING_LINES + 1)
    .reduce((most, level) => Math.max(most, level), 0);
  let line = first;
  while (rise[line] < RING_SHARE * brightest) line++;
  return line;
}

/** The first line of picture. Short runs of lines, and empty lines behind them, are a caption's box. */
function pictureStart(share: Float64Array): number | null {
  const size = share.length;
  for (let from = 0; from < size; from++) {
    if (share[from] <= PICTURE_SHARE) continue;
    let to = from;
    while (to < size && share[to] > EMPTY_SHARE) to++;
    if (to - from >= MIN_PICTURE * size) return from;
    from = to;
  }
  return null;
}

/** Null if the lines before `depth` are not a bar, or do not end sharply. */
function edgeAt({ share, rise }: Profile, depth: number): number | null {
  if (depth === 0) return null;
  const before = Math.max(0, depth - EDGE_LINES);
  const behind = depth + EDGE_LINES;
  if (behind >= share.length || share[behind] < PICTURE_SHARE) return null;
  if (rise[behind] - rise[before] < MIN_RISE) return null;
  if (share[before] > MAX_FILLED && rise[before] > RING_SHARE * rise[behind]) return null;
  if (mean(share.subarray(0, depth)) > MAX_FILLED) return null;
  // A box drawn on black is not picture: its outline is visible, its inside is black.
  const reach = Math.ceil(MIN_PICTURE * share.length);
  if (mean(share.subarray(depth, depth + reach)) < PICTURE_SHARE) return null;
  let edge = depth;
  while (edge < behind && rise[edge] < MIXED_SHARE * rise[edge + 1]) edge++;
  return edge;
}

/** Largest distance, in lines, between two readings of one edge. */
export const EDGE_REACH = EDGE_LINES;
/** Least share of a picture's side that bars leave. */
export const MIN_PICTURE_SHARE = MIN_PICTURE;
