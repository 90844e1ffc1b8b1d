import type { Transport, TransportState } from './transport.ts';

export interface FilmState extends TransportState {
  readonly hasFailed: boolean;
}

const START: FilmState = {
  isPlaying: false,
  seconds: 0,
  durationSeconds: 0,
  isMuted: false,
  hasFailed: false,
};
/** Into the frame and not onto its edge: players round to either side of it. */
const WITHIN_A_FRAME = 0.5;
/** In frames. Times of frames are rounded to the clock of their file: .01 at 1/1000 s and 30 frames/s. */
const ROUNDING = 0.1;
/**
 * A video that plays for so long without a frame callback is followed by animation frames. WebKit without accelerated rendering
 * has the callback and never calls it; frames of a usual rate arrive within 42 ms.
 */
const CALLBACK_TIMEOUT_MS = 250;

/** One video that plays. */
export class Film implements Transport {
  readonly framesPerSecond: number;
  #video: HTMLVideoElement | null = null;
  #state = START;
  /** The next seek target: a running seek ends first, so that dragging shows pictures. */
  #wanted: number | null = null;
  /** Time of `performance.now()`. */
  #lastCallbackAt = Number.NEGATIVE_INFINITY;
  readonly #listeners = new Set<() => void>();

  constructor(framesPerSecond: number) {
    this.framesPerSecond = framesPerSecond;
  }

  /** The `ref` of the video element. */
  readonly attach = (video: HTMLVideoElement): (() => void) => {
    this.#video = video;
    const { seconds: resumeAt } = this.#state;
    const ended = new AbortController();
    const on = (name: keyof HTMLMediaElementEventMap, act: () => void) =>
      video.addEventListener(name, act, { signal: ended.signal });
    on('play', () => this.#become({ isPlaying: true }));
    on('pause', () => this.#become({ isPlaying: false }));
    on('volumechange', () => this.#become({ isMuted: video.muted }));
    on('durationchange', () =>
      this.#become({ durationSeconds: Number.isFinite(video.duration) ? video.duration : 0 }),
    );
    // Another video of the same output continues at the same time.
    on('loadedmetadata', () => {
      if (resumeAt > 0) this.seek(resumeAt);
    });
    on('error', () => this.#become({ hasFailed: true }));
    on('ended', () => this.#become({ seconds: video.duration }));
    on('seeked', () => {
      if (this.#wanted !== null) this.seek(this.#wanted);
    });
    const stopFrames = this.#followFrames(video, on);
    return () => {
      ended.abort();
      stopFrames();
      this.#video = null;
    };
  };

  /** Follows each new frame: by the video's own callbacks, and by its events and animation frames where those are missing. */
  #followFrames(
    video: HTMLVideoElement,
    on: (name: keyof HTMLMediaElementEventMap, act: () => void) => void,
  ): () => void {
    this.#lastCallbackAt = Number.NEGATIVE_INFINITY;
    let callback: number | undefined;
    let animation = 0;
    const request = () => {
      // Firefox before 132 does not have it.
      callback = video.requestVideoFrameCallback?.((now) => {
        this.#lastCallbackAt = now;
        this.#present(video);
        request();
      });
    };
    const isWithoutCallback = () => performance.now() - this.#lastCallbackAt > CALLBACK_TIMEOUT_MS;
    const animate = () => {
      if (isWithoutCallback()) this.#present(video);
      animation = requestAnimationFrame(animate);
    };
    const stopAnimation = () => cancelAnimationFrame(animation);
    request();
    on('loadeddata', () => this.#present(video));
    on('seeked', () => this.#present(video));
    on('play', () => {
      stopAnimation();
      animate();
    });
    on('pause', () => {
      stopAnimation();
      // The picture may be a frame or two from the clock: a seek brings both together.
      if (!video.ended && !video.seeking) this.seek(this.#middleOfFrame(video.currentTime, 0));
    });
    return () => {
      stopAnimation();
      if (callback !== undefined) video.cancelVideoFrameCallback(callback);
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): FilmState => this.#state;

  toggle(): void {
    if (this.#video?.paused === true) void this.#video.play().catch(() => {});
    else this.#video?.pause();
  }

  pause(): void {
    this.#video?.pause();
  }

  toggleSound(): void {
    if (this.#video !== null) this.#video.muted = !this.#video.muted;
  }

  seek(seconds: number): void {
    const video = this.#video;
    if (video === null) return;
    const at = Math.min(Math.max(0, seconds), this.#state.durationSeconds);
    // The control follows the hand at once, the picture later.
    this.#become({ seconds: at });
    this.#wanted = video.seeking ? at : null;
    if (!video.seeking) video.currentTime = at;
  }

  /** Moves by frames, back if negative; stops playing. */
  step(frames: number): void {
    this.#video?.pause();
    this.seek(this.#middleOfFrame(this.#state.seconds, frames));
  }

  /**
   * Middle of the frame that is `frames` after the one at `seconds`. At the end of the video that is the last
   * frame.
   */
  #middleOfFrame(seconds: number, frames: number): number {
    const last = Math.ceil(this.#state.durationSeconds * this.framesPerSecond - ROUNDING) - 1;
    const shown = Math.min(last, Math.floor(seconds * this.framesPerSecond + ROUNDING));
    return (Math.max(0, shown + frames) + WITHIN_A_FRAME) / this.framesPerSecond;
  }

  /** The time is the video's own clock: WebKit reports `mediaTime` two frames late where frames are reordered. */
  #present(video: HTMLVideoElement): void {
    // A running seek has set its target time.
    if (!video.seeking) this.#become({ seconds: video.currentTime });
  }

  #become(changes: Partial<FilmState>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) listener();
  }
}
