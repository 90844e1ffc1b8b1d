import type { TitleStyle } from '../../domain/edit-options.ts';
import type { CaptionFace, FaceMetrics } from '../model/caption-face.ts';
import type { Style } from '../model/schema.ts';
import type { CaptionLook, Timeline } from '../model/timeline.ts';
import { captionLook, lineMeasures } from './look.ts';

type Place = Pick<CaptionLook, 'position' | 'anchorY'>;

/** Measures in shares of the output's shorter side, which is what a phone shows. */
interface PlainTitle extends Place {
  readonly face: CaptionFace;
  readonly size: number;
  readonly ground: CaptionLook['ground'];
}

const MIDDLE: Place = { position: 'middle', anchorY: 0.5 };

/**
 * Four plain titles. `box` ends above the lowest fifth and `small` begins below the upper eighth, which applications for upright videos cover
 * with their own texts (published safe areas: 320 to 370 of 1920 lines below, 108 to 220 above).
 */
const PLAIN_TITLES: Readonly<Record<Exclude<TitleStyle, 'look'>, PlainTitle>> = {
  clean: { ...MIDDLE, face: 'inter-semibold', size: 0.075, ground: 'shadow' },
  bold: { ...MIDDLE, face: 'inter-extrabold', size: 0.115, ground: 'outline' },
  box: { position: 'bottom', anchorY: 0.78, face: 'inter-semibold', size: 0.06, ground: 'box' },
  small: { position: 'top', anchorY: 0.14, face: 'inter-medium', size: 0.045, ground: 'shadow' },
};

/** The look of a title. `look`: the template's titles, else its captions. `y`: middle of the text, 0..1 from the top; undefined: the style's own place. */
export function titleLook(
  titleStyle: TitleStyle,
  y: number | undefined,
  style: Pick<Style, 'subtitle_style' | 'title_style'>,
  output: Pick<Timeline, 'width' | 'height'>,
  metricsOf: (face: CaptionFace) => FaceMetrics,
): CaptionLook {
  const look =
    titleStyle === 'look'
      ? { ...captionLook(templateTitles(style), output, metricsOf), timing: 'lines' as const }
      : plainLook(PLAIN_TITLES[titleStyle], output);
  return y === undefined ? look : { ...look, position: 'middle', anchorY: y };
}

function templateTitles({
  title_style: titles,
  subtitle_style: captions,
}: Pick<Style, 'subtitle_style' | 'title_style'>): Pick<Style, 'subtitle_style'> {
  return titles === undefined
    ? { subtitle_style: captions }
    : { subtitle_style: { ...titles, timing: 'lines' } };
}

function plainLook(
  { face, size, ground, position, anchorY }: PlainTitle,
  { width, height }: Pick<Timeline, 'width' | 'height'>,
): CaptionLook {
  const sizePixels = Math.round(size * Math.min(width, height));
  return {
    timing: 'lines',
    ...{ face, sizePixels, ground, position, anchorY },
    ...lineMeasures(sizePixels, width),
    color: '#ffffff',
  };
}
