/** Windows of sound with known speech, for the fit of `speech/speech-weights.ts`. */
import { AudioAnalysis } from '../../src/analysis/audio.ts';
import { Spectra } from '../../src/analysis/spectrum/spectra.ts';
import { judgedWindows } from '../../src/analysis/speech/speech.ts';
import { type SpeechEvidence, speechEvidence } from '../../src/analysis/speech/speech-evidence.ts';
import {
  VOICE_FRAMES_PER_SECOND as FPS,
  type VoiceCurves,
  VoiceMeter,
} from '../../src/analysis/speech/voice.ts';
import { openSamples } from '../../src/media/decode/samples.ts';
import { RealFft } from '../../src/signal/fft.ts';
import { hannWindow } from '../../src/signal/window.ts';
import type { Made } from '../generate/sound-scenes.ts';
import { recordedOnce } from '../lib/recorded.ts';
import type { Truth } from '../lib/truth.ts';
import type { Example } from './logistic.ts';

/** A window is speech, or none, that has at least, or at most, so much of it; what lies between teaches nothing. */
const SPOKEN_SHARE = 0.7;
const UNSPOKEN_SHARE = 0.3;
const SAMPLE_RATE = 44_100;
const FFT_SIZE = 2048;
/** Raised when `VoiceMeter` measures otherwise. */
const VERSION = 1;

/** Seconds with speech; null: unknown. Music with a known beat has none unless the truth lists it. */
function spokenSpans({ made, beats }: Truth): readonly (readonly [number, number])[] | null {
  if (made.speech_spans_s !== undefined) return made.speech_spans_s;
  return made.no_beat === true || made.beat_times_s !== undefined || beats !== null ? [] : null;
}

/** Empty where nothing is known. */
export async function speechExamples(truth: Truth): Promise<Example<keyof SpeechEvidence>[]> {
  const spoken = spokenSpans(truth);
  if (spoken === null) return [];
  const curves = await recordedOnce({ kind: 'voice-curves', version: VERSION, path: truth.path }, hear);
  return examplesIn(curves, spoken);
}

/** Of sound that was just made, mono at 44.1 kHz. */
export function madeSpeechExamples({ samples, truth }: Made): Example<keyof SpeechEvidence>[] {
  const fft = new RealFft(FFT_SIZE, hannWindow(FFT_SIZE));
  const voice = new VoiceMeter(fft, SAMPLE_RATE);
  const spectra = new Spectra(FFT_SIZE, SAMPLE_RATE, FPS, (power) => voice.push(power));
  spectra.push(samples);
  spectra.finish();
  return examplesIn(voice.finish(), truth.speech_spans_s ?? []);
}

function examplesIn(
  curves: VoiceCurves,
  spoken: readonly (readonly [number, number])[],
): Example<keyof SpeechEvidence>[] {
  return judgedWindows(curves).flatMap(([from, to]) => {
    const seconds = spoken.reduce(
      (sum, [start, end]) => sum + Math.max(0, Math.min(to / FPS, end) - Math.max(from / FPS, start)),
      0,
    );
    const share = (seconds * FPS) / (to - from);
    if (share > UNSPOKEN_SHARE && share < SPOKEN_SHARE) return [];
    return [{ evidence: speechEvidence(curves, from, to), isWanted: share >= SPOKEN_SHARE }];
  });
}

async function hear(path: string): Promise<VoiceCurves> {
  let analysis: AudioAnalysis | undefined;
  for await (const block of openSamples(path, { sampleRate: SAMPLE_RATE, channels: 'source' })) {
    analysis ??= new AudioAnalysis({ sampleRate: SAMPLE_RATE, channels: block.channels.length });
    analysis.push(block);
  }
  if (analysis === undefined) throw new Error(`${path} has no sound`);
  return analysis.measured().voice;
}
