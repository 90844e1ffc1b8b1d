/**
 * The rhythm of planned edits against their templates': cuts on the songs' true beats, shot lengths in beats, their spread, the total length, and
 * a template's own song; and the shape of edits after ten templates that follow no beat. Nothing is rendered. Lists are paths with commas; with
 * `--takes` only the shapes are measured, after the templates as they are and with cuts off the beat.
 * `node bench/edit-rhythm.ts [--folder DIR] [--takes LIST --templates LIST --songs LIST] [--order story]`
 */
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { EditResult } from '../src/style/model/edit-result.ts';
import type { Style } from '../src/style/model/schema.ts';
import { offBeatStyle } from './edit-judge/off-beat.ts';
import { madeReel } from './edit-judge/reels.ts';
import { chanceOnBeat, cutF1, lengthDistance, logSpread } from './edit-judge/rhythm.ts';
import { openEditRig } from './edit-judge/rig.ts';
import { type EditShape, shapeOf } from './edit-judge/shape.ts';
import { trueOnBeatShare, truePulse } from './edit-judge/song-truth.ts';
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
const MIN_ON_BEAT = 0.95;
/** Slots end on beats. */
const LONGEST_FACTOR = 1.1;
const MAX_LENGTH_ERROR = 0.05;
/** Lengths within 1 % of each other are equal. */
const MIN_LOG_SPREAD = 0.01;

const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: join(tmpdir(), 'styledna-edit-judge') },
    takes: { type: 'string' },
    templates: { type: 'string' },
    songs: { type: 'string' },
    order: { type: 'string', default: 'free' },
  },
});
mkdirSync(values.folder, { recursive: true });
const conditions = currentConditions();
const reels = REELS.map((reel) =>
  madeReel({ ...reel, song: `${MEDIA}music/${reel.song}` }, SHOTS, values.folder),
);
const templates = [...TEMPLATES, ...reels];
const rig = await openEditRig(values.folder);
const sharedSongs = SONGS.map((song) => `${MEDIA}music/${song}`);
const judged: Judged[] = [];
for (const template of values.takes === undefined ? templates : []) {
  for (const song of sharedSongs) {
    const { edit, style } = await rig.plan({
      ...{ takes: TAKES, template, music: song },
      options: { order: 'free' },
    });
    judged.push(judge(edit, style, { template, song }));
  }
}
const ownSongs: { readonly template: string; readonly f1: number; readonly cuts: number }[] = [];
for (const template of values.takes === undefined ? templates : []) {
  const { edit, style } = await rig.plan({
    ...{ takes: TAKES, template, music: template },
    options: { order: 'free' },
  });
  const cuts = edit.slots.slice(1).map(({ start_seconds: start }) => start);
  const wanted = cutsOfStyle(style).filter((cut) => cut < edit.duration_seconds - FRAME_SECONDS);
  ownSongs.push({ template: basename(template), f1: cutF1(cuts, wanted, FRAME_SECONDS), cuts: cuts.length });
}
const shapes = await measuredShapes();
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
  const pulse = truePulse(song)!;
  const start = edit.music_start_seconds ?? 0;
  const cuts = edit.slots.slice(1).map(({ start_seconds: at }) => at + start);
  const lengths = edit.slots.map((slot) => (slot.end_seconds - slot.start_seconds) / pulse.beatSeconds);
  const own = style.edit!.slots.flatMap(({ length_beats: beats }) => beats ?? []);
  const ownSeconds = style.edit!.slots.map(({ length_seconds: seconds }) => seconds);
  const hasBeats = own.length === style.edit!.slots.length;
  const half = Math.ceil(own.length / 2);
  const distanceTo = (other: readonly number[]) => (hasBeats ? lengthDistance(other, own) : null);
  return {
    ...{ template: basename(template), song: basename(song), slots: edit.slots.length },
    onBeat: trueOnBeatShare(cuts, song, pulse),
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

interface ShapeRow extends EditShape {
  readonly template: string;
  readonly song: string;
  readonly slots: number;
}

/** Of ten templates with cuts off the beat; with `--takes` of these templates with their own cuts too. */
async function measuredShapes(): Promise<ShapeRow[]> {
  const list = (text: string | undefined) => text?.split(',') ?? null;
  const takes = list(values.takes) ?? TAKES;
  const named = list(values.templates);
  const rows: ShapeRow[] = [];
  const variants = (named ?? templates).flatMap((template, at) =>
    named === null && at > 1
      ? [{ template, seed: 1 }]
      : [
          { template, seed: 1 },
          { template, seed: named === null ? 2 : 0 },
        ],
  );
  for (const { template, seed } of variants)
    for (const song of list(values.songs) ?? sharedSongs) {
      const { edit, style } = await rig.plan({
        ...{ takes, template, music: song, options: { order: values.order } },
        ...(seed === 0 ? {} : { restyle: (own: Style) => offBeatStyle(own, seed) }),
      });
      const name = basename(template) + (seed === 0 ? '' : ` off ${seed}`);
      const wanted = style.edit!.slots.reduce((sum, { length_seconds: seconds }) => sum + seconds, 0);
      const shape = shapeOf(edit, style, song, wanted);
      rows.push({ template: name, song: basename(song), slots: edit.slots.length, ...shape });
    }
  return rows;
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
  const shapeHeads = ['template', 'song', 'slots', 'on beat', 'length', 'unused', 'last', 'longest', 'p90'];
  const shapeRows = shapes.map((one) => [
    ...[one.template, one.song.replace(/_.*/, ''), `${one.slots}`],
    ...[one.onBeat, one.lengthShare].map(number),
    ...[`${one.unused}`, ...[one.lastSeconds, one.longestSeconds, one.templateLongest].map(number)],
  ]);
  console.log(`${table(shapeHeads, shapeRows)}\n`);
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
  for (const [name, value] of Object.entries({ ...figures, ...shapeFigures() }))
    console.log(`${name}: ${value.toFixed(3)}`);
  console.log(`\n${saveResult('edit-rhythm', { conditions, figures, rows, ownSongs, shapes })}`);
}

function shapeFigures() {
  const share = (holds: (one: ShapeRow) => boolean) => shapes.filter(holds).length / shapes.length;
  const beats = shapes.flatMap(({ onBeat }) => (onBeat === null ? [] : [onBeat]));
  return {
    'shapes: mean share of cuts on beats': beats.reduce((sum, one) => sum + one, 0) / beats.length,
    'shapes: at least .95 of the cuts on beats':
      beats.filter((one) => one >= MIN_ON_BEAT).length / beats.length,
    'shapes: length within 5 %': share(({ lengthShare }) => Math.abs(lengthShare - 1) <= MAX_LENGTH_ERROR),
    'shapes: usable takes without a slot':
      shapes.reduce((sum, { unused }) => sum + unused, 0) / shapes.length,
    'shapes: last slot of a second or more': share(({ lastSeconds }) => lastSeconds >= 1 - FRAME_SECONDS),
    'shapes: longest slot at most 1.1 of the ninth decile': share(
      ({ longestSeconds, templateLongest }) => longestSeconds <= LONGEST_FACTOR * templateLongest,
    ),
  };
}
