import { writeFile } from 'node:fs/promises';
import type { Frame } from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';
import type { Size, Still } from '../../domain/footage.ts';
import { LinearGraph } from '../../media/av/graph.ts';
import { openInput, VIDEO_AND_IMAGE_DEMUXERS } from '../../media/av/open-input.ts';
import { MEAN_FLAGS } from '../../media/av/output-colors.ts';
import { StreamDecoder } from '../../media/av/stream-decoder.ts';
import { Filmstrip } from '../../media/read/filmstrip.ts';
import { FILMSTRIP_TILES, tileMoments, tileSize } from '../../media/read/filmstrip-layout.ts';
import { pictureAppeal } from '../../media/read/picture-appeal.ts';
import { encodeJpeg, POSTER_QUALITY } from '../../media/read/still.ts';
import {
  posterSize,
  STILL_QUALITY,
  stillSize,
  type ThumbnailSelection,
} from '../../media/read/thumbnails.ts';
import type { FrameRange } from '../timeline/frame-schedule.ts';
import { pictureFrames } from './segment-pictures.ts';

/** A segment with the file of `SegmentPictures`. */
export interface PicturedSegment {
  readonly range: FrameRange;
  readonly picturesPath: string;
}

export interface JoinedPicturesRequest {
  /** All of the output, in order. */
  readonly segments: readonly PicturedSegment[];
  /** Of the output. */
  readonly size: Size;
  /** Frames per second. */
  readonly rate: number;
  readonly posterPath: string;
  readonly filmstripPath: string;
  /** Stills of the output; left out: none. */
  readonly stills?: ThumbnailSelection;
}

/**
 * Writes poster and filmstrip of an output from the pictures of its segments, and returns the requested stills. A moment is shown by the
 * nearest picture of its segment; the poster is the most appealing one. Throws `Failure` OUTPUT_VERIFY_FAILED if a file is damaged.
 */
export async function joinedPictures(request: JoinedPicturesRequest): Promise<Still[]> {
  const { segments, size, rate, posterPath, filmstripPath, stills } = request;
  using pictures = new StoredPictures(request);
  const tile = tileSize(size);
  using strip = new Filmstrip(() => scaledTo(tile));
  let best = { appeal: Number.NEGATIVE_INFINITY, moment: 0 };
  for (const moment of tileMoments(segments.at(-1)!.range.to, FILMSTRIP_TILES)) {
    const appeal = pictureAppeal(strip.add(await pictures.at(moment)));
    if (appeal > best.appeal) best = { appeal, moment };
  }
  await writeFile(filmstripPath, await strip.jpeg());
  await writeFile(posterPath, await encodeJpeg(await pictures.at(best.moment), 'null', POSTER_QUALITY));
  const made: Still[] = [];
  if (stills === undefined) return made;
  const area = stillSize(size, stills.areaPixels);
  for (const timeSeconds of stills.timesSeconds) {
    const jpeg = await encodeJpeg(await pictures.at(timeSeconds * rate), scaledTo(area), STILL_QUALITY);
    made.push({ timeSeconds, ...area, jpeg });
  }
  return made;
}

/** Between pictures in JPEG's colors. */
function scaledTo({ width, height }: Size): string {
  return `scale=${width}:${height}:${MEAN_FLAGS}`;
}

/** Reads pictures of segments; memory does not depend on their number. */
class StoredPictures implements Disposable {
  readonly #request: JoinedPicturesRequest;
  /** The file that was read last. */
  #strip: { readonly path: string; readonly frame: Frame } | null = null;
  #shown: Frame | null = null;

  constructor(request: JoinedPicturesRequest) {
    this.#request = request;
  }

  /** `moment`: in frames of the output. The picture is valid until the next call. */
  async at(moment: number): Promise<Frame> {
    const { segments, rate, size } = this.#request;
    const { range, picturesPath: path } =
      segments.find(({ range: { to } }) => moment < to) ?? segments.at(-1)!;
    const distances = pictureFrames(range, rate).map((number) => Math.abs(number - moment));
    const index = distances.indexOf(Math.min(...distances));
    const { width, height } = posterSize(size);
    if (this.#strip?.path !== path) {
      this.#strip?.frame.free();
      this.#strip = null;
      this.#strip = { path, frame: await readStrip(path) };
    }
    const { frame } = this.#strip;
    if (frame.width !== distances.length * width || frame.height !== height) throw damaged();
    const crop = `crop=${width}:${height}:${index * width}:0`;
    using graph = new LinearGraph('video', { num: 1, den: 1 }, () => crop);
    graph.push(frame, (cropped) => {
      this.#shown?.free();
      this.#shown = cropped.clone();
    });
    if (this.#shown === null) throw new Failure('OUT_OF_MEMORY', 'There is not enough memory for a picture');
    return this.#shown;
  }

  [Symbol.dispose](): void {
    this.#strip?.frame.free();
    this.#shown?.free();
  }
}

async function readStrip(path: string): Promise<Frame> {
  using input = await openInput(path, VIDEO_AND_IMAGE_DEMUXERS).catch(() => {
    throw damaged();
  });
  if (input.video === null) throw damaged();
  using decoder = await StreamDecoder.open(input, input.video, { threads: 1 });
  const frame = decoder.next()?.clone() ?? null;
  if (frame === null) throw damaged();
  return frame;
}

function damaged(): Failure {
  return new Failure('OUTPUT_VERIFY_FAILED', 'The pictures of a rendered segment cannot be read');
}
