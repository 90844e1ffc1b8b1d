import { guessMark, hedged, isGuess } from './guess-mark.ts';
import { type Markup, markup, type Part } from './markup.ts';
import type { Reading, ShareView } from './view.ts';
import { percent } from './wording.ts';

/** A card; low confidence is shown at its heading. */
export function panel(
  id: string,
  title: string,
  confidence: number | null,
  ...content: readonly Part[]
): Markup {
  return markup`<section class="card panel panel-${id}" aria-label="${title}"><h2>${title}${guessMark(confidence)}</h2>${content}</section>`;
}

/** A heading over a drawing; nothing without one. */
export function figure(title: string, drawing: Markup | null): Markup | null {
  return drawing && markup`<div class="figure"><h3>${title}</h3>${drawing}</div>`;
}

/** Table of found values; missing ones are listed once for the whole page. */
export function readingTable(readings: readonly Reading[], ofCard: number | null): Markup | null {
  // A line does not repeat the whole card's confidence.
  const isUncertain = (confidence: number | null) => (isGuess(ofCard) ? null : confidence);
  const rows = readings.map(
    ({ label, value, confidence, note }) =>
      value !== null &&
      markup`<tr><th scope="row">${label}</th><td><span class="value${isGuess(isUncertain(confidence)) && ' guess'}">${hedged(value, isUncertain(confidence))}</span>${note !== undefined && markup` <small>${note}</small>`}</td></tr>`,
  );
  if (rows.every((row) => row === false)) return null;
  return markup`<table class="readings"><tbody>${rows}</tbody></table>`;
}

const BAR_HEIGHT = 18;

/** One bar divided by shares, with a legend. */
export function shareBar(shares: readonly ShareView[]): Markup | null {
  if (shares.length === 0) return null;
  const keys = shares.map(
    ({ kind, name, share }) =>
      markup`<li><svg class="key" width="10" height="10" aria-hidden="true"><rect class="part-${kind}" width="10" height="10" rx="2"/></svg>${name} <b>${percent(share)}</b></li>`,
  );
  return markup`${sharesOnly(shares, BAR_HEIGHT)}<ul class="keys">${keys}</ul>`;
}

/** The bar alone, without a legend. Gaps as well as colors separate the parts. */
export function sharesOnly(shares: readonly ShareView[], height: number): Markup {
  let before = 0;
  const parts = shares.map(({ kind, share, name }) => {
    const x = before;
    before += share;
    return markup`<svg x="${(x * 100).toFixed(2)}%" width="${(share * 100).toFixed(2)}%" height="${height}"><title>${name} ${percent(share)}</title><rect class="part-${kind}" x="1" width="100%" height="${height}"/></svg>`;
  });
  return markup`<svg class="share-bar" width="100%" height="${height}" aria-hidden="true">${parts}</svg>`;
}
