import { amplitudeDb } from '../signal/decibels.ts';
import { mean } from '../signal/statistics.ts';
import { at, LAYOUT, span, USUAL_WIDTH } from './axis.ts';
import { bandPath, linePath } from './curve.ts';
import { hedged } from './guess-mark.ts';
import { type Markup, markup } from './markup.ts';
import type { Row } from './row.ts';
import type { BeatView, LaneView, LoudnessView, TimeView, WaveView } from './view.ts';
import { clock, decimal, percent, signed } from './wording.ts';

const WAVE_HEIGHT = 84;
const BEAT_HEIGHT = 18;

export function waveRow({ wave, beats, durationSeconds }: TimeView): Row | null {
  if (wave === null || wave.fullScale === 0) return null;
  const height = WAVE_HEIGHT + (beats.length > 0 ? BEAT_HEIGHT : 0);
  const beatWords = beats.length === 0 ? 'no beats found' : `${beats.length} beats`;
  const sure = beats.length === 0 ? null : mean(beats.map(({ confidence }) => confidence));
  const dense = (USUAL_WIDTH * meanStep(beats)) / durationSeconds < LAYOUT.densePixels;
  return {
    id: 'wave',
    title: 'Waveform and beats',
    legend: markup`<p>full height ${signed(amplitudeDb(wave.fullScale), 1)} dBFS</p><p>${hedged(beatWords, sure)}</p>`,
    drawing: markup`<svg class="track wave${dense && ' dense'}" height="${height}" data-beat-seconds="${meanStep(beats).toFixed(4)}" role="img" aria-label="Waveform with ${beatWords}">${waveform(wave)}${beats.map((beat) => beatMark(beat, durationSeconds))}</svg>`,
  };
}

function meanStep(beats: readonly BeatView[]): number {
  if (beats.length < 2) return 1e6;
  return (beats.at(-1)!.timeSeconds - beats[0].timeSeconds) / (beats.length - 1);
}

function waveform({ min, max, rms, fullScale }: WaveView): Markup {
  const y = (value: number) => 50 - (value / fullScale) * 49;
  const mirrored = rms.map((value) => -value);
  return markup`<svg height="${WAVE_HEIGHT}" width="100%" viewBox="0 0 ${min.length} 100" preserveAspectRatio="none"><line class="zero" x1="0" x2="${min.length}" y1="50" y2="50"/><path class="peaks" d="${bandPath(max, min, y)}"/><path class="rms" d="${bandPath(rms, mirrored, y)}"/></svg>`;
}

/** A tick; height and opacity show its confidence. */
function beatMark({ timeSeconds, confidence }: BeatView, durationSeconds: number): Markup {
  const x = at(timeSeconds, durationSeconds);
  const top = WAVE_HEIGHT + BEAT_HEIGHT - 4 - confidence * (BEAT_HEIGHT - 6);
  return markup`<g class="beat" opacity="${(0.25 + 0.75 * confidence).toFixed(2)}"><title>Beat at ${clock(timeSeconds, 2)}, confidence ${percent(confidence)}</title><line class="through" x1="${x}" x2="${x}" y1="0" y2="${WAVE_HEIGHT}"/><line class="tick" x1="${x}" x2="${x}" y1="${top.toFixed(1)}" y2="${WAVE_HEIGHT + BEAT_HEIGHT}"/></g>`;
}

const LANE_HEIGHT = 20;

export function laneRow({ lanes, durationSeconds }: TimeView): Row | null {
  if (lanes.length === 0) return null;
  const drawn = lanes.map((lane, index) => laneSpans(lane, index, durationSeconds));
  return {
    id: 'lanes',
    title: lanes.map(({ name }) => name).join(', '),
    legend: markup`<ul>${lanes.map(({ name, kind, share, confidence }) => markup`<li class="kind-${kind}">${name} ${hedged(percent(share), confidence)}</li>`)}</ul>`,
    drawing: markup`<svg class="track lanes" height="${lanes.length * LANE_HEIGHT}" role="img" aria-label="When there are ${lanes.map(({ name }) => name.toLowerCase()).join(', ')}">${drawn}</svg>`,
  };
}

function laneSpans({ name, kind, spans }: LaneView, index: number, durationSeconds: number): Markup {
  const y = index * LANE_HEIGHT;
  return markup`${spans.map(({ startSeconds, endSeconds }) => {
    const title = `${name} ${clock(startSeconds, 2)} to ${clock(endSeconds, 2)}`;
    return markup`<rect class="kind-${kind}" x="${at(startSeconds, durationSeconds)}" width="${span(startSeconds, endSeconds, durationSeconds)}" y="${y + 3}" height="${LANE_HEIGHT - 6}" rx="3"><title>${title}</title></rect>`;
  })}`;
}

const LOUDNESS_HEIGHT = 84;
/** Least range of LUFS on the scale; quieter values are at the bottom. */
const MIN_RANGE_LU = 14;

export function loudnessRow(view: LoudnessView, durationSeconds: number): Row | null {
  const { shortTermLufs, integratedLufs, truePeakDbtp } = view;
  const levels = shortTermLufs.filter((value) => value !== null);
  const title = 'Loudness';
  if (levels.length === 0 || integratedLufs === null) return null;
  const top = Math.ceil(Math.max(...levels, integratedLufs) + 2);
  const bottom = Math.floor(Math.max(-70, Math.min(top - MIN_RANGE_LU, Math.min(...levels) - 2)));
  const y = (value: number) => ((top - value) / (top - bottom)) * LOUDNESS_HEIGHT;
  const floor = LOUDNESS_HEIGHT;
  const columns = Math.max(shortTermLufs.length, durationSeconds);
  const filled = shortTermLufs.map((value) => value ?? bottom);
  const under = filled.map(() => bottom);
  return {
    id: 'loudness',
    title,
    legend: markup`<p>${decimal(integratedLufs)} LUFS integrated</p><p>true peak ${truePeakDbtp === null ? 'not found' : `${signed(truePeakDbtp, 1)} dBTP`}</p><p class="scale"><span>${decimal(top, 0)}</span><span>${decimal(bottom, 0)} LUFS</span></p>`,
    drawing: markup`<svg class="track loudness" height="${LOUDNESS_HEIGHT}" role="img" aria-label="Short-term loudness; integrated ${decimal(integratedLufs)} LUFS"><svg width="100%" height="${LOUDNESS_HEIGHT}" viewBox="0 0 ${columns} ${floor}" preserveAspectRatio="none"><path class="under" d="${bandPath(filled, under, y)}"/><path class="curve" d="${linePath(shortTermLufs, y)}"/></svg><line class="integrated" x1="0" x2="100%" y1="${y(integratedLufs).toFixed(1)}" y2="${y(integratedLufs).toFixed(1)}"/></svg>`,
  };
}
