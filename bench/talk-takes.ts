/**
 * Talks from three takes with planted pauses, and B-roll with planted faults and repeated views: what the plan removes and takes from words,
 * whether picture and sound stay together, and what B-roll covers after a template without and with clear pictures over its speech. `node bench/talk-takes.ts FOLDER`: recordings as for `talk.ts`.
 */
import { parseArgs } from 'node:util';
import { quantile } from '../src/signal/statistics.ts';
import type { EditPlan, EditRequest } from '../src/style/edit/edit-plan.ts';
import { madeSlot, madeTemplate } from '../test/style/edit/made-material.ts';
import { plannedTalk, RATE, recordedTake, silent, type TalkedTake } from '../test/style/edit/made-talk.ts';
import { conditionsInWords, currentConditions, saveResult } from './lib/report.ts';
import { heard } from './talk/methods.ts';
import { CONDITIONS, type PlantedTalk, plantedTalk } from './talk/planted.ts';
import { scoreRooms } from './talk/rooms.ts';
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

/** Enough for each share. */
const MORE_PICTURES = Array.from({ length: 12 }, (_, at) => silent(12, 20 + at));
/** The speaker's shots return to one view; pictures have 2 and 3 s. */
function sharing(share: number): Partial<EditRequest> {
  const slots = Array.from({ length: 12 }, (_, at) => {
    if (at % 2 === 1) return madeSlot(at % 4 === 1 ? 2 : 3, { speaks: true });
    const speaker = { speaks: true, size: 'close' as const, sizeConfidence: 1 };
    return madeSlot(2.5 / share - 2.5, { ...speaker, returnsTo: at === 0 ? null : 0 });
  });
  return { template: { ...madeTemplate([1]), slots } };
}
const TEMPLATES: Readonly<Record<string, Partial<EditRequest>>> = {
  hiding: {},
  ...Object.fromEntries([0.1, 0.2, 0.35, 0.5, 0.6].map((share) => [`share ${share}`, sharing(share)])),
};

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
  /** Share of B-roll in the take with the least of it, and in the 30 s with the least. */
  readonly leastInTake: number;
  readonly leastIn30: number;
  /** Seconds before the first picture, and the longest time without one. */
  readonly opening: number;
  readonly longest: number;
}

function main(): void {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const conditions = currentConditions();
  const voices = voiceFolders(positionals);
  const rows: Record<string, Score> = {};
  console.log(
    'condition  removed lost ms in word  off fr  hidden  B-roll  faulty   early  repeat in take   in 30 opening longest',
  );
  for (const condition of CONDITIONS) {
    const talks = voices.flatMap((voice) => plantedTalk(voice, condition, Number(values.seconds)) ?? []);
    const shown = talks.slice(0, TAKES);
    const takes = shown.map((talk, at) => {
      const found = heard(talk);
      if (found === null) throw new Error(`No voice was found in ${condition} take ${at + 1}`);
      return recordedTake(found, talk.samples.length / talk.rate, at + 1);
    });
    for (const [name, template] of Object.entries(TEMPLATES)) {
      const all = [...takes, ...PICTURES, ...(name === 'hiding' ? [] : MORE_PICTURES)];
      const score = scoreOf(plannedTalk(all, { order: 'free', ...template }), shown, all);
      rows[`${condition}, ${name}`] = score;
      console.log(`${condition}, ${name}`);
      console.log(
        ' '.repeat(10),
        Object.values(score)
          .map((one: number) => one.toFixed(2).padStart(7))
          .join(' '),
      );
    }
  }
  const rooms = voices.flatMap((voice) => scoreRooms(voice, Number(values.seconds)) ?? []);
  const ninth = (name: 'within' | 'between' | 'beside') =>
    quantile(
      rooms.flatMap((one) => one[name]),
      0.9,
    ).toFixed(1);
  const lu = Math.max(...rooms.map(({ levelLu }) => levelLu)).toFixed(2);
  console.log(
    `takes in three rooms, level at joins, 90 %, dB: within a take ${ninth('within')}, between takes ${ninth('between')}, beside the crossfade ${ninth('beside')}; loudness of takes differs by ${lu} LU`,
  );
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
  // The last of `PICTURES` is a copy of the first.
  const momentOf = (take: number) => (take === talks.length + PICTURES.length - 1 ? talks.length : take);
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
    ...spreadOf(plan, starts),
  };
}

/** How evenly B-roll lies over the talk. */
function spreadOf(
  { slots }: EditPlan,
  starts: readonly number[],
): Pick<Score, 'leastInTake' | 'leastIn30' | 'opening' | 'longest'> {
  const end = slots.at(-1)!.endSeconds;
  const pictures = slots.filter(({ role }) => role === 'b_roll');
  const shareIn = (from: number, to: number) =>
    pictures.reduce(
      (sum, one) => sum + Math.max(0, Math.min(to, one.endSeconds) - Math.max(from, one.startSeconds)),
      0,
    ) /
    (to - from);
  const windows = Array.from({ length: Math.max(1, Math.floor(end - 30)) }, (_, at) => shareIn(at, at + 30));
  const edges = [0, ...pictures.flatMap((one) => [one.startSeconds, one.endSeconds]), end];
  const without = edges.flatMap((edge, at) => (at % 2 === 0 ? [edges[at + 1]! - edge] : []));
  return {
    leastInTake: Math.min(...starts.map((start, at) => shareIn(start, starts[at + 1] ?? end))),
    leastIn30: Math.min(...windows),
    opening: pictures[0]?.startSeconds ?? end,
    longest: Math.max(...without),
  };
}

main();
