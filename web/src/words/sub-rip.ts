/** Captions of SubRip and WebVTT as the page shows them, and SubRip as it writes them. */
import { blocksOf, formatOf, timingOf } from '../../../src/style/captions/timing-lines.ts';

export interface Caption {
  /** In the file's format: `00:00:01,000 --> 00:00:04,000`. */
  readonly times: string;
  readonly text: string;
}

/** As the service reads them: numbers, hours, milliseconds and blank lines are optional, and notes and styles are left out. */
export function captionsOf(file: string): Caption[] {
  const lines = file.split(/\r\n|\r|\n/);
  return blocksOf(lines, formatOf(lines[0]!)).flatMap(({ timingLine, textEnd }) => {
    const found = timingOf(lines[timingLine]!);
    if (found === null) return [];
    const text = lines
      .slice(timingLine + 1, textEnd)
      .join(' ')
      .replace(/\s+/g, ' ')
      .trim();
    return [{ times: `${stampOf(found.slice(1, 6))} --> ${stampOf(found.slice(6, 11))}`, text }];
  });
}

/** A time before zero is zero. */
function stampOf([sign, hours = '0', minutes, seconds, fraction = '']: readonly string[]): string {
  if (sign === '-') return '00:00:00,000';
  const whole = [hours, minutes, seconds].map((part) => part!.padStart(2, '0')).join(':');
  return `${whole},${fraction.padEnd(3, '0').slice(0, 3)}`;
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
  const [hours, minutes, seconds] = times.slice(0, 8).split(':').map(Number);
  return `${hours * 60 + minutes}:${String(seconds).padStart(2, '0')}`;
}

export function spanOf({ times }: Caption): { readonly startSeconds: number; readonly endSeconds: number } {
  const [start = 0, end = 0] = times.split('-->').map((time) => {
    const [hours = 0, minutes = 0, seconds = 0] = time.trim().replace(',', '.').split(':').map(Number);
    return 3600 * hours + 60 * minutes + seconds;
  });
  return { startSeconds: start, endSeconds: end };
}
