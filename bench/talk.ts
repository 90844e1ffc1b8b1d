/**
 * Pauses planted into voices: how much of them a plan removes, and what it takes from words, beside auto-editor's rule, silence detection
 * and doing nothing. `node bench/talk.ts FOLDER`: one folder per voice, in it WAV files of 16 bits with one utterance each, dry and without
 * noise above −48 dB of the voice; others are skipped. Voices for tuning: see bench/README.md.
 */
import { parseArgs } from 'node:util';
import { conditionsInWords, currentConditions, saveResult } from './lib/report.ts';
import { type Cuts, heard, METHODS, planned } from './talk/methods.ts';
import { distance, lengthsLeft, mannerOf, pauseOf, TEMPLATES } from './talk/pace.ts';
import { CONDITIONS, type PauseOf, plantedTalk } from './talk/planted.ts';
import { scoreCuts, type TalkScore } from './talk/score.ts';
import { voiceFolders } from './talk/voice-folders.ts';

const OPTIONS = {
  /** Seconds of each voice. */
  seconds: { type: 'string', default: '60' },
  /** One condition; left out: all. */
  only: { type: 'string' },
  'no-save': { type: 'boolean', default: false },
} as const;

function main(): void {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const conditions = currentConditions();
  const voices = voiceFolders(positionals);
  const rows: Record<string, TalkScore> = {};
  console.log('condition   method     removed  lost ms/cut  in a word  clicks  jump dB p90');
  for (const condition of CONDITIONS) {
    if (condition !== (values.only ?? condition)) continue;
    const scores = Object.keys(METHODS).map(() => [] as TalkScore[]);
    for (const voice of voices) {
      const talk = plantedTalk(voice, condition, Number(values.seconds));
      if (talk === null) continue;
      for (const [at, method] of Object.values(METHODS).entries())
        scores[at].push(scoreCuts(talk, method(talk)));
    }
    for (const [at, name] of Object.keys(METHODS).entries()) {
      const score = merged(scores[at]);
      rows[`${condition} ${name}`] = score;
      const figures = [score.removed, score.lostMs, score.inWord, score.clicks, score.jumpDb];
      console.log(
        condition.padEnd(11),
        name.padEnd(10),
        figures.map((one) => one.toFixed(3).padStart(8)).join('  '),
      );
    }
  }
  const pace = paceOf(voices, Number(values.seconds));
  console.log('pauses left against the template (Kolmogorov–Smirnov, mean of the templates):', pace);
  console.log(conditionsInWords(conditions));
  if (!values['no-save']) saveResult('talk', { conditions, voices: voices.length, rows, pace });
}

/** In the clean: measured pauses that are left, of all voices, against those of all voices with a template's pauses; mean of the templates. */
function paceOf(voices: readonly string[], seconds: number): Record<string, number> {
  const talkOf = (voice: string, pause?: PauseOf) => plantedTalk(voice, 'clean', seconds, pause);
  const talks = voices.map((voice) => talkOf(voice)).filter((talk) => talk !== null);
  const facts = talks.map(heard);
  const means = { ours: 0, 'auto-editor': 0, nothing: 0 };
  for (const template of TEMPLATES) {
    const others = voices.map((voice) => talkOf(voice, pauseOf(template))).filter((talk) => talk !== null);
    const wanted = others.map((talk) => lengthsLeft(heard(talk), []));
    const distanceOf = (removedOf: (at: number) => Cuts['removed']) =>
      distance(
        talks.flatMap((_, at) => lengthsLeft(facts[at], removedOf(at))),
        wanted.flat(),
      );
    const manner = mannerOf(wanted.flat());
    const distances = {
      ours: distanceOf((at) => planned(talks[at], facts[at], manner)),
      'auto-editor': distanceOf((at) => METHODS['auto-editor'](talks[at]).removed),
      nothing: distanceOf(() => []),
    };
    for (const name of Object.keys(means) as (keyof typeof means)[])
      means[name] += distances[name] / TEMPLATES.length;
  }
  return means;
}

/** Sums over voices; each cut counts the same. */
function merged(scores: readonly TalkScore[]): TalkScore {
  const cuts = scores.reduce((sum, score) => sum + score.cuts, 0);
  const meanOver = (value: (score: TalkScore) => number) =>
    cuts === 0 ? 0 : scores.reduce((sum, score) => sum + score.cuts * value(score), 0) / cuts;
  return {
    removed: scores.reduce((sum, { removed }) => sum + removed, 0) / Math.max(1, scores.length),
    lostMs: meanOver(({ lostMs }) => lostMs),
    inWord: meanOver(({ inWord }) => inWord),
    clicks: meanOver(({ clicks }) => clicks),
    jumpDb: meanOver(({ jumpDb }) => jumpDb),
    cuts,
  };
}

main();
