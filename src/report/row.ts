import { guessMark } from './guess-mark.ts';
import { type Markup, markup } from './markup.ts';

/** One row of the time axis. */
export interface Row {
  readonly id: string;
  readonly title: string;
  readonly confidence?: number | null;
  /** Meaning of scale or colors, or the confidence. */
  readonly legend: Markup;
  readonly drawing: Markup;
}

export function drawRow({ id, title, confidence, legend, drawing }: Row): Markup {
  return markup`<div class="row row-${id}"><div class="row-label"><h3>${title}${guessMark(confidence ?? null)}</h3>${legend}</div><div class="lane">${drawing}</div></div>`;
}
