/** A style after the dials of a job's `config.adjust`. */
import { type Adjustments, isAdjusted } from '../../domain/adjustment-names.ts';
import { adjustedColor } from './adjusted-color.ts';
import { pacedSlots } from './adjusted-slots.ts';
import { PLAIN_CAPTIONS } from './plain-captions.ts';
import type { Style } from './schema.ts';

/** Maximum of `cut_frequency`. */
const MAX_CUT_FREQUENCY = 60;
/** Factor of captions' size at a full dial: beyond it two lines of an upright video cover a quarter of its height. */
const CAPTION_FACTOR = 1.5;
/** Share of the time without zooms that a full dial fills with them. */
const MORE_ZOOMS = 0.5;

/** The style with its dials moved; without adjustments the same object. */
export function adjustedStyle(style: Style, adjust: Adjustments): Style {
  if (!isAdjusted(adjust)) return style;
  return {
    ...style,
    ...adjustedColor(style, adjust),
    ...pacedFields(style, paceFactor(adjust)),
    ...zoomFields(style, adjust),
    ...captionFields(style, adjust),
  };
}

/** Cuts per time, relative to the style's. */
export function paceFactor({ cuts }: Adjustments): number {
  return 2 ** cuts;
}

/** A share of the time under a zoom after the dial. */
export function adjustedZooms(share: number, { zooms }: Adjustments): number {
  return zooms < 0 ? share * (1 + zooms) : share + MORE_ZOOMS * zooms * (1 - share);
}

function pacedFields(style: Style, factor: number): Partial<Style> {
  if (factor === 1) return {};
  const { shot_lengths: lengths, edit, cut_frequency: frequency } = style;
  const perBar = edit?.cuts_per_bar;
  return {
    cut_frequency: Math.min(MAX_CUT_FREQUENCY, frequency * factor),
    ...(lengths && {
      shot_lengths: {
        ...lengths,
        p10: lengths.p10 / factor,
        p25: lengths.p25 / factor,
        p50: lengths.p50 / factor,
        p75: lengths.p75 / factor,
        p90: lengths.p90 / factor,
        mean: lengths.mean / factor,
      },
    }),
    ...(edit && {
      edit: {
        ...edit,
        slots: pacedSlots(edit.slots, factor).map(({ slot }) => slot),
        ...(perBar && { cuts_per_bar: [perBar[0] * factor, perBar[1] * factor, perBar[2] * factor] }),
      },
    }),
  };
}

function zoomFields(style: Style, adjust: Adjustments): Partial<Style> {
  return adjust.zooms === 0 ? {} : { zoom_usage: adjustedZooms(style.zoom_usage, adjust) };
}

/** A size of its own also for captions that a look without captions shows: those of a file, and titles. */
function captionFields(
  { subtitle_style: captions, title_style: titles }: Style,
  { caption_size: size }: Adjustments,
): Partial<Style> {
  if (size === 0) return {};
  const sized = <Text extends { readonly line_height: number }>(text: Text): Text => ({
    ...text,
    line_height: Math.min(1, text.line_height * CAPTION_FACTOR ** size),
  });
  return {
    subtitle_style: sized(captions ?? PLAIN_CAPTIONS),
    ...(titles === undefined ? {} : { title_style: sized(titles) }),
  };
}
