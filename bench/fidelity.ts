/**
 * Similarity of outputs to their templates and to their sources, compared with the untouched source and with
 * other methods.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { AudioFacts } from '../src/analysis/facts.ts';
import { Studio } from '../src/library.ts';
import { extractStyle } from '../src/style/extract/extract.ts';
import { lookOf, monochromeShareOf } from '../src/style/look/estimate.ts';
import { planGrade } from '../src/style/look/grade-plan.ts';
import { faceLightnessOf, peopleShare } from '../src/style/look/people.ts';
import { isScreenOrDrawing } from '../src/style/look/screen.ts';
import { shownColor } from '../src/style/look/shown-color.ts';
import { AudioComparison, type AudioResult } from './fidelity/audio.ts';
import { type ColorResult, compareColors } from './fidelity/color.ts';
import { type DynamicsProof, dynamicsTable, proveDynamics } from './fidelity/dynamics-proof.ts';
import { logsTable, proveLogs } from './fidelity/log-proof.ts';
import { looksTable, proveLooks, STRENGTHS } from './fidelity/look-proof.ts';
import { Looks } from './fidelity/looks.ts';
import {
  AUDIO_PAIRS,
  FRESH_AUDIO_PAIRS,
  MUSIC_PAIRS,
  PAIRS,
  type Pair,
  UNSEEN_AUDIO_PAIRS,
} from './fidelity/pairs.ts';
import { writeSheet } from './fidelity/sheet.ts';
import { proveSkin, type SkinProof, skinTable } from './fidelity/skin-proof.ts';
import { proveSounds, type SoundProof, soundsTable } from './fidelity/sound-proof.ts';
import {
  audioTable,
  closureTable,
  colorTable,
  duel,
  methodTable,
  nameOf,
  wholeTable,
} from './fidelity/tables.ts';
import { renderWhole, type WholeResult } from './fidelity/whole.ts';
import { writeBetween } from './lib/readme.ts';
import { conditionsInWords, currentConditions, saveResult } from './lib/report.ts';

const OPTIONS = {
  /** Only pairs whose names hold this. */
  only: { type: 'string', default: '' },
  /** Pairs that were not used to develop the grade. */
  held: { type: 'boolean', default: false },
  /** Folder that `bench/unseen.ts` laid out: sound of its clips in place of the known ones, and those of people for `skin`: the tuning half or, with `--held`, the other. */
  unseen: { type: 'string' },
  /** Of those, the later pairs. */
  fresh: { type: 'boolean', default: false },
  /** Folder for pictures: template, source, ours, half Monge–Kantorovich, all of it; `whole-sheet.ts`, `audio-sheet.ts`. */
  sheets: { type: 'string' },
  /** By the six dials alone. */
  dials: { type: 'boolean', default: false },
  strength: { type: 'string', default: '0.8' },
  /**
   * `looks`: known looks and the line-up; `skin`: people; `logs`: logarithmic recordings; `color`: graded
   * frames; `sound`: sound only; `known-sounds`: known filters; `whole`: files with all components.
   */
  parts: { type: 'string', default: 'color' },
  readme: { type: 'boolean', default: false },
  'no-save': { type: 'boolean', default: false },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

/** Where a pair is drawn; null: nowhere. */
function sheetPath({ sheets }: Values, kind: string, index: number): string | null {
  return sheets === undefined ? null : join(sheets, `${kind}${String(index + 1).padStart(2, '0')}.png`);
}

async function colors(looks: Looks, pairs: readonly Pair[], values: Values): Promise<ColorResult[]> {
  const results: ColorResult[] = [];
  for (const pair of pairs) {
    console.error(nameOf(pair));
    const [source, template] = [
      await looks.of(pair.source, 'source'),
      await looks.of(pair.template, 'template'),
    ];
    const style = extractStyle(template.facts, { createdAt: new Date(0), fingerprint: null });
    if (values.dials) {
      delete style.color_statistics;
      delete style.look;
    }
    const { statistics, cloud } = shownColor(source.facts.video, []);
    const { look } = lookOf(source.facts.video);
    const planned = planGrade(
      {
        statistics,
        cloud,
        look,
        monochrome: monochromeShareOf(source.facts.video),
        people: peopleShare(source.facts.video),
        faceLightness: faceLightnessOf(source.facts.video),
        isDrawn: isScreenOrDrawing(source.facts.video),
      },
      style,
      Number(values.strength),
    );
    const { result, sheet } = compareColors(pair, source, template, planned?.grade ?? null);
    results.push(result);
    const path = sheetPath(values, '', PAIRS.indexOf(pair));
    if (path !== null) writeSheet(path, sheet);
  }
  return results;
}

async function audioAlone(pairs: readonly Pair[], values: Values): Promise<AudioResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'styledna-fidelity-'));
  const audio = new AudioComparison(folder, values.unseen ?? '');
  const results: AudioResult[] = [];
  try {
    for (const pair of pairs) {
      console.error(`${nameOf(pair)}, sound`);
      const sheet = sheetPath(values, 'sound-', pairs.indexOf(pair));
      results.push(await audio.compare(pair, Number(values.strength), sheet));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return results;
}

/** The recordings of all pairs. With `unseen` those of its clips, too. */
async function knownSounds({ unseen }: Values): Promise<[SoundProof[], DynamicsProof[]]> {
  const audio = new AudioComparison('', unseen ?? '');
  const pairs = [
    ...AUDIO_PAIRS,
    ...(unseen === undefined ? [] : [...UNSEEN_AUDIO_PAIRS, ...FRESH_AUDIO_PAIRS]),
  ];
  const names = new Set(pairs.flatMap(({ source, template }) => [source, template]));
  const recordings: AudioFacts[] = [];
  for (const name of names) recordings.push(await audio.of(name));
  return [proveSounds(recordings, STRENGTHS), proveDynamics(recordings, STRENGTHS)];
}

async function wholes(looks: Looks, pairs: readonly Pair[], values: Values): Promise<WholeResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'styledna-fidelity-'));
  const studio = new Studio({ workRoot: join(folder, 'work') });
  const results: WholeResult[] = [];
  try {
    for (const pair of pairs) {
      console.error(`${nameOf(pair)}, whole`);
      const sheet = sheetPath(values, 'whole-', [...MUSIC_PAIRS, ...PAIRS].indexOf(pair));
      const [source, template] = [
        await looks.of(pair.source, 'source'),
        await looks.of(pair.template, 'template'),
      ];
      const result = await renderWhole(studio, pair, source, template, folder, sheet);
      results.push(result);
      console.error(wholeTable([result]));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return results;
}

async function skin({ unseen, held }: Values): Promise<SkinProof[]> {
  if (unseen === undefined)
    throw new Error('--parts skin needs --unseen FOLDER: the known clips show too few people');
  return await proveSkin(join(unseen, held ? 'reporting' : 'tuning'), STRENGTHS);
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS });
  const conditions = currentConditions();
  const requested = (pair: Pair) => `${pair.source} ${pair.template}`.includes(values.only);
  const pairs = PAIRS.filter((pair) => (pair.heldBack === true) === values.held && requested(pair));
  if (values.sheets !== undefined) mkdirSync(values.sheets, { recursive: true });
  const looks = new Looks();
  const parts = values.parts.split(',');
  const proofs = parts.includes('looks') ? await proveLooks(looks) : [];
  const logs = parts.includes('logs') ? await proveLogs(looks) : [];
  const people = parts.includes('skin') ? await skin(values) : [];
  const found = parts.includes('color') ? await colors(looks, pairs, values) : [];
  const sounds =
    values.unseen === undefined
      ? AUDIO_PAIRS
      : values.fresh
        ? FRESH_AUDIO_PAIRS
        : UNSEEN_AUDIO_PAIRS.filter((pair) => (pair.heldBack === true) === values.held);
  const [filters, compressors] = parts.includes('known-sounds') ? await knownSounds(values) : [[], []];
  const heard = parts.includes('sound') ? await audioAlone(sounds.filter(requested), values) : [];
  const rendered = parts.includes('whole')
    ? await wholes(looks, [...(values.held ? [] : MUSIC_PAIRS.filter(requested)), ...pairs], values)
    : [];
  const texts = [`${conditionsInWords(conditions)}.`];
  if (proofs.length > 0) texts.push(looksTable(proofs));
  if (people.length > 0) texts.push(skinTable(people));
  if (logs.length > 0) texts.push(logsTable(logs));
  if (found.length > 0) texts.push(methodTable(found), duel(found), colorTable(found));
  if (filters.length > 0) texts.push(soundsTable(filters), dynamicsTable(compressors));
  if (heard.length > 0) texts.push(audioTable(heard));
  if (rendered.length > 0) texts.push(wholeTable(rendered), closureTable(rendered));
  const text = texts.join('\n\n');
  console.log(text);
  if (values.readme) writeBetween('fidelity: written by bench/fidelity.ts', text);
  if (values['no-save']) return;
  console.log(
    `\n${saveResult('fidelity', { conditions, held: values.held, looks: proofs, skin: people, logs, colors: found, knownSounds: filters, knownDynamics: compressors, audio: heard, whole: rendered })}`,
  );
}

await main();
