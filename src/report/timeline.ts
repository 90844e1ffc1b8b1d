import { at, ruler, span } from './axis.ts';
import { type Markup, markup, scriptJson } from './markup.ts';
import { drawRow, type Row } from './row.ts';
import { laneRow, loudnessRow, waveRow } from './row-audio.ts';
import { filmRow } from './row-film.ts';
import { motionRows } from './row-motion.ts';
import { shotRow, transitionRow } from './row-shots.ts';
import type { TimeView } from './view.ts';

/** The rows of a time axis, and the words of its readout. */
export interface TimelineContent {
  readonly rows: readonly (Row | null)[];
  /** The name of a shot, and the number of the first. */
  readonly shotName: string;
  readonly firstShot: number;
  /** Text of each shot. */
  readonly shotTexts: readonly string[];
}

/** The rows of one clip. */
function clipContent(time: TimeView): TimelineContent {
  const picture = time.shots.length > 0;
  return {
    rows: [
      ...(picture ? [filmRow(time), shotRow(time), transitionRow(time)] : []),
      waveRow(time),
      laneRow(time),
      ...(time.motion === null ? [] : motionRows(time.motion, time.durationSeconds)),
      time.loudness === null ? null : loudnessRow(time.loudness, time.durationSeconds),
    ],
    shotName: 'shot',
    firstShot: 1,
    shotTexts: time.shots.map(({ camera }) => camera?.label.replaceAll('_', ' ') ?? 'camera not found'),
  };
}

/** The time axis with all rows aligned to it. */
export function timeline(time: TimeView, content: TimelineContent = clipContent(time)): Markup {
  const { durationSeconds } = time;
  return markup`<section class="card timeline" aria-label="Timeline">
<div class="bar"><h2>Timeline</h2><output class="readout" aria-live="off"></output><div class="zoom-buttons" hidden><button type="button" class="zoom-out" aria-label="Zoom out">−</button><button type="button" class="zoom-fit">Fit</button><button type="button" class="zoom-in" aria-label="Zoom in">+</button></div></div>
<div class="scroller" tabindex="0" role="application" aria-label="Time axis; arrow keys move the cross-hair, plus and minus zoom">
<div class="tracks">
<div class="row row-ruler"><div class="row-label"></div><div class="lane axis">${ruler(durationSeconds)}</div></div>
${changeLines(time)}
${content.rows.map((row) => row && drawRow(row))}
</div></div>
<p class="hint" hidden>Move over the rows to read values and see the frame. Arrow keys step by a frame, with Shift by a second; + and − zoom, as does the wheel with Ctrl.</p>
</section>
<script type="application/json" class="report-data">${scriptJson(readoutData(time, content))}</script>`;
}

/** Faint lines through all rows at changes of shot. */
function changeLines({ transitions, durationSeconds }: TimeView): Markup {
  const lines = transitions.map(({ type, startSeconds, endSeconds }) => {
    const x = at(startSeconds, durationSeconds);
    return type === 'cut'
      ? markup`<line x1="${x}" x2="${x}" y1="0" y2="100%"/>`
      : markup`<rect class="type-${type}" x="${x}" width="${span(startSeconds, endSeconds, durationSeconds)}" y="0" height="100%"/>`;
  });
  return markup`<svg class="changes" aria-hidden="true">${lines}</svg>`;
}

/** Data of the readout under the cross-hair, rounded to three digits to save space. */
function readoutData(
  { durationSeconds, framesPerSecond, shots, wave, beats, lanes, motion, loudness }: TimeView,
  { shotName, firstShot, shotTexts }: TimelineContent,
) {
  const short = (values: readonly number[]) => values.map((value) => Number(value.toPrecision(3)));
  return {
    durationSeconds,
    framesPerSecond,
    shotName,
    firstShot,
    shots: shots.map(({ startSeconds }, index) => [startSeconds, shotTexts[index]]),
    stills: shots.flatMap(({ stills }) => stills.map(({ id, timeSeconds }) => [timeSeconds, id])),
    peaks: wave === null ? null : short(wave.max.map((value, at) => Math.max(value, -wave.min[at]))),
    beats: beats.map(({ timeSeconds }) => Number(timeSeconds.toFixed(3))),
    lanes: lanes.map(({ name, spans }) => [name, spans.map((one) => [one.startSeconds, one.endSeconds])]),
    motion:
      motion === null || motion.confidence === 0
        ? null
        : { pan: short(motion.pan), tilt: short(motion.tilt), zoom: short(motion.zoom) },
    loudness:
      loudness?.shortTermLufs.map((value) => (value === null ? null : Number(value.toFixed(1)))) ?? null,
  };
}
