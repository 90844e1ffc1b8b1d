/** Pictures of vertical stripes with color tags, as cameras store them: the codes are those of the stripes, whatever the tags say. */
import {
  AV_PIX_FMT_YUV420P,
  AVCOL_PRI_UNSPECIFIED,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_TRC_UNSPECIFIED,
  type AVColorPrimaries,
  type AVColorTransferCharacteristic,
} from 'node-av/constants';
import { FormatContext, type Frame, Rational } from 'node-av/lib';
import type { Size } from '../../src/domain/footage.ts';
import { emptyFrame } from '../../src/media/av/empty-frame.ts';
import { allocateEncoder, openEncoder } from '../../src/media/encode/stream-encoder.ts';
import { planesOf } from '../../src/render/picture/planes.ts';
import { check } from './remux.ts';

type Rgb = readonly [number, number, number];

export interface StripedClip extends Size {
  /** From left to right, of equal width. */
  readonly stripes: readonly Rgb[];
  readonly container: 'mp4' | 'avif';
  readonly codec: 'libx264' | 'libx265' | 'libsvtav1';
  readonly frameCount: number;
  readonly primaries?: AVColorPrimaries;
  readonly transfer?: AVColorTransferCharacteristic;
  /** Left out: BT.709. */
  readonly matrix?: 'bt2020';
}

/** Weights of red and blue: ITU-R BT.709-6, section 3; BT.2020-2, table 4. */
const WEIGHTS = { bt709: [0.2126, 0.0722], bt2020: [0.2627, 0.0593] } as const;
const SETTINGS = {
  libx264: { preset: 'veryfast', crf: '3' },
  libx265: { preset: 'ultrafast', crf: '3', 'x265-params': 'log-level=none' },
  libsvtav1: { preset: '10', crf: '4' },
};

/** Writes a file without sound, at ten frames a second. */
export async function writeStripedClip(path: string, clip: StripedClip): Promise<string> {
  // The encoder writes about itself to the terminal.
  process.env['SVT_LOG'] = '0';
  const output = new FormatContext();
  check(output.allocOutputContext2(null, clip.container, path));
  const codec = allocateEncoder(clip.codec as Parameters<typeof allocateEncoder>[0]);
  const { context } = codec;
  const { width, height, matrix } = clip;
  Object.assign(context, { width, height, pixelFormat: AV_PIX_FMT_YUV420P, colorRange: AVCOL_RANGE_MPEG });
  context.timeBase = new Rational(1, 10);
  context.framerate = new Rational(10, 1);
  context.colorPrimaries = clip.primaries ?? AVCOL_PRI_UNSPECIFIED;
  context.colorTrc = clip.transfer ?? AVCOL_TRC_UNSPECIFIED;
  context.colorSpace = matrix === 'bt2020' ? AVCOL_SPC_BT2020_NCL : AVCOL_SPC_BT709;
  using encoder = await openEncoder(output, codec, SETTINGS[clip.codec], context.timeBase);
  check(await output.openOutput());
  check(await output.writeHeader());
  for (let index = 0; index < clip.frameCount; index++) {
    const frame = striped(clip);
    frame.pts = BigInt(index);
    encoder.send(frame);
    frame.free();
  }
  encoder.send(null);
  check(await output.writeTrailer());
  await output.closeOutput();
  output.freeContext();
  return path;
}

function striped({ width, height, stripes, matrix, ...tags }: StripedClip): Frame {
  const frame = emptyFrame(width, height);
  frame.colorSpace = matrix === 'bt2020' ? AVCOL_SPC_BT2020_NCL : AVCOL_SPC_BT709;
  frame.colorPrimaries = tags.primaries ?? AVCOL_PRI_UNSPECIFIED;
  frame.colorTrc = tags.transfer ?? AVCOL_TRC_UNSPECIFIED;
  for (const [index, plane] of planesOf(frame).entries()) {
    for (let x = 0; x < plane.width; x++) {
      const stripe = stripes[Math.floor((x / plane.width) * stripes.length)]!;
      const code = codesOf(stripe, WEIGHTS[matrix ?? 'bt709'])[index]!;
      for (let y = 0; y < plane.height; y++) plane.data[y * plane.stride + x] = code;
    }
  }
  return frame;
}

/** Codes of limited range. */
function codesOf(rgb: Rgb, [kr, kb]: readonly [number, number]): number[] {
  const [r, g, b] = rgb.map((level) => level / 255) as [number, number, number];
  const luma = kr * r + (1 - kr - kb) * g + kb * b;
  const chroma = (level: number, weight: number) => 128 + (224 * (level - luma)) / (2 * (1 - weight));
  return [16 + 219 * luma, chroma(b, kb), chroma(r, kr)].map(Math.round);
}
