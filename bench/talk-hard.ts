/**
 * What a talk's plan does with bad recordings: what it removes and takes from words, or why it leaves them. `node bench/talk-hard.ts FOLDER
 * [--sounds FOLDER]`: recordings as for `talk.ts`; each sound file of the other folder, such as a song, is planned as it is.
 */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { AudioFacts } from '../src/analysis/facts.ts';
import { pausesOf } from '../src/analysis/speech/pauses.ts';
import { overlapSeconds } from '../src/domain/spans.ts';
import { SOUND_RATE } from './generate/instruments.ts';
import { analysisOf } from './lib/analysed-sound.ts';
import { measureAudio } from './lib/measure.ts';
import { conditionsInWords, currentConditions, saveResult } from './lib/report.ts';
import { HARD, type HardTalk, hardTalk, resampled } from './talk/hard.ts';
import { type Cuts, plannedFrom, SHORTEST } from './talk/methods.ts';
import { scoreCuts } from './talk/score.ts';
import { voiceFolders } from './talk/voice-folders.ts';

const OPTIONS = {
  /** Seconds of each voice. */
  seconds: { type: 'string', default: '45' },
  only: { type: 'string', default: '' },
  sounds: { type: 'string' },
  'no-save': { type: 'boolean', default: false },
} as const;
/** Two cuts are the same if their borders differ by at most a frame of the analysis and its rounding. */
const SAME_SECONDS = 0.011;
const NEAR_SECONDS = 0.03;

interface Row {
  readonly talks: number;
  /** Talks without a removal, and the reasons in their warnings. */
  readonly left: number;
  readonly why: readonly string[];
  readonly cuts: number;
  readonly removed: number;
  readonly lostMs: number;
  readonly inWord: number;
  /** Share of laughter, applause and typing that is removed. */
  readonly content: number;
  /** Shares of planted pauses whose borders are found within 30 ms: the end of the phrase, the beginning of the next. */
  readonly ends: number;
  readonly beginnings: number;
  /** Share of the cuts of the clean recording that are made here as well. */
  readonly same: number;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const conditions = currentConditions();
  const voices = voiceFolders(positionals);
  const rows: Record<string, Row> = {};
  console.log(
    'kind                         talks left cuts  removed lost ms in word content    ends beginn.    same  why left',
  );
  const usual = new Map<string, Cuts['removed']>();
  for (const kind of Object.keys(HARD) as (keyof typeof HARD)[]) {
    if (!kind.startsWith(values.only)) continue;
    const row = rowOf(voices, kind, Number(values.seconds), usual);
    rows[kind] = row;
    const { why, talks, left, cuts, ...shares } = row;
    console.log(
      kind.padEnd(29),
      [talks, left, cuts].map((one) => String(one).padStart(4)).join(' '),
      Object.values(shares)
        .map((one) => one.toFixed(3).padStart(7))
        .join(' '),
      ` ${[...new Set(why)].join('; ')}`,
    );
  }
  for (const name of values.sounds === undefined ? [] : readdirSync(values.sounds).sort()) {
    const audio = await measureAudio(join(values.sounds!, name)).catch(() => null);
    if (audio === null) continue;
    const { removals, why } = plannedFrom(audio, SHORTEST);
    console.log(basename(name).padEnd(45), `${removals.length} cuts`, why ?? '');
  }
  console.log(conditionsInWords(conditions));
  if (!values['no-save']) saveResult('talk-hard', { conditions, voices: voices.length, rows });
}

function rowOf(
  voices: readonly string[],
  kind: keyof typeof HARD,
  seconds: number,
  usual: Map<string, Cuts['removed']>,
): Row {
  const made = voices.flatMap((voice, at) => {
    const talk = hardTalk(voice, voices[(at + 1) % voices.length], seconds, kind);
    if (talk === null) return [];
    const audio = analysed(talk);
    const { removals, why } = plannedFrom(audio, SHORTEST);
    const removed = removals.map(({ startSeconds, endSeconds }) => [startSeconds, endSeconds] as const);
    if (kind === 'clean') usual.set(voice, removed);
    const score = scoreCuts(talk, { removed, overlaps: true });
    return [
      { talk, audio, removed, why, score, borders: bordersOf(talk, audio), before: usual.get(voice) ?? [] },
    ];
  });
  const cuts = made.reduce((sum, { removed }) => sum + removed.length, 0);
  const perCut = (name: 'lostMs' | 'inWord') =>
    made.reduce((sum, { score, removed }) => sum + score[name] * removed.length, 0) / Math.max(1, cuts);
  const cut = made.filter(({ removed }) => removed.length > 0);
  const borders = made.flatMap((one) => one.borders);
  const [before, same] = [
    made.reduce((sum, one) => sum + one.before.length, 0),
    made.reduce((sum, one) => sum + sameCuts(one.before, one.removed), 0),
  ];
  const share = (values: readonly boolean[]) => values.filter(Boolean).length / Math.max(1, values.length);
  return {
    talks: made.length,
    left: made.length - cut.length,
    why: made.flatMap(({ why }) => why ?? []),
    cuts,
    removed: cut.reduce((sum, { score }) => sum + score.removed, 0) / Math.max(1, cut.length),
    ...{ lostMs: perCut('lostMs'), inWord: perCut('inWord') },
    content: contentShare(made),
    ends: share(borders.map(([end]) => end)),
    beginnings: share(borders.map(([, beginning]) => beginning)),
    same: same / Math.max(1, before),
  };
}

function analysed({ samples, rate }: HardTalk): AudioFacts {
  return analysisOf(resampled(samples, rate, SOUND_RATE)).finish();
}

/** For each planted pause: whether its borders are found. Margins of uncertain borders are taken off. */
function bordersOf({ pauses }: HardTalk, { speech }: AudioFacts): [end: boolean, beginning: boolean][] {
  const found = speech.talk == null ? [] : pausesOf(speech.talk);
  const margin = speech.talk?.marginSeconds ?? 0;
  return pauses.map(([startSeconds, endSeconds]) => {
    const longest = found
      .filter((one) => overlapSeconds(one, { startSeconds, endSeconds }) > 0)
      .toSorted((one, other) => other.lengthSeconds - one.lengthSeconds)[0];
    if (longest === undefined) return [false, false];
    return [
      Math.abs(longest.startSeconds - (2 / 3) * margin - startSeconds) <= NEAR_SECONDS,
      Math.abs(longest.endSeconds + margin / 3 - endSeconds) <= NEAR_SECONDS,
    ];
  });
}

function sameCuts(before: Cuts['removed'], removed: Cuts['removed']): number {
  return before.filter(([start, end]) =>
    removed.some(
      ([from, to]) => Math.abs(from - start) <= SAME_SECONDS && Math.abs(to - end) <= SAME_SECONDS,
    ),
  ).length;
}

function contentShare(
  made: readonly { readonly talk: HardTalk; readonly removed: Cuts['removed'] }[],
): number {
  let [all, gone] = [0, 0];
  for (const { talk, removed } of made)
    for (const [startSeconds, endSeconds] of talk.content) {
      all += endSeconds - startSeconds;
      for (const [from, to] of removed)
        gone += overlapSeconds({ startSeconds, endSeconds }, { startSeconds: from, endSeconds: to });
    }
  return all === 0 ? 0 : gone / all;
}

await main();
