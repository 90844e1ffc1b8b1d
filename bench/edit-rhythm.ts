/**
 * The rhythm of planned edits against their templates': cuts on the songs' true beats, shot lengths in beats, their spread, the total length, and
 * a template's own song. Nothing is rendered. `node bench/edit-rhythm.ts [--folder DIR]`
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { EditResult } from '../src/style/model/edit-result.ts';
import type { Style } from '../src/style/model/schema.ts';
import { madeReel } from './edit-judge/reels.ts';
import {
  chanceOnBeat,
  cutF1,
  lengthDistance,
  logSpread,
  onBeatShare,
  type Pulse,
} from './edit-judge/rhythm.ts';
import { openEditRig } from './edit-judge/rig.ts';
import { REELS, SHOTS, TAKES, TEMPLATES } from './edit-judge/templates.ts';
import { Random } from './generate/random.ts';
import { MEDIA } from './lib/long-clip.ts';
import { conditionsInWords, currentConditions, saveResult, table } from './lib/report.ts';

const SONGS = ['feelings_95bpm_60s.ogg', 'chaos_god_170bpm_60s.ogg', 'metal_madness_150bpm.ogg'];
/** A frame of the edit's 25 to 30 frames a second. */
const FRAME_SECONDS = 0.041;
/** Targets of the design of edits. */
const ON_BEAT_MARGIN = 0.1;
const HALVES_FACTOR = 1.5;
const MIN_SPREAD = 0.7;
const MAX_LENGTH_ERROR = 0.05;
/** Lengths within 1 % of each other are equal. */
const MIN_LOG_SPREAD = 0.01;

const { values } = parseArgs({
  options: { folder: { type: 'string', default: join(tmpdir(), 'styledna-edit-judge') } },
});
mkdirSync(values.folder, { recursive: true });
const conditions = currentConditions();
const reels = REELS.map((reel) =>
  madeReel({ ...reel, song: `${MEDIA}music/${reel.song}` }, SHOTS, values.folder),
);
const templates = [...TEMPLATES, ...reels];
const rig = await openEditRig(values.folder);
const judged: Judged[] = [];
for (const template of templates) {
  for (const song of SONGS) {
    const { edit, style } = await rig.plan({
      ...{ takes: TAKES, template, music: `${MEDIA}music/${song}` },
      options: { order: 'free' },
    });
    judged.push(judge(edit, style, { template, song }));
  }
}
const ownSongs: { readonly template: string; readonly f1: number; readonly cuts: number }[] = [];
for (const template of templates) {
  const { edit, style } = await rig.plan({
    ...{ takes: TAKES, template, music: template },
    options: { order: 'free' },
  });
  const cuts = edit.slots.slice(1).map(({ start_seconds: start }) => start);
  const wanted = cutsOfStyle(style).filter((cut) => cut < edit.duration_seconds - FRAME_SECONDS);
  ownSongs.push({ template: basename(template), f1: cutF1(cuts, wanted, FRAME_SECONDS), cuts: cuts.length });
}
print();
process.exit(0);

interface Judged {
  readonly template: string;
  readonly song: string;
  readonly slots: number;
  readonly onBeat: number;
  readonly templateOnBeat: number | null;
  readonly chance: number;
  /** Distances of lengths in beats to the template's; null: the template has no beats. */
  readonly distance: number | null;
  readonly halves: number | null;
  readonly random: number | null;
  readonly metronome: number | null;
  /** Of the template's; null: its shots are equally long. */
  readonly spread: number | null;
  readonly lengthError: number;
}

function judge(
  edit: EditResult,
  style: Style,
  { template, song }: { readonly template: string; readonly song: string },
): Judged {
  const pulse = trueBeats(song);
  const start = edit.music_start_seconds ?? 0;
  const cuts = edit.slots.slice(1).map(({ start_seconds: at }) => at + start);
  const lengths = edit.slots.map((slot) => (slot.end_seconds - slot.start_seconds) / pulse.beatSeconds);
  const own = style.edit!.slots.flatMap(({ length_beats: beats }) => beats ?? []);
  const ownSeconds = style.edit!.slots.map(({ length_seconds: seconds }) => seconds);
  const hasBeats = own.length === style.edit!.slots.length;
  const half = Math.ceil(own.length / 2);
  const distanceTo = (other: readonly number[]) => (hasBeats ? lengthDistance(other, own) : null);
  return {
    ...{ template: basename(template), song, slots: edit.slots.length },
    onBeat: bestPhase(cuts, song, pulse),
    templateOnBeat: style.edit!.on_beat_share ?? null,
    chance: chanceOnBeat(pulse.beatSeconds),
    distance: distanceTo(lengths),
    halves: hasBeats ? lengthDistance(own.slice(0, half), own.slice(half)) : null,
    random: distanceTo(randomLengths(lengths)),
    metronome: distanceTo(lengths.map(() => 2)),
    spread: logSpread(ownSeconds) < MIN_LOG_SPREAD ? null : logSpread(lengths) / logSpread(ownSeconds),
    lengthError: Math.abs(edit.duration_seconds / style.source_duration_seconds - 1),
  };
}

function cutsOfStyle(style: Style): number[] {
  let at = 0;
  return style.edit!.slots.slice(0, -1).map(({ length_seconds: seconds }) => {
    at += seconds;
    return at;
  });
}

/** As many cuts at random times. */
function randomLengths(lengths: readonly number[]): number[] {
  const random = new Random(1);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const cuts = lengths
    .slice(1)
    .map(() => random.between(0, total))
    .sort((a, b) => a - b);
  return [...cuts, total].map((cut, at) => cut - (at === 0 ? 0 : cuts[at - 1]!));
}

function truthOf(song: string): {
  readonly bpm: number;
  readonly beat_offset_s: number;
  readonly beat_phase_free?: boolean;
} {
  return JSON.parse(readFileSync(`${MEDIA}music/${song.replace(/\.\w+$/, '.truth.json')}`, 'utf8'));
}

function trueBeats(song: string): Pulse {
  const { bpm, beat_offset_s: firstSeconds } = truthOf(song);
  return { beatSeconds: 60 / bpm, firstSeconds };
}

/** The better phase, if the song's truth does not say which half beats are the beats. */
function bestPhase(cuts: readonly number[], song: string, pulse: Pulse): number {
  const share = onBeatShare(cuts, pulse);
  if (truthOf(song).beat_phase_free !== true) return share;
  const other = { ...pulse, firstSeconds: pulse.firstSeconds + pulse.beatSeconds / 2 };
  return Math.max(share, onBeatShare(cuts, other));
}

function print(): void {
  const number = (value: number | null) => (value === null ? '–' : value.toFixed(2));
  const rows = judged.map((one) => [
    ...[one.template, one.song.replace(/_.*/, ''), `${one.slots}`],
    ...[one.onBeat, one.templateOnBeat, one.chance, one.distance, one.halves, one.random].map(number),
    ...[one.metronome, one.spread, one.lengthError].map(number),
  ]);
  const heads = [
    ...[
      'template',
      'song',
      'slots',
      'on beat',
      "template's",
      'chance',
      'distance',
      'halves',
      'random',
      '2 beats',
    ],
    ...['spread', 'length off'],
  ];
  console.log(conditionsInWords(conditions));
  console.log(`\n${table(heads, rows)}\n`);
  console.log(
    `${table(
      ['own song', 'F1', 'cuts'],
      ownSongs.map(({ template, f1, cuts }) => [template, f1.toFixed(3), `${cuts}`]),
    )}\n`,
  );
  const share = (holds: (one: Judged) => boolean | null) => {
    const known = judged.map(holds).filter((value) => value !== null);
    return known.filter(Boolean).length / known.length;
  };
  const figures = {
    'on the beat as the template ± .1': share(({ onBeat, templateOnBeat }) =>
      templateOnBeat === null ? null : Math.abs(onBeat - templateOnBeat) <= ON_BEAT_MARGIN,
    ),
    'the same, or more': share(({ onBeat, templateOnBeat }) =>
      templateOnBeat === null ? null : onBeat >= templateOnBeat - ON_BEAT_MARGIN,
    ),
    'lengths within 1.5 × the distance of the template’s halves': share(({ distance, halves }) =>
      distance === null ? null : distance <= HALVES_FACTOR * halves!,
    ),
    'the same, cuts at random times': share(({ random, halves }) =>
      random === null ? null : random <= HALVES_FACTOR * halves!,
    ),
    'the same, a cut every second beat': share(({ metronome, halves }) =>
      metronome === null ? null : metronome <= HALVES_FACTOR * halves!,
    ),
    'spread at least .7 of the template’s': share(({ spread }) =>
      spread === null ? null : spread >= MIN_SPREAD,
    ),
    'length within 5 %': share(({ lengthError }) => lengthError <= MAX_LENGTH_ERROR),
    'own song, mean F1 within a frame': ownSongs.reduce((sum, { f1 }) => sum + f1, 0) / ownSongs.length,
  };
  for (const [name, value] of Object.entries(figures)) console.log(`${name}: ${value.toFixed(3)}`);
  console.log(`\n${saveResult('edit-rhythm', { conditions, figures, rows, ownSongs })}`);
}
