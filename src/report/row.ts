import { confidenceMark } from './confidence-mark.ts';
import { type Markup, markup } from './markup.ts';

/** One row of the time axis. */
export interface Row {
  readonly id: string;
  readonly title: string;
  readonly confidence?: number;
  /** What scale or colours mean, or how sure it is. */
  readonly legend: Markup;
  readonly drawing: Markup;
}

export function drawRow({ id, title, confidence, legend, drawing }: Row): Markup {
  return markup`<div class="row row-${id}"><div class="row-label"><h3>${title}${confidence !== undefined && confidenceMark(confidence)}</h3>${legend}</div><div class="lane">${drawing}</div></div>`;
}

/** Says that there is nothing to see. */
export function emptyTrack(height: number, words: string): Markup {
  return markup`<svg class="track" height="${height}"><text class="none" x="8" y="${height / 2 + 4}">${words}</text></svg>`;
}
