/**
 * Jigsaw: an edited clip is divided into its shots, each encoded again, mirrored and with another grade, mixed with shots of other clips.
 * Does each slot of the clip's Style DNA find its own shot? Compared with chance, length alone and size alone.
 */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Song } from '../src/analysis/music/song.ts';
import type { EditMusic, EditPlan, TemplateEdit } from '../src/style/edit/edit-plan.ts';
import { planEdit } from '../src/style/edit/plan-edit.ts';
import { templateEditOf } from '../src/style/edit/template-edit.ts';
import { extractStyle } from '../src/style/extract/extract.ts';
import { styleSchema } from '../src/style/model/schema.ts';
import { type JigsawTake, shotTakes } from './edit/jigsaw-takes.ts';
import { cachedFacts } from './lib/cached-facts.ts';
import { MEDIA } from './lib/long-clip.ts';

/** Most takes of an edit: a clip's own shots and decoys. */
const TAKES = 50;
const FRAME_RATE = 30;
const CLIPS = [
  'edits/edit_landscape_a.mp4',
  'edits/edit_vertical_a.mp4',
  'more/video/bunny_summary_26s.mp4',
  'more/video/umapyoi_game_trailer_29s.mp4',
];

interface Score {
  readonly slots: number;
  /** Slots whose own shot passes the gates of material as a whole. */
  readonly usable: number;
  readonly first: number;
  readonly amongFive: number;
}

const { values, positionals } = parseArgs({
  options: {
    /** Keeps shots and facts between runs. */
    folder: { type: 'string' },
    each: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'styledna-edit-'));
mkdirSync(folder, { recursive: true });
await main(positionals.length > 0 ? positionals : CLIPS.map((name) => MEDIA + name));

async function main(paths: readonly string[]): Promise<void> {
  const takes: JigsawTake[] = [];
  const templates = new Map<string, TemplateEdit>();
  for (const path of paths) {
    const facts = await cachedFacts(path, folder);
    const style = extractStyle(facts, { createdAt: new Date(0), fingerprint: null });
    templates.set(path, templateEditOf(styleSchema.parse(style)));
    takes.push(...(await shotTakes(path, facts, folder)));
  }
  const totals = new Map<string, Score[]>();
  for (const [path, template] of templates) {
    if (template.slots.length < 4) continue;
    const pool = poolFor(path, takes);
    for (const [name, [edit, takes]] of Object.entries(variants(template, pool))) {
      const score = scoreOf(path, edit, takes);
      totals.set(name, [...(totals.get(name) ?? []), score]);
      if (values.each) console.log(`${basename(path)} ${name}: ${inWords([score])} of ${pool.length} takes`);
    }
  }
  for (const [name, scores] of totals) console.log(`${name}: ${inWords(scores)}`);
  const sizes = [...templates.keys()].map((path) => poolFor(path, takes).length);
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  console.log(`chance: first ${(1 / mean).toFixed(2)}, among five ${(5 / mean).toFixed(2)}`);
}

/** The clip's own shots, and those of the others in turn up to the most that an edit takes. */
function poolFor(path: string, takes: readonly JigsawTake[]): JigsawTake[] {
  const own = takes.filter(({ clip }) => clip === path);
  const decoys = takes.filter(({ clip }) => clip !== path);
  const step = Math.max(1, decoys.length / Math.max(1, TAKES - own.length));
  const chosen = decoys.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
  return [...own, ...chosen].slice(0, TAKES).sort((one, other) => (one.content < other.content ? -1 : 1));
}

function variants(
  template: TemplateEdit,
  pool: readonly JigsawTake[],
): Record<string, readonly [TemplateEdit, readonly JigsawTake[]]> {
  const unranked = {
    ...{ motionRank: null, activityRank: null, contrastRank: null, detailRank: null, lightnessRank: null },
    ...{ motion: null, activity: null, contrast: null, detail: null, lightness: null },
  };
  const withoutSize = { size: null, sizeConfidence: 0 };
  const slots = template.slots.map((slot) => ({ ...slot, transition: null }));
  return {
    all: [{ ...template, slots }, pool],
    'all, takes equally sharp and worth seeing': [{ ...template, slots }, pool.map(levelled)],
    'length alone': [
      { ...template, slots: slots.map((slot) => ({ ...slot, ...unranked, ...withoutSize })) },
      pool,
    ],
    'size alone': [{ ...template, slots: slots.map((slot) => ({ ...slot, ...unranked })) }, pool],
  };
}

/** A plan prefers what is sharp and shows something to what matches: without these the match alone decides. */
function levelled(take: JigsawTake): JigsawTake {
  const { curves } = take.material;
  const even = curves.motion.map(() => 1);
  return {
    ...take,
    material: { ...take.material, curves: { ...curves, sharpness: even, quality: even, worth: even } },
  };
}

function scoreOf(path: string, template: TemplateEdit, pool: readonly JigsawTake[]): Score {
  const plan: EditPlan = planEdit({
    takes: pool,
    music: ownSong(template),
    template,
    playsTakes: false,
    duration: { kind: 'template' },
    order: 'free',
    rhythm: 'loose',
    pins: [],
    lengths: [],
    bans: [],
    replan: false,
    seed: 0,
    frameRate: FRAME_RATE,
  });
  const isOwn = (take: number, slot: number) => pool[take].clip === path && pool[take].shot === slot;
  let [first, amongFive] = [0, 0];
  const known = template.slots.filter((_, shot) =>
    pool.some((take) => take.clip === path && take.shot === shot),
  );
  const seen = new Set<number>();
  for (const { take, templateSlot, alternatives } of plan.slots) {
    if (seen.has(templateSlot)) continue;
    seen.add(templateSlot);
    if (isOwn(take, templateSlot)) first += 1;
    const five = [take, ...alternatives.slice(0, 4).map((other) => other.take)];
    if (five.some((other) => isOwn(other, templateSlot))) amongFive += 1;
  }
  const usable = pool.filter(({ clip, material }) => clip === path && material.faults.length === 0).length;
  return { slots: known.length, usable, first, amongFive };
}

/** A song on which the template's cut times are copied: with other lengths the shots of a template do not fit its slots. */
function ownSong({ slots }: TemplateEdit): EditMusic {
  const durationSeconds = slots.reduce((sum, slot) => sum + slot.durationSeconds, 0);
  const song: Song = {
    ...{ durationSeconds, soundEndSeconds: durationSeconds, beats: [], beatsPerBar: 1, confidence: 0 },
    ...{ sections: [], energyStepSeconds: 1, energy: [] },
  };
  return { song, startSeconds: null, templateStartSeconds: 0 };
}

function inWords(scores: readonly Score[]): string {
  const total = (field: keyof Score) => scores.reduce((sum, score) => sum + score[field], 0);
  const share = (field: 'first' | 'amongFive') => (total(field) / total('slots')).toFixed(2);
  return `${total('slots')} slots (own shot without faults: ${total('usable')}), first ${share('first')}, among five ${share('amongFive')}`;
}
