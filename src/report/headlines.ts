import type { AudioFacts, ClipFacts } from '../analysis/facts.ts';
import type { Style } from '../style/model/schema.ts';
import { colorWords, secondsText } from '../style/model/style-sentence.ts';
import { transitionWord } from '../style/model/transition-words.ts';
import { cameraShares } from './edit-view.ts';
import type { HeadlineView } from './view.ts';
import { capital, count, decimal, lengthText, percent, signed } from './wording.ts';

/** Headlines of color, rhythm, sound and camera, if found. */
export function headlines(
  clip: ClipFacts | null,
  audio: AudioFacts | null,
  style: Partial<Style>,
): readonly HeadlineView[] {
  const soundView = audio === null ? null : sound(audio);
  if (clip === null) return soundView === null ? [] : [soundView];
  const still = style.source_kind === 'image';
  const all = [color(style), still ? null : rhythm(clip, style), soundView, still ? null : camera(clip)];
  return all.filter((lead) => lead !== null);
}

/** Adjustments (dials) that the note names; the card shows all. */
const MAX_NAMED_DIALS = 2;

function color(style: Partial<Style>): HeadlineView | null {
  const { color_grade: grade, confidence } = style;
  const colorConfidence = confidence?.color ?? null;
  if (grade === undefined || colorConfidence === 0) return null;
  // Its confidence is shown beside it.
  const { look: _, ...rest } = style;
  const words = colorWords({ ...rest, confidence: {} }).join(', ');
  const dials = (['temperature', 'tint', 'saturation', 'contrast', 'highlights', 'shadows'] as const)
    .map((name) => ({ name, value: grade[name] }))
    .sort((one, other) => Math.abs(other.value) - Math.abs(one.value))
    .slice(0, MAX_NAMED_DIALS)
    .map(({ name, value }) => `${name} ${signed(value)}`);
  return {
    label: 'Color',
    value: words === '' ? 'Neutral' : capital(words),
    note: `${dials.join(', ')} of ±100`,
    confidence: colorConfidence,
    drawing: 'palette',
  };
}

function rhythm({ video }: ClipFacts, style: Partial<Style>): HeadlineView | null {
  const confidence = style.confidence?.pacing ?? null;
  if (confidence === 0) return null;
  const { cut_frequency: rate = 0, shot_lengths: lengths } = style;
  const shots = video.shots.length;
  const base = { label: 'Rhythm', confidence, drawing: 'shots' } as const;
  if (shots <= 1)
    return { ...base, value: 'One shot', note: lengthText(video.durationSeconds), confidence: null };
  const mix = Object.entries(style.transition_mix ?? {}).sort((one, other) => other[1] - one[1]);
  const shares = mix.slice(0, 2).map(([type, share]) => `${percent(share)} ${transitionWord(type, 2)}`);
  const half =
    lengths === undefined ? [] : [`half of ${count(shots, 'shot')} under ${lengthText(lengths.p50)}`];
  const noun = (style.transition_mix?.cut ?? 1) >= 0.5 ? 'cut' : 'change';
  return {
    ...base,
    value: rate > 0 ? `A ${noun} every ${secondsText(1 / rate)}` : count(shots, 'shot'),
    note: [...half, ...shares].join(', '),
  };
}

/** Above this share of speech, the sound is speech. */
const MIN_SPEECH_SHARE = 0.5;

function sound(audio: AudioFacts): HeadlineView | null {
  const { tempo, genre, loudness, speech } = audio;
  if (audio.confidence === 0 && loudness.integratedLufs !== null) return null;
  const { integratedLufs, rangeLu } = loudness;
  const isSpeech = speech.share >= MIN_SPEECH_SHARE || genre.name === 'speech';
  const [value, confidence] =
    integratedLufs === null
      ? ['Silence', null]
      : isSpeech
        ? ['Speech', speech.confidence]
        : tempo !== null
          ? [`${decimal(tempo.bpm, 0)} BPM`, tempo.confidence]
          : [`${decimal(integratedLufs)} LUFS`, audio.confidence];
  const parts = [
    isSpeech && speech.share > 0 ? `${percent(speech.share)} of the time` : null,
    isSpeech && tempo !== null ? `music at ${decimal(tempo.bpm, 0)} BPM` : null,
    integratedLufs === null ? null : `${decimal(integratedLufs)} LUFS`,
    rangeLu === null ? null : `range ${decimal(rangeLu)} LU`,
  ].filter((part) => part !== null && part !== value);
  return { label: 'Sound', value, confidence, note: parts.join(', ') || null, drawing: 'wave' };
}

function camera({ video, motion }: ClipFacts): HeadlineView | null {
  const [most, second] = motion.confidence > 0 ? cameraShares(video, motion) : [];
  if (most === undefined) return null;
  const punches = motion.punchIns.length;
  const parts = [
    `${percent(most.share)} of the time`,
    ...(second === undefined ? [] : [`then ${second.name.toLowerCase()}, ${percent(second.share)}`]),
    ...(punches === 0 ? [] : [count(punches, 'punch-in')]),
  ];
  return {
    label: 'Camera',
    value: most.name,
    note: parts.join(', '),
    confidence: motion.confidence,
    drawing: 'camera',
  };
}
