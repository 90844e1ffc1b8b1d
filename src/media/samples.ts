import type { Frame as SoundFrame } from 'node-av/lib';
import { Failure } from '../errors.ts';
import type { SampleBlock } from '../footage.ts';
import { LinearGraph } from './graph.ts';
import { openInput, StreamDecoder } from './input.ts';
import { readSoundFrame } from './sound-frame.ts';

export interface SampleOptions {
  readonly sampleRate: number;
  /** `source`: all the channels that there are; `stereo` and `mono` are mixed down by FFmpeg's standard matrix. */
  readonly channels: 'mono' | 'stereo' | 'source';
  /** Fill gaps between the time stamps with silence, so that sample n is n / rate after the container's start. */
  readonly onClock?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Decodes the sound of a file in blocks of about a second. A late start of the sound shows in `startSeconds` of
 * the first block, unless `onClock` fills it.
 * Throws `Failure` INPUT_UNSUPPORTED when there is no sound stream.
 */
export async function* openSamples(path: string, options: SampleOptions): AsyncGenerator<SampleBlock> {
  using input = await openInput(path);
  if (input.audio === null) throw new Failure('INPUT_UNSUPPORTED', 'The file has no sound stream');
  using decoder = await StreamDecoder.open(input, input.audio, { threads: 1 });
  const layout = {
    mono: 'aformat=channel_layouts=mono,',
    stereo: 'aformat=channel_layouts=stereo,',
    source: '',
  };
  const clock = options.onClock === true ? ':async=1:min_hard_comp=0.05:first_pts=0' : '';
  const chain = `${layout[options.channels]}aresample=${options.sampleRate}:filter_size=32${clock},aformat=sample_fmts=fltp`;
  using graph = new LinearGraph('audio', input.audio.timeBase, () => chain);

  let parts: Float32Array[][] = [];
  let held = 0;
  let startSeconds: number | null = null;
  const onFrame = (frame: SoundFrame) => {
    parts.push(readSoundFrame(frame));
    held += frame.nbSamples;
  };
  const take = (): SampleBlock => {
    const block = {
      startSeconds: startSeconds ?? 0,
      sampleRate: options.sampleRate,
      channels: joinChannels(parts, held),
    };
    startSeconds = (startSeconds ?? 0) + held / options.sampleRate;
    parts = [];
    held = 0;
    return block;
  };
  for (;;) {
    const decoded = decoder.next();
    if (decoded !== null) startSeconds ??= Math.max(0, decoder.frameSeconds(decoded));
    graph.push(decoded, onFrame);
    if (held >= options.sampleRate || (decoded === null && held > 0)) {
      yield take();
      await new Promise(setImmediate);
      options.signal?.throwIfAborted();
    }
    if (decoded === null) return;
  }
}

/** A change of channel count on the way keeps the channels of the first part; missing ones are silent. */
function joinChannels(parts: readonly Float32Array[][], length: number): Float32Array[] {
  const channelCount = parts[0]?.length ?? 0;
  return Array.from({ length: channelCount }, (_, channel) => {
    const joined = new Float32Array(length);
    let at = 0;
    for (const part of parts) {
      if (part[channel] !== undefined) joined.set(part[channel], at);
      at += part[0]!.length;
    }
    return joined;
  });
}
