import type { Input } from '../../media/av/input.ts';
import { openInput, VIDEO_AND_IMAGE_DEMUXERS, VIDEO_DEMUXERS } from '../../media/av/open-input.ts';
import { seekBefore } from '../../media/av/seek.ts';
import type { ThumbnailSelection } from '../../media/read/thumbnails.ts';
import { SourceFrames } from './source-frames.ts';
import { SourceStills } from './source-stills.ts';

export interface OpenSource {
  readonly input: Input;
  readonly stills: SourceStills;
  readonly source: SourceFrames;
}

/** Opens a file at its start. `wanted`: thumbnails to make of it while it is decoded. */
async function openWhole(
  path: string,
  wanted?: ThumbnailSelection,
  demuxers = VIDEO_DEMUXERS,
): Promise<OpenSource> {
  const input = await openInput(path, demuxers);
  const stills = new SourceStills(input, wanted);
  return { input, stills, source: await SourceFrames.open(input, {}, stills.push) };
}

/** Opens a file at a key frame before a time, or at its start if no key frame is found. `wanted`: as for `openWhole`, from that time on. */
export async function openBefore(
  path: string,
  seconds: number,
  wanted?: ThumbnailSelection,
  demuxers = VIDEO_DEMUXERS,
): Promise<OpenSource> {
  if (seconds <= 0) return openWhole(path, wanted, demuxers);
  const input = await openInput(path, demuxers);
  if (!input.isStill && seekBefore(input, seconds)) {
    const stills = new SourceStills(input, wanted);
    const source = await SourceFrames.open(input, {}, stills.push);
    source.at(0, 0, 0);
    if (source.earliestSeconds !== null && source.earliestSeconds <= seconds)
      return { input, stills, source };
    source[Symbol.dispose]();
    stills[Symbol.dispose]();
  }
  input[Symbol.dispose]();
  return openWhole(path, wanted, demuxers);
}

/** Frames of one take from a time on, with the file that they come from. */
export interface OpenTake extends Disposable {
  readonly frames: SourceFrames;
}

/** Opens a video at a key frame before a time, or a photo, whose one frame is shown at all times. */
export async function openTake(path: string, seconds: number): Promise<OpenTake> {
  const { input, source } = await openBefore(path, seconds, undefined, VIDEO_AND_IMAGE_DEMUXERS);
  return {
    frames: source,
    [Symbol.dispose]: () => {
      source[Symbol.dispose]();
      input[Symbol.dispose]();
    },
  };
}
