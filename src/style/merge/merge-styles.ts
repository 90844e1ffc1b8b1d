import { rounded } from '../../signal/rounding.ts';
import { overallConfidence } from '../extract/extract.ts';
import { dialsOfLook, NEUTRAL_GRADE } from '../model/color-dials.ts';
import { isMeasured, isOfMovingPictures } from '../model/measured-parts.ts';
import type { Style, StyleField } from '../model/schema.ts';
import { STYLE_VERSION } from '../model/style-version.ts';
import { confidenceOf, consensusOf } from './consensus.ts';
import { isPresent, MERGE_RULES } from './merged-fields.ts';
import { distinctTemplates, type StyleTemplate, type Template } from './templates.ts';
import { canShow, likeness, type TraitPart } from './traits.ts';
import { having, type Weighted } from './weighted.ts';

/** Neutral values of required fields that no template shows. */
const DEFAULTS = {
  aspect_ratio: '16:9',
  frame_rate: 30,
  cut_frequency: 0,
  motion_intensity: 0,
  zoom_usage: 0,
  use_subtitles: false,
  color_grade: NEUTRAL_GRADE,
} as const satisfies Partial<Style>;

/**
 * One style of several templates: medians of numbers, mixtures of shares, circular means of hues, the majority of
 * categories. The order of the templates does not matter. Equal styles are one template of more weight. A single
 * template gives its own style. Throws RangeError without templates.
 */
export function mergeStyles(templates: readonly StyleTemplate[]): Style {
  const distinct = distinctTemplates(templates);
  const [first, second] = distinct;
  if (first === undefined) throw new RangeError('a style needs at least one template');
  if (second === undefined) return first.style;
  const fields = mergedFields(distinct);
  const kind = kindOf(distinct);
  const seconds = distinct.reduce((sum, { style }) => sum + style.source_duration_seconds, 0);
  const draft: Style = {
    ...DEFAULTS,
    ...fields,
    ...(fields.look === undefined ? {} : { color_grade: dialsOfLook(fields.look) }),
    version: STYLE_VERSION,
    ...(kind === undefined ? {} : { source_kind: kind }),
    created_at: distinct
      .map(({ style }) => style.created_at)
      .sort()
      .at(-1)!,
    source_duration_seconds: rounded(seconds, 3),
    extraction_confidence: 1,
  };
  const consensus = consensusOf(draft, distinct);
  const confidence = confidenceOf(distinct, consensus.agreement);
  const edit = isMeasured({ confidence }, 'pacing') ? nearestEdit(draft, distinct) : undefined;
  return {
    ...draft,
    ...(fields.look === undefined ? {} : { look: sureLook(fields.look, consensus.agreement) }),
    ...(edit === undefined ? {} : { edit }),
    extraction_confidence: overallConfidence(confidence),
    confidence,
    consensus,
  };
}

function mergedFields(templates: readonly Template[]): Partial<Style> {
  const entries = Object.entries(MERGE_RULES).flatMap(([name, rule]) => {
    if (typeof rule === 'string') return [];
    const field = name as StyleField;
    const possible = thatCanShow(templates, rule.part, field);
    const values = having(possible, (style) => style[field]);
    if (!isPresent(values, possible)) return [];
    return [[field, (rule.merge as (values: readonly Weighted<unknown>[]) => unknown)(values)]];
  });
  return consistent(Object.fromEntries(entries) as Partial<Style>, templates);
}

/** Colors of fades stay with the fades, and the look of captions with the captions. */
function consistent(fields: Partial<Style>, templates: readonly Template[]): Partial<Style> {
  const { transition_color: color, subtitle_style: captions, ...rest } = fields;
  const hasFades =
    (rest.transition_mix?.fade_color ?? 0) > 0 || rest.primary_transition?.type === 'fade_color';
  const colors = having(
    thatCanShow(templates, 'transitions', 'transition_color'),
    (one) => one.transition_color,
  );
  const captioned = having(
    thatCanShow(templates, 'subtitles', 'subtitle_style').filter(({ value }) => value.use_subtitles),
    (one) => one.subtitle_style,
  );
  return {
    ...rest,
    ...(hasFades && colors.length > 0
      ? { transition_color: color ?? MERGE_RULES.transition_color.merge(colors) }
      : {}),
    ...(rest.use_subtitles === true && captioned.length > 0
      ? { subtitle_style: captions ?? MERGE_RULES.subtitle_style.merge(captioned) }
      : {}),
  };
}

export function thatCanShow(
  templates: readonly Template[],
  part: TraitPart,
  field: StyleField,
): Weighted<Style>[] {
  return templates.flatMap(({ style, weight }) =>
    canShow(style, part, field) ? [{ value: style, weight }] : [],
  );
}

/** The kind of all templates; a video and a still together are a video. */
function kindOf(templates: readonly Template[]): 'image' | 'audio' | undefined {
  const kinds = new Set(templates.map(({ style }) => style.source_kind ?? 'video'));
  const [only] = kinds;
  return kinds.size === 1 && only !== 'video' ? only : undefined;
}

/** A sequence of shots cannot be averaged: that of the template which is nearest to all. */
function nearestEdit(merged: Style, templates: readonly Template[]): Style['edit'] {
  let best: { readonly edit: Style['edit']; readonly likeness: number } | null = null;
  for (const { style } of templates) {
    if (style.edit === undefined || !isOfMovingPictures(style)) continue;
    const near = likeness(style, merged) ?? 0;
    if (best === null || near > best.likeness) best = { edit: style.edit, likeness: near };
  }
  return best?.edit;
}

/** A look that the templates do not share is less certain. */
function sureLook(
  look: NonNullable<Style['look']>,
  agreement: Readonly<Record<string, number>>,
): Style['look'] {
  return { ...look, confidence: rounded((look.confidence ?? 1) * (agreement['color_grade'] ?? 1), 3) };
}
