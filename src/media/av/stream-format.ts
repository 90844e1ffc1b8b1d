import { avGetCodecName, type Stream } from 'node-av/lib';
import type { StreamFormat } from '../../domain/footage.ts';
import { openInput } from './open-input.ts';

/** Container and codecs of a file. Throws `Failure` INPUT_UNSUPPORTED, INPUT_CORRUPT. */
export async function streamFormatOf(path: string): Promise<StreamFormat> {
  using input = await openInput(path);
  const { video, audio, formatName } = input;
  const name = (stream: Stream) => avGetCodecName(stream.codecpar.codecId) ?? 'unknown';
  return {
    container: formatName,
    videoCodec: video === null ? null : name(video),
    audio:
      audio === null
        ? null
        : {
            codec: name(audio),
            sampleRate: audio.codecpar.sampleRate,
            channels: audio.codecpar.channelLayout.nbChannels,
          },
  };
}
