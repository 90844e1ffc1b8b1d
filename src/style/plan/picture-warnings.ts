import type { VideoFacts } from '../../analysis/facts.ts';
import type { Size } from '../../domain/footage.ts';
import { QUALITIES, type Quality } from '../../domain/job-choices.ts';
import type { Warning } from '../../domain/stage.ts';
import type { Framing } from './framing.ts';
import { linesOf, type OutputSize, type SizeConfig } from './output-size.ts';

/** Below these lines (480p) an output looks soft on every screen of today. */
const SMALL_LINES = 480;
/** Sides are even: a pixel or two is no scaling. */
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
    message: `In ${(cutShare * durationSeconds).toFixed(1)} of ${durationSeconds.toFixed(1)} s the crop cuts off captions, or one of two subjects that stand apart: too little of the time to pad the whole video for it. framing "pad" shows all of the picture`,
  };
}

function cappedWarning({ size, cappedFromLines }: OutputSize, { quality }: SizeConfig): Warning | null {
  if (cappedFromLines === null) return null;
  const names = Object.keys(QUALITIES) as Quality[];
  const larger = names.find((name) => (QUALITIES[name].maxLines ?? Infinity) >= cappedFromLines)!;
  return {
    code: 'SIZE_CAPPED',
    message: `The output is ${inWords(size)}: quality "${quality}" has at most ${QUALITIES[quality].maxLines} lines on the shorter side, and it would have had ${cappedFromLines}. quality "${larger}" has them all`,
  };
}

function enlargedWarning({ size, enlargement }: OutputSize, shown: Size): Warning | null {
  if (enlargement < MIN_ENLARGEMENT) return null;
  return {
    code: 'UPSCALED',
    message: `The output is ${inWords(size)}: what it shows of the source has ${inWords(shown)} pixels, and is scaled up ${enlargement.toFixed(2)} times. resolution "source" leaves it as it is`,
  };
}

/** A crop of a small source is smaller still, and its editor would ask why. */
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
    message: `The output is ${inWords(size)}: no more of the source's ${inWords(source)} pixels fit into the template's aspect ratio, and resolution "source" scales nothing up; "auto" gives a larger output, and so does leaving the aspect ratio as it is (components.aspect_ratio: false)`,
  };
}

function toneMappedWarning({ hdr }: VideoFacts): Warning | null {
  if (!hdr) return null;
  return {
    code: 'TONE_MAPPED',
    message:
      'The source is HDR (PQ or HLG, 10 bits or more); the output is SDR (BT.709, 8 bits): brightness was mapped into its range by ITU-R BT.2390',
  };
}

function inWords({ width, height }: Size): string {
  return `${Math.round(width)}×${Math.round(height)}`;
}
