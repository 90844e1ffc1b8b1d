import type { EditPlayer } from '../../player/create-player.ts';
import type { Transport, TransportState } from './transport.ts';

/** In frames: times of moments are rounded to milliseconds. */
const ROUNDING = 0.1;

/** A player of before and after as a transport. */
export class PlayerTransport implements Transport {
  readonly #player: EditPlayer;
  #isMuted = false;
  #state: TransportState;
  readonly #listeners = new Set<() => void>();

  constructor(player: EditPlayer) {
    this.#player = player;
    this.#state = this.#read();
    player.on(() => this.#notify());
  }

  get framesPerSecond(): number {
    return this.#player.state.framesPerSecond;
  }

  readonly state = (): TransportState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  toggle(): void {
    this.#player.toggle();
  }

  pause(): void {
    this.#player.pause();
  }

  toggleSound(): void {
    this.#isMuted = !this.#isMuted;
    this.#player.setVolume(this.#isMuted ? 0 : 1);
    this.#notify();
  }

  seek(seconds: number): void {
    void this.#player.seekFrame(Math.floor(seconds * this.framesPerSecond + ROUNDING));
  }

  step(frames: number): void {
    void this.#player.step(frames);
  }

  #notify(): void {
    this.#state = this.#read();
    for (const listener of this.#listeners) listener();
  }

  /** The time is within the frame, as that of a video which was stepped. */
  #read(): TransportState {
    const { isPlaying, frame, frameCount, framesPerSecond } = this.#player.state;
    const seconds = frame === 0 ? 0 : (frame + 0.5) / framesPerSecond;
    return { isPlaying, seconds, durationSeconds: frameCount / framesPerSecond, isMuted: this.#isMuted };
  }
}
