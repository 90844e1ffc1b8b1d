import type { Size } from '../../domain/footage.ts';
import { QUALITIES, RESOLUTION_LINES } from '../../domain/job-choices.ts';
import type { JobConfig } from '../../domain/job-config.ts';

/** Usual size for publishing. */
const DELIVERY_LINES = 1080;
/** Sizes that players and sites accept unchanged, in lines. A scaled output slightly below one is scaled up to it. */
const PUBLISHED_LINES = [480, 720, DELIVERY_LINES];
const NEARLY_PUBLISHED = 0.98;
/** Limit of `auto`: enlarging adds no detail. */
const MAX_ENLARGEMENT = 2;
/** Least lines of an upright output of a wide source with `auto`: sites show uploads with fewer at a lower bit rate. */
const MIN_UPRIGHT_LINES = 720;
/** The default limits of uploads. H.264 level 6.2 allows 35.6 million pixels. */
const MAX_SIDE = 8192;
const MAX_PIXELS = 35_600_000;

export type SizeConfig = Pick<JobConfig, 'quality' | 'resolution'>;

export interface OutputSize {
  /** Both sides even (4:2:0). */
  readonly size: Size;
  /** Number of lines before the quality's cap; null: not capped. */
  readonly cappedFromLines: number | null;
  /** Pixels of the output along a side, relative to those of the visible part of the source. */
  readonly enlargement: number;
}

/**
 * The output's size. `shown`: the frame that contains the visible part of the source without scaling. `template`: null
 * for a style without template; only its number of pixels is used, because `shown` already has its ratio.
 */
export function outputSize(shown: Size, source: Size, template: Size | null, config: SizeConfig): OutputSize {
  const own = linesOf(shown);
  const wanted = wantedLines(shown, source, template, config);
  const { maxLines } = QUALITIES[config.quality];
  const lines = Math.min(wanted, maxLines ?? wanted);
  const size = withinLimits(scaled(shown, lines));
  return {
    size: evenSize(size),
    cappedFromLines: lines < wanted ? Math.round(wanted) : null,
    enlargement: linesOf(size) / own,
  };
}

/** A size of the same shape with so many lines, within the limits of outputs. */
export function scaledToLines(size: Size, lines: number): Size {
  return evenSize(withinLimits(scaled(size, lines)));
}

function scaled(size: Size, lines: number): Size {
  const own = linesOf(size);
  return { width: (size.width * lines) / own, height: (size.height * lines) / own };
}

function evenSize({ width, height }: Size): Size {
  return { width: even(width), height: even(height) };
}

/**
 * Before the quality's cap. `auto` never reduces the visible part by itself: a quality without a cap uses the
 * source's size. The caps of the others are at most `DELIVERY_LINES`.
 */
function wantedLines(shown: Size, source: Size, template: Size | null, { resolution }: SizeConfig): number {
  const own = linesOf(shown);
  if (resolution === 'source') return own;
  if (resolution !== 'auto') return RESOLUTION_LINES[resolution];
  const [lines, length] = [linesOf, lengthOf].map((sideOf) =>
    Math.max(sideOf(source), template === null ? 0 : sideOf(template)),
  ) as [number, number];
  // If the shape is wider than both, lines are reduced, not the width: cinema's 1920×816, not 2538×1080.
  const delivered = Math.min(
    lines,
    DELIVERY_LINES,
    MAX_ENLARGEMENT * own,
    Math.round((length * own) / lengthOf(shown)),
  );
  const isTurned = shown.width < shown.height && source.width > source.height;
  const most = Math.max(delivered, isTurned ? MIN_UPRIGHT_LINES : 0);
  return most <= own ? own : nearlyPublished(most);
}

/** The longer side of a crop of 1904×1080 would give 1070×1904; 1080×1920 is the published size. */
function nearlyPublished(lines: number): number {
  return PUBLISHED_LINES.find((whole) => lines <= whole && lines >= NEARLY_PUBLISHED * whole) ?? lines;
}

/** The largest possible output of a job before the source is analyzed. `ratio`: width over height. */
export function largestOutput(source: Size, template: Size | null, ratio: number, config: SizeConfig): Size {
  const lines = linesOf(source);
  const shown =
    ratio >= 1 ? { width: lines * ratio, height: lines } : { width: lines, height: lines / ratio };
  return outputSize(shown, source, template, config).size;
}

function withinLimits({ width, height }: Size): Size {
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height), Math.sqrt(MAX_PIXELS / (width * height)));
  return { width: width * scale, height: height * scale };
}

function lengthOf({ width, height }: Size): number {
  return Math.max(width, height);
}

export function linesOf({ width, height }: Size): number {
  return Math.min(width, height);
}

/** The tolerance rounds 1079.9999 to 1080. */
function even(value: number): number {
  return Math.max(2, 2 * Math.floor((value + 0.01) / 2));
}
