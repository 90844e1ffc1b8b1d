import type { Clock } from './clock.ts';
import { type FromWorker, SAMPLE_RATE, type ToWorker } from './messages.ts';
import type { PlayedFiles } from './playback-plan.ts';

/** The first block is short, so that playing begins at once. */
const FIRST_SECONDS = 0.25;
const BLOCK_SECONDS = 1;
/** Sound is scheduled this long ahead. */
const AHEAD_SECONDS = 2.5;
/** The picture plays without sound that takes longer than this. */
const TIMEOUT_MS = 1500;

/** Requests blocks of mixed sound and hands them to the clock's device. */
export class SoundFeed {
  readonly #worker: Worker;
  readonly #clock: Clock;
  #run = 0;
  /** Position of the next block, in samples. */
  #next = 0;
  #end = 0;
  #isWaiting = false;
  #first: ((isThere: boolean) => void) | null = null;
  /** Blocks that arrived before the clock was started. */
  #early: (FromWorker & { readonly type: 'sound' })[] = [];
  #isStarted = false;
  #gain = 1;

  constructor(worker: Worker, clock: Clock) {
    this.#worker = worker;
    this.#clock = clock;
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
      if (data.type === 'sound' && data.run === this.#run) this.#receive(data);
    });
  }

  /** `gainDb`: of the whole sound. */
  setFiles(files: PlayedFiles, durationSeconds: number, gainDb: number): void {
    this.stop();
    this.#end = files.timeline.audio === null ? 0 : Math.round(durationSeconds * SAMPLE_RATE);
    this.#gain = 10 ** (gainDb / 20);
    this.#post({ type: 'files', files, asImages: false });
  }

  /** Other files of the same timeline: the next block is mixed of them. */
  replaceFiles(files: PlayedFiles): void {
    this.#post({ type: 'arrived', files });
  }

  /** Resolves when the first block has arrived, or is too late. */
  async prepare(seconds: number): Promise<void> {
    this.#run++;
    this.#next = Math.round(seconds * SAMPLE_RATE);
    this.#early = [];
    this.#isStarted = false;
    this.#isWaiting = false;
    const first = new Promise<boolean>((resolve) => {
      this.#first = resolve;
    });
    if (!this.#request(FIRST_SECONDS)) return;
    await Promise.race([first, new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS))]);
  }

  /** Plays the prepared sound: the clock has been started. */
  start(): void {
    this.#isStarted = true;
    for (const block of this.#early.splice(0)) this.#schedule(block);
  }

  /** Requests the next block if it is time. */
  refill(seconds: number): void {
    if (this.#isStarted && this.#next < (seconds + AHEAD_SECONDS) * SAMPLE_RATE) this.#request(BLOCK_SECONDS);
  }

  stop(): void {
    this.#run++;
    this.#isStarted = false;
  }

  /** False: there is none, or one is pending. */
  #request(seconds: number): boolean {
    const count = Math.min(Math.round(seconds * SAMPLE_RATE), this.#end - this.#next);
    if (count <= 0 || this.#isWaiting) return false;
    this.#isWaiting = true;
    this.#post({ type: 'sound', run: this.#run, from: this.#next, count });
    this.#next += count;
    return true;
  }

  #receive(block: FromWorker & { readonly type: 'sound' }): void {
    this.#isWaiting = false;
    this.#first?.(true);
    if (this.#isStarted) this.#schedule(block);
    else this.#early.push(block);
  }

  #schedule({ from, left, right }: FromWorker & { readonly type: 'sound' }): void {
    for (const channel of [left, right])
      for (let at = 0; at < channel.length; at++) channel[at]! *= this.#gain;
    this.#clock.schedule(from / SAMPLE_RATE, left, right);
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }
}
