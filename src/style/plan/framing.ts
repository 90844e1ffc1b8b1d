import { type Box, type ClipFacts, type Span, WHOLE_PICTURE } from '../../analysis/facts.ts';
import type { Size } from '../../domain/footage.ts';
import type { JobConfig } from '../../domain/job-config.ts';
import { quantileByWeight } from '../../signal/statistics.ts';
import type { Clip, Reframe } from '../model/timeline.ts';
import { shownArea } from './area.ts';
import { bestWindow } from './best-window.ts';
import { about, cardOf, hullOf, isHeld } from './card.ts';
import { type Focus, type FocusPoints, focusedWindow, focusIn } from './focus.ts';
import { partedByCaptions } from './lettering.ts';
import { linesOf } from './output-size.ts';
import { between, fittingShare } from './padding.ts';
import { type FrameGrid, type Piece, type Segment, secondsAt, spanOf } from './segments.ts';
import { stretchesOf } from './stretches.ts';

/** Above this share of the time that no crop can hold, a video is padded, and below it cropped: mixed, it looks like an accident. */
const MAX_UNHELD_SHARE = 1 / 3;

export type Manner = JobConfig['framing'];

/** Mapping of the source's picture to the output's. */
export interface Framing {
  /** The frame that contains the visible part for most of the time without scaling. */
  readonly shown: Size;
  /**
   * For each shot of the source, in order, and for a card at the end of a gradual transition that no crop
   * contains.
   */
  readonly views: readonly View[];
  /** Share of the time in which crops cut subjects or captions; 0 where that was not measured. */
  readonly cutShare: number;
}

export interface View extends Segment {
  /** The part of the source that may be shown. */
  readonly area: Box;
  /** The same for all views but cards that no crop holds: their edges are invisible. */
  readonly fit: Clip['fit'];
  /** The share of the source's width and height that is shown unmagnified. */
  readonly window: Size;
  /** The box around the content of a card, with a margin; null: the view is no card. */
  readonly card: Box | null;
  /** Points to keep in view; null: the view is framed automatically. */
  readonly focus: FocusPoints | null;
}

/**
 * The part of the source that fills the output, shot by shot, in one manner for the whole video. `ratio` is width over height of
 * the output, null to keep the source's picture as it is. A new ratio leaves black bars of the source outside, each shot's own.
 */
export function chooseFraming(
  source: ClipFacts,
  wanted: {
    readonly ratio: number | null;
    readonly manner: Manner;
    readonly focus: Focus;
    /** Of `pad`, from 0, the crop, to 1, the whole picture, which is the default. */
    readonly padding?: number;
  },
  shots: readonly Segment[],
  grid: FrameGrid,
): Framing {
  const { width, height } = source.video;
  const { ratio } = wanted;
  const focusOf = ({ startFrame, endFrame }: Segment) =>
    focusIn(wanted.focus, spanOf(grid, { startFrame, endFrame }));
  const areaOf = ({ startFrame, endFrame }: Segment) =>
    shownArea(source.video, secondsAt(grid, startFrame), secondsAt(grid, endFrame));
  const cardIn = (shot: Segment) =>
    focusOf(shot) === null
      ? cardOf(source.video, secondsAt(grid, shot.startFrame), secondsAt(grid, shot.endFrame))
      : null;
  if (ratio === null || shots.every((shot) => fillsFrame(areaOf(shot), ratio, source.video))) {
    const whole = { area: WHOLE_PICTURE, fit: 'crop', window: { width: 1, height: 1 } } as const;
    const views = shots.map((shot) => ({ ...shot, ...whole, card: cardIn(shot), focus: focusOf(shot) }));
    return { shown: { width, height }, views, cutShare: 0 };
  }
  const isExtended = (part: Segment) => {
    const card = cardIn(part);
    return (
      wanted.manner === 'auto' && card !== null && !isHeld(card, cropOf(areaOf(part), ratio, source.video))
    );
  };
  const parts = shots.flatMap((shot) => partedWhere(isExtended, stretchesOf(source.video, grid, shot)));
  const requests = parts.map((part) => {
    const area = areaOf(part);
    const crop = cropOf(area, ratio, source.video);
    const card = cardIn(part);
    const focus = focusOf(part);
    const isFree = wanted.manner === 'auto' && card === null && focus === null;
    const stretches = paddedStretches(source, part, grid, (run) =>
      isFree ? fittingShare(source, run, crop, area) : 0,
    );
    return { ...part, area, crop, card, focus, stretches };
  });
  const stretches = requests.flatMap((request) => request.stretches);
  const unheld = unheldShare(stretches);
  const manner = wanted.manner === 'auto' ? (unheld > MAX_UNHELD_SHARE ? 'pad' : 'crop') : wanted.manner;
  // A band that changes its height from shot to shot would be mixed as well: the largest that any shot needs is for all.
  const share =
    wanted.manner === 'pad' ? (wanted.padding ?? 1) : Math.max(...stretches.map(({ needed }) => needed));
  const views = requests.map(({ startFrame, endFrame, area, crop, card, focus }): View => {
    if (wanted.manner === 'auto' && card !== null && !isHeld(card, crop))
      return { startFrame, endFrame, area, fit: 'extend', window: hullOf(card, crop), card, focus };
    const window = manner === 'crop' ? crop : between(crop, area, share);
    return { startFrame, endFrame, area, fit: manner, window, card, focus };
  });
  const cutShare = manner === 'crop' ? unheld : 0;
  return { shown: shownFrame(views, ratio, source.video), views, cutShare };
}

/** The source's picture as it is. */
export function ownFraming(
  source: ClipFacts,
  focus: Focus,
  shots: readonly Segment[],
  grid: FrameGrid,
): Framing {
  return chooseFraming(source, { ratio: null, manner: 'auto', focus }, shots, grid);
}

/** Runs of stretches that are alike in this. */
function partedWhere(isSo: (stretch: Segment) => boolean, stretches: readonly Segment[]): Segment[] {
  const parts: Segment[] = [];
  let wasSo = false;
  for (const stretch of stretches) {
    const last = parts.at(-1);
    const so = isSo(stretch);
    if (last !== undefined && so === wasSo) parts[parts.length - 1] = { ...last, endFrame: stretch.endFrame };
    else parts.push({ startFrame: stretch.startFrame, endFrame: stretch.endFrame });
    wasSo = so;
  }
  return parts;
}

interface PaddedStretch extends Segment {
  /** Share of the padding with which it holds captions and subjects: `fittingShare`. */
  readonly needed: number;
}

/** The stretches of a part, parted so that a caption counts only for its visible time. */
function paddedStretches(
  { video }: ClipFacts,
  part: Segment,
  grid: FrameGrid,
  neededIn: (run: Span) => number,
): PaddedStretch[] {
  return stretchesOf(video, grid, part)
    .flatMap((stretch) => partedByCaptions(video, grid, stretch))
    .map(({ startFrame, endFrame }) => {
      const needed = neededIn(spanOf(grid, { startFrame, endFrame }));
      return { startFrame, endFrame, needed };
    });
}

/** Share of the time that the crop cannot hold. */
function unheldShare(stretches: readonly PaddedStretch[]): number {
  let [unheld, all] = [0, 0];
  for (const { startFrame, endFrame, needed } of stretches) {
    all += endFrame - startFrame;
    if (needed > 0) unheld += endFrame - startFrame;
  }
  return unheld / Math.max(1, all);
}

/** The frame around each view that scales nothing, and of these the one in the middle of the time. */
function shownFrame(views: readonly View[], ratio: number, picture: Size): Size {
  const frames = views.map(({ area, fit, window, startFrame, endFrame }) => {
    const shown = { width: window.width * picture.width, height: window.height * picture.height };
    const frame = fit === 'crop' ? shown : paddedFrame(shown, area, ratio, picture);
    return { frame, weight: endFrame - startFrame };
  });
  frames.sort((one, other) => linesOf(one.frame) - linesOf(other.frame));
  const middle = quantileByWeight(frames, 0.5, ({ weight }) => weight);
  return middle?.frame ?? { width: picture.height * ratio, height: picture.height };
}

/** Never more lines than the source has: with all of a wide picture in it an upright frame would be larger than any screen. */
function paddedFrame(shown: Size, area: Box, ratio: number, picture: Size): Size {
  const width = Math.max(shown.width, shown.height * ratio);
  const most = Math.min(area.width * picture.width, area.height * picture.height);
  const scale = Math.min(1, most / Math.min(width, width / ratio));
  return { width: width * scale, height: (width / ratio) * scale };
}

/** Within a pixel row or a hundredth of the source's own ratio nothing needs to be cut off a picture without bars. */
function fillsFrame(area: Box, ratio: number, { width, height }: Size): boolean {
  return area.width === 1 && area.height === 1 && Math.abs((ratio * height) / width - 1) < 0.01;
}

/** The largest part of an area that has a ratio, in shares of the picture. */
function cropOf(area: Box, ratio: number, picture: Size): Size {
  if (fillsFrame(area, ratio, picture)) return { width: 1, height: 1 };
  const { width, height } = picture;
  const own = (area.width * width) / (area.height * height);
  return ratio < own
    ? { width: (area.width * ratio) / own, height: area.height }
    : { width: area.width, height: (area.height * own) / ratio };
}

/** That of the shot in which a run of frames begins. */
export function viewOf({ views }: Framing, { startFrame }: Segment): View {
  return views.find(({ endFrame }) => startFrame < endFrame) ?? views.at(-1)!;
}

/** Pieces, parted where another view begins within them: each clip has one. */
export function piecesByView(pieces: readonly Piece[], { views }: Framing): Piece[] {
  const starts = views.map(({ startFrame }) => startFrame);
  return pieces.flatMap((piece) => {
    const inside = starts.filter((frame) => frame > piece.startFrame && frame < piece.endFrame);
    const bounds = [piece.startFrame, ...inside, piece.endFrame];
    return bounds.slice(1).map(
      (endFrame, index): Piece => ({
        startFrame: bounds[index],
        endFrame,
        reason: index === 0 ? piece.reason : 'source_transition',
        isCloser: index === 0 && piece.isCloser,
      }),
    );
  });
}

/** The base framing of a run of frames: about its focus, else the content of a card, else its subjects, with the captions inside. */
export function baseReframe(source: ClipFacts, framing: Framing, grid: FrameGrid, run: Segment): Reframe {
  const { area, window, card, fit, focus } = viewOf(framing, run);
  if (focus !== null) return focusedWindow(focus, secondsAt(grid, run.startFrame), area, window);
  if (card !== null && isHeld(card, window)) return about(card, window);
  return bestWindow(source, grid, run, area, window, fit === 'crop' ? 'subject' : 'padded');
}

/**
 * The part of `base` that a magnification shows. It is the middle, moved no further than the subjects and
 * captions need. The alternate framing then reads as a closer look and not as a jump aside.
 */
export function magnified(
  source: ClipFacts,
  grid: FrameGrid,
  run: Segment,
  base: Reframe,
  zoom: number,
): Reframe {
  if (zoom <= 1) return base;
  const size = { width: base.width / zoom, height: base.height / zoom };
  return bestWindow(source, grid, run, base, size, 'middle');
}
