import type { Size } from '../../domain/footage.ts';
import { QUALITIES, RESOLUTION_LINES } from '../../domain/job-choices.ts';
import type { JobConfig } from '../../domain/job-config.ts';

/** A size to publish: what screens show today. */
const DELIVERY_LINES = 1080;
/** Lines of sizes that players and sites accept unchanged. A scaled output slightly below one of them is scaled up to it. */
const PUBLISHED_LINES = [480, 720, DELIVERY_LINES];
const NEARLY_PUBLISHED = 0.98;
/** Detail that is not there cannot be scaled in: `auto` goes no further. */
const MAX_ENLARGEMENT = 2;
/** The default limits of uploads. H.264's level 6.2 holds 35.6 million pixels. */
const MAX_SIDE = 8192;
const MAX_PIXELS = 35_600_000;

export type SizeConfig = Pick<JobConfig, 'quality' | 'resolution'>;

export interface OutputSize {
  /** Both sides even (4:2:0). */
  readonly size: Size;
  /** Lines that the quality took away; null: none. */
  readonly cappedFromLines: number | null;
  /** How many times as many pixels along a side the output has as the part of the source that it shows. */
  readonly enlargement: number;
}

/**
 * The output's size. `shown` is the frame that would hold the shown part of the source without any scaling; `template` is null
 * where there is only a style. The template's pixels count, its ratio is in `shown` already.
 */
export function outputSize(shown: Size, source: Size, template: Size | null, config: SizeConfig): OutputSize {
  const own = linesOf(shown);
  const wanted = wantedLines(shown, source, template, config);
  const { maxLines } = QUALITIES[config.quality];
  const lines = Math.min(wanted, maxLines ?? wanted);
  const size = withinLimits({ width: (shown.width * lines) / own, height: (shown.height * lines) / own });
  return {
    size: { width: even(size.width), height: even(size.height) },
    cappedFromLines: lines < wanted ? Math.round(wanted) : null,
    enlargement: linesOf(size) / own,
  };
}

/**
 * Before the cap of the quality. By itself `auto` takes nothing away from what is shown: a quality without a cap is "the
 * source's size", and the other two are at most a delivery size already.
 */
function wantedLines(shown: Size, source: Size, template: Size | null, { resolution }: SizeConfig): number {
  const own = linesOf(shown);
  if (resolution === 'source') return own;
  if (resolution !== 'auto') return RESOLUTION_LINES[resolution];
  const [lines, length] = [linesOf, lengthOf].map((sideOf) =>
    Math.max(sideOf(source), template === null ? 0 : sideOf(template)),
  ) as [number, number];
  // What is wider than both is as wide as they are, with fewer lines: cinema's 1920×816, not 2538×1080.
  const delivered = Math.min(
    lines,
    DELIVERY_LINES,
    MAX_ENLARGEMENT * own,
    Math.round((length * own) / lengthOf(shown)),
  );
  return delivered <= own ? own : nearlyPublished(delivered);
}

/** A crop of 1904×1080 is no wider than 1070×1904 by the rule of the longer side: 1080×1920 is what one would publish. */
function nearlyPublished(lines: number): number {
  return PUBLISHED_LINES.find((whole) => lines <= whole && lines >= NEARLY_PUBLISHED * whole) ?? lines;
}

/** The largest size that a job's output may come to, before anything is known of what it shows. `ratio`: width over height. */
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

/** The tolerance keeps 1079.9999 a 1080. */
function even(value: number): number {
  return Math.max(2, 2 * Math.floor((value + 0.01) / 2));
}
