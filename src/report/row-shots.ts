import { ease } from '../signal/easing.ts';
import { at, fitting, LAYOUT, placeLabels, span, USUAL_WIDTH } from './axis.ts';
import { isGuess } from './guess-mark.ts';
import { type Markup, markup } from './markup.ts';
import type { Row } from './row.ts';
import type { ShotView, TimeView, TransitionView } from './view.ts';
import { clock, count, lengthText, percent, spoken } from './wording.ts';

const HEIGHT = 40;

export function shotRow({ shots, durationSeconds }: TimeView): Row {
  return {
    id: 'shots',
    title: 'Shots',
    legend: markup`<p>length, camera</p>`,
    drawing: markup`<svg class="track shots" height="${HEIGHT}" role="img" aria-label="${count(shots.length, 'shot')} with the camera of each; the list of shots below says the same">${shots.map((shot) => shotBox(shot, durationSeconds))}</svg>`,
  };
}

function shotBox(shot: ShotView, durationSeconds: number): Markup {
  const { startSeconds, endSeconds, camera, number } = shot;
  const share = (endSeconds - startSeconds) / durationSeconds;
  const isUnsure = isGuess(camera?.confidence ?? null);
  const label = camera === null ? '' : `${spoken(camera.label)}${isUnsure ? '?' : ''}`;
  const sure = camera === null ? 'camera not found' : `${label}, confidence ${percent(camera.confidence)}`;
  const length = lengthText(endSeconds - startSeconds);
  const title = `Shot ${number}: ${clock(startSeconds, 2)} to ${clock(endSeconds, 2)}, ${length}, ${sure}`;
  const margin = 14 / USUAL_WIDTH;
  return markup`<svg x="${at(startSeconds, durationSeconds)}" width="${span(startSeconds, endSeconds, durationSeconds)}" height="${HEIGHT}"><title>${title}</title><rect class="shot camera-${camera?.label ?? 'unknown'}" x="0" y="2" width="100%" height="36" rx="4"/><text ${fitting(`${number}  ${length}`, share - margin, 'strong')} x="8" y="17">${number}<tspan class="soft" dx="6">${length}</tspan></text><text ${fitting(String(number), share - 4 / USUAL_WIDTH, 'strong only')} x="50%" y="24" text-anchor="middle">${number}</text><text ${fitting(label, share - margin, isUnsure ? 'guess' : '')} x="8" y="32">${label}</text></svg>`;
}

const TOP = LAYOUT.labelLanes * LAYOUT.laneHeight + 6;
const SHAPE_HEIGHT = 34;

/** Cuts as strokes, gradual transitions as the curve of their blend. */
export function transitionRow({ transitions, durationSeconds, beats }: TimeView): Row | null {
  const gradual = transitions.filter(({ type }) => type !== 'cut');
  const cuts = transitions.filter(({ type }) => type === 'cut');
  const height = TOP + SHAPE_HEIGHT + 2;
  const onGrid = cuts.filter(({ beat }) => beat !== null);
  const words = `${count(cuts.length, 'hard cut')}, ${count(gradual.length, 'gradual transition')}`;
  if (transitions.length === 0) return null;
  return {
    id: 'transitions',
    title: 'Cuts and transitions',
    legend: markup`<p>${count(cuts.length, 'cut')}, ${gradual.length} gradual</p>${beats.length > 0 && cuts.length > 0 && markup`<p><svg class="key" width="9" height="9" aria-hidden="true"><path class="on-beat" d="M4.5 0 9 4.5 4.5 9 0 4.5Z"/></svg> ${onGrid.length} on the ${onGrid[0]?.beat ?? 'beat'}</p>`}`,
    drawing: markup`<svg class="track transitions" height="${height}" role="img" aria-label="${words}">${gradual.map((one) => blend(one, durationSeconds))}${cuts.map((one) => cutMark(one, durationSeconds))}${laneTexts(gradual, durationSeconds)}</svg>`,
  };
}

function cutMark(cut: TransitionView, durationSeconds: number): Markup {
  const x = at(cut.endSeconds, durationSeconds);
  const title = `Cut at ${clock(cut.endSeconds, 2)}, confidence ${percent(cut.confidence)}${cut.beat === null ? '' : `, on the ${cut.beat}`}`;
  const mark =
    cut.beat !== null
      ? markup`<svg x="${x}" y="${TOP - 3}" overflow="visible"><path class="on-beat" d="M0 -5 5 0 0 5 -5 0Z"/></svg>`
      : markup`<circle class="cut-head" cx="${x}" cy="${TOP - 3}" r="3"/>`;
  return markup`<g${isGuess(cut.confidence) && markup` class="unsure"`}><title>${title}</title><line class="cut" x1="${x}" x2="${x}" y1="${TOP - 3}" y2="${TOP + SHAPE_HEIGHT}"/>${mark}</g>`;
}

function blend(one: TransitionView, durationSeconds: number): Markup {
  const steps = Array.from({ length: 21 }, (_, step) => {
    const way = ease(one.easing, step / 20);
    return `${step * 5} ${Number((SHAPE_HEIGHT - 2 - way * (SHAPE_HEIGHT - 4)).toFixed(1))}`;
  });
  const from = at(one.startSeconds, durationSeconds);
  const title = `${one.text}, ${spoken(one.easing)}, ${clock(one.startSeconds, 2)} to ${clock(one.endSeconds, 2)}, confidence ${percent(one.confidence)}`;
  return markup`<g class="gradual type-${one.type}${isGuess(one.confidence) && ' unsure'}"><title>${title}</title><line class="begin" x1="${from}" x2="${from}" y1="${TOP}" y2="${TOP + SHAPE_HEIGHT}"/><svg x="${from}" y="${TOP}" width="${span(one.startSeconds, one.endSeconds, durationSeconds)}" height="${SHAPE_HEIGHT}" viewBox="0 0 100 ${SHAPE_HEIGHT}" preserveAspectRatio="none"><rect class="bed" width="100" height="${SHAPE_HEIGHT}"/><path class="fill" d="M${steps.join('L')}L100 ${SHAPE_HEIGHT}L0 ${SHAPE_HEIGHT}Z"/><path class="stroke" d="M${steps.join('L')}"/></svg></g>`;
}

/** Names above their shapes, in lanes without overlaps. The script repeats this for each width. */
function laneTexts(gradual: readonly TransitionView[], durationSeconds: number): Markup[] {
  const share = (seconds: number) => seconds / durationSeconds;
  const places = placeLabels(
    gradual.map(({ text, startSeconds, endSeconds }) => ({
      start: share(startSeconds) * USUAL_WIDTH,
      end: share(endSeconds) * USUAL_WIDTH,
      width: text.length * LAYOUT.characterPixels,
    })),
    LAYOUT.labelLanes,
    USUAL_WIDTH,
  );
  return gradual.map(({ text, type, startSeconds, endSeconds, confidence }, at) => {
    const { lane, fromEnd } = places[at];
    const x = (fromEnd ? endSeconds : startSeconds) / durationSeconds;
    return markup`<text class="lane-label type-${type}${isGuess(confidence) && ' guess'}${lane < 0 && ' tight'}" data-start="${share(startSeconds).toFixed(5)}" data-end="${share(endSeconds).toFixed(5)}" x="${(x * 100).toFixed(3)}%" y="${11 + Math.max(0, lane) * LAYOUT.laneHeight}"${fromEnd && markup` text-anchor="end"`}>${text}</text>`;
  });
}
