/** Generated pieces as choices between hypotheses of their beat, for the fit of `beats/weights.ts`. */
import { evidenceFor } from '../../src/analysis/beats/evidence.ts';
import { type Evidence, hypothesesOf } from '../../src/analysis/beats/metrical-hypothesis.ts';
import {
  ONSET_FRAMES_PER_SECOND as FPS,
  type OnsetCurve,
  OnsetCurveMeter,
} from '../../src/analysis/beats/onset-curve.ts';
import { findPulses, soundIn } from '../../src/analysis/beats/section.ts';
import {
  CHROMA_FRAMES_PER_SECOND,
  ChromaMeter,
  type HarmonicChange,
} from '../../src/analysis/spectrum/chroma.ts';
import { RealFft } from '../../src/signal/fft.ts';
import { FrameSlicer } from '../../src/signal/slicer.ts';
import { quantile } from '../../src/signal/statistics.ts';
import { hannWindow } from '../../src/signal/window.ts';
import { SOUND_RATE } from '../generate/instruments.ts';
import type { TruthFile } from '../lib/truth.ts';
import { beatFMeasure } from '../score/beats.ts';

/** One stretch of pulse: each hypothesis's evidence and how well it meets the true beats. */
export interface HypothesisExample {
  readonly hypotheses: readonly {
    readonly evidence: Evidence;
    readonly f: number;
  }[];
}

/** Shorter stretches of a piece than this share of its beats teach nothing. */
const MIN_SHARE = 0.25;
const MIN_BEATS = 4;

export function examplesIn(samples: Float32Array, truth: Omit<TruthFile, 'file'>): HypothesisExample[] {
  return truth.beat_times_s === undefined ? [] : hypothesisExamples(hear(samples), truth);
}

interface Hearing {
  readonly curve: OnsetCurve;
  readonly harmony: HarmonicChange;
}

/** Like `AudioAnalysis`, without its other measurements. */
function hear(samples: Float32Array): Hearing {
  const onsets = new OnsetCurveMeter(2048, SOUND_RATE);
  const chroma = new ChromaMeter(8192, SOUND_RATE);
  pushSpectra(samples, 2048, FPS, (power) => onsets.push(power));
  pushSpectra(samples, 8192, CHROMA_FRAMES_PER_SECOND, (power) => chroma.push(power));
  return { curve: onsets.finish(), harmony: chroma.finish() };
}

function pushSpectra(
  samples: Float32Array,
  size: number,
  framesPerSecond: number,
  push: (power: Float64Array) => void,
): void {
  const fft = new RealFft(size, hannWindow(size));
  const slicer = new FrameSlicer({ size, sampleRate: SOUND_RATE, framesPerSecond }, (buffer, offset) => {
    push(fft.powerOf(buffer.subarray(offset, offset + size)));
  });
  slicer.push(samples);
  slicer.finish();
}

function hypothesisExamples(
  { curve, harmony }: Hearing,
  truth: Pick<TruthFile, 'beat_times_s' | 'beat_phase_free'>,
): HypothesisExample[] {
  const beats = truth.beat_times_s!;
  const between = beats.slice(1).map((time, i) => (time + beats[i]) / 2);
  const grids = truth.beat_phase_free === true ? [beats, between] : [beats];
  const pulses = findPulses(curve, quantile(curve.full, 0.99));
  const all = pulses.reduce((sum, { grid }) => sum + grid.beats.length, 0);
  return pulses.flatMap((pulse) => {
    const [from, to] = [pulse.from / FPS, pulse.to / FPS];
    const expected = grids.map((grid) => grid.filter((time) => time >= from && time < to));
    if (pulse.grid.beats.length < MIN_SHARE * all || expected[0].length < MIN_BEATS) return [];
    const start = Math.max(from, expected[0][0] - 0.1);
    const heard = soundIn(pulse, curve, harmony);
    const hypotheses = hypothesesOf(pulse.grid, heard.curve).map((hypothesis) => {
      const found = hypothesis.beats
        .map((frame) => frame / FPS + from)
        .filter((time) => time >= start && time <= to);
      const f = Math.max(...expected.map((grid) => beatFMeasure(found, grid)));
      return { evidence: evidenceFor(hypothesis, heard), f };
    });
    return [{ hypotheses }];
  });
}
