/** Separates the timing lines of a caption file from its text: pure functions, which the page shares. */

export type CaptionFormat = 'srt' | 'vtt';

const STAMP = String.raw`(-?)(?:(\d{1,6}):)?(\d{1,2}):(\d{1,2})(?:[.,:](\d{1,9}))?`;
const TIMING = new RegExp(String.raw`^\s*${STAMP}\s*-->\s*${STAMP}(?:\s.*)?$`);
/** Two stamps and something like an arrow between them. */
const STAMP_LIKE = String.raw`-?\d{1,6}(?:\s?[:.,;]\s?[\dOo]{1,9}){1,3}`;
const TIMING_LIKE = new RegExp(
  String.raw`^\s*${STAMP_LIKE}\s*(?:[-–—=~]{1,4}\s?>{0,2}|>{1,3}|→|,)\s*${STAMP_LIKE}(?:\s.*)?$`,
);
/** Shortest and longest timing lines: `0:1>0:2`. */
const LONGEST_LINE = 1000;
const SHORTEST_LINE = 7;

/** The format of a file with this first line. */
export function formatOf(firstLine: string): CaptionFormat {
  return /^WEBVTT(?:[ \t]|$)/.test(firstLine) ? 'vtt' : 'srt';
}

/** Signs, hours, minutes, seconds and fractions of both stamps; null: the line is no timing. */
export function timingOf(line: string): RegExpExecArray | null {
  return line.length > LONGEST_LINE ? null : TIMING.exec(line);
}

/**
 * The numbers of all timing lines, including broken ones: dialogue may contain an arrow, and a timing may have
 * another one than `-->`.
 */
function timingLines(lines: readonly string[], format: CaptionFormat): number[] {
  const found: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.length < SHORTEST_LINE && !line.includes('-->')) continue;
    if (timingOf(line) !== null || isBrokenTiming(lines, index, format)) found.push(index);
  }
  return found;
}

function isBrokenTiming(lines: readonly string[], index: number, format: CaptionFormat): boolean {
  const line = lines[index];
  const hasArrow = line.includes('-->');
  const isLike = line.length <= LONGEST_LINE && TIMING_LIKE.test(line);
  if (!hasArrow && !isLike) return false;
  const isBlank = (at: number) => (lines[at] ?? '').trim() === '';
  const before = lines[index - 1] ?? '';
  const isNumber = /^\s*\d+\s*$/.test(before);
  // After the number or name at the start of a cue.
  if (
    !isBlank(index - 1) &&
    isBlank(index - 2) &&
    timingOf(before) === null &&
    (isNumber || format === 'vtt')
  )
    return true;
  return isBlank(index - 1) ? isLike || format === 'vtt' : isLike && (hasArrow || isNumber);
}

export interface Block {
  readonly timingLine: number;
  /** End of its text, exclusive. */
  readonly textEnd: number;
}

/**
 * Divides the lines at the timing lines. A blank line ends a cue in WebVTT; SubRip texts may contain some, and
 * the number above the next timing line is not text.
 */
export function blocksOf(lines: readonly string[], format: CaptionFormat): Block[] {
  const timings = timingLines(lines, format);
  return timings.map((timingLine, index) => {
    const next = timings[index + 1] ?? lines.length;
    if (format === 'srt') return { timingLine, textEnd: endBeforeNumber(lines, next) };
    let textEnd = timingLine + 1;
    while (textEnd < next && lines[textEnd].trim() !== '') textEnd++;
    return { timingLine, textEnd };
  });
}

/** End of a text without the number of the cue that follows at `next`. */
function endBeforeNumber(lines: readonly string[], next: number): number {
  let last = next - 1;
  if (next === lines.length) while (last > 0 && lines[last].trim() === '') last--;
  const isNumber = /^\s*\d+\s*$/.test(lines[last]) && (next < lines.length || lines[last - 1]?.trim() === '');
  return isNumber ? last : next;
}
