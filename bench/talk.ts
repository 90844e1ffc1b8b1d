/**
 * Pauses planted into voices: how much of them a plan removes, and what it takes from words, beside auto-editor's rule, silence detection
 * and doing nothing. `node bench/talk.ts FOLDER`: one folder per voice, in it WAV files of 16 bits with one utterance each, dry and without
 * noise above −48 dB of the voice; others are skipped. Voices for tuning: see bench/README.md.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { conditionsInWords, currentConditions, saveResult } from './lib/report.ts';
import { type Cuts, METHODS, planned } from './talk/methods.ts';
import { paceDistance, TEMPLATES } from './talk/pace.ts';
import { CONDITIONS, type PlantedTalk, plantedTalk } from './talk/planted.ts';
import { scoreCuts, type TalkScore } from './talk/score.ts';

const OPTIONS = {
  /** Seconds of each voice. */
  seconds: { type: 'string', default: '60' },
  /** One condition; left out: all. */
  only: { type: 'string' },
  'no-save': { type: 'boolean', default: false },
} as const;

function main(): void {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const [folder] = positionals;
  if (folder === undefined) throw new Error('Which folder holds a folder of recordings for each voice?');
  const conditions = currentConditions();
  const voices = readdirSync(folder).sort();
  const rows: Record<string, TalkScore> = {};
  console.log('condition   method     removed  lost ms/cut  in a word  clicks  jump dB p90');
  for (const condition of CONDITIONS) {
    if (condition !== (values.only ?? condition)) continue;
    const scores = Object.keys(METHODS).map(() => [] as TalkScore[]);
    for (const voice of voices) {
      const talk = plantedTalk(join(folder, voice), condition, Number(values.seconds));
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
  const pace = paceOf(folder, voices, Number(values.seconds));
  console.log('pauses left against the template (Kolmogorov–Smirnov, mean of the templates):', pace);
  console.log(conditionsInWords(conditions));
  if (!values['no-save']) saveResult('talk', { conditions, voices: voices.length, rows, pace });
}

/** In the clean, all voices together. */
function paceOf(folder: string, voices: readonly string[], seconds: number): Record<string, number> {
  const talks = voices
    .map((voice) => plantedTalk(join(folder, voice), 'clean', seconds))
    .filter((talk) => talk !== null);
  const distanceOf = (
    cutsOf: (talk: PlantedTalk, template: (typeof TEMPLATES)[number]) => Cuts['removed'],
  ) => {
    const all = TEMPLATES.flatMap((template) =>
      talks.map((talk) => paceDistance(talk, cutsOf(talk, template), template)),
    );
    return Number((all.reduce((sum, one) => sum + one, 0) / all.length).toFixed(3));
  };
  return {
    ours: distanceOf(planned),
    'auto-editor': distanceOf((talk) => METHODS['auto-editor'](talk).removed),
    nothing: distanceOf(() => []),
  };
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
