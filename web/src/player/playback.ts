import { framesPerSecond } from '../../../src/domain/time.ts';
import { FrameSchedule } from '../../../src/render/timeline/frame-schedule.ts';
import { type Timeline, timelineDurationSeconds } from '../../../src/style/model/timeline.ts';
import { CaptionLayer } from './caption-layer.ts';
import type { Clock } from './clock.ts';
import { type SoundSide, soundOf } from './compared-sound.ts';
import type { Cubes } from './cubes.ts';
import { Lateness } from './lateness.ts';
import type { Appearance, Painter } from './painter.ts';
import type { PictureSource } from './picture-source.ts';
import type { PlaybackPlan, PlayedFiles } from './playback-plan.ts';
import type { Scene } from './scene.ts';
import type { SoundFeed } from './sound-feed.ts';
import type { View } from './stage.ts';

export interface PlayerState {
  readonly isPlaying: boolean;
  /** Playing was requested, and pictures are awaited. */
  readonly isLoading: boolean;
  /** Of the frame that is shown. */
  readonly frame: number;
  readonly frameCount: number;
  readonly framesPerSecond: number;
  /** Of the canvas. */
  readonly width: number;
  readonly height: number;
  /** Whether a picture has been drawn. */
  readonly isShown: boolean;
}

/** Lines of the canvas, and when it is too slow. */
const LINES = [540, 360] as const;
/** Playing waits for pictures after so long without one. */
const STALL_MS = 300;
/** Frame times are multiples of the frame's length up to rounding. */
const ROUNDING = 1e-6;

/** The parts that a playback works with. */
export interface PlaybackParts {
  readonly canvas: HTMLCanvasElement;
  readonly painter: Painter;
  readonly pictures: PictureSource;
  readonly sound: SoundFeed;
  readonly clock: Clock;
  readonly cubes: Cubes;
  /** Called when nothing can be drawn. */
  readonly onFailure: (reason: string) => void;
}

/** Shows the frames of a plan by the clock, or one at a time. */
export class Playback {
  readonly lateness = new Lateness();
  #parts: PlaybackParts;
  #files: PlayedFiles | null = null;
  readonly #listeners = new Set<(state: PlayerState) => void>();
  #state: PlayerState = {
    isPlaying: false,
    isLoading: false,
    frame: 0,
    frameCount: 0,
    framesPerSecond: 30,
    width: 0,
    height: 0,
    isShown: false,
  };
  #appearance: Omit<Appearance, 'gradeShare'> = {
    ...{ view: 'after', line: 0.5, lines: LINES[0], isMoving: false },
  };
  /** Share of the planned grades. */
  #gradeShare = 1;
  /** Share of the grades that are shown until those of a new plan are computed. */
  #earlierShare = 1;
  #scene: Scene | null = null;
  #animation = 0;
  #lastPictureAt = 0;
  #isHolding = false;
  #soundSide: SoundSide = 'after';
  #gainDb = 0;
  #preparing: Promise<unknown> = Promise.resolve();
  /** Numbers commands: one that was overtaken does nothing more. */
  #command = 0;
  #plan = 0;

  constructor(parts: PlaybackParts) {
    this.#parts = parts;
  }

  get state(): PlayerState {
    return this.#state;
  }

  on(listener: (state: PlayerState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Plays another plan from the same moment; decoders of remaining takes stay open. With more files of the same plan playing continues.
   * `gradeShare`: share of its grades, see `setStrengthMix`.
   */
  setPlan({ timeline, gainDb }: PlaybackPlan, files: PlayedFiles, gradeShare = this.#gradeShare): void {
    if (timeline === this.#files?.timeline) {
      this.#replaceFiles(files);
      return;
    }
    const { painter, pictures } = this.#parts;
    const wasPlaying = this.#state.isPlaying;
    const seconds = this.#state.frame / this.#state.framesPerSecond;
    this.pause();
    const captions = new CaptionLayer(timeline);
    painter.setTimeline(timeline, captions);
    this.#files = files;
    pictures.setFiles(files);
    this.#gainDb = gainDb;
    this.#setSoundFiles(files);
    const rate = framesPerSecond(timeline.frameRate);
    const schedule = new FrameSchedule(timeline);
    const { frameCount } = schedule;
    this.#scene = null;
    this.#become({ framesPerSecond: rate, frameCount });
    const plan = ++this.#plan;
    const isCurrent = () => plan === this.#plan;
    if (gradeShare > 0) this.#earlierShare *= this.#gradeShare / gradeShare;
    this.#gradeShare = gradeShare;
    const graded = this.#setCubes(timeline, takesFrom(timeline, schedule, seconds * rate), isCurrent);
    const lettered = captions.load().then(() => {
      if (isCurrent()) this.#redraw();
    });
    this.#preparing = Promise.all([lettered, graded]);
    void this.seekFrame(Math.round(seconds * rate)).then(() => (wasPlaying ? this.play() : undefined));
  }

  /** One after the other, first of the take that is shown: a table takes about 100 ms, and another plan makes the others superfluous. */
  async #setCubes({ takes }: Timeline, shown: Iterable<number>, isCurrent: () => boolean): Promise<void> {
    const { painter, cubes } = this.#parts;
    for (const take of shown) {
      const { grade } = takes[take]!;
      const cube = grade === null ? null : await cubes.of(grade);
      if (!isCurrent()) return;
      painter.setCube(take, cube);
      this.#earlierShare = 1;
      if (this.#shows(take)) this.#redraw();
    }
  }

  #replaceFiles(files: PlayedFiles): void {
    this.#files = files;
    this.#parts.pictures.replaceFiles(files);
    this.#parts.sound.replaceFiles(soundOf(files, this.#soundSide));
    if (!this.#state.isPlaying) void this.seekFrame(this.#state.frame);
  }

  /** Resolves when the grades and typefaces of the plan are there: until then pictures are shown without them. */
  async ready(): Promise<void> {
    await this.#preparing;
  }

  /** Continues with other means where the first ones have failed. */
  replacePictures(pictures: PictureSource): void {
    this.pause();
    this.#parts.pictures.close();
    this.#parts = { ...this.#parts, pictures };
    if (this.#files === null) return;
    pictures.setFiles(this.#files);
    void this.seekFrame(this.#state.frame);
  }

  setView(view: View): void {
    this.#appear({ view });
  }

  /** The line between before and after: 0..1 from the left. */
  setLine(line: number): void {
    this.#appear({ line });
  }

  /** Mixes the colors without and with grade, while the exact table is not known: 1 as planned. */
  setStrengthMix(gradeShare: number): void {
    this.#gradeShare = gradeShare;
    this.#redraw();
  }

  /** Next to a rendered output: whose sound is heard. Playing continues. */
  setSound(side: SoundSide): void {
    if (side === this.#soundSide) return;
    this.#soundSide = side;
    const wasPlaying = this.#state.isPlaying;
    this.pause();
    if (this.#files !== null) this.#setSoundFiles(this.#files);
    if (wasPlaying) void this.play();
  }

  #setSoundFiles(files: PlayedFiles): void {
    const heard = soundOf(files, this.#soundSide);
    this.#parts.sound.setFiles(heard, timelineDurationSeconds(heard.timeline), this.#gainDb);
  }

  set volume(volume: number) {
    this.#parts.clock.volume = volume;
  }

  async play(): Promise<void> {
    const { clock, pictures, sound } = this.#parts;
    const { frame, frameCount, framesPerSecond: rate } = this.#state;
    if (this.#state.isPlaying || frameCount === 0) return;
    const command = ++this.#command;
    const from = frame >= frameCount - 1 ? 0 : frame;
    this.#become({ isPlaying: true, isLoading: true });
    await clock.open();
    if (command !== this.#command) return;
    await Promise.all([pictures.play(from), sound.prepare(from / rate)]);
    if (command !== this.#command) return;
    this.#become({ isLoading: false, frame: from });
    this.#appearance = { ...this.#appearance, isMoving: true };
    this.lateness.reset();
    clock.start(from / rate);
    sound.start();
    this.#lastPictureAt = performance.now();
    this.#tick(from - 1);
  }

  pause(): void {
    this.#command++;
    cancelAnimationFrame(this.#animation);
    if (!this.#state.isPlaying) return;
    const { clock, pictures, sound } = this.#parts;
    this.#isHolding = false;
    clock.stop();
    sound.stop();
    pictures.stop();
    this.#appearance = { ...this.#appearance, isMoving: false };
    this.#become({ isPlaying: false, isLoading: false });
    this.#redraw();
  }

  async seek(seconds: number): Promise<void> {
    await this.seekFrame(Math.floor(seconds * this.#state.framesPerSecond + ROUNDING));
  }

  /** Shows frame `number`. If it was playing, it continues from there. */
  async seekFrame(number: number): Promise<void> {
    const wasPlaying = this.#state.isPlaying;
    this.pause();
    const command = ++this.#command;
    const frame = Math.min(Math.max(0, number), Math.max(0, this.#state.frameCount - 1));
    this.#become({ frame });
    const scene = await this.#parts.pictures.show(frame);
    if (scene === null || command !== this.#command) return;
    this.#paint(scene);
    if (wasPlaying) await this.play();
  }

  /** So many frames on, or back; stops playing. */
  async step(frames: number): Promise<void> {
    this.pause();
    await this.seekFrame(this.#state.frame + frames);
  }

  #tick(last: number): void {
    const { clock, pictures, sound } = this.#parts;
    const { framesPerSecond: rate, frameCount } = this.#state;
    const due = Math.floor(clock.seconds * rate + ROUNDING);
    sound.refill(clock.seconds);
    const scene = pictures.take(Math.min(due, frameCount - 1));
    let shown = last;
    if (scene !== null) {
      this.lateness.note(last, scene.number, due);
      shown = scene.number;
      this.#lastPictureAt = performance.now();
      this.#paint(scene);
      this.#become({ frame: shown });
      this.#reduceLines();
    } else this.#holdIfStalled(due > last);
    if (due >= frameCount && shown >= frameCount - 1) {
      this.pause();
      return;
    }
    this.#animation = requestAnimationFrame(() => this.#tick(shown));
  }

  /** Stops the sound too while pictures are awaited. */
  #holdIfStalled(isDue: boolean): void {
    const { clock, pictures } = this.#parts;
    if (this.#isHolding) {
      if (!pictures.isAhead(this.#state.frame + 1)) return;
      this.#isHolding = false;
      this.#become({ isLoading: false });
      void clock.release();
    } else if (isDue && performance.now() - this.#lastPictureAt > STALL_MS) {
      this.#isHolding = true;
      this.#become({ isLoading: true });
      clock.hold();
    }
  }

  #reduceLines(): void {
    const [, few] = LINES;
    if (this.#appearance.lines > few && this.lateness.isTooSlow())
      this.#appearance = { ...this.#appearance, lines: few };
  }

  #appear(change: Partial<Omit<Appearance, 'gradeShare'>>): void {
    this.#appearance = { ...this.#appearance, ...change };
    this.#redraw();
  }

  #shows(take: number): boolean {
    const { first, second = null } = this.#scene ?? {};
    return first?.clip.take === take || second?.clip.take === take;
  }

  #redraw(): void {
    if (this.#scene !== null) this.#paint(this.#scene);
  }

  #paint(scene: Scene): void {
    const { canvas, painter } = this.#parts;
    this.#scene = scene;
    try {
      painter.draw(scene, { ...this.#appearance, gradeShare: this.#gradeShare * this.#earlierShare });
    } catch (error) {
      // Pictures of another origin, which may be shown but not read.
      this.#scene = null;
      this.pause();
      this.#parts.onFailure(String(error));
      return;
    }
    if (canvas.width !== this.#state.width || canvas.height !== this.#state.height || !this.#state.isShown)
      this.#become({ width: canvas.width, height: canvas.height, isShown: true });
  }

  #become(changes: Partial<PlayerState>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) listener(this.#state);
  }

  /** Draws the current frame again, after the canvas was lost. */
  redraw(): void {
    this.#redraw();
  }

  close(): void {
    this.pause();
    const { painter, pictures, clock } = this.#parts;
    pictures.close();
    painter.close();
    clock.close();
    this.#listeners.clear();
  }
}

/** The takes that are shown, in their order from frame `number` on, then from the beginning. */
function takesFrom({ clips }: Timeline, { visible }: FrameSchedule, number: number): ReadonlySet<number> {
  const at = visible.findIndex(({ endFrame }) => endFrame > number);
  return new Set([...clips.slice(Math.max(0, at)), ...clips].map(({ take }) => take));
}
