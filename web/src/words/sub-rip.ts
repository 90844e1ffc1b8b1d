/** Captions as the service writes them (SubRip): a number, a line of times, the text, an empty line. */

export interface Caption {
  /** In the file's format: `00:00:01,000 --> 00:00:04,000`. */
  readonly times: string;
  readonly text: string;
}

export function captionsOf(file: string): Caption[] {
  return file
    .split(/\n{2,}/)
    .map((block) => block.trim().split('\n'))
    .flatMap(([, times, ...lines]) => (times === undefined ? [] : [{ times, text: lines.join(' ') }]));
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
