import type { SoundPlan } from '../style/timeline.ts';

/** What the loudness measurement decided. */
export interface SoundLevel {
  readonly gainDb: number;
  /** Null: peaks stay below without a limiter. */
  readonly limiterDbtp: number | null;
}

const LEAST_EQ_DB = 0.1;
/** True peaks lie between the samples: the limiter works at four times the rate (ITU-R BS.1770-4, annex 2). */
const LIMITER_SAMPLE_RATE = 192_000;

/** FFmpeg filters for stereo sound at 48 kHz, delay compensated: spectrum, dynamics, level, peak. */
export function soundChain(plan: SoundPlan, level: SoundLevel): string {
  const parts: string[] = [];
  if (plan.equalizer.some(({ gainDb }) => Math.abs(gainDb) >= LEAST_EQ_DB)) {
    const entries = plan.equalizer.map(({ hz, gainDb }) => `entry(${hz.toFixed(1)},${gainDb.toFixed(2)})`);
    parts.push(
      `firequalizer=gain='cubic_interpolate(f)':gain_entry='${entries.join(';')}':delay=0.04:zero_phase=on`,
    );
  }
  if (plan.compressor !== null) {
    const { thresholdDb, ratio, attackMs, releaseMs, kneeDb } = plan.compressor;
    parts.push(
      `acompressor=threshold=${amplitude(thresholdDb)}:ratio=${ratio.toFixed(3)}:attack=${attackMs}:release=${releaseMs}:knee=${Math.min(8, Math.max(1, 10 ** (kneeDb / 20))).toFixed(3)}:detection=rms`,
    );
  }
  if (level.gainDb !== 0) parts.push(`volume=${level.gainDb.toFixed(3)}dB:precision=float`);
  if (level.limiterDbtp !== null) {
    parts.push(
      `aresample=${LIMITER_SAMPLE_RATE},alimiter=limit=${amplitude(level.limiterDbtp)}:attack=3:release=80:level=false:latency=true,aresample=48000`,
    );
  }
  return [...parts, 'aformat=sample_fmts=fltp:channel_layouts=stereo'].join(',');
}

function amplitude(db: number): string {
  return (10 ** (db / 20)).toFixed(6);
}
