import type { WriteStream } from 'node:tty';

const WIDTH = 28;
const REDRAW_MS = 100;
/** Before this much is done, the time left is a guess not worth showing. */
const MIN_FRACTION = 0.03;

/** One line of progress and time left, redrawn in place; silent where nobody watches. */
export class ProgressLine {
  readonly #stream: WriteStream;
  readonly #label: string;
  readonly #startedAt = performance.now();
  #drawnAt = 0;

  constructor(label: string, stream: WriteStream = process.stderr) {
    this.#label = label;
    this.#stream = stream;
  }

  readonly update = (fraction: number): void => {
    if (!this.#stream.isTTY || performance.now() - this.#drawnAt < REDRAW_MS) return;
    this.#drawnAt = performance.now();
    this.#stream.write(`\r\x1b[2K${progressText(this.#label, fraction, this.#drawnAt - this.#startedAt)}`);
  };

  /** Clears the line. */
  end(): void {
    if (this.#stream.isTTY) this.#stream.write('\r\x1b[2K');
  }
}

/** `label ████░░░░ 45 %  12 s left`. */
export function progressText(label: string, fraction: number, elapsedMs: number): string {
  const full = Math.round(Math.min(1, Math.max(0, fraction)) * WIDTH);
  const bar = '█'.repeat(full) + '░'.repeat(WIDTH - full);
  const left =
    fraction < MIN_FRACTION ? '' : `  ${timeText(((elapsedMs / fraction) * (1 - fraction)) / 1000)} left`;
  return `${label} ${bar} ${Math.floor(fraction * 100)
    .toString()
    .padStart(3)} %${left}`;
}

export function timeText(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
