import type { Picture } from './picture.ts';

/** Largest change of the rate: a drift of .1 s is gone after a second. */
const MAX_CORRECTION = 0.1;
/** A smaller drift is left: half a frame at 30 frames/s. */
const MIN_DRIFT_SECONDS = 0.017;
/** Rates are multiples of it: each change can make a browser drop a frame. */
const RATE_STEP = 0.02;

/** Without a new frame for so long, the picture waits for data. */
const MAX_FRAME_MS = 250;

/** Longest wait for the frame of a seek; Chromium needs some 10 ms. Hidden pages report no frame. */
const MAX_PAINT_MS = 100;

/** A muted video element that is kept in time with a clock by its rate. */
export class PacedElement {
  readonly video = document.createElement('video');
  /** Time of the frame on screen, and when it was shown by `performance.now()`; null: no frame since the last seek, or no such callbacks. */
  #shown: { readonly mediaSeconds: number; readonly atMs: number } | null = null;

  constructor(address: string, onFailure: (reason: string) => void) {
    const { video } = this;
    Object.assign(video, { muted: true, playsInline: true, preload: 'auto', src: address });
    video.addEventListener('error', () => {
      if (video.hasAttribute('src')) onFailure(video.error?.message ?? 'The file cannot be played');
    });
    video.addEventListener('seeking', () => {
      this.#shown = null;
    });
    this.#followFrames();
  }

  get hasPicture(): boolean {
    return this.video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA;
  }

  /** Position of the picture: by the last frame that was shown, or of the element. */
  get seconds(): number {
    const { currentTime, paused, playbackRate } = this.video;
    const elapsedMs = performance.now() - (this.#shown?.atMs ?? 0);
    if (this.#shown === null || paused || elapsedMs > MAX_FRAME_MS) return currentTime;
    return this.#shown.mediaSeconds + (elapsedMs / 1000) * playbackRate;
  }

  /** Plays at `rate`, faster or slower by as much as the picture is behind: `driftSeconds`. */
  pace(rate: number, driftSeconds: number): void {
    const wanted = Math.abs(driftSeconds) < MIN_DRIFT_SECONDS ? 0 : driftSeconds;
    const limited = Math.min(MAX_CORRECTION, Math.max(-MAX_CORRECTION, wanted));
    const corrected = rate * (1 + RATE_STEP * Math.round(limited / RATE_STEP));
    if (this.video.playbackRate !== corrected) this.video.playbackRate = corrected;
  }

  /** Null: there is none yet. `isCopied`: it stays as it is, whatever the element does later. */
  picture(isCopied: boolean): Picture | null {
    const { video } = this;
    const { videoWidth: width, videoHeight: height } = video;
    if (!this.hasPicture || width === 0) return null;
    return { kind: 'image', width, height, image: isCopied ? copyOf(video) : video };
  }

  /** Waits until the frame of the last seek can be drawn: after `seeked` an element may still show the one before. */
  async painted(): Promise<void> {
    const { video } = this;
    if (this.#shown !== null || video.requestVideoFrameCallback === undefined) return;
    await new Promise<void>((resolve) => {
      video.requestVideoFrameCallback(() => resolve());
      setTimeout(resolve, MAX_PAINT_MS);
    });
  }

  close(): void {
    this.video.removeAttribute('src');
  }

  #followFrames(): void {
    // Firefox before 132 does not have it.
    this.video.requestVideoFrameCallback?.((now, { mediaTime }) => {
      this.#shown = { mediaSeconds: mediaTime, atMs: now };
      this.#followFrames();
    });
  }
}

function copyOf(video: HTMLVideoElement): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: video.videoWidth, height: video.videoHeight });
  canvas.getContext('2d', { alpha: false })!.drawImage(video, 0, 0);
  return canvas;
}
