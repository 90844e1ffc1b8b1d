import { confidenceMark } from './confidence-mark.ts';
import { type Markup, markup, type Part } from './markup.ts';
import type { Reading, ShareView } from './view.ts';
import { percent } from './wording.ts';

export const NOT_FOUND = markup`<span class="none">not found</span>`;

export function panel(id: string, title: string, ...content: readonly Part[]): Markup {
  return markup`<section class="card panel panel-${id}" aria-labelledby="panel-${id}"><h2 id="panel-${id}">${title}</h2>${content}</section>`;
}

/** A heading, and what was measured or that it was not. */
export function figure(title: string, drawing: Markup | null, confidence: number | null = null): Markup {
  const isSure = drawing !== null && confidence !== null;
  return markup`<div class="figure"><h3>${title}${isSure && confidenceMark(confidence)}</h3>${drawing ?? NOT_FOUND}</div>`;
}

/** Values with their confidence. */
export function readingTable(readings: readonly Reading[]): Markup {
  const rows = readings.map(
    ({ label, value, confidence, note }) =>
      markup`<tr><th scope="row">${label}</th><td><span class="value">${value ?? NOT_FOUND}</span>${note !== undefined && markup` <small>${note}</small>`}</td><td>${confidenceMark(confidence)}</td></tr>`,
  );
  return markup`<table class="readings"><thead class="hidden"><tr><th scope="col">Measure</th><th scope="col">Value</th><th scope="col">Confidence</th></tr></thead><tbody>${rows}</tbody></table>`;
}

const BAR_HEIGHT = 18;

/** One bar divided by shares, and what its parts are. */
export function shareBar(shares: readonly ShareView[]): Markup | null {
  if (shares.length === 0) return null;
  let before = 0;
  const parts = shares.map(({ kind, share, name }) => {
    const x = before;
    before += share;
    return markup`<rect class="part-${kind}" x="${(x * 100).toFixed(2)}%" width="${(share * 100).toFixed(2)}%" height="${BAR_HEIGHT}"><title>${name} ${percent(share)}</title></rect>`;
  });
  const keys = shares.map(
    ({ kind, name, share }) =>
      markup`<li><svg class="key" width="10" height="10" aria-hidden="true"><rect class="part-${kind}" width="10" height="10" rx="2"/></svg>${name} <b>${percent(share)}</b></li>`,
  );
  return markup`<svg class="share-bar" width="100%" height="${BAR_HEIGHT}" aria-hidden="true">${parts}</svg><ul class="keys">${keys}</ul>`;
}
