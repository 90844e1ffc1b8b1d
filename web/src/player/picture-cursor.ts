import type { EncodedPacket } from 'mediabunny';
import type { MediaFile, OpenVideo } from './media-file.ts';
import { Wake } from './wake.ts';

/** A frame further ahead is reached by a seek: proxies have a key frame every 12 frames. */
const MAX_DECODE_ON_SECONDS = 0.5;
/** A decoder that gives nothing for so long is closed: of 27 clips of cameras 4 broke decoders on seeks. */
const TIMEOUT_MS = 2000;
/** Packets inside the decoder: with reordering, the first frame leaves after a few. */
const QUEUE = 8;
/** Decoded frames that wait; decoders stop when too many of their frames are held. */
const MAX_WAITING = 4;

interface Decoded {
  readonly frame: VideoFrame;
  readonly seconds: number;
}

/** Reads the pictures of one file forwards; a jump starts at a key frame. One call at a time. */
export class PictureCursor {
  readonly file: MediaFile;
  #decoder: VideoDecoder | null = null;
  #packets: AsyncGenerator<EncodedPacket, void, unknown> | null = null;
  #decoded: Decoded[] = [];
  /** Exact times of packets by their microseconds: `VideoFrame` rounds them. */
  readonly #times = new Map<number, number>();
  #ended = false;
  #error: unknown = null;
  readonly #output = new Wake();
  #preparing: Promise<void> = Promise.resolve();

  constructor(file: MediaFile) {
    this.file = file;
  }

  /** Time of the frame that was returned last; null: none. */
  get seconds(): number | null {
    return this.#decoded[0]?.seconds ?? null;
  }

  /**
   * The frame on screen at `seconds`; the first or last one for times outside. It stays this object's and valid until the next call.
   * Null: the decoder gave none in time. Throws if the file cannot be read or decoded.
   */
  at(seconds: number): Promise<Decoded | null> {
    const found = this.#preparing.then(() => this.#at(seconds));
    this.#preparing = Promise.resolve();
    return found;
  }

  /** Decodes the frame at `seconds` ahead of its use. Errors are thrown by `at`. */
  prepare(seconds: number): void {
    this.#preparing = this.#at(seconds).then(
      () => {},
      () => {},
    );
  }

  async #at(seconds: number): Promise<Decoded | null> {
    const video = await this.file.video();
    const frame = await this.#tryAt(video, seconds);
    if (frame !== null) return frame;
    this.close();
    return this.#tryAt(video, seconds);
  }

  async #tryAt(video: OpenVideo, seconds: number): Promise<Decoded | null> {
    if (!this.#reaches(seconds)) await this.#start(video, seconds);
    const deadline = performance.now() + TIMEOUT_MS;
    // A cursor that is closed meanwhile has no decoder any more.
    while (this.#decoder !== null) {
      this.#dropBefore(seconds);
      const last = this.#decoded.at(-1);
      if (this.#ended || (last !== undefined && last.seconds > seconds)) return this.#decoded[0] ?? null;
      if (this.#error !== null) {
        const error = this.#error;
        this.close();
        throw error;
      }
      const hasFed = await this.#feed();
      if (!hasFed && !(await this.#woken(deadline))) return null;
    }
    return null;
  }

  /** Whether reading on is cheaper than a seek. */
  #reaches(seconds: number): boolean {
    const [first] = this.#decoded;
    if (this.#decoder === null || first === undefined) return false;
    if (this.#ended) return seconds >= first.seconds;
    return seconds >= first.seconds && seconds - this.#decoded.at(-1)!.seconds <= MAX_DECODE_ON_SECONDS;
  }

  async #start({ sink, config }: OpenVideo, seconds: number): Promise<void> {
    this.close();
    const key = (await sink.getKeyPacket(seconds)) ?? (await sink.getFirstKeyPacket());
    if (key === null) throw new Error('The file has no pictures');
    const decoder = new VideoDecoder({
      output: (frame) => {
        if (this.#decoder !== decoder) return frame.close();
        this.#decoded.push({ frame, seconds: this.#times.get(frame.timestamp) ?? frame.timestamp / 1e6 });
        this.#times.delete(frame.timestamp);
        this.#output.wake();
      },
      error: (error) => {
        if (this.#decoder !== decoder) return;
        this.#error = error;
        this.#output.wake();
      },
    });
    decoder.configure(config);
    decoder.addEventListener('dequeue', this.#output.wake);
    this.#decoder = decoder;
    this.#packets = sink.packets(key);
  }

  /** Sends the decoder a packet if its queue is not full. False: it is full. */
  async #feed(): Promise<boolean> {
    const decoder = this.#decoder;
    if (decoder === null || this.#packets === null || decoder.state !== 'configured') return false;
    if (decoder.decodeQueueSize >= QUEUE || this.#decoded.length > MAX_WAITING) return false;
    const { value: packet } = await this.#packets.next();
    if (decoder !== this.#decoder) return false;
    if (packet !== undefined) {
      this.#times.set(packet.microsecondTimestamp, packet.timestamp);
      decoder.decode(packet.toEncodedVideoChunk());
      return true;
    }
    this.#packets = null;
    decoder.flush().then(
      () => {
        if (this.#decoder === decoder) this.#ended = true;
        this.#output.wake();
      },
      () => {},
    );
    return true;
  }

  async #woken(deadline: number): Promise<boolean> {
    let timer = 0;
    const timeout = new Promise<boolean>((resolve) => {
      timer = self.setTimeout(() => resolve(false), Math.max(0, deadline - performance.now()));
    });
    const isWoken = await Promise.race([this.#output.wait().then(() => true), timeout]);
    clearTimeout(timer);
    return isWoken;
  }

  #dropBefore(seconds: number): void {
    while (this.#decoded.length > 1 && this.#decoded[1]!.seconds <= seconds)
      this.#decoded.shift()!.frame.close();
  }

  close(): void {
    for (const { frame } of this.#decoded) frame.close();
    this.#decoded = [];
    this.#times.clear();
    this.#ended = false;
    this.#error = null;
    const decoder = this.#decoder;
    this.#decoder = null;
    void this.#packets?.return();
    this.#packets = null;
    if (decoder !== null && decoder.state !== 'closed') decoder.close();
  }
}
