/** Beats that are known of the songs of the shared media. */
import { existsSync, readFileSync } from 'node:fs';
import { onBeatShare, type Pulse } from './rhythm.ts';

interface SongTruth {
  readonly bpm: number;
  readonly beat_offset_s: number;
  readonly beat_phase_free?: boolean;
}

/** Null: the song has no file of truth beside it. */
function truthOf(song: string): SongTruth | null {
  const path = song.replace(/\.\w+$/, '.truth.json');
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
}

export function truePulse(song: string): Pulse | null {
  const truth = truthOf(song);
  return truth && { beatSeconds: 60 / truth.bpm, firstSeconds: truth.beat_offset_s };
}

/** Share of cuts on true beats, at the better phase if the truth does not say which half beats are the beats. */
export function trueOnBeatShare(cuts: readonly number[], song: string, pulse: Pulse): number {
  const share = onBeatShare(cuts, pulse);
  if (truthOf(song)?.beat_phase_free !== true) return share;
  const other = { ...pulse, firstSeconds: pulse.firstSeconds + pulse.beatSeconds / 2 };
  return Math.max(share, onBeatShare(cuts, other));
}
