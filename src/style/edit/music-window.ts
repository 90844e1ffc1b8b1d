/** Which part of a song an edit plays. */
import type { Song, SongBeat } from '../../analysis/music/song.ts';
import { median } from '../../signal/statistics.ts';

export interface MusicWindow {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** Lengths may differ by this share from the requested one, so that a window ends where the music does. */
const LENGTH_TOLERANCE = 0.045;
/** Weight of an end by its kind. */
const END_SCORES = { song: 1.2, phrase: 1, downbeat: 0.6, beat: 0.2 } as const;
const ENERGY_WEIGHT = 0.8;
/** A window that is as far off as the tolerance loses as much as a phrase is worth over a downbeat. */
const LENGTH_WEIGHT = 0.4;
const SECTION_START_SCORE = 0.3;
const NEAR_SECONDS = 0.3;

/** The window that starts and ends best, with the most energy; shorter than `seconds` where the song is. */
export function chooseWindow(song: Song, seconds: number, fixedStart: number | null): MusicWindow {
  const end = song.soundEndSeconds;
  const latest = end - seconds * (1 - LENGTH_TOLERANCE);
  const starts = fixedStart === null ? startsOf(song, latest) : [fixedStart];
  let best = { score: Number.NEGATIVE_INFINITY, window: { startSeconds: starts[0], endSeconds: end } };
  for (const startSeconds of starts) {
    const { endSeconds, score } = bestEnd(song, startSeconds, seconds);
    const isSectionStart = song.sections.some(
      (section) => Math.abs(section.startSeconds - startSeconds) <= NEAR_SECONDS,
    );
    const total =
      score +
      ENERGY_WEIGHT * meanEnergy(song, startSeconds, endSeconds) +
      (isSectionStart ? SECTION_START_SCORE : 0);
    if (total > best.score + 1e-9) best = { score: total, window: { startSeconds, endSeconds } };
  }
  return best.window;
}

/** The best kind of places at which the rest of the song is long enough: phrases, else bars, else beats, else its start. */
function startsOf({ beats }: Song, latest: number): number[] {
  const inTime = beats.filter(({ timeSeconds }) => timeSeconds <= latest);
  const phrases = inTime.filter(({ isPhraseStart }) => isPhraseStart);
  const downbeats = inTime.filter(({ isDownbeat }) => isDownbeat);
  const starts = [phrases, downbeats, inTime].find(({ length }) => length > 0) ?? [];
  return starts.length === 0 ? [0] : starts.map(({ timeSeconds }) => timeSeconds);
}

function bestEnd(song: Song, startSeconds: number, seconds: number): { endSeconds: number; score: number } {
  const wanted = startSeconds + seconds;
  const tolerance = LENGTH_TOLERANCE * seconds;
  const latest = Math.min(wanted, song.soundEndSeconds);
  let best = { endSeconds: latest, score: 0 };
  const consider = (endSeconds: number, value: number) => {
    const off = Math.abs(endSeconds - wanted);
    if (off > tolerance || endSeconds > song.soundEndSeconds + 1e-6) return;
    const score = value - (LENGTH_WEIGHT * off) / Math.max(tolerance, 1e-9);
    if (score > best.score + 1e-9) best = { endSeconds, score };
  };
  for (const beat of song.beats) consider(beat.timeSeconds, endScore(beat));
  consider(song.soundEndSeconds, END_SCORES.song);
  return best;
}

function endScore({ isDownbeat, isPhraseStart }: SongBeat): number {
  return isPhraseStart ? END_SCORES.phrase : isDownbeat ? END_SCORES.downbeat : END_SCORES.beat;
}

export function meanEnergy(song: Song, startSeconds: number, endSeconds: number): number {
  const from = Math.max(0, Math.floor(startSeconds / song.energyStepSeconds));
  const to = Math.max(from + 1, Math.ceil(endSeconds / song.energyStepSeconds));
  const values = song.energy.slice(from, to);
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Median distance of neighbouring beats; null without beats. */
export function beatSeconds({ beats }: Song): number | null {
  if (beats.length < 2) return null;
  return median(beats.slice(1).map(({ timeSeconds }, at) => timeSeconds - beats[at].timeSeconds));
}

/** Median length of a bar; null without beats or meter. */
export function barSeconds(song: Song): number | null {
  const beat = beatSeconds(song);
  return beat === null || song.beatsPerBar === 1 ? null : beat * song.beatsPerBar;
}

/** The song with beats where its detector left a gap. */
export function withoutGaps(song: Song): Song {
  const period = beatSeconds(song);
  if (period === null) return song;
  const beats = song.beats.flatMap((beat, at) => {
    const next = song.beats[at + 1]?.timeSeconds ?? beat.timeSeconds;
    const gap = next - beat.timeSeconds;
    const count = Math.max(1, Math.round(gap / period));
    return Array.from({ length: count }, (_, step) =>
      step === 0
        ? beat
        : { timeSeconds: beat.timeSeconds + (step * gap) / count, isDownbeat: false, isPhraseStart: false },
    );
  });
  return { ...song, beats };
}

/** Fractional number of the beat at a time; the grid continues at the median distance beyond its ends. */
export function beatPositionAt({ beats }: Song, period: number, seconds: number): number {
  const [first, last] = [beats[0].timeSeconds, beats.at(-1)!.timeSeconds];
  if (seconds <= first) return (seconds - first) / period;
  if (seconds >= last) return beats.length - 1 + (seconds - last) / period;
  let [low, high] = [0, beats.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (beats[middle].timeSeconds <= seconds) low = middle;
    else high = middle;
  }
  return low + (seconds - beats[low].timeSeconds) / (beats[high].timeSeconds - beats[low].timeSeconds);
}

/** Inverse of `beatPositionAt`. */
export function beatTimeAt({ beats }: Song, period: number, position: number): number {
  if (position <= 0) return beats[0].timeSeconds + position * period;
  const last = beats.length - 1;
  if (position >= last) return beats[last].timeSeconds + (position - last) * period;
  const below = Math.floor(position);
  const { timeSeconds } = beats[below];
  return timeSeconds + (position - below) * (beats[below + 1].timeSeconds - timeSeconds);
}
