/** What each limit of the shot detectors is worth: errors on recorded clips with a rule left out, or a number a fifth off. */
import { parseArgs } from 'node:util';
import { CUT } from '../src/analysis/shots/cut.ts';
import { EVIDENCE } from '../src/analysis/shots/cut-evidence.ts';
import { SHOTS } from '../src/analysis/shots/shot.ts';
import { MIXTURE } from '../src/analysis/transitions/classify.ts';
import { DISSOLVE } from '../src/analysis/transitions/dissolve-evidence.ts';
import { FADE } from '../src/analysis/transitions/fade.ts';
import { GRADUAL } from '../src/analysis/transitions/gradual.ts';
import { MOVEMENT } from '../src/analysis/transitions/movement.ts';
import { PROGRESS } from '../src/analysis/transitions/progress.ts';
import { WINDOW } from '../src/analysis/transitions/window.ts';
import { readTruths, type Truth } from './lib/truth.ts';
import { type Recording, recordingOf, replay } from './shots/recording.ts';
import { scoreBoundaries } from './shots/score.ts';

const DETECTORS = {
  ...{ CUT, EVIDENCE, SHOTS, MIXTURE, DISSOLVE, FADE, GRADUAL, MOVEMENT, PROGRESS, WINDOW },
} as const;
const FACTORS = [0.8, 1.25];

interface Clip {
  readonly truth: Truth;
  readonly recording: Recording;
}

/** Boundaries missed or wrong, those of the wrong type or length as half, and the frames by which lengths are off. */
function errorsOn(clips: readonly Clip[]): string {
  let [boundaries, types, frames] = [0, 0, 0];
  for (const { truth, recording } of clips) {
    const { any, cuts, gradual, durationErrorsFrames } = scoreBoundaries(
      '',
      truth,
      recording.presentation,
      replay(recording),
    );
    boundaries += any.missed + any.wrong;
    types += cuts.missed + cuts.wrong + gradual.missed + gradual.wrong;
    frames += durationErrorsFrames.reduce((sum, error) => sum + error, 0);
  }
  return `${boundaries} boundaries, ${types} by type, ${frames.toFixed(0)} frames`;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    // `GRADUAL.CUT_REACH=0` for a rule left out, `MOVEMENT` or `FADE.SLACK` for numbers a fifth off.
    options: { try: { type: 'string', multiple: true, default: Object.keys(DETECTORS) } },
  });
  const clips: Clip[] = [];
  for (const truth of positionals.flatMap((folder) => readTruths(folder)))
    if (truth.cutsSeconds !== null && !truth.excluded.has('cuts'))
      clips.push({ truth, recording: await recordingOf(truth.path) });
  console.log(`as it is: ${errorsOn(clips)}`);
  for (const text of values.try) {
    const [place = '', given] = text.split('=');
    const [detector, only] = place.split('.') as [keyof typeof DETECTORS, string?];
    const limits = DETECTORS[detector] as unknown as Record<string, number | readonly number[]>;
    for (const [name, value] of Object.entries(limits)) {
      if (typeof value !== 'number' || (only !== undefined && name !== only)) continue;
      for (const other of given === undefined ? FACTORS.map((factor) => factor * value) : [Number(given)]) {
        limits[name] = Number.isInteger(value) && value < 30 ? Math.round(other) : other;
        console.log(`${detector}.${name} ${value} → ${limits[name]}: ${errorsOn(clips)}`);
        limits[name] = value;
      }
    }
  }
}

await main();
