import { LoudnessMeter } from '../../analysis/loudness/loudness.ts';
import type { StereoBlock } from '../../media/av/audio-frame.ts';
import { OUTPUT_SAMPLE_RATE } from '../../media/av/output-sample-rate.ts';
import { openSamples } from '../../media/decode/samples.ts';
import { AudioFileWriter } from '../../media/encode/encode-audio.ts';
import { type AudioPlan, type Timeline, timelineDurationSeconds } from '../../style/model/timeline.ts';
import { type Dynamics, fitDynamics } from './audio-dynamics.ts';
import { AudioSpectrum, correctedEqualizer, spectrumMiss } from './audio-spectrum.ts';
import { AudioTrace } from './audio-trace.ts';
import { openAudioTrack, withDynamics } from './audio-track.ts';
import type { OutputSound, SoundFiles } from './output-sound.ts';
import { timelineSound } from './timeline-sound.ts';

/** Margin below the peak limit for the first encoding: AAC changes peaks by some tenths of a decibel, more for broadband noise. */
const CODEC_HEADROOM_DB = 0.5;
const PEAK_MARGIN_DB = 0.1;
const CLOSE_ENOUGH_LU = 0.3;
/** Root mean square over the bands. */
const CLOSE_ENOUGH_SPECTRUM_DB = 0.8;
const MAX_ENCODINGS = 4;
/** Corrections of the equalizer. More do not converge, because dynamics change the spectrum again. */
const MAX_CORRECTIONS = 2;
/** One more encoding is allowed to meet the peak limit, which is guaranteed. */
const MAX_PEAK_ENCODINGS = 5;
/** Shares of the running time: the first reading, then each encoding with its decoding. */
const PASS_SHARES = [0.35, 0.55, 0.07, 0.03];

export interface AudioOutcome {
  /** Loudness of the decoded sound; null: silence. */
  readonly integratedLufs: number | null;
  readonly truePeakDbtp: number | null;
  /** Loudness that it lacks, because the target would need too much limiting; 0: none. */
  readonly missingLu: number;
}

/** The sound of a timeline's output. */
export interface SoundPlan extends SoundFiles {
  readonly timeline: Timeline;
  readonly plan: AudioPlan;
}

export interface SoundRequest extends SoundPlan {
  readonly outputPath: string;
}

/**
 * Writes the output's encoded sound into a separate file. Measures it, fits its dynamics to the plan,
 * encodes, measures the decoded result, and repeats if loudness, spectrum or peaks miss the plan. Reads the
 * source two to four times, and yields to the event loop after every second of sound. Throws `Failure`
 * ENCODER_FAILED, INSUFFICIENT_STORAGE, the errors of `openSamples`, and the reason of `signal`.
 */
export async function writeAudio(
  request: SoundPlan,
  path: string,
  onProgress: (fraction: number) => void,
  signal?: AbortSignal,
): Promise<AudioOutcome> {
  const { timeline, plan } = request;
  const progressOf = passProgress(timelineDurationSeconds(timeline), onProgress, signal);
  const sound = timelineSound(timeline, request);
  const first = await measureSound(sound, plan, progressOf(0));
  let { trace, equalizer } = first;
  let ceilingDbtp = plan.truePeakDbtp === null ? null : plan.truePeakDbtp - CODEC_HEADROOM_DB;
  let makeupDb = 0;
  // The first trace was measured after the planned equalizer, not after the corrected one.
  let isTraceOutdated = first.spectrum !== null;
  for (let encodings = 1; ; encodings++) {
    const dynamics = fitDynamics(trace, plan, ceilingDbtp, makeupDb);
    const track = openAudioTrack(sound, equalizer);
    if (isTraceOutdated) trace = new AudioTrace(OUTPUT_SAMPLE_RATE);
    const blocks = isTraceOutdated ? traced(track, trace) : track;
    const encoded = await encode(blocks, dynamics, path, progressOf(encodings));
    const { integratedLufs, truePeakDbtp } = encoded;
    const missingLu =
      plan.targetLufs === null || integratedLufs === null ? 0 : plan.targetLufs - integratedLufs;
    const excessDb =
      plan.truePeakDbtp === null || truePeakDbtp === null ? 0 : Math.max(0, truePeakDbtp - plan.truePeakDbtp);
    // The fit itself stays below the target: the peak limit permits no more loudness.
    const isLimited =
      plan.targetLufs !== null && (dynamics.loudnessLufs ?? 0) < plan.targetLufs + makeupDb - CLOSE_ENOUGH_LU;
    const isLoudnessFinal = Math.abs(missingLu) <= CLOSE_ENOUGH_LU || (isLimited && missingLu > 0);
    const isSpectrumFinal =
      first.spectrum === null ||
      encodings > MAX_CORRECTIONS ||
      spectrumMiss(plan.equalizer, first.spectrum, encoded.spectrum) < CLOSE_ENOUGH_SPECTRUM_DB;
    const isDone = excessDb === 0 && isLoudnessFinal && isSpectrumFinal;
    if (isDone || encodings >= (excessDb === 0 ? MAX_ENCODINGS : MAX_PEAK_ENCODINGS))
      return { integratedLufs, truePeakDbtp, missingLu: isLimited ? Math.max(0, missingLu) : 0 };
    if (ceilingDbtp !== null && excessDb > 0) ceilingDbtp -= excessDb + PEAK_MARGIN_DB;
    // With a trace of this very sound, the model does not predict the error. Otherwise the new trace will show it.
    if (!isTraceOutdated && !isLimited) makeupDb += missingLu;
    isTraceOutdated = !isSpectrumFinal;
    if (!isSpectrumFinal)
      equalizer = correctedEqualizer(plan.equalizer, equalizer, first.spectrum, encoded.spectrum);
  }
}

/** The share of the work done at a time of the sound, for each pass over it. Throws the reason of `signal`. */
function passProgress(
  durationSeconds: number,
  onProgress: (fraction: number) => void,
  signal: AbortSignal | undefined,
): (pass: number) => (seconds: number) => void {
  return (pass) => {
    const before = PASS_SHARES.slice(0, pass).reduce((sum, share) => sum + share, 0);
    return (seconds) => {
      signal?.throwIfAborted();
      onProgress(before + (PASS_SHARES[pass] ?? 0) * Math.min(1, seconds / Math.max(0.001, durationSeconds)));
    };
  };
}

/** Trace of the sound after the planned equalizer, spectrum before it (null: no equalizer), and the settings that give the planned gains. */
async function measureSound(sound: OutputSound, plan: AudioPlan, onProgress: (seconds: number) => void) {
  const trace = new AudioTrace(OUTPUT_SAMPLE_RATE);
  const [before, after] = [new AudioSpectrum(), new AudioSpectrum()];
  const equalizes = plan.equalizer.length > 0;
  const onAssembled = (block: StereoBlock) => equalizes && before.push(block);
  let samples = 0;
  for await (const block of openAudioTrack(sound, plan.equalizer, onAssembled)) {
    trace.push(block);
    if (equalizes) after.push(block);
    samples += block[0].length;
    onProgress(samples / OUTPUT_SAMPLE_RATE);
  }
  trace.finish();
  if (!equalizes) return { trace, spectrum: null, equalizer: plan.equalizer };
  const spectrum = before.finish();
  const equalizer = correctedEqualizer(plan.equalizer, plan.equalizer, spectrum, after.finish());
  return { trace, spectrum, equalizer };
}

async function* traced(blocks: AsyncIterable<StereoBlock>, trace: AudioTrace): AsyncGenerator<StereoBlock> {
  for await (const block of blocks) {
    trace.push(block);
    yield block;
  }
  trace.finish();
}

async function encode(
  blocks: AsyncIterable<StereoBlock>,
  dynamics: Dynamics,
  path: string,
  onProgress: (seconds: number) => void,
) {
  using writer = await AudioFileWriter.open(path);
  let samples = 0;
  for await (const [left, right] of withDynamics(blocks, dynamics)) {
    writer.write(left, right);
    samples += left.length;
    onProgress(samples / OUTPUT_SAMPLE_RATE);
  }
  await writer.finish();
  return measureAudioFile(path);
}

/** Loudness, true peak and spectrum of a file's decoded sound. */
async function measureAudioFile(path: string) {
  const meter = new LoudnessMeter({ sampleRate: OUTPUT_SAMPLE_RATE, channels: 2 });
  const spectrum = new AudioSpectrum();
  for await (const { channels } of openSamples(path, {
    sampleRate: OUTPUT_SAMPLE_RATE,
    channels: 'stereo',
  })) {
    meter.push(channels);
    spectrum.push(channels as unknown as StereoBlock);
  }
  return { ...meter.finish(), spectrum: spectrum.finish() };
}
