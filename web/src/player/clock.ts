import { SAMPLE_RATE } from './messages.ts';

/** Sound starts so long after it is scheduled, so that its first block is never late. */
const START_SECONDS = 0.06;
/** A device that does not begin in this time, or is not allowed to, is replaced by the system's clock. */
const RESUME_MS = 400;

/** The time of the sound that plays now. Without a sound device it is the system's time. */
export class Clock {
  #context: AudioContext | null = null;
  #gain: GainNode | null = null;
  #hasDevice = false;
  /** In the device's time: when position 0 is, or was, heard. */
  #zero = 0;
  /** Position while the clock is stopped; null: it runs. */
  #stoppedAt: number | null = 0;
  #latest = 0;
  readonly #playing = new Set<AudioBufferSourceNode>();
  #volume = 1;

  /** Prepares the device. Call in the handler of a gesture: browsers start sound only then. */
  async open(): Promise<void> {
    try {
      if (this.#context === null) {
        this.#context = new AudioContext({ sampleRate: SAMPLE_RATE, latencyHint: 'interactive' });
        this.#gain = this.#context.createGain();
        this.#gain.gain.value = this.#volume;
        this.#gain.connect(this.#context.destination);
      }
      const resumed = this.#context.resume().then(() => true);
      const timeout = new Promise<false>((resolve) => setTimeout(() => resolve(false), RESUME_MS));
      this.#hasDevice = (await Promise.race([resumed, timeout])) && this.#context.state === 'running';
    } catch {
      this.#hasDevice = false;
    }
  }

  set volume(volume: number) {
    this.#volume = volume;
    if (this.#gain !== null) this.#gain.gain.value = volume;
  }

  start(seconds: number): void {
    this.#latest = seconds;
    this.#stoppedAt = null;
    this.#zero = this.#now() + (this.#hasDevice ? START_SECONDS : 0) - seconds;
  }

  stop(): void {
    this.#stoppedAt = this.seconds;
    for (const node of this.#playing) node.stop();
    this.#playing.clear();
  }

  /** Pauses, sound included, until `release`. */
  hold(): void {
    if (this.#stoppedAt !== null) return;
    this.#stoppedAt = this.seconds;
    if (this.#hasDevice) void this.#context!.suspend();
  }

  async release(): Promise<void> {
    const stoppedAt = this.#stoppedAt;
    if (stoppedAt === null) return;
    if (this.#hasDevice) await this.#context!.resume();
    else this.#zero = this.#now() - stoppedAt;
    this.#stoppedAt = null;
  }

  /** Position of the sound that plays; it never decreases. */
  get seconds(): number {
    if (this.#stoppedAt !== null) return this.#stoppedAt;
    this.#latest = Math.max(this.#latest, this.#now() - this.#zero);
    return this.#latest;
  }

  /** Plays a block at its position; what lies in the past is left out. */
  schedule(position: number, left: Float32Array<ArrayBuffer>, right: Float32Array<ArrayBuffer>): void {
    if (!this.#hasDevice) return;
    const context = this.#context!;
    const buffer = context.createBuffer(2, left.length, SAMPLE_RATE);
    buffer.copyToChannel(left, 0);
    buffer.copyToChannel(right, 1);
    const node = context.createBufferSource();
    node.buffer = buffer;
    node.connect(this.#gain!);
    node.onended = () => this.#playing.delete(node);
    this.#playing.add(node);
    const at = this.#deviceTime(position);
    const late = Math.max(0, context.currentTime - at);
    if (late < buffer.duration) node.start(at + late, late);
  }

  close(): void {
    void this.#context?.close();
    this.#context = null;
  }

  /** When a position is handed to the device; it is heard its latency later. */
  #deviceTime(position: number): number {
    return this.#zero + position;
  }

  /** Time of the sample that leaves the device now, or the system's time. */
  #now(): number {
    if (!this.#hasDevice) return performance.now() / 1000;
    const context = this.#context!;
    const { contextTime, performanceTime } = context.getOutputTimestamp();
    if (contextTime === undefined || performanceTime === undefined || contextTime === 0)
      return context.currentTime;
    const now = contextTime + (performance.now() - performanceTime) / 1000;
    // A suspended device reports an old time.
    return Math.min(now, context.currentTime);
  }
}
