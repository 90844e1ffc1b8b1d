import type { Frame } from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';
import type { Size } from '../../domain/footage.ts';
import { openInput, VIDEO_AND_IMAGE_DEMUXERS } from '../av/open-input.ts';
import { StreamDecoder } from '../av/stream-decoder.ts';
import { displaySize } from '../av/upright.ts';
import { Filmstrip } from './filmstrip.ts';
import { FILMSTRIP_TILES, tileMoments, tileSize } from './filmstrip-layout.ts';
import { NearbyFrames, type TimedFrame } from './nearby-frames.ts';
import { pictureAppeal } from './picture-appeal.ts';
import { encodeJpeg, type JpegQuality } from './still.ts';
import { posterSize, thumbnailFilters } from './thumbnails.ts';
import { readWaveform } from './waveform.ts';

/** A poster of 640x360 takes 25 to 90 kB. */
const QUALITY: JpegQuality = { best: 3, worst: 6 };

/** Poster and filmstrip of a video, as JPEG files. */
export interface VideoPictures {
  readonly poster: Buffer;
  readonly filmstrip: Buffer;
  readonly tile: Size;
  /** Time of each tile, in seconds from the file's start. */
  readonly tileSeconds: readonly number[];
}

/**
 * A poster and a filmstrip. Of a video: the most appealing of twelve frames, at most 640 pixels long, and a
 * strip of these frames. Of an image: the image and one tile. Of a sound file: its waveform. Takes a few
 * seconds at most for any file with pictures. Throws `Failure` INPUT_UNSUPPORTED, INPUT_CORRUPT.
 */
export async function readVideoPictures(
  path: string,
  durationSeconds: number,
  onProgress: (fraction: number) => void,
): Promise<VideoPictures> {
  using input = await openInput(path);
  const { video } = input;
  if (video === null) return await readWaveform(path, durationSeconds, onProgress);
  const displayed = displaySize(video);
  const tile = tileSize(displayed);
  using strip = new Filmstrip((frame) => thumbnailFilters(frame, tile, video));
  using best = new BestFrame();
  const tileSeconds: number[] = [];
  const show = ({ frame, seconds }: TimedFrame) => {
    best.offer(frame, pictureAppeal(strip.add(frame)));
    tileSeconds.push(seconds);
  };
  if (!input.isStill) {
    const moments = tileMoments(durationSeconds, FILMSTRIP_TILES);
    using frames = await NearbyFrames.open(path, input, () =>
      onProgress(tileSeconds.length / moments.length),
    );
    for (const seconds of moments) {
      const found = await frames.at(seconds);
      // The first decodable picture is also used for the moments before it.
      const missing = found === null ? 0 : moments.indexOf(seconds) + 1 - tileSeconds.length;
      for (let tile = 0; tile < missing; tile++) show(found!);
    }
  }
  if (tileSeconds.length === 0) await showFirst(path, show);
  return {
    poster: await encodeJpeg(best.frame, thumbnailFilters(best.frame, posterSize(displayed), video), QUALITY),
    filmstrip: await strip.jpeg(),
    tile,
    tileSeconds,
  };
}

/** Shows the first frame: for images, and for files without frames at the moments. */
async function showFirst(path: string, show: (shown: TimedFrame) => void): Promise<void> {
  using input = await openInput(path, VIDEO_AND_IMAGE_DEMUXERS);
  using decoder = await StreamDecoder.open(input, input.video!, { threads: 1 });
  const frame = decoder.next();
  if (frame === null) throw new Failure('INPUT_CORRUPT', 'No frame of the video can be decoded');
  show({ frame, seconds: 0 });
}

/** The frame with the greatest appeal. */
class BestFrame implements Disposable {
  #appeal = Number.NEGATIVE_INFINITY;
  #frame: Frame | null = null;

  get frame(): Frame {
    return this.#frame!;
  }

  offer(frame: Frame, appeal: number): void {
    if (appeal <= this.#appeal) return;
    const copy = frame.clone();
    if (copy === null) throw new Failure('OUT_OF_MEMORY', 'There is not enough memory for a frame');
    this.#frame?.free();
    this.#frame = copy;
    this.#appeal = appeal;
  }

  [Symbol.dispose](): void {
    this.#frame?.free();
  }
}
