/** Captions of SubRip and WebVTT as the page shows them, and the files that it writes. */
import { mpegDifference, timestampMaps } from '../../../src/style/captions/timestamp-map.ts';
import { blocksOf, formatOf, timingOf } from '../../../src/style/captions/timing-lines.ts';

export interface Caption {
  /** In the file's format: `00:00:01,000 --> 00:00:04,000`. */
  readonly times: string;
  readonly text: string;
}

export interface CaptionText {
  readonly captions: readonly Caption[];
  /** The first `X-TIMESTAMP-MAP` line of a WebVTT file: the video's clock at a time of the captions. Null: none. */
  readonly timestampMap: string | null;
}

/** As the service reads them: numbers, hours, milliseconds and blank lines are optional, and notes and styles are left out. */
export function captionsOf(file: string): Caption[] {
  return [...captionTextOf(file).captions];
}

/** The captions with their clock. All times are in the clock of the first segment. */
export function captionTextOf(file: string): CaptionText {
  const lines = file.split(/\r\n|\r|\n/);
  const format = formatOf(lines[0]!);
  const maps = format === 'vtt' ? timestampMaps(lines) : [];
  const captions = blocksOf(lines, format).flatMap(({ timingLine, textEnd }) => {
    const found = timingOf(lines[timingLine]!);
    if (found === null) return [];
    const map = maps.findLast(({ line }) => line < timingLine) ?? maps[0];
    const shift = map === undefined ? 0 : mpegDifference(maps[0]!.mpegSeconds, map.mpegSeconds);
    const text = lines
      .slice(timingLine + 1, textEnd)
      .join(' ')
      .replace(/\s+/g, ' ')
      .trim();
    const [start, end] = [stampOf(found.slice(1, 6), shift), stampOf(found.slice(6, 11), shift)];
    return [{ times: `${start} --> ${end}`, text }];
  });
  return { captions, timestampMap: maps[0] === undefined ? null : lines[maps[0].line]! };
}

/** A time before zero is zero. */
function stampOf(
  [sign, hours = '0', minutes, seconds, fraction = '']: readonly string[],
  shiftSeconds: number,
): string {
  const written = 3600 * Number(hours) + 60 * Number(minutes) + Number(seconds) + Number(`.${fraction}0`);
  const millis = Math.max(0, Math.round(1000 * ((sign === '-' ? -written : written) + shiftSeconds)));
  const part = (unit: number, of: number, digits = 2) =>
    String(Math.floor(millis / unit) % of).padStart(digits, '0');
  return `${part(3_600_000, 1e6)}:${part(60_000, 60)}:${part(1000, 60)},${part(1, 1000, 3)}`;
}

/** The file of edited captions: SubRip, or WebVTT where they have a clock, which SubRip cannot hold. Empty: no caption has text. */
export function captionFileOf({ captions, timestampMap }: CaptionText): string {
  const subRip = subRipOf(captions);
  if (timestampMap === null || subRip === '') return subRip;
  const cues = subRip.replace(/^(\d+:\d+:\d+),(\d+ --> \d+:\d+:\d+),(\d+)$/gm, '$1.$2.$3');
  return `WEBVTT\n${timestampMap}\n\n${cues}`;
}

/** Captions without text are left out. Line breaks would divide a caption. */
export function subRipOf(captions: readonly Caption[]): string {
  return captions
    .map(({ times, text }) => ({ times, text: text.replace(/\s+/g, ' ').trim() }))
    .filter(({ text }) => text !== '')
    .map(({ times, text }, index) => `${index + 1}\n${times}\n${text}\n`)
    .join('\n');
}

/** When a caption begins, as `1:02`. */
export function startOf({ times }: Caption): string {
  const [hours, minutes, seconds] = times.split(',', 1)[0]!.split(':').map(Number);
  return `${hours * 60 + minutes}:${String(seconds).padStart(2, '0')}`;
}

export function spanOf({ times }: Caption): { readonly startSeconds: number; readonly endSeconds: number } {
  const [start = 0, end = 0] = times.split('-->').map((time) => {
    const [hours = 0, minutes = 0, seconds = 0] = time.trim().replace(',', '.').split(':').map(Number);
    return 3600 * hours + 60 * minutes + seconds;
  });
  return { startSeconds: start, endSeconds: end };
}
