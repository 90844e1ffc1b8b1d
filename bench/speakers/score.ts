import type { Speaker, Turn } from './clips.ts';
import type { Path } from './turns.ts';
import { CURVES_PER_SECOND as PER_SECOND } from './voices.ts';

/** Within this of a change of speaker it is found. */
const TOLERANCE_SECONDS = 0.6;

/** Seconds, and changes of speaker: sums of clips are what is told. */
export interface TurnScore {
  /** Of the time in which somebody who is seen speaks; of it shown, whoever speaks; and by a crop that stays with the luckier one. */
  readonly spoken: number;
  readonly shown: number;
  readonly stayed: number;
  /** The same of the time in which one speaks alone. */
  readonly alone: number;
  readonly aloneShown: number;
  readonly aloneStayed: number;
  /** Changes from one who speaks alone to the other who does: wanted, of them found, and all that were told. */
  readonly wanted: number;
  readonly found: number;
  readonly told: number;
}

export function scoreTurns(path: Path, turns: readonly Turn[]): TurnScore {
  const shownIn = (isShown: (speaker: Speaker, at: number) => boolean, among: readonly Turn[]) =>
    among.reduce((sum, { startSeconds, endSeconds, speaker }) => {
      const [from, to] = [momentOf(startSeconds), Math.min(path.length, momentOf(endSeconds))];
      let shown = 0;
      for (let at = from; at < to; at++) if (isShown(speaker, at)) shown += 1;
      return sum + shown / PER_SECOND;
    }, 0);
  const alone = turns.filter(({ speaker }) => speaker !== 'both');
  const shows = (speaker: Speaker, at: number) =>
    speaker === 'both' || speaker === (path[at] === 1 ? 'right' : 'left');
  const stays = (among: readonly Turn[]) =>
    Math.max(
      ...(['left', 'right'] as const).map((one) =>
        shownIn((speaker) => speaker === 'both' || speaker === one, among),
      ),
    );
  const changes = changesOf(turns);
  const told = path.flatMap((side, at) => (at > 0 && side !== path[at - 1] ? [at / PER_SECOND] : []));
  return {
    spoken: shownIn(() => true, turns),
    shown: shownIn(shows, turns),
    stayed: stays(turns),
    alone: shownIn(() => true, alone),
    aloneShown: shownIn(shows, alone),
    aloneStayed: stays(alone),
    wanted: changes.length,
    found: changes.filter(({ from, to }) =>
      told.some((time) => time >= from - TOLERANCE_SECONDS && time <= to + TOLERANCE_SECONDS),
    ).length,
    told: told.length,
  };
}

export function sumOf(scores: readonly TurnScore[]): TurnScore {
  const names = [
    'spoken',
    'shown',
    'stayed',
    'alone',
    'aloneShown',
    'aloneStayed',
    'wanted',
    'found',
    'told',
  ] as const satisfies readonly (keyof TurnScore)[];
  const sums = names.map((name) => [name, scores.reduce((sum, score) => sum + score[name], 0)]);
  return Object.fromEntries(sums) as Record<keyof TurnScore, number>;
}

/** The time in which the word goes from one to the other: both may talk meanwhile. */
function changesOf(turns: readonly Turn[]): { readonly from: number; readonly to: number }[] {
  const alone = turns.filter(({ speaker }) => speaker !== 'both');
  return alone.flatMap((turn, index) => {
    const before = alone[index - 1];
    return before === undefined || before.speaker === turn.speaker
      ? []
      : [{ from: before.endSeconds, to: turn.startSeconds }];
  });
}

function momentOf(seconds: number): number {
  return Math.round(seconds * PER_SECOND);
}
