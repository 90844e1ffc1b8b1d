import {
  AV_CODEC_ID_ASS,
  AV_CODEC_ID_MOV_TEXT,
  AV_CODEC_ID_SUBRIP,
  AV_CODEC_ID_WEBVTT,
  AVMEDIA_TYPE_SUBTITLE,
} from 'node-av/constants';
import { Dictionary, FormatContext, Packet, Rational } from 'node-av/lib';
import { openInput } from '../../src/media/av/open-input.ts';
import { check, finish } from './remux.ts';

const CODECS = {
  mov_text: AV_CODEC_ID_MOV_TEXT,
  subrip: AV_CODEC_ID_SUBRIP,
  webvtt: AV_CODEC_ID_WEBVTT,
  ass: AV_CODEC_ID_ASS,
};

export interface MadeTrack {
  readonly codec: keyof typeof CODECS;
  readonly language?: string;
  /** Handler's name in MP4, title in Matroska. */
  readonly name?: string;
  /** FFmpeg's AV_DISPOSITION_… of the stream. */
  readonly disposition?: number;
  /** Milliseconds; a length of 0 is stored as none. */
  readonly cues: readonly (readonly [startMs: number, lengthMs: number, payload: string])[];
}

/** Writes a clip's picture with text tracks, all from `startMs` on; the file's extension selects the container. */
export async function withTextTracks(
  clip: string,
  path: string,
  tracks: readonly MadeTrack[],
  startMs = 0,
): Promise<string> {
  using input = await openInput(clip);
  const output = new FormatContext();
  check(output.allocOutputContext2(null, path.endsWith('.mp4') ? 'mp4' : 'matroska', path));
  const picture = output.newStream(null)!;
  check(input.video!.codecpar.copy(picture.codecpar));
  picture.codecpar.codecTag = 0;
  const streams = tracks.map(({ codec, language, name, disposition = 0 }) => {
    const stream = output.newStream(null)!;
    stream.codecpar.codecType = AVMEDIA_TYPE_SUBTITLE;
    stream.codecpar.codecId = CODECS[codec];
    stream.codecpar.extradata = Buffer.from(
      codec === 'ass' ? '[Script Info]\nScriptType: v4.00+\n' : 'x'.repeat(43),
    );
    stream.timeBase = new Rational(1, 1000);
    stream.disposition = disposition as typeof stream.disposition;
    stream.metadata = Dictionary.fromObject({
      ...(language === undefined ? {} : { language }),
      ...(name === undefined ? {} : { handler_name: name, title: name }),
    });
    return stream;
  });
  check(await output.openOutput());
  check(await output.writeHeader());
  const packet = new Packet();
  packet.alloc();
  while (input.context.readFrameSync(packet) >= 0) {
    if (packet.streamIndex === input.video!.index) {
      packet.rescaleTs(input.video!.timeBase, picture.timeBase);
      const { num, den } = picture.timeBase;
      const ticks = BigInt(Math.round((startMs * den) / num / 1000));
      packet.pts += ticks;
      packet.dts += ticks;
      packet.streamIndex = 0;
      check(output.interleavedWriteFrameSync(packet));
    }
    packet.unref();
  }
  for (const [index, { codec, cues }] of tracks.entries()) {
    for (const [cueMs, lengthMs, payload] of cues) {
      const text = Buffer.from(payload);
      const length = Buffer.from([text.length >> 8, text.length & 255]);
      packet.data = codec === 'mov_text' ? Buffer.concat([length, text]) : text;
      packet.pts = BigInt(startMs + cueMs);
      packet.dts = packet.pts;
      packet.duration = BigInt(lengthMs);
      packet.streamIndex = index + 1;
      packet.rescaleTs({ num: 1, den: 1000 }, streams[index].timeBase);
      check(output.interleavedWriteFrameSync(packet));
      packet.unref();
    }
  }
  await finish(output, packet);
  return path;
}
