import { AV_FRAME_FLAG_INTERLACED } from 'node-av/constants';
import type { Frame, Stream } from 'node-av/lib';
import type { Size } from '../../domain/footage.ts';
import { frameInside, isSameShape } from '../../media/av/frame-shape.ts';
import { outputColourFilters, SCALE_FLAGS } from '../../media/av/output-colours.ts';
import {
  colourMatrix,
  displaySize,
  isHdrTransfer,
  streamOrientation,
  swapsSides,
  toneMapFilters,
  turnFilters,
} from '../../media/av/upright.ts';
import { paddedOverBlur, type SourceVideo } from './video-chain.ts';

/**
 * Filters that convert decoded frames of a stream to upright, square pixels, progressive, SDR and one size; and the properties of
 * the frames after them.
 */
export function sourceChain(frame: Frame, stream: Stream): { video: SourceVideo; chain: string } {
  const orientation = streamOrientation(stream);
  const video = {
    ...sourceSize(stream),
    matrix: isHdrTransfer(frame.colorTrc) ? 'bt709' : colourMatrix(frame),
    colours: outputColourFilters(frame),
  };
  const swaps = swapsSides(orientation);
  const upright = swaps
    ? { width: frame.height, height: frame.width }
    : { width: frame.width, height: frame.height };
  const interlaced = (frame.flags & AV_FRAME_FLAG_INTERLACED) !== 0;
  const before = `${interlaced ? 'bwdif=mode=send_frame,' : ''}${toneMapFilters(frame)}${turnFilters(orientation)}`;
  const stored = swaps ? { width: video.height, height: video.width } : video;
  const place = frameInside(stream, frame, stored);
  if (place !== null) {
    const { width, height } = swaps ? { width: place.height, height: place.width } : place;
    const fitted = `scale=${width}:${height}:${SCALE_FLAGS},format=yuv420p,setsar=1`;
    return { video, chain: `${before}${fitted},${paddedOverBlur(video)},setsar=1` };
  }
  const isWhole = upright.width === video.width && upright.height === video.height;
  return {
    video,
    chain: `${before}${isWhole ? '' : `scale=${video.width}:${video.height}:${SCALE_FLAGS},setsar=1,`}null`,
  };
}

/** Size in square pixels, upright, with the stream's number of lines. */
function sourceSize(stream: Stream): Size {
  const { width, height } = stream.codecpar;
  const upright = swapsSides(streamOrientation(stream))
    ? { width: height, height: width }
    : { width, height };
  const displayed = displaySize(stream);
  const aspect = displayed.width / displayed.height;
  if (isSameShape(upright.width / upright.height, aspect)) return upright;
  return { width: 2 * Math.round((upright.height * aspect) / 2), height: upright.height };
}
