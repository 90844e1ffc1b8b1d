/** State of the playback of a result, for its controls and the lists of its moments. */

export interface TransportState {
  readonly isPlaying: boolean;
  /** Time of the shown frame. */
  readonly seconds: number;
  /** 0 until it is known. */
  readonly durationSeconds: number;
  readonly isMuted: boolean;
}

export interface Transport {
  readonly framesPerSecond: number;
  /** The same object until something changes. */
  readonly state: () => TransportState;
  readonly subscribe: (listener: () => void) => () => void;
  toggle(): void;
  pause(): void;
  toggleSound(): void;
  seek(seconds: number): void;
  /** Steps forwards, or backwards if negative; pauses. */
  step(frames: number): void;
}

/** The one transport that plays now. Another one continues where it was. */
export class CurrentTransport implements Transport {
  #current: Transport;
  readonly #listeners = new Set<() => void>();
  #stop: () => void;

  constructor(first: Transport) {
    this.#current = first;
    this.#stop = first.subscribe(this.#notify);
  }

  get framesPerSecond(): number {
    return this.#current.framesPerSecond;
  }

  readonly #notify = (): void => {
    for (const listener of this.#listeners) listener();
  };

  readonly state = (): TransportState => this.#current.state();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Continues with another one: at the same frame, playing or paused, with or without sound. */
  use(next: Transport): void {
    if (next === this.#current) return;
    const { seconds, isPlaying, isMuted } = this.#current.state();
    this.#current.pause();
    this.#stop();
    this.#current = next;
    this.#stop = next.subscribe(this.#notify);
    next.seek(seconds);
    if (next.state().isMuted !== isMuted) next.toggleSound();
    if (isPlaying) next.toggle();
    this.#notify();
  }

  toggle(): void {
    this.#current.toggle();
  }

  pause(): void {
    this.#current.pause();
  }

  toggleSound(): void {
    this.#current.toggleSound();
  }

  seek(seconds: number): void {
    this.#current.seek(seconds);
  }

  step(frames: number): void {
    this.#current.step(frames);
  }
}
