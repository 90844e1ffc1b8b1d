import { htmlDocument } from './document.ts';
import { type Markup, markup } from './markup.ts';
import {
  changeSentence,
  type OutcomeInput,
  type OutcomeRow,
  outcomeRows,
  requestSentence,
} from './outcome.ts';
import { reportBody, sharedDefinitions } from './page.ts';
import { partsOfSource, talkPartsCard } from './talk-parts.ts';
import type { ReportView } from './view.ts';
import { clock } from './wording.ts';

/** The request beside the result, and the reports of template and source, as one HTML page. */
export function outcomePage(input: OutcomeInput): string {
  const { template, source } = input;
  const parts = [
    ...(template === null ? [] : [{ label: 'Template', view: template }]),
    { label: 'Source', view: source },
  ];
  const tabs = markup`<div class="tabs" role="tablist" aria-label="Reports" hidden>${parts.map(
    ({ label, view }) =>
      markup`<button type="button" role="tab" id="tab-${view.key}" aria-controls="part-${view.key}">${label}</button>`,
  )}</div>`;
  const panels = parts.map(
    ({ view }) =>
      markup`<div id="part-${view.key}" role="tabpanel" aria-labelledby="tab-${view.key}">${reportBody(view)}</div>`,
  );
  return htmlDocument(
    'Request and result: StyleDNA',
    source,
    markup`${sharedDefinitions()}<main>${outcome(input)}${tabs}${panels}</main>`,
  );
}

function outcome(input: OutcomeInput): Markup {
  return markup`<section class="outcome" aria-label="Request and result">
<header class="outcome-head"><p class="eyebrow"><b>Style DNA</b> what came out</p><h1>${changeSentence(input)}</h1></header>
${threePictures(input)}
${comparison(input)}
${filmstrip(input)}
${moments(input)}
${talkPartsCard(partsOfSource(input.summary))}
${input.warnings.length > 0 && markup`<ul class="notes" aria-label="Warnings">${input.warnings.map(({ message }) => markup`<li>${message}</li>`)}</ul>`}
</section>`;
}

function threePictures(input: OutcomeInput): Markup {
  const { template, source, outputAddress, filmstrip } = input;
  const output = markup`<div class="picture">${stripTile(filmstrip)}${
    outputAddress !== null &&
    markup`<video controls playsinline preload="metadata" src="${outputAddress}" hidden aria-label="The output"></video>`
  }</div>`;
  return markup`<div class="three">${[
    figureOf('Requested', requestSentence(input), template === null ? null : stillOf(template)),
    figureOf('Source', source.sentence, stillOf(source)),
    figureOf('Output', null, output),
  ]}</div>`;
}

function figureOf(title: string, words: string | null, picture: Markup | null): Markup {
  return markup`<figure class="card"><h2>${title}</h2>${picture}${words !== null && markup`<figcaption>${words}</figcaption>`}</figure>`;
}

function stillOf({ time, name }: ReportView): Markup | null {
  const stills = time.shots.flatMap(({ stills: some }) => some);
  const still = stills[Math.floor(stills.length / 2)];
  if (still === undefined) return null;
  return markup`<div class="picture"><svg viewBox="0 0 ${still.width} ${still.height}" role="img" aria-label="A frame of ${name}"><use href="#${still.id}"/></svg></div>`;
}

/** The strip is stored once and drawn twice: whole, and its middle tile. */
function stripTile({ tiles, width, height }: OutcomeInput['filmstrip']): Markup {
  const middle = Math.floor(tiles / 2) * width;
  return markup`<svg viewBox="${middle} 0 ${width} ${height}" role="img" aria-label="A frame of the output"><use href="#output-strip"/></svg>`;
}

function filmstrip({ filmstrip: strip, summary }: OutcomeInput): Markup {
  const { jpeg, tiles, width, height } = strip;
  const source = `data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}`;
  return markup`<svg class="output-strip" viewBox="0 0 ${tiles * width} ${height}" role="img" aria-label="Frames over the ${clock(summary.output.duration_seconds, 1)} of the output"><image id="output-strip" width="${tiles * width}" height="${height}" href="${source}"/></svg>`;
}

function comparison(input: OutcomeInput): Markup {
  const cell = (value: string | null) =>
    value === null ? markup`<td class="soft">not set</td>` : markup`<td>${value}</td>`;
  const rows = outcomeRows(input).map(
    (row: OutcomeRow) =>
      markup`<tr><th scope="row">${row.label}</th>${cell(row.requested)}${cell(row.source)}<td><b>${row.output ?? 'not set'}</b></td></tr>`,
  );
  return markup`<div class="card compared" tabindex="0" role="region" aria-label="Figures"><table><thead><tr><th scope="col">Figure</th><th scope="col">Requested</th><th scope="col">Source</th><th scope="col">Output</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** Longer lists are collapsed. */
const OPEN_MOMENTS = 12;

function moments({ summary }: OutcomeInput): Markup | null {
  const { entries } = summary;
  if (entries.length === 0) return null;
  return markup`<details class="card done"${entries.length <= OPEN_MOMENTS && markup` open`}><summary><h2>Changes</h2><span>${entries.length}</span></summary><ol>${entries.map(
    ({ at_seconds: seconds, text }) =>
      markup`<li><button type="button" class="moment" data-seconds="${seconds}">${clock(seconds, 1)}</button> ${text}</li>`,
  )}</ol></details>`;
}
