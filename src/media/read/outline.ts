import { AUDIO_DEMUXERS, type Input, openInput, VIDEO_DEMUXERS } from '../av/input.ts';
import { displaySize, isHdrTransfer } from '../av/upright.ts';

/** What a file's headers say of it. */
export interface FileOutline {
  readonly durationSeconds: number | null;
  readonly hasAudio: boolean;
  /** Null: no video. */
  readonly video: { readonly width: number; readonly height: number; readonly hdr: boolean } | null;
}

/** Sound-only files included. Throws `Failure` INPUT_UNSUPPORTED, INPUT_CORRUPT. */
export async function outlineOf(path: string): Promise<FileOutline> {
  using input = await openInput(path, `${VIDEO_DEMUXERS},${AUDIO_DEMUXERS}`);
  return inputOutline(input);
}

/** Opening takes longer than reading this. */
export function inputOutline({ video, audio, durationSeconds }: Input): FileOutline {
  const shown =
    video === null ? null : { ...displaySize(video), hdr: isHdrTransfer(video.codecpar.colorTrc) };
  return { durationSeconds, hasAudio: audio !== null, video: shown };
}
