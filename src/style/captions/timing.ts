import type { TextCue } from '../../domain/footage.ts';
import { joinWords } from './sentences.ts';

/** Shorter overlaps are timing errors: the earlier cue is shortened. */
const MAX_ERROR_SECONDS = 0.25;
const MAX_ERROR_SHARE = 0.3;
/** Most texts shown together; more do not fit. */
const MAX_TOGETHER = 2;
/** Least remainder of a cue after parts of the source were removed: this, or half of it. */
const MIN_LEFT_SECONDS = 0.4;
/** Characters that adults read per second, and the least time to notice a text (Netflix Timed Text Style Guide). */
const READING_SPEED = 20;
const MIN_SECONDS = 5 / 6;
/** A shorter gap between two captions flickers. */
const MIN_GAP_SECONDS = 0.08;

/** A run of the source that the output shows without a break. */
export interface ShownRun {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly outputSeconds: number;
}

interface FlatCue {
  startSeconds: number;
  endSeconds: number;
  text: string;
  together: number;
  words?: readonly TextCue[];
}

/** Cues in sequence: simultaneous texts become lines of one cue. `cues`: ordered by start. */
export function withoutOverlaps(cues: readonly TextCue[]): TextCue[] {
  const flat: FlatCue[] = [];
  for (const { startSeconds: ownStart, endSeconds, ...shown } of cues) {
    const { text } = shown;
    const last = flat.at(-1);
    const startSeconds = Math.max(ownStart, last?.startSeconds ?? 0);
    if (endSeconds <= startSeconds) continue;
    const cue: FlatCue = { startSeconds, endSeconds, ...shown, together: 1 };
    if (last === undefined || startSeconds >= last.endSeconds) flat.push(cue);
    else if (last.text === text) last.endSeconds = Math.max(last.endSeconds, endSeconds);
    else if (isTimingError(last, cue)) {
      last.endSeconds = startSeconds;
      flat.push(cue);
    } else if (last.together < MAX_TOGETHER) {
      flat.pop();
      flat.push(...stacked(last, cue));
    }
  }
  return flat;
}

function isTimingError(last: FlatCue, cue: FlatCue): boolean {
  const overlap = Math.min(last.endSeconds, cue.endSeconds) - cue.startSeconds;
  const shorter = Math.min(last.endSeconds - last.startSeconds, cue.endSeconds - cue.startSeconds);
  return (
    cue.startSeconds > last.startSeconds && overlap < Math.max(MAX_ERROR_SECONDS, MAX_ERROR_SHARE * shorter)
  );
}

/** The first alone, both, then the remaining one. */
function stacked(first: FlatCue, second: FlatCue): FlatCue[] {
  const both = Math.min(first.endSeconds, second.endSeconds);
  const longer = first.endSeconds > second.endSeconds ? first : second;
  return [
    { ...first, endSeconds: second.startSeconds },
    {
      startSeconds: second.startSeconds,
      endSeconds: both,
      text: `${first.text}\n${second.text}`,
      together: first.together + 1,
    },
    { ...longer, startSeconds: both },
  ].filter(({ startSeconds, endSeconds }) => endSeconds > startSeconds);
}

/** Source cues in output time. Neither `cues` nor `runs` overlap, both ascend. */
export function toOutputTime(cues: readonly TextCue[], runs: readonly ShownRun[]): TextCue[] {
  const shown: TextCue[] = [];
  let next = 0;
  for (const run of runs) {
    const shift = run.outputSeconds - run.startSeconds;
    while (next < cues.length && cues[next].endSeconds <= run.startSeconds) next++;
    for (let at = next; at < cues.length && cues[at].startSeconds < run.endSeconds; at++) {
      const cue = cues[at];
      const start = Math.max(cue.startSeconds, run.startSeconds);
      const end = Math.min(cue.endSeconds, run.endSeconds);
      const whole = cue.endSeconds - cue.startSeconds;
      if (end - start < Math.min(MIN_LEFT_SECONDS, whole / 2)) continue;
      const part = partOf(cue, run);
      if (part === null) continue;
      const last = shown.at(-1);
      if (last !== undefined && last.text === cue.text && start + shift - last.endSeconds < MIN_GAP_SECONDS) {
        shown[shown.length - 1] = { ...last, endSeconds: end + shift };
      } else shown.push({ startSeconds: start + shift, endSeconds: end + shift, ...moved(part, shift) });
    }
  }
  return shown;
}

type Shown = Pick<TextCue, 'text' | 'words'>;

/** The part of the text spoken within a run; the whole text if the times of its words are not known. Null: nothing. */
function partOf({ text, words }: TextCue, { startSeconds, endSeconds }: ShownRun): Shown | null {
  if (words === undefined) return { text };
  const spoken = words.filter((word) => {
    const middle = (word.startSeconds + word.endSeconds) / 2;
    return middle >= startSeconds && middle < endSeconds;
  });
  if (spoken.length === words.length) return { text, words };
  return spoken.length === 0 ? null : { text: joinWords(spoken), words: spoken };
}

function moved({ text, words }: Shown, shift: number): Shown {
  if (words === undefined) return { text };
  return {
    text,
    words: words.map((word) => ({
      ...word,
      startSeconds: word.startSeconds + shift,
      endSeconds: word.endSeconds + shift,
    })),
  };
}

/** Extends cues to their reading time where the next cue allows it, and closes gaps that would flicker. */
export function withReadingTime(cues: readonly TextCue[], totalSeconds: number): TextCue[] {
  return cues.flatMap((cue, index) => {
    const latest = Math.min(totalSeconds, cues[index + 1]?.startSeconds ?? totalSeconds);
    const wanted = cue.startSeconds + Math.max(MIN_SECONDS, cue.text.length / READING_SPEED);
    const end = Math.min(latest, Math.max(cue.endSeconds, wanted));
    const endSeconds = latest - end < MIN_GAP_SECONDS ? latest : end;
    return endSeconds > cue.startSeconds ? [{ ...cue, endSeconds }] : [];
  });
}
