/** What plays: one video, drawn frame by frame by whoever shows it. */

export interface FilmState {
  readonly isPlaying: boolean;
  /** Of the frame that is shown. */
  readonly seconds: number;
  /** 0 until it is known. */
  readonly durationSeconds: number;
  readonly isMuted: boolean;
  readonly hasFailed: boolean;
}

type Painter = (video: HTMLVideoElement) => void;

const START: FilmState = {
  isPlaying: false,
  seconds: 0,
  durationSeconds: 0,
  isMuted: false,
  hasFailed: false,
};
/** Into the frame and not onto its edge: players round to either side of it. */
const WITHIN_A_FRAME = 0.5;

export class Film {
  readonly framesPerSecond: number;
  #video: HTMLVideoElement | null = null;
  #state = START;
  /** Where to go next: a search that is under way ends first, so that dragging shows pictures. */
  #wanted: number | null = null;
  readonly #painters = new Set<Painter>();
  readonly #listeners = new Set<() => void>();

  constructor(framesPerSecond: number) {
    this.framesPerSecond = framesPerSecond;
  }

  /** As `ref` of a video element. */
  readonly attach = (video: HTMLVideoElement): (() => void) => {
    this.#video = video;
    const ended = new AbortController();
    const on = (name: keyof HTMLMediaElementEventMap, act: () => void) =>
      video.addEventListener(name, act, { signal: ended.signal });
    on('play', () => this.#become({ isPlaying: true }));
    on('pause', () => this.#become({ isPlaying: false }));
    on('volumechange', () => this.#become({ isMuted: video.muted }));
    on('durationchange', () =>
      this.#become({ durationSeconds: Number.isFinite(video.duration) ? video.duration : 0 }),
    );
    on('error', () => this.#become({ hasFailed: true }));
    on('ended', () => this.#become({ seconds: video.duration }));
    on('seeked', () => {
      if (this.#wanted !== null) this.seek(this.#wanted);
    });
    let frame = video.requestVideoFrameCallback(function drawn(this: void, _now, { mediaTime }) {
      shown(mediaTime);
      frame = video.requestVideoFrameCallback(drawn);
    });
    const shown = (mediaTime: number) => {
      this.#paint();
      this.#become({ seconds: mediaTime });
    };
    return () => {
      ended.abort();
      video.cancelVideoFrameCallback(frame);
      this.#video = null;
    };
  };

  /** Called at once, if there is a frame, and for each frame from then on. */
  addPainter(painter: Painter): () => void {
    this.#painters.add(painter);
    if (this.#video !== null && this.#video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA)
      painter(this.#video);
    return () => this.#painters.delete(painter);
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

  toggleSound(): void {
    if (this.#video !== null) this.#video.muted = !this.#video.muted;
  }

  seek(seconds: number): void {
    const video = this.#video;
    if (video === null) return;
    const at = Math.min(Math.max(0, seconds), this.#state.durationSeconds);
    // The control follows the hand, whenever the picture comes.
    this.#become({ seconds: at });
    this.#wanted = video.seeking ? at : null;
    if (!video.seeking) video.currentTime = at;
  }

  /** So many frames on, or back; stops playing. */
  step(frames: number): void {
    this.#video?.pause();
    const frame = Math.round(this.#state.seconds * this.framesPerSecond) + frames;
    this.seek((Math.max(0, frame) + WITHIN_A_FRAME) / this.framesPerSecond);
  }

  #paint(): void {
    if (this.#video !== null) for (const painter of this.#painters) painter(this.#video);
  }

  #become(changes: Partial<FilmState>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) listener();
  }
}
