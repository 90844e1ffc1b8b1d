/** State of an upload. */
export interface UploadProgress {
  /** `waiting`: for a connection; continues when there is one. */
  readonly state: 'uploading' | 'paused' | 'waiting' | 'finished';
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** Over the last seconds; null until it is known. */
  readonly bytesPerSecond: number | null;
  readonly secondsLeft: number | null;
}

const WINDOW_MS = 5000;

/** The speed of the last seconds, from when how much had been sent. */
export class UploadSpeed {
  #samples: { readonly atMs: number; readonly bytes: number }[] = [];

  add(bytes: number, atMs: number): void {
    this.#samples.push({ atMs, bytes });
    // The last older one stays, so that the window covers its whole time.
    while (this.#samples.length > 2 && this.#samples[1].atMs < atMs - WINDOW_MS) this.#samples.shift();
  }

  /** After a pause: earlier values do not predict the speed. */
  clear(): void {
    this.#samples = [];
  }

  get bytesPerSecond(): number | null {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.atMs <= first.atMs) return null;
    return ((last.bytes - first.bytes) * 1000) / (last.atMs - first.atMs);
  }
}
