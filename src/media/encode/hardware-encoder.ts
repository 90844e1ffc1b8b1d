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
import { succeeded } from '../av/ffmpeg-result.ts';
import { LinearGraph } from '../av/graph.ts';

/** Pictures that the encoder holds at a time: its lookahead and what it refers to. */
const SURFACES = 32;

/** Options of libavcodec's H.264 encoders for a constant quality. What chips make of a number is their makers' secret. */
const OPTIONS: Readonly<Record<HardwareEncoder, (crf: number) => Readonly<Record<string, string>>>> = {
  nvenc: (crf) => ({ preset: 'p5', tune: 'hq', rc: 'vbr', cq: String(crf), b: '0', 'forced-idr': '1' }),
  qsv: (crf) => ({ preset: 'medium', global_quality: String(crf) }),
  vaapi: (crf) => ({ rc_mode: 'CQP', qp: String(crf) }),
  // Of 1 to 100; 65, which Apple's own presets are near, for CRF 22. Libavcodec wants it in its lambda of 118.
  videotoolbox: (crf) => ({ flags: '+qscale', global_quality: String(118 * Math.round(100 - 1.6 * crf)) }),
};

/** The encoder's name and options in libavcodec. */
export function hardwareCodec(encoder: HardwareEncoder, crf: number) {
  return { name: `h264_${encoder}`, options: { profile: 'high', ...OPTIONS[encoder](crf) } } as const;
}

/** Brings yuv420p frames into the form, and where need be the memory, that a hardware encoder takes. */
export class HardwareFeed implements Disposable {
  readonly #toSemiplanar: LinearGraph | null;
  readonly #device: HardwareDeviceContext | null;
  readonly #surfaces: HardwareFramesContext | null;
  #held: Frame | null = null;

  /** Sets the form of the context's pictures, whose size is set; before it is opened. Throws `Failure` ENCODER_FAILED. */
  constructor(encoder: HardwareEncoder, context: CodecContext) {
    const isPlanar = encoder === 'nvenc' || encoder === 'videotoolbox';
    context.pixelFormat = isPlanar ? AV_PIX_FMT_YUV420P : AV_PIX_FMT_NV12;
    this.#toSemiplanar = isPlanar
      ? null
      : new LinearGraph('video', { num: 1, den: 1 }, () => 'format=nv12', { threads: 1 });
    this.#device = encoder === 'vaapi' ? openDevice() : null;
    this.#surfaces = this.#device === null ? null : openSurfaces(this.#device, context);
  }

  /** The same picture, at the same time, for the encoder: ours, and valid until the next call. */
  feed(frame: Frame): Frame {
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
  succeeded(device.create(AV_HWDEVICE_TYPE_VAAPI), 'Opening the graphics device');
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
  succeeded(surfaces.init(), 'Reserving memory of the graphics device');
  context.pixelFormat = AV_PIX_FMT_VAAPI;
  context.hwFramesCtx = surfaces;
  return surfaces;
}

function uploaded(surfaces: HardwareFramesContext, frame: Frame): Frame {
  const surface = new Frame();
  surface.alloc();
  succeeded(surfaces.getBuffer(surface), 'Reserving memory of the graphics device');
  succeeded(surfaces.transferDataSync(surface, frame), 'Copying a frame to the graphics device');
  return surface;
}
