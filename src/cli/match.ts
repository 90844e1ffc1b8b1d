import type { SoundtrackMatch } from '../analysis/soundtrack/match.ts';
import { visibleJson } from '../received/visible-text.ts';
import { Studio } from '../studio.ts';
import { type Command, EXIT, takeArguments } from './command.ts';
import { ProgressLine } from './progress-line.ts';

/** Error bound of an offset: with matching onsets, and with the fingerprint only. */
const PRECISE_MS = 20;
const COARSE_MS = 60;

export const match: Command = {
  usage: 'FIRST SECOND [--json]',
  help: `Compares the sound of two video or sound files by Chromaprint fingerprint and onsets, over their first two minutes.
Encoding, loudness and voices on top do not matter; a changed speed does.

Options
      --json         one JSON object on standard output; "match" is null if nothing is shared

Exit codes: 0: shared sound, 4: no shared sound, 3: a file cannot be compared because it has no sound

Examples
  styledna match reel.mp4 song.mp3
  styledna match camera-a.mp4 camera-b.mp4 --json | jq .match.offset_seconds`,
  options: { json: { type: 'boolean' } },
  async run(call) {
    const [first, second] = takeArguments(call, 'FIRST', 'SECOND') as [string, string];
    const line = new ProgressLine('Listening');
    const found = await new Studio()
      .match(first, second, { signal: call.signal, onProgress: line.update })
      .finally(() => line.end());
    console.log(call.values['json'] === true ? visibleJson({ match: asJson(found) }) : asText(found));
    return found === null ? EXIT.nothing : EXIT.done;
  },
};

function asJson(found: SoundtrackMatch | null) {
  if (found === null) return null;
  return {
    offset_seconds: found.offsetSeconds,
    precise: found.precise,
    shared_seconds: found.sharedSeconds,
    confidence: found.confidence,
    other_offsets_seconds: found.otherOffsetsSeconds,
  };
}

function asText(found: SoundtrackMatch | null): string {
  if (found === null) return 'No shared sound was found.';
  const { offsetSeconds, precise, sharedSeconds, confidence, otherOffsetsSeconds } = found;
  const offset = `${Math.abs(offsetSeconds).toFixed(3)} s ${offsetSeconds < 0 ? 'earlier' : 'later'}`;
  const lines = [
    `They share ${sharedSeconds.toFixed(1)} s: the sound of the first is ${offset} in the second (±${precise ? PRECISE_MS : COARSE_MS} ms).`,
    `Confidence ${confidence.toFixed(2)}`,
  ];
  if (otherOffsetsSeconds.length > 0) {
    const others = otherOffsetsSeconds.map((seconds) => `${seconds.toFixed(3)} s`).join(', ');
    lines.push(`The music repeats itself; these offsets fit as well: ${others}`);
  }
  return lines.join('\n');
}
