import { ease } from '../signal/easing.ts';
import { at, fitting, span, USUAL_WIDTH } from './axis.ts';
import { type Markup, markup } from './markup.ts';
import { emptyTrack, type Row } from './row.ts';
import type { ShotView, TimeView, TransitionView } from './view.ts';
import { clock, count, lengthText, percent, spoken } from './wording.ts';

const HEIGHT = 40;

export function shotRow({ shots, durationSeconds }: TimeView): Row {
  return {
    id: 'shots',
    title: 'Shots',
    legend: markup`<p>camera, confidence</p>`,
    drawing: markup`<svg class="track shots" height="${HEIGHT}" role="img" aria-label="${count(shots.length, 'shot')} with the camera of each; the list of shots below says the same">${shots.map((shot) => shotBox(shot, durationSeconds))}</svg>`,
  };
}

function shotBox(shot: ShotView, durationSeconds: number): Markup {
  const { startSeconds, endSeconds, camera, number } = shot;
  const share = (endSeconds - startSeconds) / durationSeconds;
  const label = camera === null ? 'camera not found' : spoken(camera.label);
  const sure = camera === null ? '' : percent(camera.confidence);
  const length = lengthText(endSeconds - startSeconds);
  const title = `Shot ${number}: ${clock(startSeconds, 2)} to ${clock(endSeconds, 2)}, ${length}, ${label} ${sure}`;
  const margin = 14 / USUAL_WIDTH;
  return markup`<svg x="${at(startSeconds, durationSeconds)}" width="${span(startSeconds, endSeconds, durationSeconds)}" height="${HEIGHT}"><title>${title}</title><rect class="shot camera-${camera?.label ?? 'unknown'}" x="0" y="2" width="100%" height="36" rx="4"/><text ${fitting(`${number}  ${length}`, share - margin, 'strong')} x="8" y="17">${number}<tspan class="soft" dx="6">${length}</tspan></text><text ${fitting(String(number), share - 4 / USUAL_WIDTH, 'strong only')} x="50%" y="24" text-anchor="middle">${number}</text><text ${fitting(`${label} ${sure}`, share - margin)} x="8" y="32">${label}<tspan class="soft" dx="5">${sure}</tspan></text></svg>`;
}

const LANES = 2;
const LANE_HEIGHT = 13;
const TOP = LANES * LANE_HEIGHT + 6;
const SHAPE_HEIGHT = 34;

/** Cuts as strokes, gradual transitions as the curve of their blend over their length. */
export function transitionRow({ transitions, durationSeconds, beats }: TimeView): Row {
  const gradual = transitions.filter(({ type }) => type !== 'cut');
  const cuts = transitions.filter(({ type }) => type === 'cut');
  const height = TOP + SHAPE_HEIGHT + 2;
  const onGrid = cuts.filter(({ beat }) => beat !== null);
  const words = `${count(cuts.length, 'hard cut')}, ${count(gradual.length, 'gradual transition')}`;
  if (transitions.length === 0) {
    const drawing = emptyTrack(32, 'no change of shot');
    return { id: 'transitions', title: 'Cuts and transitions', legend: markup``, drawing };
  }
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
  return markup`<g opacity="${visible(cut.confidence)}"><title>${title}</title><line class="cut" x1="${x}" x2="${x}" y1="${TOP - 3}" y2="${TOP + SHAPE_HEIGHT}"/>${mark}</g>`;
}

function blend(one: TransitionView, durationSeconds: number): Markup {
  const steps = Array.from({ length: 21 }, (_, step) => {
    const way = ease(one.easing, step / 20);
    return `${step * 5} ${Number((SHAPE_HEIGHT - 2 - way * (SHAPE_HEIGHT - 4)).toFixed(1))}`;
  });
  const from = at(one.startSeconds, durationSeconds);
  const title = `${one.text}, ${spoken(one.easing)}, ${clock(one.startSeconds, 2)} to ${clock(one.endSeconds, 2)}, confidence ${percent(one.confidence)}`;
  return markup`<g class="gradual type-${one.type}" opacity="${visible(one.confidence)}"><title>${title}</title><line class="begin" x1="${from}" x2="${from}" y1="${TOP}" y2="${TOP + SHAPE_HEIGHT}"/><svg x="${from}" y="${TOP}" width="${span(one.startSeconds, one.endSeconds, durationSeconds)}" height="${SHAPE_HEIGHT}" viewBox="0 0 100 ${SHAPE_HEIGHT}" preserveAspectRatio="none"><rect class="bed" width="100" height="${SHAPE_HEIGHT}"/><path class="fill" d="M${steps.join('L')}L100 ${SHAPE_HEIGHT}L0 ${SHAPE_HEIGHT}Z"/><path class="stroke" d="M${steps.join('L')}"/></svg></g>`;
}

/** A finding that is sure is drawn in full. */
function visible(confidence: number): string {
  return (0.35 + 0.65 * confidence).toFixed(2);
}

/** Names above their shapes, in two lanes; each has room up to the next one of its lane. */
function laneTexts(gradual: readonly TransitionView[], durationSeconds: number): Markup[] {
  return gradual.map((one, index) => {
    const lane = index % LANES;
    const next = gradual[index + LANES]?.startSeconds;
    const text = `${one.text}  ${percent(one.confidence)}`;
    const fromEnd = next === undefined && one.startSeconds / durationSeconds > 0.86;
    const room = fromEnd
      ? one.endSeconds / durationSeconds
      : ((next ?? durationSeconds) - one.startSeconds) / durationSeconds - 8 / USUAL_WIDTH;
    const x = at(fromEnd ? one.endSeconds : one.startSeconds, durationSeconds);
    return markup`<text ${fitting(text, room, `type-${one.type}`)} x="${x}" y="${11 + lane * LANE_HEIGHT}"${fromEnd && markup` text-anchor="end"`}>${one.text}<tspan class="soft" dx="5">${percent(one.confidence)}</tspan></text>`;
  });
}
