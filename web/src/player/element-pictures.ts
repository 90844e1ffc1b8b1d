import { framesPerSecond } from '../../../src/domain/time.ts';
import { type ClipMoment, FrameSchedule } from '../../../src/render/timeline/frame-schedule.ts';
import { loadImage } from './image-picture.ts';
import { PacedElement } from './paced-element.ts';
import type { Picture } from './picture.ts';
import type { PictureSource } from './picture-source.ts';
import type { PlayedFiles, ProxyFile } from './playback-plan.ts';
import { type Scene, sceneOf } from './scene.ts';

/** `seeked` may never arrive: of 27 clips of cameras 4 broke decoders on seeks. With a busy processor it took 2 s. */
const SEEK_TIMEOUT_MS = 5000;
/** Until a file's head has arrived over a slow connection. */
const LOAD_TIMEOUT_MS = 20_000;
/** An element further from the clock seeks; nearer ones play faster or slower, because a seek stops the picture. */
const MAX_DRIFT_SECONDS = 0.25;
/** Beyond the edge of a frame: players round to either side of it. */
const INSIDE_SECONDS = 0.001;
/** In place of a clip's number: the rendered output. */
const OUTPUT = -2;

/** An element that plays the clips of one take, one at a time, or the rendered output. */
interface Slot {
  readonly element: PacedElement;
  /** The clip that it is seeked to or plays; -1: none. */
  clipIndex: number;
}

/** Pictures from video elements, where there is no decoder for workers: exact while paused, roughly in time while playing. */
export class ElementPictures implements PictureSource {
  readonly #onFailure: (reason: string) => void;
  #files: PlayedFiles | null = null;
  #schedule: FrameSchedule | null = null;
  readonly #slots = new Map<string, Slot>();
  /** Names of the slots of the clips. */
  #slotNames: readonly string[] = [];
  readonly #images = new Map<string, Promise<Picture>>();
  readonly #stills = new Map<string, Picture>();
  #run = 0;
  #taken = -1;

  constructor(onFailure: (reason: string) => void) {
    this.#onFailure = onFailure;
  }

  setFiles(files: PlayedFiles): void {
    this.stop();
    this.#files = files;
    this.#schedule = new FrameSchedule(files.timeline);
    this.#slotNames = slotNames(files, this.#schedule);
    const used = new Set(this.#slotNames);
    if (files.output !== undefined) used.add(outputName(files.output));
    for (const [name, slot] of this.#slots) {
      slot.clipIndex = -1;
      if (used.has(name)) continue;
      slot.element.close();
      this.#slots.delete(name);
    }
    this.#loadStills();
  }

  replaceFiles(files: PlayedFiles): void {
    this.#files = files;
    this.#slotNames = slotNames(files, this.#schedule!);
    this.#loadStills();
  }

  async show(number: number): Promise<Scene | null> {
    const run = ++this.#run;
    for (const { clipIndex, sourceSeconds } of this.#momentsAt(number))
      await this.#seek(clipIndex, sourceSeconds);
    return run === this.#run ? this.#scene(number, true) : null;
  }

  async play(number: number): Promise<void> {
    await this.show(number);
    this.#taken = number - 1;
  }

  take(number: number): Scene | null {
    if (number <= this.#taken) return null;
    this.#taken = number;
    const { first, second, transition } = this.#schedule!.at(number);
    const moments = this.#momentsAt(number);
    for (const { element, clipIndex } of this.#slots.values())
      if (!moments.some((moment) => moment.clipIndex === clipIndex)) element.video.pause();
    const isStretched = transition !== null && transition.hasHandles !== true;
    for (const { clipIndex, sourceSeconds } of moments)
      this.#keepPlaying(clipIndex, sourceSeconds, isStretched && clipIndex !== OUTPUT);
    this.#prepareNext((second ?? first).clipIndex);
    return this.#scene(number, false);
  }

  isAhead(number: number): boolean {
    const last = Math.min(number, this.#schedule!.frameCount - 1);
    return this.#momentsAt(last).every(({ clipIndex }) => {
      const slot = this.#slots.get(this.#slotName(clipIndex));
      return slot === undefined || slot.element.hasPicture;
    });
  }

  stop(): void {
    this.#run++;
    for (const { element } of this.#slots.values()) element.video.pause();
  }

  close(): void {
    for (const { element } of this.#slots.values()) element.close();
    this.#slots.clear();
  }

  /** The clips of an output frame, and the output itself where it is rendered. */
  #momentsAt(number: number): ClipMoment[] {
    const { timeline, output } = this.#files!;
    const { first, second } = this.#schedule!.at(number);
    const rendered = { clipIndex: OUTPUT, sourceSeconds: number / framesPerSecond(timeline.frameRate) };
    return [first, ...(second === null ? [] : [second]), ...(output === undefined ? [] : [rendered])];
  }

  #fileOf(clipIndex: number): ProxyFile {
    const { timeline, takes, output } = this.#files!;
    return clipIndex === OUTPUT ? output! : takes[timeline.clips[clipIndex]!.take]!;
  }

  #slotName(clipIndex: number): string {
    return clipIndex === OUTPUT ? outputName(this.#files!.output!) : this.#slotNames[clipIndex]!;
  }

  /** Keeps the element of a clip playing; at half speed in a transition that stretches half of its time over the whole. */
  #keepPlaying(clipIndex: number, seconds: number, isStretched: boolean): void {
    const slot = this.#slotOf(clipIndex);
    if (slot === null) return;
    const { element } = slot;
    const { video } = element;
    const rate = isStretched ? 0.5 : 1;
    const drift = seconds - element.seconds;
    if (slot.clipIndex !== clipIndex || Math.abs(drift) > MAX_DRIFT_SECONDS) {
      slot.clipIndex = clipIndex;
      element.pace(rate, 0);
      if (!video.seeking) video.currentTime = seconds + INSIDE_SECONDS;
    } else element.pace(rate, drift);
    if (video.paused) void video.play().catch(() => {});
  }

  /** Seeks the element of the next clip to its first frame, so that the frame is there at the cut. */
  #prepareNext(clipIndex: number): void {
    const next = clipIndex + 1;
    if (next >= this.#slotNames.length || this.#slotNames[next] === this.#slotNames[clipIndex]) return;
    const slot = this.#slotOf(next);
    if (slot === null || slot.clipIndex === next) return;
    slot.clipIndex = next;
    slot.element.video.currentTime = this.#schedule!.firstSeconds(next) + INSIDE_SECONDS;
  }

  async #seek(clipIndex: number, seconds: number): Promise<void> {
    const take = this.#fileOf(clipIndex);
    if (take.kind === 'image') return this.#loadStill(take.address);
    const slot = this.#slotOf(clipIndex)!;
    slot.clipIndex = clipIndex;
    const tolerance = 0.5 / framesPerSecond(this.#files!.timeline.frameRate);
    await seeked(slot.element.video, seconds + tolerance + INSIDE_SECONDS);
    await slot.element.painted();
  }

  /** While playing nothing waits for them. */
  #loadStills(): void {
    for (const { kind, address } of this.#files!.takes) if (kind === 'image') void this.#loadStill(address);
  }

  async #loadStill(address: string): Promise<void> {
    const image = this.#images.get(address) ?? loadImage(address);
    this.#images.set(address, image);
    try {
      this.#stills.set(address, await image);
    } catch (error) {
      this.#onFailure(String(error));
    }
  }

  /** Null: the take is a photo. */
  #slotOf(clipIndex: number): Slot | null {
    const file = this.#fileOf(clipIndex);
    if (file.kind === 'image') return null;
    const name = this.#slotName(clipIndex);
    const known = this.#slots.get(name);
    if (known !== undefined) return known;
    const slot = { element: new PacedElement(file.address, this.#onFailure), clipIndex: -1 };
    this.#slots.set(name, slot);
    return slot;
  }

  /** `isCopied`: the picture stays as it is, whatever the element does later. */
  #scene(number: number, isCopied: boolean): Scene {
    const pictureOf = (clipIndex: number): Picture | null => {
      const file = this.#fileOf(clipIndex);
      if (file.kind === 'image') return this.#stills.get(file.address) ?? null;
      return this.#slotOf(clipIndex)!.element.picture(isCopied);
    };
    const { timeline, output } = this.#files!;
    const rendered = output === undefined ? undefined : pictureOf(OUTPUT);
    return sceneOf(timeline, this.#schedule!, number, pictureOf, rendered);
  }
}

function outputName({ address }: ProxyFile): string {
  return `${address}#output`;
}

/** One element a take; two where a take follows itself with a jump, because an element cannot be at both places. */
function slotNames({ timeline, takes }: PlayedFiles, { visible }: FrameSchedule): string[] {
  const names: string[] = [];
  for (const [index, clip] of timeline.clips.entries()) {
    const before = timeline.clips[index - 1];
    const { address } = takes[clip.take]!;
    const isSame = before?.take === clip.take;
    const overlaps = index > 0 && visible[index - 1]!.endFrame > visible[index]!.startFrame;
    const goesOn = isSame && !overlaps && Math.abs(clip.sourceStartSeconds - before!.sourceEndSeconds) < 1e-3;
    const last = names[index - 1];
    if (!isSame) names.push(address);
    else if (goesOn) names.push(last!);
    else names.push(last === address ? `${address}#2` : address);
  }
  return names;
}

async function seeked(element: HTMLVideoElement, seconds: number): Promise<void> {
  if (element.readyState < HTMLMediaElement.HAVE_METADATA && element.error === null)
    await firstOf(element, ['loadedmetadata', 'error'], LOAD_TIMEOUT_MS);
  if (element.error !== null) return;
  const isAlreadyThere =
    element.currentTime === seconds && element.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA;
  if (isAlreadyThere) return;
  element.currentTime = seconds;
  await firstOf(element, ['seeked', 'error'], SEEK_TIMEOUT_MS);
}

/** Waits for the first of these events, at most `timeoutMs`. */
async function firstOf(
  element: HTMLVideoElement,
  events: readonly string[],
  timeoutMs: number,
): Promise<void> {
  const ended = new AbortController();
  const { signal } = ended;
  await new Promise<void>((resolve) => {
    for (const event of events) element.addEventListener(event, () => resolve(), { signal });
    setTimeout(resolve, timeoutMs);
  });
  ended.abort();
}
