/** Clips as telephones record them: HEVC of ten bits, large, fast, HDR, turned. */
import {
  AV_PIX_FMT_YUV420P10LE,
  AV_PKT_DATA_DISPLAYMATRIX,
  AVCOL_PRI_BT709,
  AVCOL_PRI_BT2020,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_BT709,
} from 'node-av/constants';
import { FormatContext, Frame, Rational } from 'node-av/lib';
import { allocateEncoder, openEncoder } from '../../src/media/encode/stream-encoder.ts';
import { check } from './remux.ts';

export interface PhoneClip {
  /** Both even. */
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
  readonly frameCount: number;
  /** HLG (ITU-R BT.2100) instead of SDR. */
  readonly hdr?: boolean;
  /** Stored lying on its side, to be turned by a quarter. */
  readonly turned?: boolean;
}

/** The picture moves by so many pixels from frame to frame, over a texture that repeats after so many. */
const STEP = 4;
const PERIOD = 512;
/** As `mov` writes it: a quarter turn in 16.16 fixed point (ISO 14496-12, section 8.5.2). */
const QUARTER_TURN = [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000];

/** Writes an MP4 file without sound. Four pictures to refer to and four between: a decoder holds about six. */
export async function writePhoneClip(path: string, clip: PhoneClip): Promise<string> {
  const output = new FormatContext();
  check(output.allocOutputContext2(null, 'mp4', path));
  const codec = allocateEncoder('libx265');
  const { context } = codec;
  context.width = clip.width;
  context.height = clip.height;
  context.pixelFormat = AV_PIX_FMT_YUV420P10LE;
  context.timeBase = new Rational(1, clip.framesPerSecond);
  context.framerate = new Rational(clip.framesPerSecond, 1);
  context.colorRange = AVCOL_RANGE_MPEG;
  context.colorPrimaries = clip.hdr === true ? AVCOL_PRI_BT2020 : AVCOL_PRI_BT709;
  context.colorTrc = clip.hdr === true ? AVCOL_TRC_ARIB_STD_B67 : AVCOL_TRC_BT709;
  context.colorSpace = clip.hdr === true ? AVCOL_SPC_BT2020_NCL : AVCOL_SPC_BT709;
  const settings = {
    preset: 'ultrafast',
    crf: '24',
    'x265-params': 'log-level=none:ref=4:bframes=4:keyint=60',
  };
  using encoder = await openEncoder(output, codec, settings, context.timeBase);
  if (clip.turned === true) {
    const matrix = Buffer.alloc(4 * QUARTER_TURN.length);
    for (const [at, value] of QUARTER_TURN.entries()) matrix.writeInt32LE(value, 4 * at);
    check(output.streams[0].codecpar.addCodedSideData(AV_PKT_DATA_DISPLAYMATRIX, matrix));
  }
  check(await output.openOutput());
  check(await output.writeHeader());
  for (const frame of frames(clip)) {
    encoder.send(frame);
    frame.free();
  }
  encoder.send(null);
  check(await output.writeTrailer());
  await output.closeOutput();
  output.freeContext();
  return path;
}

function* frames({ width, height, frameCount }: PhoneClip): Generator<Frame> {
  const [luma, chroma] = [texture(width, height, 500, 300), texture(width / 2, height / 2, 512, 60)];
  for (let index = 0; index < frameCount; index++) {
    const frame = new Frame();
    frame.alloc();
    Object.assign(frame, { format: AV_PIX_FMT_YUV420P10LE, width, height, pts: BigInt(index) });
    check(frame.getBuffer());
    for (const [plane, data] of frame.data!.entries()) {
      const drawn = plane === 0 ? luma : chroma;
      const from = ((plane === 0 ? STEP : STEP / 2) * index) % PERIOD;
      const columns = plane === 0 ? width : width / 2;
      for (let y = 0; y < drawn.rows; y++) {
        const start = 2 * (y * drawn.stride + from);
        data.set(drawn.bytes.subarray(start, start + 2 * columns), y * frame.linesize[plane]);
      }
    }
    yield frame;
  }
}

/** Waves under grain, wider than the picture by one period, after which they repeat. */
function texture(width: number, height: number, middle: number, swing: number) {
  const stride = width + PERIOD;
  const codes = new Uint16Array(stride * height);
  let random = 1;
  for (let y = 0; y < height; y++) {
    const row = Math.sin(y / 90);
    for (let x = 0; x < stride; x++) {
      random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
      const wave = row * Math.sin((2 * Math.PI * x) / PERIOD);
      codes[y * stride + x] = middle + swing * wave + (random >>> 28);
    }
  }
  return { stride, rows: height, bytes: new Uint8Array(codes.buffer) };
}
