/** Rows of the time axis that only an edit of takes has. */
import { at, fitting, span, USUAL_WIDTH } from './axis.ts';
import { type Markup, markup } from './markup.ts';
import type { Row } from './row.ts';
import type { SlotView, TakesView } from './takes-view.ts';
import { clock, count, lengthText, percent } from './wording.ts';

/** Heights, like those of the edit's film: upright pictures get more height. */
const TEMPLATE_HEIGHT = { wide: 48, upright: 84 };
const SLOT_HEIGHT = 40;
const SECTION_HEIGHT = 26;
/** Height of the quietest section, as a share of the row. */
const LEAST_BAR = 0.15;

/** Pictures of the template's shots, each above the slot that follows it. */
export function templateRow({ slots, time, templateName }: TakesView): Row | null {
  const still = slots.find(({ templateStill }) => templateStill !== null)?.templateStill;
  if (templateName === null || still === undefined || still === null) return null;
  const height = still.height > still.width ? TEMPLATE_HEIGHT.upright : TEMPLATE_HEIGHT.wide;
  const drawing = markup`<svg class="track template-film" height="${height}" role="img" aria-label="The template's shot that each slot follows; the list of slots below says the same">${slots.map(
    ({ templateStill, templateShot, shot, number }) => {
      if (templateStill === null) return null;
      const { id, width, height: high } = templateStill;
      const title = `Slot ${number} follows shot ${templateShot} of the template`;
      return markup`<svg x="${at(shot.startSeconds, time.durationSeconds)}" width="${span(shot.startSeconds, shot.endSeconds, time.durationSeconds)}" height="${height}" viewBox="0 0 ${width} ${high}" preserveAspectRatio="xMidYMid slice"><title>${title}</title><use href="#${id}"/></svg>`;
    },
  )}</svg>`;
  return {
    id: 'template',
    title: 'Template',
    legend: markup`<p>the shot that each slot follows</p>`,
    drawing,
  };
}

/** A box for each slot with its number and take. */
export function slotRow({ slots, time }: TakesView): Row {
  return {
    id: 'shots',
    title: 'Slots',
    legend: markup`<p>number, length, take</p>`,
    drawing: markup`<svg class="track shots" height="${SLOT_HEIGHT}" role="img" aria-label="${count(slots.length, 'slot')} with the take of each; the list of slots below says the same">${slots.map((slot) => slotBox(slot, time.durationSeconds))}</svg>`,
  };
}

function slotBox({ number, shot, takeName, moment }: SlotView, durationSeconds: number): Markup {
  const { startSeconds, endSeconds } = shot;
  const share = (endSeconds - startSeconds) / durationSeconds;
  const length = lengthText(endSeconds - startSeconds);
  const margin = 14 / USUAL_WIDTH;
  return markup`<svg x="${at(startSeconds, durationSeconds)}" width="${span(startSeconds, endSeconds, durationSeconds)}" height="${SLOT_HEIGHT}"><title>Slot ${number}: ${takeName}, ${moment}</title><rect class="shot" x="0" y="2" width="100%" height="36" rx="4"/><text ${fitting(`${number}  ${length}`, share - margin, 'strong')} x="8" y="17">${number}<tspan class="soft" dx="6">${length}</tspan></text><text ${fitting(String(number), share - 4 / USUAL_WIDTH, 'strong only')} x="50%" y="24" text-anchor="middle">${number}</text><text ${fitting(takeName, share - margin)} x="8" y="32">${takeName}</text></svg>`;
}

/** Sections of the song, as high as they are loud. */
export function sectionRow({ song, time: { durationSeconds } }: TakesView): Row | null {
  if (song === null || song.sections.length === 0) return null;
  const bars = song.sections.map(({ startSeconds, endSeconds, energy }, index) => {
    const height = Math.max(LEAST_BAR, energy) * (SECTION_HEIGHT - 4);
    const title = `Section ${index + 1}: ${clock(startSeconds, 2)} to ${clock(endSeconds, 2)}, energy ${percent(energy)}`;
    return markup`<rect class="section" x="${at(startSeconds, durationSeconds)}" width="${span(startSeconds, endSeconds, durationSeconds)}" y="${(SECTION_HEIGHT - height).toFixed(1)}" height="${height.toFixed(1)}"><title>${title}</title></rect>`;
  });
  return {
    id: 'sections',
    title: 'Sections',
    legend: markup`<p>of the song, as high as loud</p>`,
    drawing: markup`<svg class="track sections" height="${SECTION_HEIGHT}" role="img" aria-label="${count(song.sections.length, 'section')} of the song">${bars}</svg>`,
  };
}
