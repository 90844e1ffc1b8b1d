import { confidenceLevel, confidenceMark } from './confidence-mark.ts';
import { type Markup, markup } from './markup.ts';
import { NOT_FOUND } from './panel.ts';
import type { ReportView } from './view.ts';
import { percent } from './wording.ts';

export function header(view: ReportView): Markup {
  return markup`<header class="top">${stripe(view)}<div class="title"><p class="eyebrow">Style DNA</p><h1>${view.name}</h1><dl class="facts">${view.facts.map(
    ({ label, value }) => markup`<div><dt>${label}</dt><dd>${value}</dd></div>`,
  )}</dl></div>${confidencePart(view)}</header>
<section class="glance" aria-label="At a glance">${view.glance.map(
    ({ label, value, note, confidence }) =>
      markup`<div class="card tile"><h2>${label}${confidenceMark(confidence)}</h2><p class="value">${value ?? NOT_FOUND}</p>${note !== undefined && markup`<p class="soft">${note}</p>`}</div>`,
  )}</section>${notesPart(view.notes)}`;
}

/** The palette as a band across the page. */
function stripe({ colour }: ReportView): Markup | null {
  if (colour === null || colour.confidence === 0) return null;
  const total = colour.palette.reduce((sum, { weight }) => sum + weight, 0) || 1;
  let before = 0;
  return markup`<svg class="stripe" width="100%" height="6" aria-hidden="true">${colour.palette.map(
    ({ hex, weight }) => {
      const x = (before / total) * 100;
      before += weight;
      return markup`<rect x="${x.toFixed(2)}%" width="${((weight / total) * 100 + 0.2).toFixed(2)}%" height="6" fill="${hex}"/>`;
    },
  )}</svg>`;
}

const RADIUS = 34;
const ROUND = 2 * Math.PI * RADIUS;

function confidencePart({ confidence, parts }: ReportView): Markup {
  const ring =
    confidence === null
      ? null
      : markup`<figure class="ring ${confidenceLevel(confidence)}"><svg viewBox="0 0 84 84" width="84" height="84" role="img" aria-label="Confidence of the whole: ${percent(confidence)}"><circle class="bed" cx="42" cy="42" r="${RADIUS}"/>${confidence > 0 && markup`<circle class="level" cx="42" cy="42" r="${RADIUS}" stroke-dasharray="${(ROUND * confidence).toFixed(1)} ${ROUND.toFixed(1)}" transform="rotate(-90 42 42)"/>`}<text x="42" y="48" text-anchor="middle">${Math.round(confidence * 100)}</text></svg><figcaption>confidence</figcaption></figure>`;
  const bars = parts.map(
    ({ name, confidence: one }) =>
      markup`<li><span>${name}</span>${one === null ? NOT_FOUND : confidenceMark(one)}</li>`,
  );
  return markup`<div class="confidence">${ring}<ul>${bars}</ul></div>`;
}

function notesPart(notes: readonly string[]): Markup | null {
  if (notes.length === 0) return null;
  return markup`<ul class="notes" aria-label="Notes">${notes.map((note) => markup`<li>${note}</li>`)}</ul>`;
}
