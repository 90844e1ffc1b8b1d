import type { AudioFacts, ClipFacts } from '../analysis/facts.ts';
import type { Style } from '../style/model/schema.ts';
import { found } from './reading.ts';
import type { Reading } from './view.ts';
import { capital, count, decimal, lengthText, percent, spoken } from './wording.ts';

/** A dial from here on is worth a word. */
const TELLING = 20;
/** Below, next to no colour is left. */
const COLOURLESS = -85;

/** The style in a handful of words, each with what can be relied on. */
export function glance(
  clip: ClipFacts | null,
  audio: AudioFacts | null,
  style: Partial<Style>,
): readonly Reading[] {
  return [...(clip === null ? [] : ofVideo(clip, style)), ...(audio === null ? [] : ofAudio(audio))];
}

function ofVideo({ video, motion }: ClipFacts, style: Partial<Style>): Reading[] {
  const { pacing = null, transitions = null, color = null, subtitles = null } = style.confidence ?? {};
  const shots = video.shots.length;
  const median = style.shot_lengths?.p50;
  const perMinute = (style.cut_frequency ?? 0) * 60;
  const rhythm = shots <= 1 ? 'One shot' : `${decimal(perMinute, perMinute < 10 ? 1 : 0)} cuts a minute`;
  const mix = Object.entries(style.transition_mix ?? {}).sort((one, other) => other[1] - one[1]);
  const [most, second] = mix;
  const camera = dominantCamera(video, motion);
  const captions = video.captions.style;
  return [
    found(
      'Rhythm',
      rhythm,
      pacing,
      median === undefined ? undefined : `half its shots under ${lengthText(median)}`,
    ),
    found(
      'Transitions',
      most === undefined ? (shots <= 1 ? 'None' : null) : `${percent(most[1])} ${plural(most[0])}`,
      transitions,
      second === undefined ? undefined : `then ${percent(second[1])} ${plural(second[0])}`,
    ),
    found('Colour', style.color_grade === undefined ? null : colourWords(style.color_grade), color),
    found('Camera', camera?.words ?? null, camera?.confidence ?? null, camera?.note),
    found(
      'Captions',
      style.use_subtitles === true && captions !== null ? `At the ${captions.position}` : 'None',
      subtitles,
      captions === null ? undefined : `${percent(video.captions.share)} of the time`,
    ),
  ];
}

function ofAudio(audio: AudioFacts): Reading[] {
  const { tempo, genre, loudness, confidence } = audio;
  const named = genre.name !== 'unknown' && genre.confidence > 0 ? capital(spoken(genre.name)) : undefined;
  const { integratedLufs, rangeLu } = loudness;
  return [
    found('Tempo', tempo === null ? null : `${decimal(tempo.bpm, 1)} BPM`, tempo?.confidence ?? null, named),
    found(
      'Loudness',
      integratedLufs === null ? null : `${decimal(integratedLufs)} LUFS`,
      confidence,
      rangeLu === null ? undefined : `range ${decimal(rangeLu)} LU`,
    ),
  ];
}

function plural(type: string): string {
  const name = spoken(type);
  return name === 'cut' ? 'hard cuts' : name.startsWith('fade') ? name.replace('fade', 'fades') : `${name}s`;
}

/** `Warm, vivid, hard contrast`. */
function colourWords(grade: NonNullable<Style['color_grade']>): string {
  const words: string[] = [];
  const colourless = grade.saturation <= COLOURLESS;
  const say = (value: number, below: string, above: string) => {
    if (Math.abs(value) >= TELLING) words.push(value < 0 ? below : above);
  };
  if (colourless) words.push('black and white');
  else {
    say(grade.temperature, 'cool', 'warm');
    say(grade.tint, 'greenish', 'magenta');
    say(grade.saturation, 'muted', 'vivid');
  }
  say(grade.contrast, 'flat', 'contrasty');
  if (words.length < 2) say(grade.shadows, 'deep shadows', 'lifted shadows');
  return capital(words.length === 0 ? 'neutral' : words.slice(0, 3).join(', '));
}

function dominantCamera(video: ClipFacts['video'], motion: ClipFacts['motion']) {
  const seconds = new Map<string, { seconds: number; certain: number }>();
  for (const [at, shot] of video.shots.entries()) {
    const camera = motion.shots[at];
    if (camera === undefined || camera.confidence === 0) continue;
    const sum = seconds.get(camera.label) ?? { seconds: 0, certain: 0 };
    const length = shot.endSeconds - shot.startSeconds;
    sum.seconds += length;
    sum.certain += length * camera.confidence;
    seconds.set(camera.label, sum);
  }
  const [first] = [...seconds].sort((one, other) => other[1].seconds - one[1].seconds);
  if (first === undefined) return null;
  const [label, sum] = first;
  const share = sum.seconds / Math.max(1e-9, video.durationSeconds);
  return {
    words: capital(spoken(label)),
    confidence: sum.certain / Math.max(1e-9, sum.seconds),
    note: `${percent(Math.min(1, share))} of the time${motion.punchIns.length > 0 ? `, ${count(motion.punchIns.length, 'punch-in')}` : ''}`,
  };
}
