import { AV_FRAME_FLAG_INTERLACED } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import type { Size } from '../footage.ts';
import { outputColourFilters, SCALE_FLAGS } from '../media/av/output-colours.ts';
import { colourMatrix, isHdrTransfer, toneMapFilters } from '../media/av/upright.ts';
import type { SourceVideo } from './video-chain.ts';

/**
 * Filters that bring decoded frames upright, to square pixels, progressive and SDR, and what the video chains get then.
 * `turn`: of `turnFilters`; `size`: as displayed, by the header.
 */
export function sourceChain(frame: Frame, turn: string, size: Size): { video: SourceVideo; chain: string } {
  const hdr = isHdrTransfer(frame.colorTrc);
  const turned = turn.startsWith('transpose');
  const upright = turned
    ? { width: frame.height, height: frame.width }
    : { width: frame.width, height: frame.height };
  // The size that the header shows, unless the frames are of quite another size: headers lie.
  const aspect = size.width / size.height;
  const stretched =
    Math.abs(upright.width / upright.height / aspect - 1) > 0.01 && frame.sampleAspectRatio.num > 0;
  const width = stretched ? 2 * Math.round((upright.height * aspect) / 2) : upright.width;
  const video = {
    width,
    height: upright.height,
    matrix: hdr ? 'bt709' : colourMatrix(frame),
    colours: outputColourFilters(frame),
  };
  const interlaced = (frame.flags & AV_FRAME_FLAG_INTERLACED) !== 0;
  const square = stretched ? `scale=${width}:${upright.height}:${SCALE_FLAGS},setsar=1,` : '';
  const chain = `${interlaced ? 'bwdif=mode=send_frame,' : ''}${toneMapFilters(frame)}${turn}${square}null`;
  return { video, chain };
}
