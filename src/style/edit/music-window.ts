/** Which part of a song an edit plays. */
import type { Song, SongBeat } from '../../analysis/music/song.ts';
import { lengthOf, overlapSeconds } from '../../domain/spans.ts';
import { median } from '../../signal/statistics.ts';

export interface MusicWindow {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** Lengths may differ by this share from the requested one, so that a window ends where the music does. */
const LENGTH_TOLERANCE = 0.045;
/** Weight of an end by its kind. */
const END_SCORES = { song: 1.2, phrase: 1, downbeat: 0.6, beat: 0.2 } as const;
/** Of the strongest section, as much of it as the window can hold: more than a good end, whose kinds differ by 1. */
const SECTION_WEIGHT = 2;
const ENERGY_WEIGHT = 0.8;
/** A window that is as far off as the tolerance loses as much as a phrase is worth over a downbeat. */
const LENGTH_WEIGHT = 0.4;
const SECTION_START_SCORE = 0.3;
const NEAR_SECONDS = 0.3;
/** Beats without one between them that the detector missed: more are a part of the song without a pulse. */
const MAX_GAP_BEATS = 4;

/**
 * The window with beats throughout that starts and ends best and holds the strongest section; shorter than `seconds` where the song is.
 *
 * @param fixedStart Chosen by a person; null: none.
 */
export function chooseWindow(song: Song, seconds: number, fixedStart: number | null): MusicWindow {
  const windows =
    fixedStart === null
      ? startsOf(song, seconds)
      : [{ startSeconds: fixedStart, latestSeconds: song.soundEndSeconds }];
  let best = {
    score: Number.NEGATIVE_INFINITY,
    window: { startSeconds: 0, endSeconds: song.soundEndSeconds },
  };
  for (const { startSeconds, latestSeconds } of windows) {
    const { endSeconds, score } = bestEnd(song, startSeconds, seconds, latestSeconds);
    const window = { startSeconds, endSeconds };
    const total = score + windowScore(song, window);
    if (total > best.score + 1e-9) best = { score: total, window };
  }
  return best.window;
}

function windowScore(song: Song, window: MusicWindow): number {
  const { startSeconds, endSeconds } = window;
  const isSectionStart = song.sections.some(
    (section) => Math.abs(section.startSeconds - startSeconds) <= NEAR_SECONDS,
  );
  return (
    SECTION_WEIGHT * strongestShare(song, window) +
    ENERGY_WEIGHT * meanEnergy(song, startSeconds, endSeconds) +
    (isSectionStart ? SECTION_START_SCORE : 0)
  );
}

/** Energy of the strongest section that the window holds, times the share of it (or of the window, if that is shorter). */
function strongestShare({ sections }: Song, window: MusicWindow): number {
  const shares = sections.map((section) => {
    const most = Math.min(lengthOf(section), lengthOf(window));
    return most <= 0 ? 0 : (section.energy * overlapSeconds(section, window)) / most;
  });
  return Math.max(0, ...shares);
}

/** Seconds of a song that an edit can play: from where a person wants it, else from the first beat. */
export function playableSeconds(song: Song, startSeconds: number | null): number {
  return song.soundEndSeconds - (startSeconds ?? firstBeat(song));
}

function firstBeat({ beats }: Song): number {
  return beats[0]?.timeSeconds ?? 0;
}

interface Start {
  readonly startSeconds: number;
  /** End of the beats, or of the song. */
  readonly latestSeconds: number;
}

interface BeatPart extends MusicWindow {
  readonly beats: readonly SongBeat[];
}

/** Within one part with beats if any is long enough, else within the whole song from its first beat on. */
function startsOf(song: Song, seconds: number): Start[] {
  const start = firstBeat(song);
  const whole = { beats: song.beats, startSeconds: start, endSeconds: song.soundEndSeconds };
  const least = seconds * (1 - LENGTH_TOLERANCE);
  return (
    startsIn(partsWithBeats(song), least) ??
    startsIn([whole], least) ?? [{ startSeconds: start, latestSeconds: song.soundEndSeconds }]
  );
}

/** The best kind of places from which a part is long enough: phrases, else bars, else beats. Null: none is. */
function startsIn(parts: readonly BeatPart[], least: number): Start[] | null {
  const kinds: ((beat: SongBeat) => boolean)[] = [
    ({ isPhraseStart }) => isPhraseStart,
    ({ isDownbeat }) => isDownbeat,
    () => true,
  ];
  for (const isKind of kinds) {
    const starts = parts.flatMap(({ beats, endSeconds }) =>
      beats
        .filter((beat) => isKind(beat) && beat.timeSeconds + least <= endSeconds + 1e-6)
        .map(({ timeSeconds }) => ({ startSeconds: timeSeconds, latestSeconds: endSeconds })),
    );
    if (starts.length > 0) return starts;
  }
  return null;
}

/** Parts of a song without gaps in its beats; the last reaches to the end of the sound if that is near. */
function partsWithBeats(song: Song): BeatPart[] {
  const period = beatSeconds(song);
  if (period === null) return [];
  const most = MAX_GAP_BEATS * period;
  const parts: SongBeat[][] = [];
  for (const beat of song.beats) {
    const part = parts.at(-1);
    if (part === undefined || beat.timeSeconds - part.at(-1)!.timeSeconds > most) parts.push([beat]);
    else part.push(beat);
  }
  return parts.map((beats) => {
    const last = beats.at(-1)!.timeSeconds;
    const isEnd = song.soundEndSeconds - last <= most;
    return {
      beats,
      startSeconds: beats[0].timeSeconds,
      endSeconds: isEnd ? song.soundEndSeconds : last,
    };
  });
}

function bestEnd(
  song: Song,
  startSeconds: number,
  seconds: number,
  latestSeconds: number,
): { endSeconds: number; score: number } {
  const wanted = startSeconds + seconds;
  const tolerance = LENGTH_TOLERANCE * seconds;
  let best = { endSeconds: Math.min(wanted, latestSeconds), score: 0 };
  const consider = (endSeconds: number, value: number) => {
    const off = Math.abs(endSeconds - wanted);
    if (off > tolerance || endSeconds > latestSeconds + 1e-6) return;
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
