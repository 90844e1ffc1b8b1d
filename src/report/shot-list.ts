import { confidenceMark } from './confidence-mark.ts';
import { type Markup, markup } from './markup.ts';
import { NOT_FOUND } from './panel.ts';
import type { ShotView } from './view.ts';
import { capital, clock, lengthText, spoken } from './wording.ts';

/** Longer lists are folded. */
const OPEN_SHOTS = 24;

/** Every shot with a picture of it: the timeline in words. */
export function shotList(shots: readonly ShotView[]): Markup {
  const [still] = shots.flatMap(({ stills }) => stills);
  const isUpright = still !== undefined && still.height > still.width;
  return markup`<details class="card shot-list${isUpright && ' upright'}"${shots.length <= OPEN_SHOTS && markup` open`}><summary><h2>Shots</h2><span>${shots.length}</span></summary><ol>${shots.map(shotCard)}</ol></details>`;
}

function shotCard({ number, startSeconds, endSeconds, camera, stills, entry }: ShotView): Markup {
  const still = stills[Math.floor(stills.length / 2)];
  const picture =
    still === undefined
      ? markup`<div class="no-picture">no picture</div>`
      : markup`<svg class="shot-picture" viewBox="0 0 ${still.width} ${still.height}" role="img" aria-label="Shot ${number} at ${clock(still.timeSeconds, 2)}"><use href="#${still.id}"/></svg>`;
  return markup`<li>${picture}<p class="line"><b>${number}</b><span>${clock(startSeconds, 2)} – ${clock(endSeconds, 2)}</span><span class="soft">${lengthText(endSeconds - startSeconds)}</span></p><p class="line">${camera === null ? markup`camera ${NOT_FOUND}` : capital(spoken(camera.label))}${confidenceMark(camera?.confidence ?? null)}</p>${entry && markup`<p class="line soft">after ${entry.text}${confidenceMark(entry.confidence)}</p>`}</li>`;
}
