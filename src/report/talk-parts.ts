/** The list of what a talk leaves out, and of likely first attempts that stay. */
import { totalSeconds } from '../domain/spans.ts';
import type { EditResult } from '../style/model/edit-result.ts';
import type { EditSummary } from '../style/model/edit-summary.ts';
import { REMOVAL_WORDS } from '../style/model/removal-words.ts';
import { type Markup, markup } from './markup.ts';
import { capital, clock, lengthText, percent } from './wording.ts';

export interface TalkPartView {
  /** Null: the talk has one source. */
  readonly takeName: string | null;
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** In the output; null: nothing of its take is shown. */
  readonly atSeconds: number | null;
  readonly reason: string;
  /** 0..1; null: not measured. */
  readonly certainty: number | null;
}

export interface TalkPartsView {
  /** In the order of the talk. */
  readonly removed: readonly TalkPartView[];
  readonly proposed: readonly TalkPartView[];
}

/** Longer lists are collapsed. */
const OPEN_PARTS = 12;

export function partsOfSource({ talk }: Pick<EditSummary, 'talk'>): TalkPartsView {
  const viewOf = (part: NonNullable<typeof talk>['removals'][number]): TalkPartView => ({
    takeName: null,
    startSeconds: part.start_seconds,
    endSeconds: part.end_seconds,
    atSeconds: part.at_seconds,
    reason: REMOVAL_WORDS[part.reason],
    certainty: part.certainty,
  });
  return { removed: (talk?.removals ?? []).map(viewOf), proposed: (talk?.proposals ?? []).map(viewOf) };
}

export function partsOfTakes({ takes }: EditResult, nameOf: (videoId: string) => string): TalkPartsView {
  const removed = takes
    .filter(({ role }) => role === 'talk')
    .flatMap(({ video_id, passed_over }) =>
      passed_over.map(({ range: [startSeconds, endSeconds], reason, reason_code: code }): TalkPartView => {
        const { at_seconds: at, certainty } = code?.values ?? {};
        return {
          ...{ takeName: nameOf(video_id), startSeconds, endSeconds, reason },
          atSeconds: typeof at === 'number' ? at : null,
          certainty: typeof certainty === 'number' ? certainty : null,
        };
      }),
    );
  return { removed, proposed: [] };
}

/** Null: nothing is left out or proposed. */
export function talkPartsCard({ removed, proposed }: TalkPartsView): Markup | null {
  const count = removed.length + proposed.length;
  if (count === 0) return null;
  return markup`<details class="card removed-parts"${count <= OPEN_PARTS && markup` open`}><summary><h2>Parts of the talk</h2><span>${count}</span></summary>${table('Left out', removed)}${table('Probably said again right after, kept', proposed)}</details>`;
}

function table(title: string, parts: readonly TalkPartView[]): Markup | null {
  if (parts.length === 0) return null;
  const hasTakes = parts.some(({ takeName }) => takeName !== null);
  const seconds = totalSeconds(parts);
  const columns = [
    ...(hasTakes ? ['Take'] : []),
    'From',
    'To',
    'Length',
    'In the output',
    'Reason',
    'Certainty',
  ];
  const rows = parts.map(({ takeName, startSeconds, endSeconds, atSeconds, reason, certainty }) => {
    const output =
      atSeconds === null
        ? 'not shown'
        : markup`<button type="button" class="moment" data-seconds="${atSeconds}">${clock(atSeconds, 2)}</button>`;
    return markup`<tr>${hasTakes && markup`<td>${takeName}</td>`}<td>${clock(startSeconds, 2)}</td><td>${clock(endSeconds, 2)}</td><td>${lengthText(endSeconds - startSeconds)}</td><td>${output}</td><td>${capital(reason)}</td><td>${certainty === null ? 'not measured' : percent(certainty)}</td></tr>`;
  });
  return markup`<div class="table" tabindex="0" role="region" aria-label="${title}"><table><caption>${title}: ${lengthText(seconds)}</caption><thead><tr>${columns.map((name) => markup`<th scope="col">${name}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`;
}
