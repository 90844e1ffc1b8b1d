import type { AudioFacts, Box, ClipFacts } from '../analysis/facts.ts';
import type { Style } from '../style/model/schema.ts';
import type { ShotView } from './view.ts';
import { count, decimal, percent, signed } from './wording.ts';

/** Clips of this length have enough shots (interface specification, "Limits"). */
const LONG_ENOUGH_SECONDS = 30;
/** Below this share of the frame, the picture has bars. */
const WHOLE_AREA = 0.97;

/** Limits of the measurement, and one sentence on missing findings. */
export function notes(
  clip: ClipFacts | null,
  audio: AudioFacts | null,
  style: Partial<Style>,
  shots: readonly ShotView[],
): readonly string[] {
  const still = style.source_kind === 'image';
  if (still) return clip === null ? [] : ofPicture(clip);
  const notes =
    clip === null ? ['The file has no picture: only its sound is measured.'] : ofVideo(clip, shots);
  const peak = audio?.loudness.truePeakDbtp ?? null;
  if (peak !== null && peak > 0) {
    notes.push(`The true peak is ${signed(peak, 1)} dBTP: players and encoders will clip it.`);
  }
  if (clip !== null && audio === null) notes.push('The clip has no sound.');
  else if (audio?.loudness.integratedLufs === null) notes.push('The sound is silence.');
  const missing = notFound(clip, audio, style);
  if (missing.length > 0) notes.push(`Not found: ${listed(missing)}.`);
  return notes;
}

const PARTS = { pacing: 'pace', transitions: 'transitions', motion: 'camera motion' } as const;

function notFound(clip: ClipFacts | null, audio: AudioFacts | null, style: Partial<Style>): string[] {
  const missing: string[] = [];
  if (clip !== null) {
    for (const [part, name] of Object.entries(PARTS)) if (style.confidence?.[part] === 0) missing.push(name);
    if (clip.video.captions.spans.length === 0) missing.push('captions');
  }
  if (audio !== null && audio.loudness.integratedLufs !== null) {
    if (audio.confidence === 0) missing.push('loudness');
    if (audio.tempo === null) missing.push('tempo');
    if (audio.speech.spans.length === 0) missing.push('speech');
  }
  return missing;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

function ofVideo(clip: ClipFacts, shots: readonly ShotView[]): string[] {
  const { durationSeconds, variableFrameRate } = clip.video;
  const notes: string[] = [];
  if (durationSeconds < LONG_ENOUGH_SECONDS) {
    notes.push(
      `The clip is short (${decimal(durationSeconds)} s): its rhythm is less certain than that of ${LONG_ENOUGH_SECONDS} s or more.`,
    );
  }
  notes.push(...ofPicture(clip));
  if (variableFrameRate) notes.push('The frame rate varies; the most frequent one is shown.');
  const unseen = shots.filter(({ stills }) => stills.length === 0).length;
  if (unseen > 0 && shots.some(({ stills }) => stills.length > 0)) {
    notes.push(`${count(unseen, 'short shot')} of ${shots.length} are shown without a picture.`);
  }
  return notes;
}

function ofPicture({ video }: ClipFacts): string[] {
  const bars = barsText(video);
  return [
    ...(video.color.confidence === 0
      ? ['The picture is black or of one tone: there is no grade to measure.']
      : []),
    ...(video.hdr ? ['The picture is HDR; its tone-mapped SDR version was measured.'] : []),
    ...(bars === null ? [] : [bars]),
  ];
}

/** Null without bars. Shots may have different bars. */
function barsText({ activeArea, shotAreas }: ClipFacts['video']): string | null {
  const filled = ({ width, height }: Box) => width * height;
  if (filled(activeArea) < WHOLE_AREA)
    return `Bars: the picture fills ${percent(filled(activeArea))} of the frame.`;
  const barred = shotAreas.filter((area) => filled(area) < WHOLE_AREA);
  return barred.length === 0 ? null : `Bars in ${count(barred.length, 'shot')} of ${shotAreas.length}.`;
}
