import type { TextCue } from '../../domain/footage.ts';

/** Handler names of the tracks in which cameras store readings: "DJI.Subtitle", "GoPro MET", "Timed Metadata Media Handler". */
const TRACK_NAME = /telemetry|metadata|flight|gps|nmea|sensor|\bDJI\b|\bGoPro\b/i;
/** A coordinate: "GPS (8.1234", "[latitude : 47.5", "HOME(W: 80.585". Cameras store three decimals or more, 100 m. */
const POSITION = /(?:gps|lat|lon|home)\p{L}{0,8}[^\p{L}\d]{0,4}(?:[NSEW]\s*:?\s*)?-?\d{1,3}\.\d{3,}/iu;
/** A name with its number: "EV: 0.7", "[iso : 100]", "speed=12", "BAROMETER:1.9". */
const NAMED_NUMBER = /\p{L}\s*[:=]\s*[-+]?\d/u;
/** A number with a unit of instruments: "51 km/h", "120 bpm". */
const MEASURED = /^\W*\d+(?:[.,]\d+)?\s*(?:km\/h|kph|mph|m\/s|knots?|kts?|bpm|rpm|hPa)\W*$/i;
const NUMBER = /\d+(?:\.\d+)?/g;
const TAG = /<[^<>]*>/g;
/** Words of letters only: the units and hexadecimal digits beside numbers change with them. */
const WORD = /(?<![\p{L}\d])\p{L}{2,}(?![\p{L}\d])/gu;

const LIMITS = {
  /** Ten minutes of one a second show what a track is. */
  sampledCues: 600,
  /** Most of a cue that is read; the longest readings have 400. */
  characters: 2000,
  /** Date, time or a coordinate have three numbers. A countdown or a timer has one or two. */
  minNumbers: 3,
  /** Share of a cue's words that the cue before has too. Readings repeat their names, dialogue does not. */
  repeatedWords: 0.7,
  /** Share of cues and of steps that must fit: a recording begins without position, and its mode changes. */
  share: 0.7,
  /** Cameras write one cue a second or a frame. */
  stepSeconds: 1.5,
  /** Steps in milliseconds are uneven by up to half: 33, 34, 17. */
  stepRatio: 1.6,
} as const;

/**
 * Whether a track's cues are readings of a camera, such as exposure, height and position, instead of words. `trackName`: the handler's
 * or the track's, if any.
 */
export function isTelemetry(
  allCues: readonly Pick<TextCue, 'startSeconds' | 'text'>[],
  trackName: string | null = null,
): boolean {
  const cues = allCues.slice(0, LIMITS.sampledCues);
  if (cues.length === 0) return false;
  if (trackName !== null && TRACK_NAME.test(trackName)) return true;
  const texts = cues.map(({ text }) => text.slice(0, LIMITS.characters).replace(TAG, ' '));
  const needed = LIMITS.share * cues.length;
  if (texts.filter((text) => POSITION.test(text)).length >= needed) return true;
  if (cues.length === 1) return false;
  const readings = texts.filter((text, at) => isReading(text, texts[at === 0 ? 1 : at - 1]));
  return readings.length >= needed && isSteady(cues);
}

function isReading(text: string, beside: string): boolean {
  const numbers = text.match(NUMBER) ?? [];
  if (numbers.length < LIMITS.minNumbers && !NAMED_NUMBER.test(text) && !MEASURED.test(text)) return false;
  const words: readonly string[] = text.match(WORD) ?? [];
  const known = new Set<string>(beside.match(WORD));
  return words.filter((word) => known.has(word)).length >= LIMITS.repeatedWords * words.length;
}

function isSteady(cues: readonly Pick<TextCue, 'startSeconds'>[]): boolean {
  const steps = cues.slice(1).map(({ startSeconds }, at) => startSeconds - cues[at].startSeconds);
  const usual = steps.toSorted((one, other) => one - other)[steps.length >> 1];
  const even = steps.filter((step) => step <= LIMITS.stepRatio * usual && usual <= LIMITS.stepRatio * step);
  return usual <= LIMITS.stepSeconds && even.length >= LIMITS.share * steps.length;
}

export const TELEMETRY_LEFT_OUT =
  'The text track of the source has readings of the camera, such as exposure, height and position, not words; it is not shown';

export const CAPTIONS_SEEM_TELEMETRY =
  'The caption file seems to have readings of a camera, such as exposure, height and position; it is shown as given';
