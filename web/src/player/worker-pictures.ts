import { FrameSchedule } from '../../../src/render/timeline/frame-schedule.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import type { Picture } from './picture.ts';
import type { PictureSource } from './picture-source.ts';
import type { PlayedFiles } from './playback-plan.ts';
import { type Scene, sceneOf } from './scene.ts';

/** Frames that have to be there before playing begins or continues. */
const READY_FRAMES = 8;

/** Pictures from the decoder in a worker. */
export class WorkerPictures implements PictureSource {
  readonly #worker: Worker;
  readonly #asImages: boolean;
  readonly #onFailure: (reason: string) => void;
  #files: PlayedFiles | null = null;
  #schedule: FrameSchedule | null = null;
  #run = 0;
  /** Last picture of each clip in this run. */
  #pictures = new Map<number, Picture | null>();
  #output: Picture | null = null;
  readonly #scenes = new Map<number, Scene>();
  #waiting: { readonly isReady: () => boolean; readonly resolve: () => void } | null = null;

  constructor(worker: Worker, asImages: boolean, onFailure: (reason: string) => void) {
    this.#worker = worker;
    this.#asImages = asImages;
    this.#onFailure = onFailure;
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => this.#receive(data));
    worker.addEventListener('error', ({ message }) => onFailure(message));
  }

  setFiles(files: PlayedFiles): void {
    this.#begin();
    this.#files = files;
    this.#schedule = new FrameSchedule(files.timeline);
    this.#post({ type: 'files', files, asImages: this.#asImages });
  }

  replaceFiles(files: PlayedFiles): void {
    this.#files = files;
    this.#post({ type: 'arrived', files });
  }

  async show(number: number): Promise<Scene | null> {
    const run = this.#begin();
    this.#post({ type: 'show', run, number });
    await this.#until(() => this.#scenes.has(number) || run !== this.#run);
    return run === this.#run ? (this.#scenes.get(number) ?? null) : null;
  }

  async play(number: number): Promise<void> {
    const run = this.#begin();
    this.#post({ type: 'play', run, number });
    const last = Math.min(number + READY_FRAMES, this.#schedule!.frameCount) - 1;
    await this.#until(() => this.#scenes.has(last) || run !== this.#run);
  }

  take(number: number): Scene | null {
    let newest: Scene | null = null;
    for (const [at, scene] of this.#scenes) {
      if (at > number) continue;
      this.#scenes.delete(at);
      if (newest === null || at > newest.number) newest = scene;
    }
    if (newest !== null) this.#post({ type: 'shown', run: this.#run, number: newest.number });
    return newest;
  }

  isAhead(number: number): boolean {
    const last = Math.min(number + READY_FRAMES, this.#schedule!.frameCount) - 1;
    return this.#scenes.has(last);
  }

  stop(): void {
    this.#begin();
    this.#post({ type: 'stop' });
  }

  close(): void {
    this.#worker.terminate();
  }

  #begin(): number {
    this.#run++;
    this.#scenes.clear();
    this.#pictures = new Map();
    this.#output = null;
    this.#waiting?.resolve();
    return this.#run;
  }

  #until(isReady: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = { isReady, resolve };
    });
  }

  #receive(message: FromWorker): void {
    if (message.type === 'failed') this.#onFailure(message.reason);
    if (message.type !== 'frame' || message.run !== this.#run) return;
    for (const { clipIndex, picture } of message.pictures)
      if (picture !== 'same') this.#pictures.set(clipIndex, picture ?? this.#pictures.get(clipIndex) ?? null);
    const { number, output } = message;
    // Instead of a missing frame the previous one is shown.
    if (output != null) this.#output = output;
    const scene = sceneOf(
      this.#files!.timeline,
      this.#schedule!,
      number,
      (clipIndex) => this.#pictures.get(clipIndex) ?? null,
      output === undefined ? undefined : this.#output,
    );
    this.#scenes.set(number, scene);
    if (this.#waiting?.isReady() === true) this.#waiting.resolve();
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }
}
