import type { Picture } from '../../domain/footage.ts';
import { mean } from '../../signal/statistics.ts';
import { type Axis, type Profile, profileAlong, type Range, STEP } from './line-profile.ts';

/**
 * Mean level up to which the outermost lines can be bars. Coded black is 0; footage whose range was converted wrongly
 * has bars of 16 to 24, and coding adds some levels.
 */
const MAX_BAR_LEVEL = 32;
/** How far a bar's pixels stray from its own tone, and the two bars of a pair from each other: coding lets black ring by up to 12 levels. */
const BAR_NOISE = 12;
/**
 * Share of a line's pixels (a row or column) off the bar's tone from which the line shows picture: beside a black desk the first lines
 * have .58, in most scenes .9 and more. Letters cover up to four tenths of their rows, so that a caption or a logo in a bar stays below.
 */
const PICTURE_SHARE = 0.5;
/** Up to this share a line is empty: between a caption with a wide box and the picture lie lines of bar. */
const EMPTY_SHARE = 0.02;
/** A bar ends within so many lines of a picture of 640 pixels; a vignette, a spotlight or a skyline takes more. */
const EDGE_LINES = 2;
/** Of a bar's area, and of the lines before its edge: captions and logos fill less. */
const MAX_FILLED = 0.35;
/** How much brighter than the bar the picture is at its edge: dark scenes that fade out are no evidence. */
const MIN_RISE = 28;
/**
 * Beside a bright picture coding rings into the bar: as far as half a block of 16 pixels in 1280, at up to a fifth of the
 * picture's level (seen: 25 beside 170).
 */
const RING_LINES = 8;
const RING_SHARE = 0.2;
/** Below this share of the next one's level, the first line of the picture is mixed with the bar. */
const MIXED_SHARE = 0.8;
/**
 * Share of a side that bars leave at the narrowest: 9:16 in 16:9 leaves .316, a phone's 9:19.5 .26, 2.39:1 in 9:16 .235.
 * Narrower things are titles and lights in the dark.
 */
const MIN_PICTURE = 0.22;

/** One end of a picture's rows or columns, in lines from there. */
export interface BarEnd {
  /** Where the picture may begin at the latest: lines before it hold no picture. Null: none was seen, the frame is dark. */
  readonly depth: number | null;
  /** Where it begins after a bar that ends at once; null where that does not show, in dark scenes and without bars. */
  readonly edge: number | null;
}

/** What one frame tells of the bars around it. */
export interface FrameEdges {
  readonly left: BarEnd;
  readonly right: BarEnd;
  readonly top: BarEnd;
  readonly bottom: BarEnd;
}

const OPEN: BarEnd = { depth: 0, edge: null };

/** Looks for bars in one grey picture. Where both axes have them, the second is judged between those of the first. */
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
  if (darker > MAX_BAR_LEVEL) return [OPEN, OPEN];
  // Bars of two tones are none: then the lighter end shows picture at once.
  const tone = lighter - darker <= BAR_NOISE ? (darker + lighter) / 2 : darker;
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

/** The first line of picture; runs of lines that are too few for one, and empty lines behind them, are a caption's box. */
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

/** Null where the lines before `depth` are no bar, or end other than at once. */
function edgeAt({ share, rise }: Profile, depth: number): number | null {
  if (depth === 0) return null;
  const before = Math.max(0, depth - EDGE_LINES);
  const behind = depth + EDGE_LINES;
  if (behind >= share.length || share[behind] < PICTURE_SHARE) return null;
  if (rise[behind] - rise[before] < MIN_RISE) return null;
  if (share[before] > MAX_FILLED && rise[before] > RING_SHARE * rise[behind]) return null;
  if (mean(share.subarray(0, depth)) > MAX_FILLED) return null;
  // A box drawn on black is no picture: its lines are, and what they enclose is not.
  const reach = Math.ceil(MIN_PICTURE * share.length);
  if (mean(share.subarray(depth, depth + reach)) < PICTURE_SHARE) return null;
  let edge = depth;
  while (edge < behind && rise[edge] < MIXED_SHARE * rise[edge + 1]) edge++;
  return edge;
}

/** How many lines two readings of one edge may lie apart. */
export const EDGE_REACH = EDGE_LINES;
/** What bars leave of a picture's side is at least this share of it. */
export const MIN_PICTURE_SHARE = MIN_PICTURE;
