import type { SampleBlock } from '../domain/footage.ts';
import { ChannelSamples } from '../signal/channel-samples.ts';
import { beatAccents } from './beats/accents.ts';
import { trackBeats } from './beats/beat.ts';
import { pickOnsets } from './beats/onset.ts';
import {
  ONSET_FRAMES_PER_SECOND,
  type OnsetCurve,
  OnsetCurveMeter,
  strongOnsets,
} from './beats/onset-curve.ts';
import type { Detector } from './detector.ts';
import type { AudioFacts } from './facts.ts';
import { LoudnessMeter } from './loudness/loudness.ts';
import { LevelMeter } from './loudness/silence.ts';
import type { MusicFacts } from './music-facts.ts';
import { genreOf } from './soundtrack/genre.ts';
import { BandLevelMeter, LEVEL_STEP_SECONDS } from './spectrum/band-levels.ts';
import { CHROMA_FRAMES_PER_SECOND, ChromaMeter, type HarmonicChange } from './spectrum/chroma.ts';
import { Spectra } from './spectrum/spectra.ts';
import { SpectrumMeter } from './spectrum/spectrum.ts';
import { talkCertainty } from './speech/pauses.ts';
import { findSpeechOnsets, VoiceEnvelopeMeter } from './speech/phrases.ts';
import { findRepeats } from './speech/repeats.ts';
import { findSpeech, withoutPlayedSpans } from './speech/speech.ts';
import { findTalk } from './speech/talk.ts';
import { VOICE_FRAMES_PER_SECOND, type VoiceCurves, VoiceMeter } from './speech/voice.ts';
import { type BandLevels, VoiceBandMeter } from './speech/voice-bands.ts';
import type { TalkFacts } from './talk-facts.ts';

/** The windows of the literature are for this rate: of onsets and voice, and of spectrum and chroma, in samples. */
const REFERENCE_RATE = 44_100;
const FINE_SAMPLES = 2048;
const COARSE_SAMPLES = 8192;
const VOICE_EVERY = ONSET_FRAMES_PER_SECOND / VOICE_FRAMES_PER_SECOND;
/** Gaps in the time stamps that are filled with silence; shorter ones are rounding, longer ones a broken file. */
const MIN_GAP_SECONDS = 0.02;
const LONGEST_FILL_SECONDS = 4 * 3600;
/** Seconds of sound until the measures are reliable. */
const SETTLED_SECONDS = 15;

/**
 * Measures the sound of a clip: push its blocks in order, then `finish` once. Memory grows by about 6 kB per second of
 * sound. Times count from the clip's start: a late start and gaps count as silence. Samples that are not finite count
 * as 0. At 44.1 kHz the windows are those of the literature; at other rates they are the power of two nearest in
 * length.
 */
export class AudioAnalysis implements Detector<[SampleBlock], AudioFacts> {
  readonly #format: { sampleRate: number; channels: number };
  readonly #block = new ChannelSamples();
  readonly #loudness: LoudnessMeter;
  readonly #level: LevelMeter;
  readonly #fine: Spectra;
  readonly #coarse: Spectra;
  readonly #onsets: OnsetCurveMeter;
  readonly #voice: VoiceMeter;
  readonly #envelope: VoiceEnvelopeMeter;
  readonly #voiceBands: VoiceBandMeter;
  readonly #spectrum: SpectrumMeter;
  readonly #chroma: ChromaMeter;
  readonly #bands: BandLevelMeter;
  #samples = 0;
  #frame = 0;

  constructor(format: { sampleRate: number; channels: number }) {
    const { sampleRate } = format;
    this.#format = format;
    this.#loudness = new LoudnessMeter(format);
    this.#level = new LevelMeter(sampleRate);
    const scale = 2 ** Math.round(Math.log2(sampleRate / REFERENCE_RATE));
    this.#fine = new Spectra(FINE_SAMPLES * scale, sampleRate, ONSET_FRAMES_PER_SECOND, (power) => {
      this.#takeFine(power);
    });
    this.#coarse = new Spectra(COARSE_SAMPLES * scale, sampleRate, CHROMA_FRAMES_PER_SECOND, (power) => {
      this.#spectrum.push(power);
      this.#chroma.push(power);
      this.#bands.push(power);
    });
    this.#onsets = new OnsetCurveMeter(FINE_SAMPLES * scale, sampleRate);
    this.#voice = new VoiceMeter(this.#fine.fft, sampleRate);
    this.#envelope = new VoiceEnvelopeMeter(FINE_SAMPLES * scale, sampleRate);
    this.#voiceBands = new VoiceBandMeter({
      fftSize: FINE_SAMPLES * scale,
      sampleRate,
      fullScale: this.#fine.fullScale,
    });
    this.#spectrum = new SpectrumMeter({
      fftSize: COARSE_SAMPLES * scale,
      sampleRate,
      framesPerSecond: CHROMA_FRAMES_PER_SECOND,
      fullScale: this.#coarse.fullScale,
    });
    this.#chroma = new ChromaMeter(COARSE_SAMPLES * scale, sampleRate);
    this.#bands = new BandLevelMeter({
      fftSize: COARSE_SAMPLES * scale,
      sampleRate,
      fullScale: this.#coarse.fullScale,
    });
  }

  push(block: SampleBlock): void {
    const gap = block.startSeconds - this.#samples / this.#format.sampleRate;
    if (gap > MIN_GAP_SECONDS) this.#pushSilence(Math.min(gap, LONGEST_FILL_SECONDS));
    const quiet = new Float32Array(block.channels[0]?.length ?? 0);
    // A stream may change its channel count; the first one is used.
    const channels = Array.from({ length: this.#format.channels }, (_, c) => block.channels[c] ?? quiet);
    this.#pushChannels(channels);
  }

  #pushSilence(durationSeconds: number): void {
    let left = Math.round(durationSeconds * this.#format.sampleRate);
    while (left > 0) {
      const quiet = new Float32Array(Math.min(left, this.#format.sampleRate));
      this.#pushChannels(Array.from({ length: this.#format.channels }, () => quiet));
      left -= quiet.length;
    }
  }

  #pushChannels(channels: readonly Float32Array[]): void {
    const block = this.#block;
    block.set(channels);
    this.#loudness.push(block.channels);
    this.#level.push(block);
    const mono = block.mixDown();
    this.#fine.push(mono);
    this.#coarse.push(mono);
    this.#samples += mono.length;
  }

  #takeFine(power: Float64Array): void {
    if (this.#frame % VOICE_EVERY === 0) this.#voice.push(power);
    this.#frame += 1;
    this.#envelope.push(power);
    this.#voiceBands.push(power);
    this.#onsets.push(power);
  }

  finish(): AudioFacts {
    return describeSound(this.measured());
  }

  /** The measurements without conclusions; may be called once. */
  measured(): MeasuredSound {
    this.#fine.finish();
    this.#coarse.finish();
    const durationSeconds = this.#samples / this.#format.sampleRate;
    const { sampleRate, channels } = this.#format;
    return {
      ...{ durationSeconds, sampleRate, channels },
      loudness: this.#loudness.finish(),
      silence: this.#level.finish(durationSeconds),
      voice: this.#voice.finish(),
      voiceLevels: this.#envelope.finish(),
      voiceBands: this.#voiceBands.finish(),
      curve: this.#onsets.finish(),
      harmony: this.#chroma.finish(),
      spectrum: this.#spectrum.finish(),
      levelsDb: this.#bands.finish(),
    };
  }
}

/** Curves and levels of a clip's sound. */
export interface MeasuredSound
  extends Pick<
    AudioFacts,
    'durationSeconds' | 'sampleRate' | 'channels' | 'loudness' | 'silence' | 'spectrum'
  > {
  readonly voice: VoiceCurves;
  /** dB, 100 frames a second. */
  readonly voiceLevels: Float32Array;
  readonly voiceBands: BandLevels;
  readonly curve: OnsetCurve;
  readonly harmony: HarmonicChange;
  readonly levelsDb: MusicFacts['levelsDb'];
}

/** Onsets, beats, speech and genre of measured sound. */
function describeSound({
  voice,
  voiceLevels,
  voiceBands,
  curve,
  harmony,
  levelsDb,
  ...heard
}: MeasuredSound): AudioFacts {
  const { durationSeconds, loudness, silence } = heard;
  const clipPeak = strongOnsets(curve.full);
  const onsets = pickOnsets(curve, clipPeak);
  const { tempo, beats } = trackBeats(curve, harmony, clipPeak, silence.spans, durationSeconds);
  const talk = withRepeats(findTalk(voiceBands), voiceBands);
  const found = findSpeech(voice, durationSeconds, talk);
  const spoken = withoutPlayedSpans(found, onsets, beats, durationSeconds);
  const speech = {
    ...spoken,
    onsets: findSpeechOnsets(voiceLevels, spoken.spans),
    talk,
  };
  const { integratedLufs, truePeakDbtp } = loudness;
  const measured = {
    ...heard,
    crestDb: integratedLufs === null || truePeakDbtp === null ? null : truePeakDbtp - integratedLufs,
    ...{ onsets, tempo, beats, speech },
  };
  const sounding = durationSeconds * (1 - silence.share);
  const genre = genreOf(measured);
  const music = {
    levelStepSeconds: LEVEL_STEP_SECONDS,
    levelsDb,
    beats: beatAccents(beats, curve, harmony, clipPeak),
  };
  return { ...measured, genre, music, confidence: Math.min(1, sounding / SETTLED_SECONDS) };
}

/** Only where pauses are certain: elsewhere phrases have no borders. */
function withRepeats(talk: TalkFacts | null, levels: BandLevels): TalkFacts | null {
  if (talk === null || talkCertainty(talk) === 0) return talk;
  const repeats = findRepeats(levels, talk.runs);
  return repeats.length === 0 ? talk : { ...talk, repeats };
}
