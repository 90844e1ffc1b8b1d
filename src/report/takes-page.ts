import { htmlDocument } from './document.ts';
import { type Markup, markup } from './markup.ts';
import { waveRow } from './row-audio.ts';
import { filmRow, stillDefinitions } from './row-film.ts';
import { transitionRow } from './row-shots.ts';
import { sectionRow, slotRow, templateRow } from './takes-rows.ts';
import type { SlotView, TakeSpanView, TakesView, TakeView } from './takes-view.ts';
import { talkPartsCard } from './talk-parts.ts';
import { timeline } from './timeline.ts';
import type { ShotView } from './view.ts';
import { capital, clock, count, lengthText } from './wording.ts';

/** The report of an edit of takes as one HTML page. `templateShots`: pictures of the template that slots refer to. */
export function takesPage(view: TakesView, templateShots: readonly ShotView[]): string {
  const body = markup`<main><div class="report" data-key="${view.key}">${stillDefinitions([...view.time.shots, ...templateShots])}
${header(view)}
${timeline(view.time, {
  rows: [
    templateRow(view),
    filmRow(view.time),
    slotRow(view),
    transitionRow(view.time),
    sectionRow(view),
    waveRow(view.time),
  ],
  shotName: 'slot',
  firstShot: 0,
  shotTexts: view.slots.map(({ takeName }) => takeName),
})}
${slotList(view)}
${takeList(view.takes)}
${talkPartsCard(view.talkParts)}
<div class="raw"><details class="card"><summary><h2>edit</h2></summary><pre class="style-json" tabindex="0" aria-label="edit as JSON">${view.json}</pre></details><button type="button" class="copy" hidden>Copy</button></div>
</div></main>`;
  return htmlDocument('An edit of takes: StyleDNA', view, body);
}

function header(view: TakesView): Markup {
  const { headline, facts, notes, time, outputAddress } = view;
  const still = time.shots.flatMap(({ stills }) => stills)[0];
  const video =
    outputAddress !== null &&
    markup`<video controls playsinline preload="metadata" src="${outputAddress}" hidden aria-label="The output"></video>`;
  const monitor =
    still !== undefined &&
    markup`<div class="monitor${still.height > still.width && ' upright'}">${video}<svg viewBox="0 0 ${still.width} ${still.height}" role="img" aria-label="A frame of the output"><use href="#${still.id}"/></svg></div>`;
  return markup`<header class="top"><div class="title"><p class="eyebrow"><b>Style DNA</b> edit</p><h1>${headline}</h1><dl class="facts">${facts.map(
    ({ label, value }) => markup`<div><dt>${label}</dt><dd>${value}</dd></div>`,
  )}</dl>${notes.length > 0 && markup`<ul class="notes" aria-label="Notes">${notes.map((note) => markup`<li>${note}</li>`)}</ul>`}</div>${monitor}</header>`;
}

function slotList({ slots, time }: TakesView): Markup {
  const isUpright = (time.ratio ?? 1) < 1;
  return markup`<details class="card shot-list slot-list${isUpright && ' upright'}" open><summary><h2>Slots</h2><span>${slots.length}</span></summary><ol>${slots.map(slotCard)}</ol></details>`;
}

function slotCard(slot: SlotView): Markup {
  const { number, shot, takeName, moment, beat, isPinned, reasons, alternatives, templateShot } = slot;
  const [still] = shot.stills;
  const picture =
    still === undefined
      ? markup`<div class="no-picture">no picture</div>`
      : markup`<button type="button" class="frame" data-still="${still.id}" data-seconds="${shot.startSeconds.toFixed(3)}" aria-label="Slot ${number} from ${clock(shot.startSeconds, 2)}: ${takeName}"><svg viewBox="0 0 ${still.width} ${still.height}" aria-hidden="true"><use href="#${still.id}"/></svg></button>`;
  const place = [
    ...(shot.entry === null || shot.entry.type === 'cut' ? [] : [`after ${shot.entry.text}`]),
    ...(beat === null ? [] : [`beat ${beat}`]),
    ...(templateShot === null ? [] : [`follows shot ${templateShot}`]),
    ...(isPinned ? ['pinned'] : []),
  ].join(', ');
  return markup`<li>${picture}<p class="line"><b>${number}</b><span>${clock(shot.startSeconds, 2)}</span><span class="soft">${lengthText(shot.endSeconds - shot.startSeconds)}</span></p><p class="line take-name">${takeName}</p><p class="line soft">${moment}</p>${place !== '' && markup`<p class="line soft">${capital(place)}</p>`}${reasons.length > 0 && markup`<ul class="reasons">${reasons.map((reason) => markup`<li>${reason}</li>`)}</ul>`}${alternatives.length > 0 && markup`<details class="others"><summary>${count(alternatives.length, 'alternative')}</summary><ol>${alternatives.map((one) => markup`<li>${one}</li>`)}</ol></details>`}</li>`;
}

function takeList(takes: readonly TakeView[]): Markup {
  return markup`<section class="card take-list" aria-label="Takes"><h2>Takes</h2><p class="take-key"><span class="used">used</span><span class="free">usable, in no slot</span><span class="refused">passed over for a reason</span></p><ol>${takes.map(takePart)}</ol></section>`;
}

function takePart({ name, durationSeconds, used, passedOver, spans }: TakeView): Markup {
  const passed = spans.filter(({ kind }) => kind !== 'used');
  const length = durationSeconds === null ? 'photo' : lengthText(durationSeconds);
  const details =
    passedOver !== null &&
    markup`<details class="others"><summary>Passed over: ${passedOver}</summary><ol>${passed.map(
      ({ startSeconds, endSeconds, text }) =>
        markup`<li>${durationSeconds !== null && `${clock(startSeconds, 2)} to ${clock(endSeconds, 2)} `}${text}</li>`,
    )}</ol></details>`;
  return markup`<li><h3>${name}</h3><p class="soft">${length}, ${used}</p>${durationSeconds !== null && bar(name, used, spans, durationSeconds)}${details}</li>`;
}

const BAR_HEIGHT = 22;
/** Distance of a part from the bar's edges; used parts are the highest. */
const INSETS: Readonly<Record<TakeSpanView['kind'], number>> = { used: 1, refused: 6, free: 9 };

function bar(name: string, words: string, spans: readonly TakeSpanView[], durationSeconds: number): Markup {
  const share = (seconds: number) => `${((100 * seconds) / durationSeconds).toFixed(2)}%`;
  const part = ({ startSeconds, endSeconds, kind, text }: TakeSpanView) =>
    markup`<rect class="${kind}" x="${share(startSeconds)}" width="${share(endSeconds - startSeconds)}" y="${INSETS[kind]}" height="${BAR_HEIGHT - 2 * INSETS[kind]}"><title>${clock(startSeconds, 2)} to ${clock(endSeconds, 2)}: ${text}</title></rect>`;
  // Higher parts are drawn over lower ones.
  const drawn = spans.toSorted((one, other) => INSETS[other.kind] - INSETS[one.kind]);
  return markup`<svg class="take-bar" width="100%" height="${BAR_HEIGHT}" role="img" aria-label="${name}: ${words}">${drawn.map(part)}</svg>`;
}
