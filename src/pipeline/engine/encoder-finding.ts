import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type EncoderChoice, encodersToTry, type HardwareEncoder } from '../../domain/encoder-choice.ts';
import { Failure } from '../../domain/errors.ts';

/** The encoder of pictures on this machine. */
export interface FoundEncoder {
  /** Null: x264. */
  readonly encoder: HardwareEncoder | null;
  /** Why no requested encoder can be used; null: one can, or none was requested. */
  readonly refusal: string | null;
}

/** The first encoder that passes `trial`, which throws for a broken one. */
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

/**
 * Graphics devices on Linux: `/dev/dri/renderD128` and similar, `/dev/nvidia0`, `/dev/nvidiactl`, `/dev/nvidia-uvm`.
 */
const GRAPHICS_DEVICE = /^(dri|nvidia.*)$/;
const DEVICES = '/dev';

/** The devices that a child needs to encode in hardware; empty if there are none. */
export function graphicsDevices(): readonly string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync(DEVICES)
    .filter((name) => GRAPHICS_DEVICE.test(name))
    .map((name) => join(DEVICES, name));
}
