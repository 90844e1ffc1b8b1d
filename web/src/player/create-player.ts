import { CanvasPainter } from './canvas-painter.ts';
import { Clock } from './clock.ts';
import type { SoundSide } from './compared-sound.ts';
import { Cubes } from './cubes.ts';
import { ElementPictures } from './element-pictures.ts';
import { GlPainter } from './gl-painter.ts';
import { Playback, type PlayerState } from './playback.ts';
import { type PlaybackPlan, type ProxyOf, playedFiles } from './playback-plan.ts';
import { SoundFeed } from './sound-feed.ts';
import type { View } from './stage.ts';
import { WorkerPictures } from './worker-pictures.ts';

export interface PlayerOptions {
  readonly plan: PlaybackPlan;
  readonly proxyOf: ProxyOf;
  /** Called when the browser cannot play a file: stills are shown instead. */
  readonly onFailure?: (reason: string) => void;
  /** `elements`: video elements even where workers can decode; `canvas`: no WebGL. For tests of the fallbacks. */
  readonly force?: { readonly pictures?: 'elements'; readonly painter?: 'canvas' };
}

/** Plays an edit before it is rendered. */
export interface EditPlayer {
  readonly state: PlayerState;
  /** Resolves when the grades and typefaces of the plan are there: until then pictures are shown without them. */
  ready(): Promise<void>;
  play(): Promise<void>;
  pause(): void;
  /** Plays or pauses. */
  toggle(): void;
  seek(seconds: number): Promise<void>;
  seekFrame(number: number): Promise<void>;
  step(frames: number): Promise<void>;
  setView(view: View): void;
  /** The line between before and after: 0..1 from the left. */
  setLine(line: number): void;
  /** Share of the planned grades, while a slider moves. */
  setStrengthMix(share: number): void;
  /** Next to a rendered output: whose sound is heard. */
  setSound(side: SoundSide): void;
  /** 0..1. */
  setVolume(volume: number): void;
  /** `strengthMix`: share of its grades; default: unchanged. */
  setPlan(plan: PlaybackPlan, proxyOf: ProxyOf, strengthMix?: number): void;
  /** Frames that were shown since playing began, and how many of them late or never. */
  lateness(): { readonly shown: number; readonly late: number };
  /** Calls `listener` at each change of the state; returns how to stop it. */
  on(listener: (state: PlayerState) => void): () => void;
  dispose(): void;
}

export function createPlayer(canvas: HTMLCanvasElement, options: PlayerOptions): EditPlayer {
  const { plan, proxyOf, onFailure = () => {}, force = {} } = options;
  let playback: Playback | null = null;
  const painter =
    (force.painter === 'canvas' ? null : GlPainter.open(canvas, () => playback?.redraw())) ??
    new CanvasPainter(canvas);
  const worker = newWorker();
  const clock = new Clock();
  const hasDecoder = typeof VideoDecoder !== 'undefined' && force.pictures !== 'elements';
  // A video element often plays files that a decoder cannot read: a storage may send them without permission for scripts.
  let hasReplaced = false;
  const onDecoderFailure = () => {
    if (!hasReplaced) playback?.replacePictures(new ElementPictures(onFailure));
    hasReplaced = true;
  };
  const pictures = hasDecoder
    ? new WorkerPictures(newWorker(), painter instanceof CanvasPainter, onDecoderFailure)
    : new ElementPictures(onFailure);
  const made = new Playback({
    canvas,
    painter,
    pictures,
    clock,
    sound: new SoundFeed(worker, clock),
    cubes: new Cubes(worker),
    onFailure,
  });
  playback = made;
  made.setPlan(plan, playedFiles(plan, proxyOf));
  return {
    get state() {
      return made.state;
    },
    ready: () => made.ready(),
    play: () => made.play(),
    pause: () => made.pause(),
    toggle: () => (made.state.isPlaying ? made.pause() : void made.play()),
    seek: (seconds) => made.seek(seconds),
    seekFrame: (number) => made.seekFrame(number),
    step: (frames) => made.step(frames),
    setView: (view) => made.setView(view),
    setLine: (line) => made.setLine(line),
    setStrengthMix: (share) => made.setStrengthMix(share),
    setSound: (side) => made.setSound(side),
    setVolume: (volume) => {
      made.volume = volume;
    },
    setPlan: (next, nextProxyOf, strengthMix) =>
      made.setPlan(next, playedFiles(next, nextProxyOf), strengthMix),
    lateness: () => ({ shown: made.lateness.shown, late: made.lateness.late }),
    on: (listener) => made.on(listener),
    dispose: () => {
      made.close();
      worker.terminate();
    },
  };
}

function newWorker(): Worker {
  return new Worker(new URL('./player-worker.ts', import.meta.url), { type: 'module', name: 'player' });
}
