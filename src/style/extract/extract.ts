import { meanShake } from '../../analysis/camera/shake.ts';
import { confidentAudio, confidentFacts, effectiveConfidence } from '../../analysis/confident-facts.ts';
import type {
  AudioFacts,
  ClipFacts,
  ColorStatistics,
  MotionFacts,
  VideoFacts,
} from '../../analysis/facts.ts';
import { sharedSeconds, totalSeconds } from '../../domain/spans.ts';
import { framesPerSecond } from '../../domain/time.ts';
import { clamp } from '../../signal/interpolation.ts';
import { rounded } from '../../signal/rounding.ts';
import { subtitleStyleOf, titleStyleOf } from '../captions/look.ts';
import { type LookEstimate, lookConfidenceOf, lookOf } from '../look/estimate.ts';
import { aspectRatioOf } from '../model/aspect-ratio.ts';
import { dialsOfLook, NEUTRAL_GRADE } from '../model/color-dials.ts';
import { isMeasured } from '../model/measured-parts.ts';
import type { Style } from '../model/schema.ts';
import { STYLE_VERSION } from '../model/style-version.ts';
import { audioFields } from './audio.ts';
import { editField } from './edit.ts';
import {
  cutsOnBeat,
  pacingConfidence,
  primaryTransition,
  shotLengths,
  transitionColor,
  transitionMix,
} from './pacing.ts';

/** Least share of the running or speaking time with captions for captions to be part of the style. */
const CAPTION_SHARE = 0.2;
/** Speed, in frame diagonals per second, at which the motion intensity reaches 1 − 1/e. */
const MOTION_SPEED = 0.15;
/** Required fields; not applied for an image, and for a sound file. */
const UNUSED_FRAME_RATE = 30;
const UNUSED_RATIO = '16:9';
/** Reduction of the overall confidence by a weak part. */
const CONFIDENCE_WEIGHTS = {
  color: 1,
  pacing: 0.8,
  transitions: 0.6,
  motion: 0.6,
  audio: 0.7,
  subtitles: 0.3,
} as const;

/** 0..1: how much moves, camera and subjects together. */
export function motionIntensity({ medianSpeed }: Pick<MotionFacts, 'medianSpeed'>): number {
  return share(1 - Math.exp(-medianSpeed / MOTION_SPEED));
}

/** The Style DNA of a clip: every field measured from its facts, or left out. */
export function extractStyle(
  measured: ClipFacts,
  options: { readonly createdAt: Date; readonly fingerprint: string | null },
): Style {
  if (measured.video.isStill) return styleOfStill(measured.video, options.createdAt);
  const facts = confidentFacts(measured);
  const { video, audio, motion } = facts;
  const confidence = confidences(facts);
  const parts = { confidence };
  const look = lookOf(video);
  const edit = isMeasured(parts, 'pacing') ? editField(facts) : null;
  return {
    version: STYLE_VERSION,
    aspect_ratio: aspectRatioOf(video.width, video.height),
    frame_rate: clamp(rounded(framesPerSecond(video.frameRate), 3), 1, 240),
    cut_frequency: isMeasured(parts, 'pacing') ? cutFrequency(video) : 0,
    motion_intensity: isMeasured(parts, 'motion') ? motionIntensity(motion) : 0,
    zoom_usage: isMeasured(parts, 'motion') ? share(zoomUsage(facts)) : 0,
    use_subtitles: isMeasured(parts, 'subtitles') && usesSubtitles(video, audio),
    created_at: options.createdAt.toISOString(),
    source_duration_seconds: rounded(video.durationSeconds, 3),
    extraction_confidence: overallConfidence(confidence),
    color_grade: isMeasured(parts, 'color') ? dialsOfLook(look.look) : NEUTRAL_GRADE,
    confidence,
    ...pacingFields(video, audio, confidence),
    ...motionFields(facts),
    ...(audio === null ? {} : audioFields(audio)),
    ...colorFields(video, look),
    ...captionFields(video, audio),
    ...fingerprintField(audio, options.fingerprint),
    ...(edit === null ? {} : { edit }),
  };
}

/** The style of an image: its look and its ratio. Other required fields have confidence 0. */
function styleOfStill(video: VideoFacts, createdAt: Date): Style {
  const look = lookOf(video);
  const color = share(lookConfidenceOf(video));
  return {
    version: STYLE_VERSION,
    source_kind: 'image',
    aspect_ratio: aspectRatioOf(video.width, video.height),
    frame_rate: UNUSED_FRAME_RATE,
    cut_frequency: 0,
    motion_intensity: 0,
    zoom_usage: 0,
    use_subtitles: false,
    created_at: createdAt.toISOString(),
    source_duration_seconds: 0,
    extraction_confidence: color,
    color_grade: color > 0 ? dialsOfLook(look.look) : NEUTRAL_GRADE,
    confidence: { color, pacing: 0, transitions: 0, motion: 0, subtitles: 0 },
    ...colorFields(video, look),
  };
}

/** The style of a sound file: its rhythm and its sound. Other required fields have confidence 0. */
export function extractSoundStyle(
  audio: AudioFacts,
  options: { readonly createdAt: Date; readonly fingerprint: string | null },
): Style {
  const confidence = share(confidentAudio(audio).confidence);
  return {
    version: STYLE_VERSION,
    source_kind: 'audio',
    aspect_ratio: UNUSED_RATIO,
    frame_rate: UNUSED_FRAME_RATE,
    cut_frequency: 0,
    motion_intensity: 0,
    zoom_usage: 0,
    use_subtitles: false,
    created_at: options.createdAt.toISOString(),
    source_duration_seconds: rounded(audio.durationSeconds, 3),
    extraction_confidence: confidence,
    color_grade: NEUTRAL_GRADE,
    confidence: { color: 0, pacing: 0, transitions: 0, motion: 0, audio: confidence, subtitles: 0 },
    ...audioFields(audio),
    ...fingerprintField(audio, options.fingerprint),
  };
}

/** Silence has a fingerprint too: the same for all silence. */
function fingerprintField(audio: AudioFacts | null, fingerprint: string | null): Partial<Style> {
  return fingerprint === null || audio?.loudness.integratedLufs == null ? {} : { fingerprint };
}

function motionFields({ video, motion }: ClipFacts): Partial<Style> {
  const shake = motion.confidence > 0 ? meanShake(video, motion) : null;
  return shake === null ? {} : { camera_shake: clamp(rounded(shake, 4), 0, 10) };
}

/** Changes of shot, without fades that open or close the clip. */
function changes(video: VideoFacts) {
  return video.transitions.filter((transition) => transition.edge === undefined);
}

function pacingFields(
  video: VideoFacts,
  audio: AudioFacts | null,
  confidence: NonNullable<Style['confidence']>,
): Partial<Style> {
  const transitions = changes(video);
  const isPaced = isMeasured({ confidence }, 'pacing') && transitions.length > 0;
  const lengths = isPaced ? shotLengths(video.shots) : null;
  const types = isMeasured({ confidence }, 'transitions') ? transitions : [];
  const primary = primaryTransition(types);
  const mix = transitionMix(types);
  const color = transitionColor(types);
  const onBeat =
    isPaced && audio !== null ? cutsOnBeat(transitions, audio.beats, video.durationSeconds) : null;
  return {
    ...(primary === null ? {} : { primary_transition: primary }),
    ...(mix === null ? {} : { transition_mix: mix }),
    ...(color === null ? {} : { transition_color: color }),
    ...(lengths === null ? {} : { shot_lengths: lengths }),
    ...(onBeat === null ? {} : { cuts_on_beat: onBeat }),
  };
}

function captionFields(video: VideoFacts, audio: AudioFacts | null): Partial<Style> {
  const subtitles = usesSubtitles(video, audio) ? subtitleStyleOf(video.captions) : undefined;
  const titles = titleStyleOf(video.captions);
  return {
    ...(subtitles === undefined ? {} : { subtitle_style: subtitles }),
    ...(titles === undefined ? {} : { title_style: titles }),
  };
}

function colorFields(video: VideoFacts, found: LookEstimate): Partial<Style> {
  const { clip, palette } = video.color;
  const fields: Partial<Style> = {};
  if (lookConfidenceOf(video) > 0) {
    if (palette.length > 0)
      fields.palette = palette.map(({ hex, weight }) => ({ hex, weight: share(weight) }));
    fields.color_statistics = statisticsField(clip);
    fields.look = {
      greys: found.look.greys.map((grey) => ({ ...grey })),
      chroma: found.look.chroma,
      confidence: share(found.confidence),
    };
  }
  return fields;
}

function usesSubtitles({ captions }: VideoFacts, audio: AudioFacts | null): boolean {
  if (captions.style === null) return false;
  if (captions.share >= CAPTION_SHARE) return true;
  const spoken = audio?.speech.spans ?? [];
  const total = totalSeconds(spoken);
  if (total < 2) return false;
  const both = spoken.reduce((sum, span) => sum + sharedSeconds(span, captions.spans), 0);
  return both / total >= CAPTION_SHARE;
}

function zoomUsage({ video, motion }: ClipFacts): number {
  const cuts = changes(video).length;
  return motion.zoomShare + motion.punchIns.length / Math.max(1, cuts);
}

function confidences({ video, audio, motion }: ClipFacts): NonNullable<Style['confidence']> {
  const gradual = changes(video).filter(({ type }) => type !== 'cut');
  const ofGradual = gradual.reduce((sum, transition) => sum + transition.confidence, 0) / gradual.length;
  return {
    color: share(lookConfidenceOf(video)),
    pacing: share(effectiveConfidence('pacing', pacingConfidence(video))),
    transitions: share(video.shotConfidence * (gradual.length === 0 ? 1 : ofGradual)),
    motion: share(motion.confidence),
    ...(audio === null ? {} : { audio: share(audio.confidence) }),
    subtitles: share(video.captions.confidence),
  };
}

/** The least of the confidences, each weighted by its importance. */
export function overallConfidence(confidence: NonNullable<Style['confidence']>): number {
  const parts = Object.entries(CONFIDENCE_WEIGHTS).map(([name, weight]) => {
    const value = confidence[name as keyof typeof CONFIDENCE_WEIGHTS];
    return value === undefined ? 1 : 1 - weight * (1 - value);
  });
  return share(Math.min(...parts));
}

function cutFrequency(video: VideoFacts): number {
  return clamp(rounded(changes(video).length / lengthOf(video), 4), 0, 60);
}

function lengthOf(video: VideoFacts): number {
  return Math.max(video.durationSeconds, 1 / framesPerSecond(video.frameRate));
}

/** `color_statistics`: input of the color match. */
export function statisticsField(color: ColorStatistics): NonNullable<Style['color_statistics']> {
  const { lightnessPercentiles, meanA, meanB, covariance, tones, neutral } = color;
  return {
    lightness_percentiles: lightnessPercentiles.map((value) => clamp(value, 0, 100)),
    mean_ab: [meanA, meanB],
    covariance_ab: [...covariance],
    tones_ab: [pairOrNull(tones.shadows), pairOrNull(tones.midtones), pairOrNull(tones.highlights)],
    neutral_ab: [neutral.a, neutral.b],
  };
}

function pairOrNull(pair: readonly [number, number] | null): [number, number] | null {
  return pair === null ? null : [pair[0], pair[1]];
}

function share(value: number): number {
  return rounded(clamp(value, 0, 1), 3);
}
