import { AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { FormatContext, Packet } from 'node-av/lib';
import { openInput } from '../../src/media/av/open-input.ts';
import { finish } from './remux.ts';

/** A track of the copy: the packets of the picture or the sound from `fromSeconds` to `toSeconds` of the original. */
export interface CopiedTrack {
  readonly kind: 'picture' | 'sound';
  readonly fromSeconds?: number;
  readonly toSeconds?: number;
  /** Packets of this span are left out. */
  readonly withoutSeconds?: readonly [number, number];
  /** The packet identifier in a transport stream. */
  readonly id?: number;
}

/** Copies picture and sound of a clip without the packets of one kind in a span. */
export function remuxWithout(
  path: string,
  format: string,
  outputPath: string,
  gone: CopiedTrack['kind'],
  withoutSeconds: readonly [number, number],
): Promise<void> {
  const tracks = (['picture', 'sound'] as const).map((kind) =>
    kind === gone ? { kind, withoutSeconds } : { kind },
  );
  return remuxTracks(path, format, outputPath, tracks);
}

/** Copies picture and sound of a clip into several tracks of another container, by FFmpeg's name of it. */
export async function remuxTracks(
  path: string,
  format: string,
  outputPath: string,
  tracks: readonly CopiedTrack[],
): Promise<void> {
  using input = await openInput(path);
  const output = new FormatContext();
  check(output.allocOutputContext2(null, format, outputPath));
  const copies = tracks.map(({ kind, id, ...spans }) => {
    const type = kind === 'picture' ? AVMEDIA_TYPE_VIDEO : AVMEDIA_TYPE_AUDIO;
    const original = input.context.streams.find(({ codecpar }) => codecpar.codecType === type)!;
    const stream = output.newStream(null);
    check(original.codecpar.copy(stream.codecpar));
    stream.codecpar.codecTag = 0;
    stream.timeBase = original.timeBase;
    if (id !== undefined) stream.id = id;
    return { original, stream, isCopied: (seconds: number) => isIn(spans, seconds) };
  });
  check(await output.openOutput());
  check(await output.writeHeader());
  const packet = new Packet();
  packet.alloc();
  while (input.context.readFrameSync(packet) >= 0) {
    for (const { original, stream, isCopied } of copies) {
      const seconds = (Number(packet.pts) * original.timeBase.num) / original.timeBase.den;
      if (packet.streamIndex !== original.index || !isCopied(seconds)) continue;
      const copy = packet.clone()!;
      copy.streamIndex = stream.index;
      copy.rescaleTs(original.timeBase, stream.timeBase);
      check(output.interleavedWriteFrameSync(copy));
      copy.free();
    }
    packet.unref();
  }
  await finish(output, packet);
}

function isIn(
  { fromSeconds = 0, toSeconds = Number.POSITIVE_INFINITY, withoutSeconds }: Omit<CopiedTrack, 'kind' | 'id'>,
  seconds: number,
): boolean {
  const isLeftOut =
    withoutSeconds !== undefined && seconds >= withoutSeconds[0] && seconds < withoutSeconds[1];
  return seconds >= fromSeconds && seconds < toSeconds && !isLeftOut;
}

function check(result: number): void {
  if (result < 0) throw new Error(`FFmpeg error ${result}`);
}
