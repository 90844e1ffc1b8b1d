import { AV_PIX_FMT_YUV420P, AVCOL_RANGE_MPEG, AVCOL_SPC_BT709 } from 'node-av/constants';
import { Frame } from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';

/** An empty yuv420p frame, BT.709 limited range. The caller frees it. */
export function emptyFrame(width: number, height: number): Frame {
  const frame = new Frame();
  frame.alloc();
  frame.format = AV_PIX_FMT_YUV420P;
  frame.width = width;
  frame.height = height;
  frame.colorRange = AVCOL_RANGE_MPEG;
  frame.colorSpace = AVCOL_SPC_BT709;
  if (frame.getBuffer() < 0) throw new Failure('OUT_OF_MEMORY', 'There is not enough memory for a frame');
  return frame;
}
