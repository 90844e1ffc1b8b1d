import { at, span, USUAL_WIDTH } from './axis.ts';
import { type Markup, markup } from './markup.ts';
import type { Row } from './row.ts';
import type { ShotView, StillView, TimeView } from './view.ts';
import { clock, count } from './wording.ts';

/** Portrait pictures get more height, so that they are visible. */
function filmHeight(ratio: number): number {
  return ratio >= 1.2 ? 72 : ratio >= 0.9 ? 88 : 116;
}

/** Pictures are stored once and referenced from the strip and the list of shots. */
export function stillDefinitions(shots: readonly ShotView[]): Markup {
  const images = shots.flatMap(({ stills }) => stills);
  return markup`<svg class="definitions" width="0" height="0" aria-hidden="true"><defs>${images.map(
    ({ id, width, height, source }) =>
      markup`<image id="${id}" width="${width}" height="${height}" href="${source}"/>`,
  )}</defs></svg>`;
}

export function filmRow({ shots, durationSeconds, ratio }: TimeView): Row {
  const height = filmHeight(ratio ?? 1);
  const stillWidth = Math.round(height * (ratio ?? 1));
  const drawing = markup`<svg class="track film" height="${height}" data-still-width="${stillWidth}" role="img" aria-label="Filmstrip of ${count(shots.length, 'shot')}">${shots.map(
    (shot) => {
      const share = (shot.endSeconds - shot.startSeconds) / durationSeconds;
      const x = at(shot.startSeconds, durationSeconds);
      return markup`<svg class="film-shot" x="${x}" width="${span(shot.startSeconds, shot.endSeconds, durationSeconds)}" height="${height}" data-share="${share.toFixed(5)}">${strip(shot.stills, share, stillWidth, height)}</svg>`;
    },
  )}</svg>`;
  return { id: 'film', title: 'Film', legend: markup`<p>${count(shots.length, 'shot')}</p>`, drawing };
}

/** Pictures side by side, as many as fit, cropped at their sides. The script shows more if there is room. */
function strip(
  stills: readonly StillView[],
  share: number,
  stillWidth: number,
  height: number,
): readonly Markup[] {
  const slots = Math.max(1, Math.min(stills.length, Math.ceil((share * USUAL_WIDTH) / stillWidth)));
  const chosen = Array.from({ length: slots }, (_, slot) =>
    Math.floor(((slot + 0.5) * stills.length) / slots),
  );
  return stills.map((still, index) => {
    const slot = chosen.indexOf(index);
    const place =
      slot < 0
        ? markup`class="still tight"`
        : markup`class="still" x="${((slot / slots) * 100).toFixed(3)}%" width="${(100 / slots).toFixed(3)}%"`;
    return markup`<svg ${place} height="${height}" viewBox="0 0 ${still.width} ${still.height}" preserveAspectRatio="xMidYMid slice"><title>${clock(still.timeSeconds, 2)}</title><use href="#${still.id}"/></svg>`;
  });
}
