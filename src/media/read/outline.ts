import type { Input } from '../av/input.ts';
import { openInput } from '../av/open-input.ts';
import { displaySize, isHdrTransfer } from '../av/upright.ts';

/** Properties from a file's headers. */
export interface FileOutline {
  readonly durationSeconds: number | null;
  readonly hasAudio: boolean;
  /** Null: no video. */
  readonly video: {
    readonly width: number;
    readonly height: number;
    readonly hdr: boolean;
    readonly isStill: boolean;
  } | null;
}

/** For videos, sound files and images. Throws `Failure` INPUT_UNSUPPORTED, INPUT_CORRUPT. */
export async function outlineOf(path: string): Promise<FileOutline> {
  using input = await openInput(path);
  return inputOutline(input);
}

/** Outline of an open file; costs next to nothing. */
export function inputOutline({ video, audio, durationSeconds, isStill }: Input): FileOutline {
  const shown =
    video === null ? null : { ...displaySize(video), hdr: isHdrTransfer(video.codecpar.colorTrc), isStill };
  return { durationSeconds, hasAudio: audio !== null, video: shown };
}
