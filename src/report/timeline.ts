import { at, ruler, span } from './axis.ts';
import { type Markup, markup, scriptJson } from './markup.ts';
import { drawRow, type Row } from './row.ts';
import { laneRow, loudnessRow, waveRow } from './row-audio.ts';
import { filmRow } from './row-film.ts';
import { motionRows } from './row-motion.ts';
import { shotRow, transitionRow } from './row-shots.ts';
import type { TimeView } from './view.ts';

/** The time axis and everything that is aligned to it. */
export function timeline(time: TimeView): Markup {
  const { durationSeconds } = time;
  const picture = time.shots.length > 0;
  const rows: Row[] = [
    ...(picture ? [filmRow(time), shotRow(time), transitionRow(time)] : []),
    waveRow(time),
    ...(time.lanes.length > 0 ? [laneRow(time)] : []),
    ...(time.motion === null ? [] : motionRows(time.motion, durationSeconds)),
    ...(time.loudness === null ? [] : [loudnessRow(time.loudness, durationSeconds)]),
  ];
  return markup`<section class="card timeline" aria-labelledby="timeline-title">
<header class="bar"><h2 id="timeline-title">Timeline</h2><output id="readout" class="readout" aria-live="polite"></output><div class="zoom-buttons" hidden><button type="button" id="zoom-out" aria-label="Zoom out">−</button><button type="button" id="zoom-fit">Fit</button><button type="button" id="zoom-in" aria-label="Zoom in">+</button></div></header>
<div class="scroller" id="scroller" tabindex="0" role="region" aria-label="Time axis; arrow keys move the cross-hair, plus and minus zoom">
<div class="tracks" id="tracks">
<div class="row row-ruler"><div class="row-label"></div><div class="lane" id="axis">${ruler(durationSeconds)}</div></div>
${changeLines(time)}
${rows.map(drawRow)}
</div></div>
<p class="hint" id="timeline-hint" hidden>Move over the rows to read values. Arrow keys step by a frame, with Shift by a second; + and − zoom, as does the wheel with Ctrl.</p>
</section>
<script type="application/json" id="report-data">${scriptJson(readoutData(time))}</script>`;
}

/** Changes of shot run faintly through all rows. */
function changeLines({ transitions, durationSeconds }: TimeView): Markup {
  const lines = transitions.map(({ type, startSeconds, endSeconds }) => {
    const x = at(startSeconds, durationSeconds);
    return type === 'cut'
      ? markup`<line x1="${x}" x2="${x}" y1="0" y2="100%"/>`
      : markup`<rect class="type-${type}" x="${x}" width="${span(startSeconds, endSeconds, durationSeconds)}" y="0" height="100%"/>`;
  });
  return markup`<svg class="changes" aria-hidden="true">${lines}</svg>`;
}

/** What the script reads out under the cross-hair; numbers to three digits keep it small. */
function readoutData({
  durationSeconds,
  framesPerSecond,
  shots,
  wave,
  beats,
  lanes,
  motion,
  loudness,
}: TimeView) {
  const short = (values: readonly number[]) => values.map((value) => Number(value.toPrecision(3)));
  return {
    durationSeconds,
    framesPerSecond,
    shots: shots.map(({ startSeconds, camera }) => [
      startSeconds,
      camera?.label.replaceAll('_', ' ') ?? null,
    ]),
    peaks: wave === null ? null : short(wave.max.map((value, at) => Math.max(value, -wave.min[at]!))),
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
