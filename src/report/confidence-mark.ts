import { type Markup, markup } from './markup.ts';
import { percent } from './wording.ts';

const LEVELS = [
  { from: 0.8, name: 'high' },
  { from: 0.5, name: 'fair' },
  { from: 0, name: 'low' },
] as const;

export function confidenceLevel(confidence: number): 'high' | 'fair' | 'low' {
  return LEVELS.find(({ from }) => confidence >= from)?.name ?? 'low';
}

/** A small bar and a number: how sure a value is. */
export function confidenceMark(confidence: number | null): Markup {
  if (confidence === null) return markup`<span class="sure"></span>`;
  const width = Math.round(confidence * 24);
  const words = percent(confidence);
  return markup`<span class="sure ${confidenceLevel(confidence)}" title="confidence ${words}"><svg width="24" height="4" aria-hidden="true"><rect class="bed" width="24" height="4" rx="2"/><rect class="level" width="${width}" height="4" rx="2"/></svg><span class="hidden">confidence </span>${words}</span>`;
}
