import {
  AV_HWDEVICE_TYPE_VAAPI,
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_NV12,
  AV_PIX_FMT_VAAPI,
  AV_PIX_FMT_YUV420P,
} from 'node-av/constants';
import { type CodecContext, Frame, HardwareDeviceContext, HardwareFramesContext } from 'node-av/lib';
import type { HardwareEncoder } from '../../domain/encoder-choice.ts';
import { Failure } from '../../domain/errors.ts';
import { checkResult } from '../av/ffmpeg-result.ts';
import { LinearGraph } from '../av/graph.ts';

/** Pictures in the encoder at a time: its lookahead and references. */
const SURFACES = 32;

/** Options of libavcodec's H.264 encoders for a constant quality. The scales of quality differ between chips and are not documented. */
const OPTIONS: Readonly<Record<HardwareEncoder, (crf: number) => Readonly<Record<string, string>>>> = {
  nvenc: (crf) => ({ preset: 'p5', tune: 'hq', rc: 'vbr', cq: String(crf), b: '0', 'forced-idr': '1' }),
  qsv: (crf) => ({ preset: 'medium', global_quality: String(crf) }),
  vaapi: (crf) => ({ rc_mode: 'CQP', qp: String(crf) }),
  // 1 to 100, with 65, close to Apple's own presets, for CRF 22. Libavcodec expects it times its lambda of 118.
  videotoolbox: (crf) => ({ flags: '+qscale', global_quality: String(118 * Math.round(100 - 1.6 * crf)) }),
};

/** The encoder's name and options in libavcodec. */
export function hardwareCodec(encoder: HardwareEncoder, crf: number) {
  return { name: `h264_${encoder}`, options: { profile: 'high', ...OPTIONS[encoder](crf) } } as const;
}

/** Converts yuv420p frames to a hardware encoder's format, and uploads them if it needs device memory. */
export class HardwareFrameConverter implements Disposable {
  readonly #toSemiplanar: LinearGraph | null;
  readonly #device: HardwareDeviceContext | null;
  readonly #surfaces: HardwareFramesContext | null;
  #held: Frame | null = null;

  /** Sets the context's pixel format. Call it after setting the size and before opening the context. Throws `Failure` ENCODER_FAILED. */
  constructor(encoder: HardwareEncoder, context: CodecContext) {
    const isPlanar = encoder === 'nvenc' || encoder === 'videotoolbox';
    context.pixelFormat = isPlanar ? AV_PIX_FMT_YUV420P : AV_PIX_FMT_NV12;
    this.#toSemiplanar = isPlanar
      ? null
      : new LinearGraph('video', { num: 1, den: 1 }, () => 'format=nv12', { threads: 1 });
    this.#device = encoder === 'vaapi' ? openDevice() : null;
    this.#surfaces = this.#device === null ? null : openSurfaces(this.#device, context);
  }

  /** The converted frame with the same time stamp. Belongs to this object and is valid until the next call. */
  convert(frame: Frame): Frame {
    if (this.#toSemiplanar === null) return frame;
    this.#held?.free();
    this.#held = null;
    this.#toSemiplanar.push(frame, (out) => {
      this.#held = this.#surfaces === null ? out.clone() : uploaded(this.#surfaces, out);
    });
    const held = this.#held as Frame | null;
    if (held === null) throw new Failure('ENCODER_FAILED', 'A frame for the hardware encoder was lost');
    held.pts = frame.pts;
    held.pictType = AV_PICTURE_TYPE_NONE;
    return held;
  }

  [Symbol.dispose](): void {
    this.#held?.free();
    this.#toSemiplanar?.[Symbol.dispose]();
    this.#surfaces?.free();
    this.#device?.free();
  }
}

function openDevice(): HardwareDeviceContext {
  const device = new HardwareDeviceContext();
  checkResult(device.create(AV_HWDEVICE_TYPE_VAAPI), 'Opening the graphics device');
  return device;
}

function openSurfaces(device: HardwareDeviceContext, context: CodecContext): HardwareFramesContext {
  const surfaces = new HardwareFramesContext();
  surfaces.alloc(device);
  surfaces.format = AV_PIX_FMT_VAAPI;
  surfaces.swFormat = AV_PIX_FMT_NV12;
  surfaces.width = context.width;
  surfaces.height = context.height;
  surfaces.initialPoolSize = SURFACES;
  checkResult(surfaces.init(), 'Reserving memory of the graphics device');
  context.pixelFormat = AV_PIX_FMT_VAAPI;
  context.hwFramesCtx = surfaces;
  return surfaces;
}

function uploaded(surfaces: HardwareFramesContext, frame: Frame): Frame {
  const surface = new Frame();
  surface.alloc();
  checkResult(surfaces.getBuffer(surface), 'Reserving memory of the graphics device');
  checkResult(surfaces.transferDataSync(surface, frame), 'Copying a frame to the graphics device');
  return surface;
}
