import type { AudioPlan } from '../../style/model/timeline.ts';

/** If all gains are below this, the filter is inaudible and left out. */
const MIN_EQ_DB = 0.1;
/** Half the length of the filter: finer than a third of an octave down to 40 Hz. */
const FILTER_SECONDS = 0.1;

/**
 * FFmpeg filters that equalize stereo sound at 48 kHz. Minimum phase: no delay and no pre-echo before a beat.
 */
export function equalizerChain(equalizer: AudioPlan['equalizer']): string {
  const stereo = 'aformat=sample_fmts=fltp:channel_layouts=stereo';
  if (!equalizer.some(({ gainDb }) => Math.abs(gainDb) >= MIN_EQ_DB)) return stereo;
  const entries = equalizer.map(({ hz, gainDb }) => `entry(${hz.toFixed(1)},${gainDb.toFixed(2)})`);
  return `firequalizer=gain='cubic_interpolate(f)':gain_entry='${entries.join(';')}':delay=${FILTER_SECONDS}:min_phase=on,${stereo}`;
}
