import { powerDb, powerOfDb } from '../../signal/decibels.ts';
import { clamp } from '../../signal/interpolation.ts';
import { rounded } from '../../signal/rounding.ts';
import { mean, median, quantile } from '../../signal/statistics.ts';
import type { AudioFacts } from '../facts.ts';
import type { MusicFacts } from '../music-facts.ts';
import { meterOf, NO_METER } from './meter.ts';
import { phraseStarts } from './phrases.ts';
import { type Cell, sectionStarts } from './sections.ts';
import type { Song, SongSection } from './song.ts';

/** Without bars, sections begin on this grid. */
const CELL_SECONDS = 2;
/** Bars or cells on each side of a boundary that are compared. */
const REACH = 4;
/** dB below the loudest half second of a song, where its tail is inaudible: an encoder's offset lay 44 dB below. */
const TAIL_DB = 40;
/** Least range of levels that is mapped to 0..1, dB. */
const MIN_RANGE_DB = 12;

/**
 * The properties of a song that an edit needs. If the meter is uncertain, each beat is its own bar, and there are no
 * phrases.
 */
export function songOf(audio: AudioFacts): Song {
  const { durationSeconds, beats, music, tempo } = audio;
  const soundEndSeconds = soundEnd(audio);
  const times = beats.map((beat) => beat.timeSeconds);
  const places = placesOf(times);
  const meter = music === undefined ? NO_METER : meterOf(music.beats, places);
  const isDownbeat = places.map(
    (place) => meter.beatsPerBar === 1 || place % meter.beatsPerBar === meter.phase,
  );
  const cells =
    music === undefined ? [] : cellsOf(music, times, isDownbeat, meter.beatsPerBar, soundEndSeconds);
  const starts = cells.length === 0 ? [] : sectionStarts(cells, REACH);
  const phrases = phraseTimes(cells, starts, times, meter.beatsPerBar);
  const energy = music === undefined ? [] : energyCurve(music);
  return {
    durationSeconds,
    beats: times.map((timeSeconds, i) => ({
      timeSeconds,
      isDownbeat: isDownbeat[i],
      isPhraseStart: phrases.has(timeSeconds),
    })),
    beatsPerBar: meter.beatsPerBar,
    confidence: rounded((tempo?.confidence ?? 0) * (meter.beatsPerBar === 1 ? 1 : meter.confidence), 3),
    sections: sectionsOf(cells, starts, durationSeconds),
    energyStepSeconds: music?.levelStepSeconds ?? 0,
    energy,
    soundEndSeconds,
  };
}

/** Start times of phrases. */
function phraseTimes(
  cells: readonly Cell[],
  starts: readonly number[],
  times: readonly number[],
  beatsPerBar: number,
): Set<number> {
  if (beatsPerBar === 1) return new Set();
  const opening = cells.findIndex(({ startSeconds }) => startSeconds === times[0]);
  const found = phraseStarts(cells.length, starts.slice(1), opening < 0 ? null : opening);
  return new Set([...found].map((bar) => cells[bar].startSeconds));
}

/** Numbers of the beats by their distances, so that a missing beat leaves a gap. */
function placesOf(times: readonly number[]): number[] {
  const steps = times.slice(1).map((time, i) => time - times[i]);
  const usual = steps.length === 0 ? 1 : median(steps);
  let place = 0;
  return times.map((_, beat) => {
    if (beat > 0) place += Math.max(1, Math.round(steps[beat - 1] / usual));
    return place;
  });
}

/** The end of the song without trailing silence and without an inaudible tail, such as the noise of an encoder or a constant offset. */
function soundEnd({ durationSeconds, silence, music }: AudioFacts): number {
  const last = silence.spans.at(-1);
  const end =
    last !== undefined && last.endSeconds > durationSeconds - 0.05 ? last.startSeconds : durationSeconds;
  if (music === undefined) return end;
  const { low, mid, high } = music.levelsDb;
  const levels = low.map((level, step) => Math.max(level, mid[step], high[step]));
  const loudest = levels.reduce((most, level) => Math.max(most, level), Number.NEGATIVE_INFINITY);
  const heard = levels.findLastIndex((level) => level > loudest - TAIL_DB);
  return heard < 0 ? end : Math.min(end, (heard + 1) * music.levelStepSeconds);
}

function cellsOf(
  music: MusicFacts,
  times: readonly number[],
  isDownbeat: readonly boolean[],
  beatsPerBar: number,
  endSeconds: number,
): Cell[] {
  const bars = beatsPerBar === 1 ? [] : times.filter((_, beat) => isDownbeat[beat]);
  const borders = withEnds(bars, endSeconds);
  return borders.slice(1).map((end, at) => {
    const start = borders[at];
    const inside = music.beats.chroma.filter(
      (_, beat) => times[beat] >= start - 1e-6 && times[beat] < end - 1e-6,
    );
    const chroma = Array.from({ length: 12 }, (_, pitch) => mean(inside.map((one) => one[pitch])) || 0);
    return { startSeconds: start, endSeconds: end, levelsDb: levelsBetween(music, start, end), chroma };
  });
}

/** Bars, and even cells before the first bar, after the last and in gaps. */
function withEnds(bars: readonly number[], endSeconds: number): number[] {
  const steps = bars.slice(1).map((bar, i) => bar - bars[i]);
  const usual = steps.length === 0 ? CELL_SECONDS : median(steps);
  const borders: number[] = [];
  let last = 0;
  for (const bar of [...bars.filter((bar) => bar < endSeconds), endSeconds]) {
    const count = Math.max(1, Math.round((bar - last) / usual));
    if (bar > last) for (let i = 0; i < count; i++) borders.push(last + ((bar - last) * i) / count);
    last = bar;
  }
  return [...borders, endSeconds];
}

function levelsBetween({ levelsDb, levelStepSeconds }: MusicFacts, start: number, end: number): number[] {
  const from = Math.min(levelsDb.low.length - 1, Math.floor(start / levelStepSeconds));
  const to = Math.max(from + 1, Math.round(end / levelStepSeconds));
  return [levelsDb.low, levelsDb.mid, levelsDb.high].map((levels) => {
    const powers = levels.slice(from, to).map(powerOfDb);
    return powers.length === 0 ? -100 : powerDb(mean(powers));
  });
}

function energyCurve({ levelsDb }: MusicFacts): number[] {
  const levels = levelsDb.low.map((low, step) =>
    powerDb(powerOfDb(low) + powerOfDb(levelsDb.mid[step]) + powerOfDb(levelsDb.high[step])),
  );
  if (levels.length === 0) return [];
  const top = quantile(levels, 0.98);
  const range = Math.max(MIN_RANGE_DB, top - quantile(levels, 0.05));
  return levels.map((level) => rounded(clamp(1 - (top - level) / range, 0, 1), 3));
}

function sectionsOf(
  cells: readonly Cell[],
  starts: readonly number[],
  durationSeconds: number,
): SongSection[] {
  if (cells.length === 0) return [{ startSeconds: 0, endSeconds: durationSeconds, energy: 1 }];
  const powers = starts.map((start, i) => {
    const inside = cells.slice(start, starts[i + 1]);
    return mean(inside.map(({ levelsDb }) => levelsDb.reduce((sum, level) => sum + powerOfDb(level), 0)));
  });
  const loudest = Math.max(...powers);
  return starts.map((start, i) => ({
    startSeconds: cells[start].startSeconds,
    endSeconds: i + 1 < starts.length ? cells[starts[i + 1]].startSeconds : durationSeconds,
    energy: loudest > 0 ? rounded(Math.sqrt(powers[i] / loudest), 3) : 0,
  }));
}
