/** Captions of SubRip and WebVTT as the page shows them, and SubRip as it writes them. */

export interface Caption {
  /** In the file's format: `00:00:01,000 --> 00:00:04,000`. */
  readonly times: string;
  readonly text: string;
}

/** Blocks without times, such as notes and styles of WebVTT, are left out. */
export function captionsOf(file: string): Caption[] {
  return file
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map((block) => block.trim().split('\n'))
    .flatMap((lines) => {
      const at = lines.findIndex((line) => line.includes('-->'));
      const times = at === -1 ? null : subRipTimes(lines[at]!);
      return times === null ? [] : [{ times, text: lines.slice(at + 1).join(' ') }];
    });
}

/** WebVTT may leave out hours, has a point before milliseconds, and settings after the times. Null: not two times. */
function subRipTimes(line: string): string | null {
  const times = [...line.matchAll(/(?:(\d+):)?(\d\d):(\d\d)[.,](\d{3})/g)];
  if (times.length < 2) return null;
  return times
    .slice(0, 2)
    .map(
      ([, hours = '0', minutes, seconds, milliseconds]) =>
        `${hours.padStart(2, '0')}:${minutes}:${seconds},${milliseconds}`,
    )
    .join(' --> ');
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
