/** The shape of one planned edit: what of its takes and of the wanted length it uses, and how long its shots are. */
import { quantile } from '../../src/signal/statistics.ts';
import type { EditResult } from '../../src/style/model/edit-result.ts';
import type { Style } from '../../src/style/model/schema.ts';
import { trueOnBeatShare, truePulse } from './song-truth.ts';

/** Shorter usable rests of a take are no shot. */
const MIN_USABLE_SECONDS = 1.2;

export interface EditShape {
  /** On true beats, or on beats that were found where the truth is not known; null: none was found. */
  readonly onBeat: number | null;
  readonly lengthShare: number;
  /** Takes with a usable second that no slot shows. */
  readonly unused: number;
  readonly lastSeconds: number;
  readonly longestSeconds: number;
  /** Ninth decile of the template's lengths. */
  readonly templateLongest: number;
}

/** @param song Path. */
export function shapeOf(edit: EditResult, style: Style, song: string, wantedSeconds: number): EditShape {
  const lengths = edit.slots.map((slot) => slot.end_seconds - slot.start_seconds);
  const unused = edit.takes.filter(
    ({ used, passed_over: passed }) =>
      used.length === 0 &&
      passed.some(
        ({ reason_code: reason, range }) =>
          reason?.code === 'no_slot' && range[1] - range[0] >= MIN_USABLE_SECONDS,
      ),
  );
  return {
    onBeat: onBeatOf(edit, song),
    lengthShare: edit.duration_seconds / wantedSeconds,
    unused: unused.length,
    lastSeconds: lengths.at(-1)!,
    longestSeconds: Math.max(...lengths),
    templateLongest: quantile(
      style.edit!.slots.map(({ length_seconds: seconds }) => seconds),
      0.9,
    ),
  };
}

function onBeatOf(edit: EditResult, song: string): number | null {
  const cuts = edit.slots.slice(1);
  const pulse = truePulse(song);
  if (pulse !== null) {
    const start = edit.music_start_seconds ?? 0;
    return trueOnBeatShare(
      cuts.map((slot) => slot.start_seconds + start),
      song,
      pulse,
    );
  }
  if ((edit.music?.beats.length ?? 0) < 2) return null;
  return cuts.filter(({ on_beat: isOn }) => isOn).length / Math.max(1, cuts.length);
}
