import { AudioAnalysis } from '../../src/analysis/audio.ts';
import { SOUND_RATE } from '../generate/instruments.ts';

/** An analysis that has received a mono sound at `SOUND_RATE`, a second at a time. */
export function analysisOf(samples: Float32Array): AudioAnalysis {
  const analysis = new AudioAnalysis({ sampleRate: SOUND_RATE, channels: 1 });
  for (let at = 0; at < samples.length; at += SOUND_RATE)
    analysis.push({
      startSeconds: at / SOUND_RATE,
      sampleRate: SOUND_RATE,
      channels: [samples.subarray(at, at + SOUND_RATE)],
    });
  return analysis;
}
