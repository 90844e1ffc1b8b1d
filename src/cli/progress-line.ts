import type { WriteStream } from 'node:tty';
import { TimeLeft, timeText } from './time-left.ts';

const REDRAW_MS = 100;
/** A wider bar shows no more detail. */
const MAX_BAR = 40;
const MIN_BAR = 8;
/** Width of a terminal that reports none, or 0. */
const COMMON_COLUMNS = 80;
/** Interval of progress lines without a terminal; shorter work prints none. */
const FIRST_LINE_MS = 5000;
const LINE_MS = 15_000;

/** A terminal, a file or a pipe. */
export type ProgressStream = Pick<WriteStream, 'write'> & {
  readonly isTTY?: boolean;
  readonly columns?: number;
};

/** Progress and remaining time: one line of a terminal, redrawn in place; otherwise a line every few seconds. */
export class ProgressLine {
  readonly #stream: ProgressStream;
  #label: string;
  readonly #left = new TimeLeft();
  readonly #startedAt = performance.now();
  #drawnAt = 0;

  constructor(label: string, stream: ProgressStream = process.stderr) {
    this.#label = label;
    this.#stream = stream;
    if (stream.isTTY === true) this.#draw(0, performance.now());
  }

  readonly update = (fraction: number, label: string = this.#label): void => {
    const now = performance.now();
    this.#label = label;
    this.#left.update(fraction, now);
    if (this.#stream.isTTY === true) {
      if (now - this.#drawnAt >= REDRAW_MS) this.#draw(fraction, now);
    } else if (now - Math.max(this.#startedAt + FIRST_LINE_MS - LINE_MS, this.#drawnAt) >= LINE_MS) {
      this.#drawnAt = now;
      this.#stream.write(`${plainText(label, fraction, this.#left.seconds(now))}\n`);
    }
  };

  /** Clears the line of a terminal. */
  end(): void {
    if (this.#stream.isTTY === true) this.#stream.write('\r\x1b[2K');
  }

  #draw(fraction: number, now: number): void {
    this.#drawnAt = now;
    const text = progressText(this.#label, fraction, this.#left.seconds(now), this.#stream.columns);
    this.#stream.write(`\r\x1b[2K${text}`);
  }
}

/**
 * `label ████░░░░  45 %  12 s left` in less than `columns`. The bar shrinks first, then the label; a line never wraps.
 */
export function progressText(
  label: string,
  fraction: number,
  secondsLeft: number | null,
  columns: number | undefined = COMMON_COLUMNS,
): string {
  const share = Math.min(1, Math.max(0, fraction));
  const percent = `${Math.floor(share * 100)} %`.padStart(6);
  const left = secondsLeft === null ? '' : `  ${timeText(secondsLeft)} left`;
  const room = (columns || COMMON_COLUMNS) - 1;
  // Reserves the longest possible time, so that the bar keeps its width.
  const width = Math.min(MAX_BAR, room - label.length - percent.length - 2 - '  59 min 59 s left'.length);
  if (width >= MIN_BAR) {
    const full = Math.round(share * width);
    return `${label} ${'█'.repeat(full)}${'░'.repeat(width - full)}${percent}${left}`;
  }
  const whole = `${label}${percent}${left}`;
  return whole.length <= room ? whole : `${percent.trim()}${left}`.slice(0, Math.max(0, room));
}

function plainText(label: string, fraction: number, secondsLeft: number | null): string {
  const left = secondsLeft === null ? '' : `, about ${timeText(secondsLeft)} left`;
  return `${label}: ${Math.floor(fraction * 100)} %${left}`;
}
