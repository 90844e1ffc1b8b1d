import type { AudioFacts } from '../analysis/facts.ts';
import type { Envelope } from '../domain/footage.ts';
import { mean } from '../signal/statistics.ts';
import type { Style } from '../style/model/schema.ts';
import { found, maybe } from './reading.ts';
import type { AudioView, LoudnessView, Reading, WaveView } from './view.ts';
import { count, decimal, percent, signed } from './wording.ts';

/** A quieter sound is drawn enlarged; the scale shows it. */
const FULL_PEAK = 0.5;
/** Below −60 dBFS nothing is drawn. */
const MIN_PEAK = 0.001;

export function waveView(envelope: Envelope): WaveView {
  let peak = 0;
  for (const [at, max] of envelope.max.entries()) peak = Math.max(peak, max, -envelope.min[at]);
  const isHeard = peak >= MIN_PEAK;
  const fullScale = peak >= FULL_PEAK ? Math.max(1, peak) : isHeard ? peak : 0;
  return { ...envelope, fullScale };
}

export function loudnessView({ loudness }: AudioFacts): LoudnessView {
  const { shortTermLufs, integratedLufs, truePeakDbtp } = loudness;
  return { shortTermLufs, integratedLufs, truePeakDbtp };
}

export function audioView(audio: AudioFacts, style: Partial<Style>): AudioView {
  const { tempo } = audio;
  const chosen = tempo === null ? [] : [{ bpm: tempo.bpm, confidence: tempo.confidence, isChosen: true }];
  const others = (tempo?.alternatives ?? []).map((one) => ({ ...one, isChosen: false }));
  return {
    spectrum:
      style.spectrum === undefined
        ? null
        : { centresHz: style.spectrum.centres_hz, levelsDb: style.spectrum.levels_db },
    tempos: [...chosen, ...others],
    confidence: audio.confidence,
    readings: [...musicReadings(audio), ...levelReadings(audio, style)],
  };
}

function musicReadings(audio: AudioFacts): Reading[] {
  const { beats, speech } = audio;
  const certainty = beats.length === 0 ? null : mean(beats.map(({ confidence }) => confidence));
  return [
    found('Beats', beats.length === 0 ? null : count(beats.length, 'beat'), certainty),
    found(
      'Speech',
      speech.share === 0 ? null : percent(speech.share),
      speech.confidence,
      'of the running time',
    ),
  ];
}

function levelReadings({ loudness, confidence }: AudioFacts, style: Partial<Style>): Reading[] {
  const audio = style.audio_style;
  const lufs = maybe(loudness.integratedLufs, (value) => `${decimal(value)} LUFS`);
  return [
    found('Integrated loudness', lufs, confidence),
    found(
      'Loudness range',
      maybe(loudness.rangeLu, (value) => `${decimal(value)} LU`),
      confidence,
    ),
    found(
      'True peak',
      maybe(loudness.truePeakDbtp, (value) => `${signed(value, 1)} dBTP`),
      confidence,
    ),
    found(
      'Compression',
      maybe(audio, (one) => `${decimal(one.compression_ratio, 2)} : 1`),
      confidence,
    ),
    found(
      'Bass',
      maybe(audio, (one) => `${signed(one.bass_boost, 1)} dB`),
      confidence,
      'against common recordings',
    ),
    found(
      'Speech carries the sound',
      maybe(audio, (one) => (one.enhance_speech ? 'yes' : null)),
      confidence,
    ),
  ];
}
