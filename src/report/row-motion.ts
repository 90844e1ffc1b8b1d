import { at, fitting, span } from './axis.ts';
import { bandPath, linePath, usualSize } from './curve.ts';
import { markup } from './markup.ts';
import type { Row } from './row.ts';
import type { MotionView } from './view.ts';
import { clock, percent, signed } from './wording.ts';

/** Share of the values within the scale, and least scales: a still camera is a flat line. */
const IN_SCALE = 0.995;
const MIN_SHIFT = 0.1;
const MIN_ZOOM = 0.12;
const MIN_SPEED = 0.12;

export function motionRows(motion: MotionView, durationSeconds: number): Row[] {
  if (motion.confidence === 0) return [];
  return [shiftRow(motion), zoomRow(motion, durationSeconds), speedRow(motion)];
}

const SHIFT_HEIGHT = 72;

function shiftRow({ pan, tilt, confidence }: MotionView): Row {
  const scale = Math.max(usualSize(pan, IN_SCALE, MIN_SHIFT), usualSize(tilt, IN_SCALE, MIN_SHIFT));
  const y = centred(SHIFT_HEIGHT, scale);
  return {
    id: 'shift',
    title: 'Pan and tilt',
    confidence,
    legend: markup`<p><span class="swatch pan"></span>right + <span class="swatch tilt"></span>up +</p><p>±${percent(scale)} of the frame a second</p>`,
    drawing: markup`<svg class="track motion" height="${SHIFT_HEIGHT}" viewBox="0 0 ${pan.length} ${SHIFT_HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Pan and tilt speed over time"><line class="zero" x1="0" x2="${pan.length}" y1="${SHIFT_HEIGHT / 2}" y2="${SHIFT_HEIGHT / 2}"/><path class="curve tilt" d="${linePath(tilt, y)}"/><path class="curve pan" d="${linePath(pan, y)}"/></svg>`,
  };
}

const ZOOM_HEIGHT = 60;

function zoomRow({ zoom, zooms, punchIns, confidence }: MotionView, durationSeconds: number): Row {
  const scale = usualSize(zoom, IN_SCALE, MIN_ZOOM);
  const y = centred(ZOOM_HEIGHT, scale);
  const still = zoom.map(() => 0);
  const marks = [
    ...zooms.map(({ startSeconds, endSeconds, logScale }) => {
      const words = `${signed((Math.exp(logScale) - 1) * 100)} %`;
      const title = `Zoom ${logScale > 0 ? 'in' : 'out'} by ${words}, ${clock(startSeconds, 2)} to ${clock(endSeconds, 2)}`;
      const share = (endSeconds - startSeconds) / durationSeconds;
      return markup`<g><title>${title}</title><rect class="zoomed" x="${at(startSeconds, durationSeconds)}" width="${span(startSeconds, endSeconds, durationSeconds)}" y="0" height="${ZOOM_HEIGHT}"/><text ${fitting(words, share)} x="${at((startSeconds + endSeconds) / 2, durationSeconds)}" y="${logScale > 0 ? ZOOM_HEIGHT - 5 : 12}" text-anchor="middle">${words}</text></g>`;
    }),
    ...punchIns.map(({ timeSeconds, logScale }) => {
      const x = at(timeSeconds, durationSeconds);
      const title = `Punch-${logScale > 0 ? 'in' : 'out'} at ${clock(timeSeconds, 2)}: ×${Math.exp(logScale).toFixed(2)}`;
      return markup`<g class="punch-in"><title>${title}</title><line x1="${x}" x2="${x}" y1="6" y2="${ZOOM_HEIGHT - 6}"/><svg x="${x}" y="${ZOOM_HEIGHT / 2}" overflow="visible"><path d="${logScale > 0 ? 'M-5 -12 0 -20 5 -12Z' : 'M-5 12 0 20 5 12Z'}"/></svg></g>`;
    }),
  ];
  return {
    id: 'zoom',
    title: 'Zoom',
    confidence,
    legend: markup`<p>in + · out −, ▲ punch-in</p><p>±${percent(scale)} a second</p>`,
    drawing: markup`<svg class="track motion" height="${ZOOM_HEIGHT}" role="img" aria-label="Zoom speed over time; ${zooms.length} zooms, ${punchIns.length} punch-ins">${marks}<svg width="100%" height="${ZOOM_HEIGHT}" viewBox="0 0 ${zoom.length} ${ZOOM_HEIGHT}" preserveAspectRatio="none"><line class="zero" x1="0" x2="${zoom.length}" y1="${ZOOM_HEIGHT / 2}" y2="${ZOOM_HEIGHT / 2}"/><path class="area zoom" d="${bandPath(zoom, still, y)}"/><path class="curve zoom" d="${linePath(zoom, y)}"/></svg></svg>`,
  };
}

const SPEED_HEIGHT = 48;

function speedRow({ speed, confidence }: MotionView): Row {
  const scale = usualSize(speed, IN_SCALE, MIN_SPEED);
  const y = (value: number) => SPEED_HEIGHT - 1 - Math.min(1, value / scale) * (SPEED_HEIGHT - 4);
  const still = speed.map(() => 0);
  return {
    id: 'speed',
    title: 'Activity',
    confidence,
    legend: markup`<p>to ${percent(scale)} of the diagonal a second</p>`,
    drawing: markup`<svg class="track motion" height="${SPEED_HEIGHT}" viewBox="0 0 ${speed.length} ${SPEED_HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Motion of camera and subjects over time"><path class="area speed" d="${bandPath(speed, still, y)}"/><path class="curve speed" d="${linePath(speed, y)}"/></svg>`,
  };
}

function centred(height: number, scale: number): (value: number) => number {
  return (value) => (1 - Math.max(-1, Math.min(1, value / scale))) * (height / 2 - 2) + 2;
}
