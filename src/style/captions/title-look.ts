import type { EditOptions, TitleStyle } from '../../domain/edit-options.ts';
import type { CaptionFace, FaceMetrics } from '../model/caption-face.ts';
import type { Style } from '../model/schema.ts';
import type { CaptionAnimation, CaptionLook, Timeline } from '../model/timeline.ts';
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

/** Durations and distance of requested animations: the medium of Material Design is .3 s. */
const USUAL_SECONDS = { fade: 0.3, slide: 0.3, pop: 0.25 } as const;
const USUAL_DISTANCE = 0.06;

type TitleChoices = Pick<EditOptions['titles'][number], 'style' | 'place' | 'box' | 'animation'>;
type Output = Pick<Timeline, 'width' | 'height'>;

/** The look of a title. `look`: the template's titles, else its captions; a title's own choices come first. */
export function titleLook(
  { style: titleStyle = 'look', place, box = null, animation = 'auto' }: TitleChoices,
  style: Pick<Style, 'subtitle_style' | 'title_style'>,
  output: Output,
  metricsOf: (face: CaptionFace) => FaceMetrics,
): CaptionLook {
  const look: CaptionLook =
    titleStyle === 'look'
      ? { ...captionLook(templateTitles(style), output, metricsOf), ...followed(style.title_style, output) }
      : plainLook(PLAIN_TITLES[titleStyle], output);
  const placed: CaptionLook = place == null ? look : { ...look, position: 'middle', anchorY: place.y };
  return withAnimation(withBox(placed, box), animation, output);
}

/** Parts of the template's titles that captions do not have. */
function followed(titles: Style['title_style'], output: Output): Partial<CaptionLook> {
  if (titles === undefined) return { timing: 'lines' };
  const { box, animation_in: appears, animation_out: disappears } = titles;
  const animationIn = animationOf(appears, output);
  const animationOut = animationOf(disappears, output);
  return {
    timing: 'lines',
    ...(box === undefined ? {} : { ground: 'box', box: { color: box.color, opacity: box.opacity } }),
    ...(animationIn === null ? {} : { animationIn }),
    ...(animationOut === null ? {} : { animationOut }),
  };
}

type TemplateAnimation = NonNullable<NonNullable<Style['title_style']>['animation_in']>;

/** Null: at once, or unknown. */
function animationOf(animation: TemplateAnimation | undefined, output: Output): CaptionAnimation | null {
  if (animation === undefined || animation.type === 'cut' || animation.duration_ms === 0) return null;
  const { type, side = 'bottom', distance = USUAL_DISTANCE } = animation;
  const seconds = animation.duration_ms / 1000;
  return type === 'slide' ? slide(seconds, side, distance, output) : { type, seconds };
}

function slide(
  seconds: number,
  side: NonNullable<CaptionAnimation['side']>,
  distance: number,
  { width, height }: Output,
): CaptionAnimation {
  const length = side === 'left' || side === 'right' ? width : height;
  return { type: 'slide', seconds, side, distancePixels: Math.round(distance * length) };
}

function withBox(look: CaptionLook, isOn: boolean | null): CaptionLook {
  if (isOn === null || isOn === (look.ground === 'box')) return look;
  const { box: _, ...rest } = look;
  return { ...rest, ground: isOn ? 'box' : 'shadow' };
}

function withAnimation(
  look: CaptionLook,
  animation: NonNullable<TitleChoices['animation']>,
  output: Output,
): CaptionLook {
  if (animation === 'auto') return look;
  const { animationIn: _in, animationOut: _out, ...rest } = look;
  if (animation === 'none') return rest;
  const seconds = USUAL_SECONDS[animation];
  const both: CaptionAnimation =
    animation === 'slide' ? slide(seconds, 'bottom', USUAL_DISTANCE, output) : { type: animation, seconds };
  return { ...rest, animationIn: both, animationOut: both };
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
