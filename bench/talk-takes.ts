/**
 * Talks from three takes with planted pauses, and B-roll with planted faults and repeated views: what the plan removes and takes from words,
 * whether picture and sound stay together, and what B-roll covers. `node bench/talk-takes.ts FOLDER`: recordings as for `talk.ts`.
 */
import { parseArgs } from 'node:util';
import type { EditPlan } from '../src/style/edit/edit-plan.ts';
import { plannedTalk, RATE, recordedTake, silent, type TalkedTake } from '../test/style/edit/made-talk.ts';
import { conditionsInWords, currentConditions, saveResult } from './lib/report.ts';
import { heard } from './talk/methods.ts';
import { CONDITIONS, type PlantedTalk, plantedTalk } from './talk/planted.ts';
import { scoreCuts } from './talk/score.ts';
import { voiceFolders } from './talk/voice-folders.ts';

const OPTIONS = {
  /** Seconds of each voice. */
  seconds: { type: 'string', default: '45' },
  'no-save': { type: 'boolean', default: false },
} as const;
const TAKES = 3;
/** The picture jumps over more. */
const LONG_SECONDS = 0.6;
/** B-roll: half of it faulty, and a copy of another. */
const PICTURES = [
  silent(12, 11, { faults: [[0, 6, 'blurred']] }),
  silent(12, 12, { faults: [[6, 12, 'shaken']] }),
  silent(12, 13, { faults: [[4, 10, 'dark']] }),
  silent(12, 11, { content: 'copy', faults: [[0, 6, 'blurred']] }),
];

interface Score {
  readonly removed: number;
  readonly lostMs: number;
  readonly inWord: number;
  /** Greatest difference between what is seen and heard of a speaker, in frames. */
  readonly offFrames: number;
  /** Shares: of long cuts under B-roll; of the time under B-roll; of it faulty. */
  readonly hidden: number;
  readonly bRoll: number;
  readonly faulty: number;
  /** Pictures over the first second of a take, and those that show a moment again. */
  readonly early: number;
  readonly repeated: number;
}

function main(): void {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const conditions = currentConditions();
  const voices = voiceFolders(positionals);
  const rows: Record<string, Score> = {};
  console.log('condition   removed  lost ms  in a word  off frames  hidden  B-roll  faulty  early  repeated');
  for (const condition of CONDITIONS) {
    const talks = voices.flatMap((voice) => plantedTalk(voice, condition, Number(values.seconds)) ?? []);
    const shown = talks.slice(0, TAKES);
    const takes = shown.map((talk, at) => {
      const found = heard(talk);
      if (found === null) throw new Error(`No voice was found in ${condition} take ${at + 1}`);
      return recordedTake(found, talk.samples.length / talk.rate, at + 1);
    });
    const score = scoreOf(plannedTalk([...takes, ...PICTURES], { order: 'free' }), shown, [
      ...takes,
      ...PICTURES,
    ]);
    rows[condition] = score;
    console.log(
      condition.padEnd(11),
      Object.values(score)
        .map((one: number) => one.toFixed(3).padStart(8))
        .join(' '),
    );
  }
  console.log(conditionsInWords(conditions));
  if (!values['no-save']) saveResult('talk-takes', { conditions, voices: voices.length, rows });
}

function scoreOf(plan: EditPlan, talks: readonly PlantedTalk[], takes: readonly TalkedTake[]): Score {
  const parts = plan.talk!.parts;
  const cuts = talks.map((talk, take) => {
    const removed = plan.takes[take]!.passedOver.map(
      ({ startSeconds, endSeconds }) => [startSeconds, endSeconds] as const,
    );
    return scoreCuts(talk, { removed, overlaps: true });
  });
  const meanOf = (name: 'removed' | 'lostMs' | 'inWord') =>
    cuts.reduce((sum, one) => sum + one[name], 0) / cuts.length;
  const pictures = plan.slots.filter(({ role }) => role === 'b_roll');
  const off = plan.slots
    .filter(({ role }) => role === 'talk')
    .map(({ take, sourceStartSeconds, startSeconds }) => {
      const middle = sourceStartSeconds + 0.5 / RATE;
      const part = parts.find(
        (one) => one.take === take && middle > one.startFrame / RATE && middle < one.endFrame / RATE,
      )!;
      return Math.abs((sourceStartSeconds - startSeconds) * RATE - (part.startFrame - part.outputFrame));
    });
  const long = parts.filter(({ before, isTakeStart }) => !isTakeStart && before.seconds > LONG_SECONDS);
  const isUnder = (frame: number) =>
    pictures.some((one) => frame >= one.startSeconds * RATE - 0.5 && frame < one.endSeconds * RATE - 0.5);
  const starts = parts.filter(({ isTakeStart }) => isTakeStart).map(({ outputFrame }) => outputFrame / RATE);
  const seconds = pictures.reduce((sum, one) => sum + one.endSeconds - one.startSeconds, 0);
  const faulty = pictures.filter(({ take, sourceStartSeconds: from, sourceEndSeconds: to }) =>
    takes[take]!.material.material.faults.some((fault) => fault.startSeconds < to && fault.endSeconds > from),
  );
  // The last take is a copy of the first picture.
  const momentOf = (take: number) => (take === takes.length - 1 ? talks.length : take);
  const repeated = pictures.filter((one, at) =>
    pictures
      .slice(0, at)
      .some(
        (other) =>
          momentOf(other.take) === momentOf(one.take) &&
          other.sourceStartSeconds < one.sourceEndSeconds &&
          other.sourceEndSeconds > one.sourceStartSeconds,
      ),
  );
  return {
    ...{ removed: meanOf('removed'), lostMs: meanOf('lostMs'), inWord: meanOf('inWord') },
    offFrames: Math.max(0, ...off),
    hidden: long.filter(({ outputFrame }) => isUnder(outputFrame)).length / Math.max(1, long.length),
    bRoll: seconds / plan.slots.at(-1)!.endSeconds,
    faulty: faulty.length / Math.max(1, pictures.length),
    early: pictures.filter((one) =>
      starts.some((at) => one.startSeconds < at + 1 - 1e-6 && one.endSeconds > at + 1e-6),
    ).length,
    repeated: repeated.length,
  };
}

main();
