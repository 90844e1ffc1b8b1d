import { AV_FRAME_FLAG_INTERLACED } from 'node-av/constants';
import type { Frame, Stream } from 'node-av/lib';
import type { Size } from '../../domain/footage.ts';
import { isSameShape, uprightConversion } from '../../media/av/frame-shape.ts';
import { outputColorFilters, SCALE_FLAGS } from '../../media/av/output-colors.ts';
import { displaySize, streamOrientation, turnedSize } from '../../media/av/upright.ts';
import { paddedOverBlur, type SourceVideo } from './video-chain.ts';

/**
 * Filters that convert decoded frames of a stream to upright, square pixels, progressive, SDR and one size; and the properties of
 * the frames after them.
 */
export function sourceChain(frame: Frame, stream: Stream): { video: SourceVideo; chain: string } {
  const size = sourceSize(stream);
  const { orientation, placement, matrix, toneMap, turn } = uprightConversion(frame, stream, size);
  const video = { ...size, matrix, colors: outputColorFilters(frame) };
  const interlaced = (frame.flags & AV_FRAME_FLAG_INTERLACED) !== 0;
  const before = `${interlaced ? 'bwdif=mode=send_frame,' : ''}${toneMap}${turn}`;
  if (placement !== null) {
    const { width, height } = turnedSize(placement, orientation);
    const fitted = `scale=${width}:${height}:${SCALE_FLAGS},format=yuv420p,setsar=1`;
    return { video, chain: `${before}${fitted},${paddedOverBlur(video)},setsar=1` };
  }
  const upright = turnedSize(frame, orientation);
  const isWhole = upright.width === video.width && upright.height === video.height;
  return {
    video,
    chain: `${before}${isWhole ? '' : `scale=${video.width}:${video.height}:${SCALE_FLAGS},setsar=1,`}null`,
  };
}

/** Size in square pixels, upright, with the stream's number of lines. */
function sourceSize(stream: Stream): Size {
  const upright = turnedSize(stream.codecpar, streamOrientation(stream));
  const displayed = displaySize(stream);
  const aspect = displayed.width / displayed.height;
  if (isSameShape(upright.width / upright.height, aspect)) return upright;
  return { width: 2 * Math.round((upright.height * aspect) / 2), height: upright.height };
}
