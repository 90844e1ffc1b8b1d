import type { ClipFacts, SoundFacts } from '../analysis/facts.ts';
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
  sound: SoundFacts | null,
  parts: ReportView['parts'],
  shots: readonly ShotView[],
): readonly string[] {
  const said =
    clip === null ? ['The file has no picture: only its sound is measured.'] : ofPicture(clip, shots);
  const doubtful = parts.filter(({ confidence }) => confidence !== null && confidence < DOUBTFUL);
  if (doubtful.length > 0) {
    const list = doubtful
      .map(({ name, confidence }) => `${name.toLowerCase()} (${percent(confidence!)})`)
      .join(', ');
    said.push(`Little speaks for what is said about ${list}.`);
  }
  const peak = sound?.loudness.truePeakDbtp ?? null;
  if (peak !== null && peak > 0) {
    said.push(`The true peak is ${signed(peak, 1)} dBTP: players and encoders will clip it.`);
  }
  if (clip !== null && sound === null) said.push('The clip has no sound.');
  else if (sound?.loudness.integratedLufs === null) said.push('The sound is silence.');
  return said;
}

function ofPicture({ picture }: ClipFacts, shots: readonly ShotView[]): string[] {
  const said: string[] = [];
  const { durationSeconds, colour, hdr, variableFrameRate, activeArea } = picture;
  if (durationSeconds < LONG_ENOUGH_SECONDS) {
    said.push(
      `The clip is short (${decimal(durationSeconds)} s): its rhythm is less certain than that of ${LONG_ENOUGH_SECONDS} s or more.`,
    );
  }
  if (colour.confidence === 0) said.push('The picture is black, or nearly: there is no colour to measure.');
  if (hdr) said.push('The picture is HDR; its tone-mapped SDR version was measured.');
  if (variableFrameRate) said.push('The frame rate varies; the most frequent one is given.');
  const area = activeArea.width * activeArea.height;
  if (area < WHOLE_AREA) said.push(`Black bars: the picture fills ${percent(area)} of the frame.`);
  const unseen = shots.filter(({ stills }) => stills.length === 0).length;
  if (unseen > 0 && shots.some(({ stills }) => stills.length > 0)) {
    said.push(`${count(unseen, 'short shot')} of ${shots.length} are shown without a picture.`);
  }
  return said;
}
