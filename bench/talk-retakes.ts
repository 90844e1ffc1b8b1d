/**
 * Phrases that are said again right away: which first attempts a plan removes or proposes, and what it removes from talks without any.
 * `node bench/talk-retakes.ts FOLDER`: as for talk.ts; beside each voice's folder a file of its texts, `VOICE.txt`, with a line `name: text` for
 * each recording, for phrases that were read twice.
 */
import { parseArgs } from 'node:util';
import { MIN_PAUSE_SECONDS } from '../src/analysis/speech/pauses.ts';
import { conditionsInWords, currentConditions, saveResult } from './lib/report.ts';
import { type Attempts, attemptsIn } from './talk/methods.ts';
import { RETAKES, type RetakenTalk, retakenTalk } from './talk/retakes.ts';
import { voiceFolders } from './talk/voice-folders.ts';

const OPTIONS = {
  only: { type: 'string' },
  seed: { type: 'string', default: '1' },
  'no-save': { type: 'boolean', default: false },
} as const;
/** Borders of an attempt are those of the planted one within this, in seconds: a quarter of a word. */
const TOLERANCE = 0.25;
const REACH_SECONDS = 8;

interface Row {
  minutes: number;
  planted: number;
  removed: number;
  proposed: number;
  falselyRemoved: number;
  falselyProposed: number;
  /** Expected hits of as many random pairs of phrases within 8 s. */
  byChance: number;
}

function main(): void {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const conditions = currentConditions();
  const voices = voiceFolders(positionals);
  const rows: Record<string, Row> = {};
  console.log(
    'kind                      minutes planted removed proposed  false: removed proposed  by chance',
  );
  for (const [kind, options] of Object.entries(RETAKES)) {
    if (!kind.startsWith(values.only ?? '')) continue;
    const row: Row = {
      minutes: 0,
      planted: 0,
      removed: 0,
      proposed: 0,
      falselyRemoved: 0,
      falselyProposed: 0,
      byChance: 0,
    };
    for (const voice of voices) {
      const talk = retakenTalk(voice, options, Number(values.seed));
      if (talk !== null) addTo(row, talk, attemptsIn(talk));
    }
    rows[kind] = row;
    const figures = [
      row.minutes.toFixed(1),
      row.planted,
      row.removed,
      row.proposed,
      row.falselyRemoved,
      row.falselyProposed,
      row.byChance.toFixed(1),
    ];
    console.log(kind.padEnd(25), figures.map((one) => String(one).padStart(7)).join('  '));
  }
  console.log(conditionsInWords(conditions));
  if (!values['no-save']) saveResult('talk-retakes', { conditions, voices: voices.length, rows });
}

function addTo(row: Row, { samples, rate, again }: RetakenTalk, { runs, removed, proposed }: Attempts): void {
  const isPlanted = ([start, end]: readonly [number, number]) =>
    again.some(
      ([first, second]) => Math.abs(start - first) < TOLERANCE && Math.abs(end - second) < TOLERANCE,
    );
  row.minutes += samples.length / rate / 60;
  row.planted += again.length;
  row.removed += removed.filter(isPlanted).length;
  row.proposed += proposed.filter(isPlanted).length;
  row.falselyRemoved += removed.filter((one) => !isPlanted(one)).length;
  row.falselyProposed += proposed.filter((one) => !isPlanted(one)).length;
  const phrases = runs.filter(
    ({ startSeconds }, at) => at === 0 || startSeconds - runs[at - 1].endSeconds >= MIN_PAUSE_SECONDS,
  );
  const pairs = phrases.reduce(
    (sum, { startSeconds }) =>
      sum +
      phrases.filter(
        (one) => one.startSeconds < startSeconds && startSeconds - one.startSeconds <= REACH_SECONDS,
      ).length,
    0,
  );
  row.byChance += (again.length * again.length) / Math.max(1, pairs);
}

main();
