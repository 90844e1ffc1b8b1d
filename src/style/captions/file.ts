import { Failure, type FieldError } from '../../domain/errors.ts';
import type { TextCue } from '../../domain/footage.ts';
import type { CaptionCue } from '../model/timeline.ts';
import { type DecodedText, decodeText } from './encoding.ts';
import { CAPTION_LIMITS, lineCount } from './limits.ts';
import { plainText } from './markup.ts';
import { withoutSigns } from './signs.ts';
import { isTelemetry } from './telemetry.ts';
import { mpegDifference, timestampMaps } from './timestamp-map.ts';
import { type Block, blocksOf, type CaptionFormat, formatOf, timingOf } from './timing-lines.ts';

export interface CaptionFile {
  readonly format: CaptionFormat;
  readonly encoding: DecodedText['encoding'];
  readonly isEncodingGuessed: boolean;
  /** Ordered by start; may overlap. Without signs. */
  readonly cues: readonly TextCue[];
  /** Texts that ASS overrides place in the picture; they are left out. */
  readonly signCount: number;
  /** Whether the cues seem to be readings of a camera instead of words. */
  readonly isTelemetry: boolean;
  /** Time of the video's MPEG clock at time 0 of the cues; null: the file has none. */
  readonly mpegSeconds: number | null;
}

/** A feature film's captions have a twentieth of this. */
export const MAX_CAPTION_BYTES = 4 << 20;
/** Most faults named in one answer. */
const MAX_FAULTS = 20;
const LONGEST_QUOTE = 60;
/** The signature of WebVTT with a byte order mark in any encoding, and the text that may follow it. */
export const CAPTION_HEAD_BYTES = 64;
/** No video is this long: a larger stamp is a typing error. */
const MAX_HOURS = 1000;

/**
 * Parses SubRip, or WebVTT (W3C) if the file begins with its signature. Like in players, numbers, hours,
 * milliseconds and blank lines are optional. Any encoding of `decodeText`. Styles, positions, speakers and
 * notes are dropped, and so are cues without words or time. Time is linear in the size. Throws `Failure`
 * INVALID_CAPTIONS with the line of every fault, up to 20 of them.
 */
export function parseCaptionFile(bytes: Uint8Array): CaptionFile {
  const { text, encoding, isGuessed } = decodeText(bytes);
  if (lineCount(text, CAPTION_LIMITS.lines) > CAPTION_LIMITS.lines)
    throw refused([{ path: `line ${CAPTION_LIMITS.lines + 1}`, message: tooMany('lines') }]);
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  const format = formatOf(lines[0]);
  if (/^\s*\[Script Info\]/i.test(text)) {
    throw refused([
      { path: 'line 1', message: 'is ASS, which is not supported; save it as SubRip or WebVTT' },
    ]);
  }
  const faults: FieldError[] = [];
  const stored: TextCue[] = [];
  const maps = format === 'vtt' ? timestampMaps(lines) : [];
  let map = 0;
  for (const block of blocksOf(lines, format)) {
    while (map + 1 < maps.length && maps[map + 1].line < block.timingLine) map++;
    const shift = maps.length === 0 ? 0 : mpegDifference(maps[0].mpegSeconds, maps[map].mpegSeconds);
    const cue = readBlock(lines, block, faults, shift);
    if (cue !== null) stored.push(cue);
    if (stored.length > CAPTION_LIMITS.cues)
      faults.push({ path: `line ${block.timingLine + 1}`, message: tooMany('cues') });
    if (stored.length > CAPTION_LIMITS.cues || faults.length >= MAX_FAULTS) break;
  }
  if (faults.length > 0) throw refused(faults);
  const { dialogue, signCount } = withoutSigns(stored);
  const cues = dialogue.flatMap((cue) => {
    const text = plainText(cue.text, 'tags');
    return text === '' ? [] : [{ ...cue, text }];
  });
  if (cues.length === 0) {
    const message = 'has no cue; a cue is a line like "00:00:01,000 --> 00:00:04,000" with its text below';
    throw refused([{ path: 'line 1', message }]);
  }
  cues.sort((one, other) => one.startSeconds - other.startSeconds);
  const mpegSeconds = maps[0]?.mpegSeconds ?? null;
  return {
    ...{ format, encoding, isEncodingGuessed: isGuessed },
    ...{ cues, signCount, isTelemetry: isTelemetry(cues), mpegSeconds },
  };
}

/**
 * The cues in the time of a video that starts at `mpegStartSeconds` of its MPEG clock. Null: it has no such
 * clock, and the cues count from its start.
 */
export function cuesAt(
  { cues, mpegSeconds }: Pick<CaptionFile, 'cues' | 'mpegSeconds'>,
  mpegStartSeconds: number | null,
): readonly TextCue[] {
  if (mpegSeconds === null || mpegStartSeconds === null) return cues;
  const shift = mpegDifference(mpegStartSeconds, mpegSeconds);
  return cues.flatMap((cue) => {
    const [startSeconds, endSeconds] = [Math.max(0, cue.startSeconds + shift), cue.endSeconds + shift];
    return endSeconds > startSeconds ? [{ ...cue, startSeconds, endSeconds }] : [];
  });
}

/** The format of a caption file, from its first bytes. */
export function captionFormat(bytes: Uint8Array): CaptionFormat {
  const { text } = decodeText(bytes.subarray(0, CAPTION_HEAD_BYTES));
  return formatOf(text.replace(/^\ufeff/, '').split(/[\r\n]/, 1)[0]);
}

function tooMany(what: 'lines' | 'cues'): string {
  return `is one more than the ${CAPTION_LIMITS[what]} ${what} that a caption file may have; split the file`;
}

function refused(fields: readonly FieldError[]): Failure {
  const detail = fields.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return new Failure('INVALID_CAPTIONS', detail, { fields });
}

/** The cue of a block, with its raw text. Null: it is never shown. */
function readBlock(
  lines: readonly string[],
  { timingLine, textEnd }: Block,
  faults: FieldError[],
  shiftSeconds: number,
): TextCue | null {
  const line = lines[timingLine];
  const fault = (message: string) => {
    faults.push({ path: `line ${timingLine + 1}`, message });
    return null;
  };
  const found = timingOf(line);
  if (found === null) {
    const quoted = JSON.stringify(line.trim().slice(0, LONGEST_QUOTE));
    return fault(`${quoted} is no timing; write "00:00:01,000 --> 00:00:04,000"`);
  }
  const [from, to] = [secondsOf(found.slice(1, 6)), secondsOf(found.slice(6, 11))];
  if (from === null || to === null) return fault('has more than 59 minutes or seconds, or 1000 hours');
  if (to < from) return fault(`ends at ${to} s, before it starts at ${from} s`);
  const [start, end] = [from + shiftSeconds, to + shiftSeconds];
  const startSeconds = Math.max(0, start);
  if (end <= startSeconds) return null;
  return { startSeconds, endSeconds: end, text: lines.slice(timingLine + 1, textEnd).join('\n') };
}

function secondsOf(parts: readonly (string | undefined)[]): number | null {
  const [sign, hours = '0', minutes, seconds, fraction = ''] = parts;
  if (Number(hours) >= MAX_HOURS || Number(minutes) > 59 || Number(seconds) > 59) return null;
  const millis = Math.round(Number(`0.${fraction === '' ? '0' : fraction}`) * 1000);
  const value = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + millis / 1000;
  return sign === '-' ? -value : value;
}

/** An output's captions as a SubRip file, for use in other editors. */
export function writeSubRip(
  captions: readonly Pick<CaptionCue, 'startSeconds' | 'endSeconds' | 'lines'>[],
): string {
  return captions
    .map(
      ({ startSeconds, endSeconds, lines }, index) =>
        `${index + 1}\n${stampOf(startSeconds)} --> ${stampOf(endSeconds)}\n${lines.join('\n')}\n`,
    )
    .join('\n');
}

function stampOf(seconds: number): string {
  const millis = Math.round(seconds * 1000);
  const part = (unit: number, of: number, digits = 2) =>
    String(Math.floor(millis / unit) % of).padStart(digits, '0');
  return `${part(3_600_000, MAX_HOURS)}:${part(60_000, 60)}:${part(1000, 60)},${part(1, 1000, 3)}`;
}
