import { framesPerSecond } from '../../../src/domain/time.ts';
import { type ClipMoment, FrameSchedule } from '../../../src/render/timeline/frame-schedule.ts';
import { imagePicture, loadImage } from './image-picture.ts';
import { MediaFiles } from './media-file.ts';
import type { FromWorker, SentPicture } from './messages.ts';
import type { Picture } from './picture.ts';
import { PictureCursor } from './picture-cursor.ts';
import type { PlayedFiles } from './playback-plan.ts';
import { Wake } from './wake.ts';

/** Frames that are sent ahead of the one shown: .5 s at 30 frames/s, 13 MB at 540 lines. A seek takes 15 to 60 ms. */
const AHEAD = 16;
/** Next to rendered frames, which have up to 12 MB each. */
const AHEAD_WITH_OUTPUT = 8;
/** Decoders of ended clips that stay open: the next clip of a take often begins where one ended. */
const MAX_IDLE = 2;
/** A clip that begins at most so long after an ended one of its take continues its decoder. */
const MAX_GAP_SECONDS = 0.5;

type Send = (message: FromWorker, transfer: Transferable[]) => void;

interface Sent {
  readonly clipIndex: number;
  readonly seconds: number;
}

/** Decodes the pictures of output frames and sends them, in order, with the decoder of the next clip opened ahead. */
export class PictureFeed {
  readonly #send: Send;
  readonly #media = new MediaFiles();
  readonly #images = new Map<string, Promise<Picture>>();
  readonly #cursors = new Map<number, PictureCursor>();
  #idle: PictureCursor[] = [];
  #files: PlayedFiles | null = null;
  /** `#files`, or those that take their place when the running command has ended. */
  #newest: PlayedFiles | null = null;
  #schedule: FrameSchedule | null = null;
  #asImages = false;
  #run = -1;
  #shown = 0;
  readonly #more = new Wake();
  /** The command that runs: the next one begins when it has ended. */
  #working: Promise<void> = Promise.resolve();
  #sent: Sent[] = [];
  /** The clip whose decoder is opened ahead; -1: none. */
  #next = -1;
  /** Of the rendered output. */
  #output: PictureCursor | null = null;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Decoders of files that the new plan plays too stay open. `asImages`: as images instead of planes. */
  setFiles(files: PlayedFiles, asImages: boolean): void {
    this.stop();
    this.#newest = files;
    this.#then(async () => {
      this.#next = -1;
      this.#retire(() => true);
      const { takes, timeline, output } = this.#newest!;
      this.#files = this.#newest;
      this.#schedule = new FrameSchedule(timeline);
      this.#asImages = asImages;
      const used = new Set(takes.map(({ address }) => address));
      this.#openOutput(output?.address ?? null);
      if (output !== undefined) used.add(output.address);
      this.#idle = this.#idle.filter((cursor) => {
        if (used.has(cursor.file.address)) return true;
        cursor.close();
        return false;
      });
      this.#media.keepOnly(used);
      for (const address of this.#images.keys()) if (!used.has(address)) this.#images.delete(address);
    });
  }

  /** Other files of the same timeline: the run continues with the next frame. */
  replaceFiles(files: PlayedFiles): void {
    const isCurrent = this.#files === this.#newest;
    this.#newest = files;
    if (!isCurrent) return;
    this.#files = files;
    this.#sent = [];
    this.#next = -1;
  }

  show(run: number, number: number): void {
    this.#begin(run, number, number + 1);
  }

  play(run: number, number: number): void {
    this.#begin(run, number, Number.POSITIVE_INFINITY);
  }

  shown(run: number, number: number): void {
    if (run !== this.#run) return;
    this.#shown = number;
    this.#more.wake();
  }

  stop(): void {
    this.#run = -1;
    this.#more.wake();
  }

  #begin(run: number, from: number, to: number): void {
    this.#run = run;
    this.#shown = from;
    this.#more.wake();
    this.#then(async () => {
      if (run !== this.#run) return;
      this.#sent = [];
      this.#next = -1;
      for (let number = from; number < Math.min(to, this.#schedule!.frameCount); number++) {
        const ahead = this.#output === null ? AHEAD : AHEAD_WITH_OUTPUT;
        while (number > this.#shown + ahead && run === this.#run) {
          await this.#more.wait();
        }
        if (run !== this.#run) return;
        await this.#sendFrame(run, number);
        if (to > from + 1) this.#prepareNext(number);
      }
    });
  }

  #then(work: () => Promise<void>): void {
    this.#working = this.#working.then(work).catch((error) => {
      this.#send({ type: 'failed', address: '', reason: String(error) }, []);
    });
  }

  async #sendFrame(run: number, number: number): Promise<void> {
    const { first, second } = this.#schedule!.at(number);
    const moments = second === null ? [first] : [first, second];
    this.#retire((clipIndex) => moments.every((moment) => moment.clipIndex !== clipIndex));
    const transfer: Transferable[] = [];
    const pictures: SentPicture[] = [];
    const rendered = this.#outputPicture(number);
    for (const moment of moments) {
      const picture = await this.#picture(moment);
      if (picture !== null && picture !== 'same' && picture.kind === 'planes') transfer.push(picture.data);
      pictures.push({ clipIndex: moment.clipIndex, picture });
    }
    const output = await rendered;
    if (run !== this.#run) return;
    if (output?.kind === 'planes') transfer.push(output.data);
    this.#send(
      { type: 'frame', run, number, pictures, ...(output === undefined ? {} : { output }) },
      transfer,
    );
  }

  /** Closes or parks the decoders of clips for which `isOver`. */
  #retire(isOver: (clipIndex: number) => boolean): void {
    for (const [clipIndex, cursor] of this.#cursors) {
      // The next clip's decoder may be open already.
      if (!isOver(clipIndex) || clipIndex === this.#next) continue;
      this.#cursors.delete(clipIndex);
      this.#idle.push(cursor);
    }
    for (const cursor of this.#idle.splice(0, Math.max(0, this.#idle.length - MAX_IDLE))) cursor.close();
  }

  #cursorOf({ clipIndex, sourceSeconds }: ClipMoment): PictureCursor {
    const open = this.#cursors.get(clipIndex);
    if (open !== undefined) return open;
    const { address } = this.#files!.takes[this.#files!.timeline.clips[clipIndex]!.take]!;
    const near = this.#idle.findIndex(({ file, seconds }) => {
      const gap = seconds === null ? -1 : sourceSeconds - seconds;
      return file.address === address && gap >= 0 && gap <= MAX_GAP_SECONDS;
    });
    const same = near === -1 ? this.#idle.findIndex(({ file }) => file.address === address) : near;
    const cursor = same === -1 ? new PictureCursor(this.#media.of(address)) : this.#idle.splice(same, 1)[0]!;
    this.#cursors.set(clipIndex, cursor);
    return cursor;
  }

  /** Opens the decoder of the clip after the one on screen, unless that one's decoder simply reads on. */
  #prepareNext(number: number): void {
    const { clips } = this.#files!.timeline;
    const { first, second } = this.#schedule!.at(number);
    const current = (second ?? first).clipIndex;
    const next = current + 1;
    if (this.#next === next || next >= clips.length) return;
    this.#next = next;
    const [ended, begins] = [clips[current]!, clips[next]!];
    const overlaps = this.#schedule!.visible[current]!.endFrame > this.#schedule!.visible[next]!.startFrame;
    const gap = begins.sourceStartSeconds - ended.sourceEndSeconds;
    const readsOn = !overlaps && begins.take === ended.take && gap >= -1e-3 && gap <= MAX_GAP_SECONDS;
    if (readsOn || this.#files!.takes[begins.take]!.kind !== 'video') return;
    const moment = { clipIndex: next, sourceSeconds: this.#schedule!.firstSeconds(next) };
    const cursor = this.#cursorOf(moment);
    // Errors are thrown again when the frame is needed.
    cursor.prepare(moment.sourceSeconds + this.#tolerance());
  }

  #tolerance(): number {
    return 0.5 / framesPerSecond(this.#files!.timeline.frameRate);
  }

  async #picture(moment: ClipMoment): Promise<Picture | 'same' | null> {
    const { clipIndex, sourceSeconds } = moment;
    const take = this.#files!.takes[this.#files!.timeline.clips[clipIndex]!.take]!;
    if (take.kind === 'image') return this.#image(take.address, clipIndex);
    try {
      const decoded = await this.#cursorOf(moment).at(sourceSeconds + this.#tolerance());
      if (decoded === null) return null;
      if (this.#wasSent(clipIndex, decoded.seconds)) return 'same';
      return this.#asImages ? await imageOf(decoded.frame) : await pictureOf(decoded.frame);
    } catch (error) {
      this.#send({ type: 'failed', address: take.address, reason: String(error) }, []);
      return null;
    }
  }

  /** Opens the rendered output, unless it is open. */
  #openOutput(address: string | null): void {
    if (this.#output?.file.address === address) return;
    this.#output?.close();
    this.#output = address === null ? null : new PictureCursor(this.#media.of(address));
  }

  /** The rendered frame; undefined: there is no output. */
  async #outputPicture(number: number): Promise<Picture | null | undefined> {
    if (this.#output === null) return undefined;
    const seconds = number / framesPerSecond(this.#files!.timeline.frameRate);
    try {
      const decoded = await this.#output.at(seconds + this.#tolerance());
      if (decoded === null) return null;
      return this.#asImages ? await imageOf(decoded.frame) : await pictureOf(decoded.frame);
    } catch (error) {
      this.#send({ type: 'failed', address: this.#output.file.address, reason: String(error) }, []);
      return null;
    }
  }

  async #image(address: string, clipIndex: number): Promise<Picture | 'same' | null> {
    const loading = this.#images.get(address) ?? loadImage(address);
    this.#images.set(address, loading);
    try {
      const picture = await loading;
      return this.#wasSent(clipIndex, 0) ? 'same' : picture;
    } catch (error) {
      this.#images.delete(address);
      this.#send({ type: 'failed', address, reason: String(error) }, []);
      return null;
    }
  }

  /** Whether the last picture that was sent for a clip is this one; notes it. */
  #wasSent(clipIndex: number, seconds: number): boolean {
    const last = this.#sent.find((sent) => sent.clipIndex === clipIndex);
    if (last?.seconds === seconds) return true;
    this.#sent = [
      ...this.#sent.filter((sent) => sent.clipIndex > clipIndex - 2 && sent !== last),
      { clipIndex, seconds },
    ];
    return false;
  }
}

async function imageOf(frame: VideoFrame): Promise<Picture> {
  return imagePicture(await createImageBitmap(frame));
}

/** Planes without padding; formats other than 4:2:0 in 8 bits as an image. */
async function pictureOf(frame: VideoFrame): Promise<Picture> {
  const { format, visibleRect } = frame;
  if ((format !== 'I420' && format !== 'NV12') || visibleRect === null) return imageOf(frame);
  const { width, height } = visibleRect;
  const [wide, high] = [(width + 1) >> 1, (height + 1) >> 1];
  const luma = { offset: 0, stride: width };
  const chroma = wide * high;
  const layout =
    format === 'I420'
      ? [luma, { offset: width * height, stride: wide }, { offset: width * height + chroma, stride: wide }]
      : [luma, { offset: width * height, stride: 2 * wide }];
  const data = new ArrayBuffer(width * height + 2 * chroma);
  await frame.copyTo(data, { layout });
  return { kind: 'planes', format, width, height, data };
}
