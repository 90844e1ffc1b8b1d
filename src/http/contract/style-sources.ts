/** Fields of a request that name its style: at most one of them. */
import type { z } from 'zod';

const SOURCES = ['template_video_id', 'style_json', 'preset', 'style_id'] as const;

type StyleSources = Readonly<Partial<Record<(typeof SOURCES)[number], unknown>>>;

export const NEEDS_STYLE = `needs ${SOURCES.slice(0, -1).join(', ')} or ${SOURCES.at(-1)}, whose rhythm it follows`;

/** Whether a request names a template or another style. */
export function hasStyle(request: StyleSources): boolean {
  return namedSources(request).length > 0;
}

export function refineStyleSources(
  request: StyleSources,
  context: z.core.$RefinementCtx<StyleSources>,
): void {
  const named = namedSources(request);
  if (named.length < 2) return;
  const message = `is not allowed together with ${named.slice(0, -1).join(' and ')}`;
  context.addIssue({ code: 'custom', path: [named.at(-1)!], message });
}

function namedSources(request: StyleSources) {
  return SOURCES.filter((name) => request[name] != null);
}
