import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type EncoderChoice, encodersToTry, type HardwareEncoder } from '../../domain/encoder-choice.ts';
import { Failure } from '../../domain/errors.ts';

/** What encodes the picture here. */
export interface FoundEncoder {
  /** Null: x264. */
  readonly encoder: HardwareEncoder | null;
  /** Why none was found that was wanted, in words; null: what was wanted was found. */
  readonly refusal: string | null;
}

/** The first encoder that passes `trial`, which throws what is wrong with it. */
export async function findEncoder(
  choice: EncoderChoice,
  trial: (encoder: HardwareEncoder) => Promise<void>,
): Promise<FoundEncoder> {
  const refusals: string[] = [];
  for (const encoder of encodersToTry(choice)) {
    try {
      await trial(encoder);
      return { encoder, refusal: null };
    } catch (error) {
      refusals.push(`${encoder}: ${error instanceof Failure ? error.detail : String(error)}`);
    }
  }
  if (refusals.length === 0) return { encoder: null, refusal: null };
  return {
    encoder: null,
    refusal: `No hardware encoder can be used here, so x264 encodes. ${refusals.join('; ')}`,
  };
}

/** Of graphics chips on Linux: `/dev/dri/renderD128` and its like, `/dev/nvidia0`, `/dev/nvidiactl`, `/dev/nvidia-uvm`. */
const GRAPHICS_DEVICE = /^(dri|nvidia.*)$/;
const DEVICES = '/dev';

/** What a child needs to see of the machine to encode on a graphics chip; empty where there is none. */
export function graphicsDevices(): readonly string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync(DEVICES)
    .filter((name) => GRAPHICS_DEVICE.test(name))
    .map((name) => join(DEVICES, name));
}
