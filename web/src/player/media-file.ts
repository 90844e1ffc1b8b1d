import {
  ALL_FORMATS,
  EncodedPacketSink,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  UrlSource,
} from 'mediabunny';

/** Bytes of a file that stay in memory: about half a minute of a proxy. */
const CACHE_BYTES = 8 * 2 ** 20;

/** The pictures of a file, ready to be decoded. */
export interface OpenVideo {
  readonly sink: EncodedPacketSink;
  readonly config: VideoDecoderConfig;
}

/** One proxy, opened when it is first used and read by ranges. */
export class MediaFile {
  readonly address: string;
  readonly #input: Input;
  #video: Promise<OpenVideo> | null = null;
  #audio: Promise<InputAudioTrack | null> | null = null;

  constructor(address: string) {
    this.address = address;
    this.#input = new Input({
      source: new UrlSource(address, { maxCacheSize: CACHE_BYTES }),
      formats: ALL_FORMATS,
    });
  }

  /** Throws if there are no pictures, or none that this browser decodes. */
  video(): Promise<OpenVideo> {
    this.#video ??= this.#openVideo();
    return this.#video;
  }

  /** Null: there is no sound, or none that this browser decodes. */
  audio(): Promise<InputAudioTrack | null> {
    this.#audio ??= this.#openAudio();
    return this.#audio;
  }

  async #openVideo(): Promise<OpenVideo> {
    const track: InputVideoTrack | null = await this.#input.getPrimaryVideoTrack();
    const config = await track?.getDecoderConfig();
    if (track == null || config == null) throw new Error('The file has no pictures');
    if ((await VideoDecoder.isConfigSupported(config)).supported !== true)
      throw new Error(`No decoder for ${config.codec}`);
    return { sink: new EncodedPacketSink(track), config };
  }

  async #openAudio(): Promise<InputAudioTrack | null> {
    const track = await this.#input.getPrimaryAudioTrack();
    return track !== null && (await track.canDecode()) ? track : null;
  }

  close(): void {
    this.#input.dispose();
  }
}

/** Opens each address once, and closes files that a new plan does not use. */
export class MediaFiles {
  readonly #files = new Map<string, MediaFile>();

  of(address: string): MediaFile {
    const file = this.#files.get(address) ?? new MediaFile(address);
    this.#files.set(address, file);
    return file;
  }

  keepOnly(addresses: ReadonlySet<string>): void {
    for (const [address, file] of this.#files) {
      if (addresses.has(address)) continue;
      file.close();
      this.#files.delete(address);
    }
  }
}
