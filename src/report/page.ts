import { CHROMA_DEFINITIONS } from './chroma-plot.ts';
import { htmlDocument } from './document.ts';
import { header } from './header.ts';
import { type Markup, markup } from './markup.ts';
import { audioPanel } from './panel-audio.ts';
import { cameraPanel } from './panel-camera.ts';
import { captionPanel } from './panel-captions.ts';
import { colorPanel, GREYS } from './panel-color.ts';
import { rhythmPanel } from './panel-rhythm.ts';
import { stillDefinitions } from './row-film.ts';
import { shotList } from './shot-list.ts';
import { timeline } from './timeline.ts';
import type { ReportView } from './view.ts';

/** A report as one self-contained HTML page. */
export function reportPage(view: ReportView): string {
  return htmlDocument(
    view.name === null ? 'Style DNA' : `${view.name}: Style DNA`,
    view,
    markup`${sharedDefinitions()}<main>${reportBody(view)}</main>`,
  );
}

/** Definitions that the drawings of all reports on a page reference. */
export function sharedDefinitions(): Markup {
  return markup`<svg class="definitions" width="0" height="0" aria-hidden="true"><defs>${CHROMA_DEFINITIONS}${GREYS}</defs></svg>`;
}

/** The part of a page about one clip. */
export function reportBody(view: ReportView): Markup {
  const { time } = view;
  return markup`<div class="report" data-key="${view.key}">${stillDefinitions(time.shots)}
${header(view)}
${!view.isStill && timeline(time)}
<div class="panels">${[
    view.color && colorPanel(view.color),
    view.camera && cameraPanel(view.camera),
    view.captions && captionPanel(view.captions, time.ratio ?? 1),
    view.rhythm && rhythmPanel(view.rhythm),
    view.audio && audioPanel(view.audio),
  ]}</div>
${time.shots.length > 1 && shotList(time.shots)}
<div class="raw"><details class="card"><summary><h2>${view.rhythm === null && view.color === null ? 'Fields of the sound' : 'style_json'}</h2></summary><pre class="style-json" tabindex="0" aria-label="style_json">${view.json}</pre></details><button type="button" class="copy" hidden>Copy</button></div>
</div>`;
}
