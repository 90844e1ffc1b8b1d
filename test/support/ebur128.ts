import { LinearGraph } from '../../src/media/av/graph.ts';
import { openInput } from '../../src/media/av/open-input.ts';
import { StreamDecoder } from '../../src/media/av/stream-decoder.ts';

export interface MeasuredLoudness {
  readonly integratedLufs: number;
  readonly rangeLu: number;
  /** Share of full scale. */
  readonly truePeak: number;
}

/** The loudness of a file's sound by FFmpeg's filter `ebur128`: a meter that shares nothing with ours but the standard. */
export async function measureByEbur128(path: string, sampleRate: number): Promise<MeasuredLoudness> {
  using input = await openInput(path);
  using decoder = await StreamDecoder.open(input, input.audio!, { threads: 1 });
  const chain = `aresample=${sampleRate}:filter_size=32,ebur128=metadata=1:peak=true`;
  using graph = new LinearGraph('audio', input.audio!.timeBase, () => chain);
  let measured: Readonly<Record<string, string>> = {};
  for (;;) {
    const decoded = decoder.next();
    graph.push(decoded, (frame) => {
      const metadata = frame.getMetadata()?.getAll() ?? {};
      if ('lavfi.r128.I' in metadata) measured = metadata;
    });
    if (decoded === null) break;
  }
  const peaks = Object.entries(measured).filter(([name]) => name.startsWith('lavfi.r128.true_peaks_ch'));
  return {
    integratedLufs: Number(measured['lavfi.r128.I']),
    rangeLu: Number(measured['lavfi.r128.LRA']),
    truePeak: Math.max(...peaks.map(([, peak]) => Number(peak))),
  };
}
