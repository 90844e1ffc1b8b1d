import { guessMark, hedged, isGuess } from './guess-mark.ts';
import { headlineDrawing } from './headline-drawing.ts';
import { type Markup, markup } from './markup.ts';
import type { HeadlineView, ReportView } from './view.ts';

/** Name and facts of the clip, its picture, and the headline findings. */
export function header(view: ReportView): Markup {
  return markup`<header class="top"><div class="title"><p class="eyebrow"><b>Style DNA</b> ${view.name}</p><h1>${view.sentence}</h1><dl class="facts">${view.facts.map(
    ({ label, value }) => markup`<div><dt>${label}</dt><dd>${value}</dd></div>`,
  )}</dl>${notesPart(view.notes)}</div>${monitor(view)}</header>
<section class="leads" aria-label="At a glance">${view.headlines.map((lead) => leadTile(lead, view))}</section>`;
}

/** The most detailed picture; the film itself if the file is available, once the script has found it playable. */
function monitor({ time, name, videoAddress }: ReportView): Markup | null {
  // Among pictures of one size and quality, the most detailed one has the most bytes.
  const [still] = time.shots
    .flatMap(({ stills }) => stills)
    .toSorted((one, other) => other.source.length - one.source.length);
  if (still === undefined) return null;
  const upright = still.height > still.width;
  const video =
    videoAddress !== null &&
    markup`<video controls playsinline preload="metadata" src="${videoAddress}" hidden aria-label="${name}"></video>`;
  return markup`<div class="monitor${upright && ' upright'}">${video}<svg viewBox="0 0 ${still.width} ${still.height}" role="img" aria-label="A frame of ${name}"><use href="#${still.id}"/></svg></div>`;
}

function leadTile(lead: HeadlineView, view: ReportView): Markup {
  const { label, value, note, confidence } = lead;
  return markup`<div class="card lead lead-${lead.drawing}"><h2>${label}${guessMark(confidence)}</h2><p class="value"><span${isGuess(confidence) && markup` class="guess"`}>${hedged(value, confidence)}</span></p>${headlineDrawing(lead.drawing, view)}${note !== null && markup`<p class="soft">${note}</p>`}</div>`;
}

function notesPart(notes: readonly string[]): Markup | null {
  if (notes.length === 0) return null;
  return markup`<ul class="notes" aria-label="Notes">${notes.map((note) => markup`<li>${note}</li>`)}</ul>`;
}
