import type { VideoFacts } from '../../analysis/facts.ts';
import type { Size } from '../../domain/footage.ts';
import { QUALITIES, type Quality } from '../../domain/job-choices.ts';
import type { Warning } from '../../domain/stage.ts';
import type { Framing } from './framing.ts';
import { linesOf, type OutputSize, type SizeConfig } from './output-size.ts';

/** Below 480 lines an output looks soft on current screens. */
const SMALL_LINES = 480;
/** Sides are even: a difference of a pixel or two is no scaling. */
const MIN_ENLARGEMENT = 1.02;

/** Warnings about changes of the picture that nobody requested. */
export function pictureWarnings(
  result: OutputSize,
  framing: Pick<Framing, 'shown' | 'cutShare'>,
  source: VideoFacts,
  config: SizeConfig,
): Warning[] {
  return [
    cutWarning(framing, source),
    cappedWarning(result, config),
    enlargedWarning(result, framing.shown),
    smallWarning(result, source, config),
    toneMappedWarning(source),
  ].filter((warning) => warning !== null);
}

function cutWarning(
  { cutShare }: Pick<Framing, 'cutShare'>,
  { durationSeconds }: VideoFacts,
): Warning | null {
  if (cutShare === 0) return null;
  return {
    code: 'CROP_CUTS',
    message: `The crop cuts off captions, or one of two distant subjects, for ${(cutShare * durationSeconds).toFixed(1)} of ${durationSeconds.toFixed(1)} s. Set framing to "pad" to show the whole picture.`,
  };
}

function cappedWarning({ size, cappedFromLines }: OutputSize, { quality }: SizeConfig): Warning | null {
  if (cappedFromLines === null) return null;
  const names = Object.keys(QUALITIES) as Quality[];
  const larger = names.find((name) => (QUALITIES[name].maxLines ?? Infinity) >= cappedFromLines)!;
  return {
    code: 'SIZE_CAPPED',
    message: `The output was reduced to ${inWords(size)}, because quality "${quality}" permits at most ${QUALITIES[quality].maxLines} lines on the shorter side instead of ${cappedFromLines}. Set quality to "${larger}" for the full size.`,
  };
}

function enlargedWarning({ size, enlargement }: OutputSize, shown: Size): Warning | null {
  if (enlargement < MIN_ENLARGEMENT) return null;
  return {
    code: 'UPSCALED',
    message: `The picture was enlarged ${enlargement.toFixed(2)} times: the visible part of the source has ${inWords(shown)} pixels, the output ${inWords(size)}. Set resolution to "source" to prevent enlargement.`,
  };
}

/** A crop of a small source is even smaller. */
function smallWarning(
  { size, cappedFromLines }: OutputSize,
  source: Size,
  { resolution }: SizeConfig,
): Warning | null {
  if (resolution !== 'source' || cappedFromLines !== null) return null;
  const [lines, own] = [linesOf(size), linesOf(source)];
  if (lines >= SMALL_LINES || lines > 0.9 * own) return null;
  return {
    code: 'OUTPUT_SMALL',
    message: `The output has only ${inWords(size)} of the source's ${inWords(source)} pixels, because of the template's aspect ratio. Set resolution to "auto" or components.aspect_ratio to false for a larger output.`,
  };
}

function toneMappedWarning({ hdr }: VideoFacts): Warning | null {
  if (!hdr) return null;
  return {
    code: 'TONE_MAPPED',
    message: 'The HDR source (PQ or HLG) was tone mapped to SDR (BT.709, 8 bits) by ITU-R BT.2390.',
  };
}

function inWords({ width, height }: Size): string {
  return `${Math.round(width)}×${Math.round(height)}`;
}
