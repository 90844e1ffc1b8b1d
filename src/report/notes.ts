import type { AudioFacts, Box, ClipFacts } from '../analysis/facts.ts';
import type { ReportView, ShotView } from './view.ts';
import { count, decimal, percent, signed } from './wording.ts';

/** From here on a clip shows enough shots (interface specification, "Limits"). */
const LONG_ENOUGH_SECONDS = 30;
const DOUBTFUL = 0.5;
/** Less of the frame than this is a picture with bars. */
const WHOLE_AREA = 0.97;

/** What to mind when reading the rest. */
export function notes(
  clip: ClipFacts | null,
  audio: AudioFacts | null,
  parts: ReportView['parts'],
  shots: readonly ShotView[],
): readonly string[] {
  const said =
    clip === null ? ['The file has no picture: only its sound is measured.'] : ofVideo(clip, shots);
  const unsaid = parts.filter(({ confidence }) => confidence === 0);
  if (unsaid.length > 0) {
    const list = unsaid.map(({ name }) => name.toLowerCase()).join(', ');
    said.push(`Too little shows to say anything about ${list}.`);
  }
  const doubtful = parts.filter(
    ({ confidence }) => confidence !== null && confidence > 0 && confidence < DOUBTFUL,
  );
  if (doubtful.length > 0) {
    const list = doubtful
      .map(({ name, confidence }) => `${name.toLowerCase()} (${percent(confidence!)})`)
      .join(', ');
    said.push(`Little speaks for what is said about ${list}.`);
  }
  const peak = audio?.loudness.truePeakDbtp ?? null;
  if (peak !== null && peak > 0) {
    said.push(`The true peak is ${signed(peak, 1)} dBTP: players and encoders will clip it.`);
  }
  if (clip !== null && audio === null) said.push('The clip has no sound.');
  else if (audio?.loudness.integratedLufs === null) said.push('The sound is silence.');
  return said;
}

function ofVideo({ video }: ClipFacts, shots: readonly ShotView[]): string[] {
  const said: string[] = [];
  const { durationSeconds, colour, hdr, variableFrameRate } = video;
  if (durationSeconds < LONG_ENOUGH_SECONDS) {
    said.push(
      `The clip is short (${decimal(durationSeconds)} s): its rhythm is less certain than that of ${LONG_ENOUGH_SECONDS} s or more.`,
    );
  }
  if (colour.confidence === 0)
    said.push('The picture is black or of one tone: there is no grade to measure.');
  if (hdr) said.push('The picture is HDR; its tone-mapped SDR version was measured.');
  if (variableFrameRate) said.push('The frame rate varies; the most frequent one is given.');
  const bars = barsText(video);
  if (bars !== null) said.push(bars);
  const unseen = shots.filter(({ stills }) => stills.length === 0).length;
  if (unseen > 0 && shots.some(({ stills }) => stills.length > 0)) {
    said.push(`${count(unseen, 'short shot')} of ${shots.length} are shown without a picture.`);
  }
  return said;
}

/** Null: there are none. Shots may have bars of their own. */
function barsText({ activeArea, shotAreas }: ClipFacts['video']): string | null {
  const filled = ({ width, height }: Box) => width * height;
  if (filled(activeArea) < WHOLE_AREA)
    return `Black bars: the picture fills ${percent(filled(activeArea))} of the frame.`;
  const barred = shotAreas.filter((area) => filled(area) < WHOLE_AREA);
  return barred.length === 0 ? null : `Black bars in ${count(barred.length, 'shot')} of ${shotAreas.length}.`;
}
