import { hedged, isGuess } from './guess-mark.ts';
import { type Markup, markup } from './markup.ts';
import type { ShotView } from './view.ts';
import { capital, clock, lengthText, spoken } from './wording.ts';

/** Longer lists are collapsed. */
const OPEN_SHOTS = 24;

/** Every shot with a picture: the timeline in words. */
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
      : markup`<button type="button" class="frame" data-still="${still.id}" data-seconds="${startSeconds.toFixed(3)}" aria-label="Shot ${number} from ${clock(startSeconds, 2)}"><svg viewBox="0 0 ${still.width} ${still.height}" aria-hidden="true"><use href="#${still.id}"/></svg></button>`;
  const moves =
    camera !== null &&
    markup`<p class="line${isGuess(camera.confidence) && ' guess'}">${hedged(capital(spoken(camera.label)), camera.confidence)}</p>`;
  const change =
    entry !== null &&
    markup`<p class="line soft${isGuess(entry.confidence) && ' guess'}">after ${isGuess(entry.confidence) && 'perhaps '}${entry.text}</p>`;
  return markup`<li>${picture}<p class="line"><b>${number}</b><span>${clock(startSeconds, 2)}</span><span class="soft">${lengthText(endSeconds - startSeconds)}</span></p>${moves}${change}</li>`;
}
