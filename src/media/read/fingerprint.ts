import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AV_SAMPLE_FMT_S16, AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants';
import { Codec, CodecContext, Dictionary, FormatContext, Frame, Packet, Rational } from 'node-av/lib';
import { STEREO } from '../av/audio-frame.ts';
import { succeeded } from '../av/ffmpeg-result.ts';
import { openSamples } from '../decode/samples.ts';

/** Chromaprint resamples to 11,025 Hz mono itself; AcoustID compares the first two minutes. */
const SAMPLE_RATE = 11_025;
const LENGTH_SECONDS = 120;
const MONO = { ...STEREO, nbChannels: 1, mask: 4n };

/**
 * The Chromaprint fingerprint of a file's first two minutes of sound in its base64 form, as `fpcalc` prints it
 * (algorithm 1, Lukáš Lalinský 2010); null when there is less than about three seconds of it.
 * `folder` is where a temporary file may be written. Progress is 0..1 of the two minutes.
 */
export async function fingerprintOf(
  path: string,
  folder: string,
  onProgress: (fraction: number) => void = () => {},
): Promise<string | null> {
  const file = join(folder, 'fingerprint.txt');
  const output = new FormatContext();
  const encoder = new CodecContext();
  const packet = new Packet();
  const frame = new Frame();
  packet.alloc();
  frame.alloc();
  try {
    await openPrinter(output, encoder, file);
    let position = 0;
    for await (const block of openSamples(path, {
      sampleRate: SAMPLE_RATE,
      channels: 'mono',
      onClock: true,
    })) {
      if (position >= LENGTH_SECONDS * SAMPLE_RATE) break;
      fill(frame, block.channels[0]!, position);
      position += block.channels[0]!.length;
      encode(output, encoder, frame, packet);
      onProgress(position / (LENGTH_SECONDS * SAMPLE_RATE));
    }
    encode(output, encoder, null, packet);
    if (position < 3 * SAMPLE_RATE) return null;
    must(await output.writeTrailer());
    await output.closeOutput();
    const text = (await readFile(file, 'utf8')).trim();
    return text === '' ? null : text;
  } finally {
    encoder.freeContext();
    packet.free();
    frame.free();
    output.freeContext();
    await rm(file, { force: true });
  }
}

function must(result: number): void {
  succeeded(result, 'Fingerprinting', 'INTERNAL_ERROR');
}

async function openPrinter(output: FormatContext, encoder: CodecContext, file: string): Promise<void> {
  must(output.allocOutputContext2(null, 'chromaprint', file));
  const codec = Codec.findEncoderByName('pcm_s16le' as Parameters<typeof Codec.findEncoderByName>[0]);
  encoder.allocContext3(codec);
  encoder.sampleRate = SAMPLE_RATE;
  encoder.sampleFormat = AV_SAMPLE_FMT_S16;
  encoder.channelLayout = MONO;
  encoder.timeBase = new Rational(1, SAMPLE_RATE);
  must(await encoder.open2(codec, null));
  const stream = output.newStream(null);
  must(stream.codecpar.fromContext(encoder));
  stream.timeBase = encoder.timeBase;
  must(await output.openOutput());
  const options = Dictionary.fromObject({ fp_format: 'base64' });
  must(await output.writeHeader(options));
  options.free();
}

function fill(frame: Frame, samples: Float32Array, position: number): void {
  frame.unref();
  frame.format = AV_SAMPLE_FMT_S16;
  frame.nbSamples = samples.length;
  frame.sampleRate = SAMPLE_RATE;
  frame.channelLayout = MONO;
  must(frame.getBuffer());
  const plane = frame.data![0]!;
  const words = new Int16Array(plane.buffer, plane.byteOffset, samples.length);
  for (let i = 0; i < samples.length; i++)
    words[i] = Math.max(-32768, Math.min(32767, Math.round(samples[i]! * 32767)));
  frame.pts = BigInt(position);
}

function encode(output: FormatContext, encoder: CodecContext, frame: Frame | null, packet: Packet): void {
  must(encoder.sendFrameSync(frame));
  for (;;) {
    const received = encoder.receivePacketSync(packet);
    if (received === AVERROR_EAGAIN || received === AVERROR_EOF) return;
    must(received);
    packet.streamIndex = 0;
    must(output.writeFrameSync(packet));
  }
}
