import { AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants';
import { Codec, CodecContext, type FormatContext, Frame, Packet, type Stream } from 'node-av/lib';

/** Whether the stream decodes to any samples. Reads packets from `context` until the first samples, or to the end. */
export async function decodesToSound(
  context: FormatContext,
  { codecpar, index, timeBase }: Stream,
): Promise<boolean> {
  const decoder = Codec.findDecoder(codecpar.codecId);
  if (decoder === null) return false;
  const codec = new CodecContext();
  codec.allocContext3(decoder);
  codec.parametersToContext(codecpar);
  codec.pktTimebase = timeBase;
  const [packet, frame] = [new Packet(), new Frame()];
  packet.alloc();
  frame.alloc();
  try {
    if ((await codec.open2(decoder, null)) < 0) return false;
    for (let isAtEnd = false; ; ) {
      const received = codec.receiveFrameSync(frame);
      if (received >= 0 && frame.nbSamples > 0) return true;
      frame.unref();
      if (received === AVERROR_EOF || (isAtEnd && received < 0 && received !== AVERROR_EAGAIN)) return false;
      if (received !== AVERROR_EAGAIN) continue;
      if (isAtEnd) return false;
      isAtEnd = !readNextOf(context, index, packet);
      codec.sendPacketSync(isAtEnd ? null : packet);
    }
  } finally {
    codec.freeContext();
    packet.free();
    frame.free();
  }
}

function readNextOf(context: FormatContext, index: number, packet: Packet): boolean {
  for (;;) {
    packet.unref();
    if (context.readFrameSync(packet) < 0) return false;
    if (packet.streamIndex === index) return true;
  }
}
