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
const SHARES = [0.35, 0.55, 0.07, 0.03];

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
  const seconds = Math.max(0.001, timelineDurationSeconds(timeline));
  const progressOf = (pass: number) => {
    const before = SHARES.slice(0, pass).reduce((sum, share) => sum + share, 0);
    return (time: number) => {
      signal?.throwIfAborted();
      onProgress(before + (SHARES[pass] ?? 0) * Math.min(1, time / seconds));
    };
  };
  const sound = timelineSound(timeline, request);
  const measured = await measureSound(sound, plan, progressOf(0));
  const { before } = measured;
  let { trace, equalizer } = measured;
  let ceiling = plan.truePeakDbtp === null ? null : plan.truePeakDbtp - CODEC_HEADROOM_DB;
  let makeup = 0;
  // The trace was measured after the planned equalizer, not after the corrected one.
  let stale = before !== null;
  for (let turn = 1; ; turn++) {
    const dynamics = fitDynamics(trace, plan, ceiling, makeup);
    const track = openAudioTrack(sound, equalizer);
    if (stale) trace = new AudioTrace(OUTPUT_SAMPLE_RATE);
    const blocks = stale ? traced(track, trace) : track;
    const encoded = await encode(blocks, dynamics, path, progressOf(turn));
    const { integratedLufs, truePeakDbtp, spectrum } = encoded;
    const off = plan.targetLufs === null || integratedLufs === null ? 0 : plan.targetLufs - integratedLufs;
    const above =
      (truePeakDbtp ?? Number.NEGATIVE_INFINITY) - (plan.truePeakDbtp ?? Number.POSITIVE_INFINITY);
    // The fit itself stays below the target: more loudness is not possible.
    const short =
      plan.targetLufs !== null && (dynamics.loudnessLufs ?? 0) < plan.targetLufs + makeup - CLOSE_ENOUGH_LU;
    const shaped =
      before === null ||
      turn > MAX_CORRECTIONS ||
      spectrumMiss(plan.equalizer, before, spectrum) < CLOSE_ENOUGH_SPECTRUM_DB;
    const done = shaped && above <= 0 && (Math.abs(off) <= CLOSE_ENOUGH_LU || (short && off > 0));
    if (done || turn >= (above <= 0 ? MAX_ENCODINGS : MAX_PEAK_ENCODINGS))
      return { integratedLufs, truePeakDbtp, missingLu: short ? Math.max(0, off) : 0 };
    if (ceiling !== null && above > 0) ceiling -= above + PEAK_MARGIN_DB;
    // If the trace belongs to this very sound, the error is one that the model does not predict. Otherwise the new trace will show it.
    if (!stale && !short) makeup += off;
    stale = !shaped;
    if (!shaped) equalizer = correctedEqualizer(plan.equalizer, equalizer, before, spectrum);
  }
}

/** Trace of the sound after the planned equalizer, its spectrum before it, and the equalizer settings that give the planned gains. */
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
  if (!equalizes) return { trace, before: null, equalizer: plan.equalizer };
  const unshaped = before.finish();
  const equalizer = correctedEqualizer(plan.equalizer, plan.equalizer, unshaped, after.finish());
  return { trace, before: unshaped, equalizer };
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
