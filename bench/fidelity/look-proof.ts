/**
 * Two tests of a color style. Known looks: a look is applied to clip A, which is the template; the expected
 * output for clip B is B in that look. Line-up: is an output most similar to its own template, by the palette
 * that a viewer perceives?
 */
import { ColorTally } from '../../src/analysis/color/tally.ts';
import type { ColorFacts, ColorMoments, VideoFacts } from '../../src/analysis/facts.ts';
import { bytesToLab, rgbToLab } from '../../src/signal/color-space.ts';
import { statisticsField } from '../../src/style/extract/extract.ts';
import { lookOf, monochromeShareOf } from '../../src/style/look/estimate.ts';
import { gradeRgb } from '../../src/style/look/grade.ts';
import { sortedByLightness } from '../../src/style/look/grade-cloud.ts';
import { type GradeStyle, planGrade } from '../../src/style/look/grade-plan.ts';
import { impressionOf } from '../../src/style/look/mood.ts';
import { faceLightnessOf, peopleShare } from '../../src/style/look/people.ts';
import { isScreenOrDrawing } from '../../src/style/look/screen.ts';
import { shownColor } from '../../src/style/look/shown-color.ts';
import { dialsOfLook } from '../../src/style/model/color-dials.ts';
import type { Grade } from '../../src/style/model/timeline.ts';
import { Random } from '../generate/random.ts';
import { percent, table } from '../lib/report.ts';
import type { Looks } from './looks.ts';
import { NAMED_LOOKS, type RgbLook } from './named-looks.ts';
import { halfOf, type LabMap, mongeKantorovich, reinhard } from './peers.ts';

/** Real clips of many kinds; none is among the pictures that the estimator was fitted on. */
export const CLIPS = [
  'video/mdn_crystal.mp4',
  'video/mdn_frog.mp4',
  'video/mdn_pig.mp4',
  'video/mdn_rabbit_vp8.webm',
  'video/sam2_dog.mp4',
  'video/mdn_flower.mp4',
  'video/roof_zoom_17s.mp4',
  'video/intel_asl_book.mkv',
  'video/rotated270_h264.mp4',
  'video/nasa_webb_13s.mp4',
  'video/bbb_2_cuts_timecode.mp4',
  'video/vertical_hdr10_av1.mp4',
  'more/video/mdn_monster.mp4',
  'more/video/sam2_cups.mp4',
  'more/video/desk_pan_h263.3gp',
] as const;
/** Besides, as templates of the line-up. */
const TEMPLATES = [
  'video/mdn_friday_speech.mp4',
  'video/cartoon_surf_8s.mp4',
  'video/cartoon_cake_8s.mp4',
  'more/video/cartoon_carnival_8s.mp4',
  'more/video/gull_avi_mpeg4.avi',
  'more/video/gl_transitions_reel_27s.mp4',
  'more/video/social_word_captions_14s.mp4',
  'more/video/umapyoi_game_trailer_29s.mp4',
] as const;
const PAIRS_A_LOOK = 8;
const LINE_UP = { templates: 8, sources: 6, rounds: 3 } as const;
export const STRENGTHS = [0.4, 0.8, 1] as const;
/**
 * A template of which half is darker than this is a title card. An output as dark would be unwatchable, so
 * the look is limited (`LOOK_LIMITED`) and excluded from the line-up.
 */
const TITLE_CARD_LIGHTNESS = 5;
/** Of an impression: the median's lightness. */
const MEDIAN = 2;
/** Small pictures of a clip that are looked at: some 330 pixels each. */
const MOMENTS = 6;

export interface Side {
  readonly video: VideoFacts;
  /** Pixels of the small pictures as Lab triples, and as RGB of 0..1. */
  readonly lab: Float32Array;
  readonly rgb: Float64Array;
  readonly impression: readonly number[];
}

export type Way = (source: Side, template: Side) => Float32Array;

function fewMoments({ width, height, timesSeconds, areas, rgb }: ColorMoments): ColorMoments {
  const count = Math.min(MOMENTS, timesSeconds.length);
  const chosen = Array.from({ length: count }, (_, at) =>
    Math.floor(((at + 0.5) / count) * timesSeconds.length),
  );
  const bytes = Buffer.from(rgb, 'base64');
  const size = 3 * width * height;
  return {
    width,
    height,
    timesSeconds: chosen.map((at) => timesSeconds[at]),
    areas: chosen.map((at) => areas[at]),
    rgb: Buffer.concat(chosen.map((at) => bytes.subarray(size * at, size * (at + 1)))).toString('base64'),
  };
}

export function sideOf(video: VideoFacts, look: RgbLook | null = null): Side {
  const moments = fewMoments(video.color.moments);
  const bytes = Buffer.from(moments.rgb, 'base64');
  const rgb = Float64Array.from(bytes, (byte) => byte / 255);
  if (look !== null) for (let at = 0; at < rgb.length; at += 3) look(rgb.subarray(at, at + 3));
  const looked = Uint8Array.from(rgb, (value) => Math.round(255 * value));
  const lab = new Float32Array(rgb.length);
  const tally = new ColorTally();
  const one = new Float64Array(3);
  for (let at = 0; at < rgb.length; at += 3) {
    bytesToLab(looked[at], looked[at + 1], looked[at + 2], one);
    lab.set(one, at);
  }
  tally.add(looked);
  const color: ColorFacts = {
    ...video.color,
    clip: tally.statistics(),
    moments: { ...moments, rgb: Buffer.from(looked).toString('base64') },
  };
  return { video: { ...video, color }, lab, rgb, impression: impressionOf(sortedByLightness(lab)) };
}

function styleOf({ video }: Side): GradeStyle {
  const { look } = lookOf(video);
  return {
    look,
    color_grade: dialsOfLook(look),
    color_statistics: statisticsField(video.color.clip),
  };
}

/** The grade that converts a source to a template's look and palette. */
export function gradeBetween(source: Side, template: Side, strength: number): Grade {
  const { statistics, cloud } = shownColor(source.video, []);
  const planned = planGrade(
    {
      statistics,
      cloud,
      look: lookOf(source.video).look,
      monochrome: monochromeShareOf(source.video),
      people: peopleShare(source.video),
      faceLightness: faceLightnessOf(source.video),
      isDrawn: isScreenOrDrawing(source.video),
    },
    styleOf(template),
    strength,
  );
  return planned!.grade;
}

/** A side's pixels through a grade, as Lab triples. */
export function graded(source: Side, grade: Grade): Float32Array {
  return labThrough(source.rgb, (red, green, blue, out) => gradeRgb(grade, red, green, blue, out));
}

export const ours =
  (strength: number): Way =>
  (source, template) =>
    graded(source, gradeBetween(source, template, strength));

const mapOf =
  (make: (source: Float32Array, template: Float32Array) => LabMap): Way =>
  (source, template) => {
    const map = make(source.lab, template.lab);
    const out = new Float32Array(source.lab.length);
    const one = new Float64Array(3);
    for (let at = 0; at < out.length; at += 3) {
      one.set(source.lab.subarray(at, at + 3));
      map(one);
      out.set(one, at);
    }
    return out;
  };

function labThrough(
  rgb: Float64Array,
  change: (red: number, green: number, blue: number, out: Float64Array) => void,
): Float32Array {
  const lab = new Float32Array(rgb.length);
  const [color, one] = [new Float64Array(3), new Float64Array(3)];
  for (let at = 0; at < rgb.length; at += 3) {
    change(rgb[at], rgb[at + 1], rgb[at + 2], color);
    rgbToLab(color[0], color[1], color[2], one);
    lab.set(one, at);
  }
  return lab;
}

/** Mean color difference (CIE 1976). */
export function difference(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 3)
    sum += Math.hypot(one[at] - other[at], one[at + 1] - other[at + 1], one[at + 2] - other[at + 2]);
  return (3 * sum) / one.length;
}

const distance = (one: readonly number[], other: readonly number[]) =>
  Math.hypot(...one.map((value, at) => value - other[at]));

export interface KnownLook {
  readonly name: string;
  readonly source: Side;
  readonly template: Side;
  readonly wanted: Float32Array;
  /** Confidence of the template's look. */
  readonly confidence: number;
}

export function knownLooks(clips: readonly VideoFacts[], random: Random): KnownLook[] {
  return Object.entries(NAMED_LOOKS).flatMap(([name, look]) =>
    Array.from({ length: PAIRS_A_LOOK }, () => {
      const [a, b] = random.shuffled(clips) as [VideoFacts, VideoFacts];
      const template = sideOf(a, look);
      const { confidence } = lookOf(template.video);
      return { name, source: sideOf(b), template, wanted: sideOf(b, look).lab, confidence };
    }),
  );
}

/** Templates far apart from each other, each chosen after a first by chance, and sources by chance. */
function lineUps(clips: readonly Side[], templates: readonly Side[], random: Random) {
  return Array.from({ length: LINE_UP.rounds }, () => {
    const pool = random
      .shuffled([...clips, ...templates])
      .filter(({ impression }) => impression[MEDIAN] >= TITLE_CARD_LIGHTNESS);
    const chosen = [pool[0]];
    const apart = (side: Side) =>
      Math.min(...chosen.map(({ impression }) => distance(impression, side.impression)));
    while (chosen.length < LINE_UP.templates)
      chosen.push(pool.reduce((best, side) => (apart(side) > apart(best) ? side : best)));
    const sources = random.shuffled(clips.filter((clip) => !chosen.includes(clip)));
    return { templates: chosen, sources: sources.slice(0, LINE_UP.sources) };
  });
}

export interface LookProof {
  readonly way: string;
  /**
   * Mean color difference from the expected output, relative to the untouched source's: 0 perfect, 1
   * useless.
   */
  readonly knownLooks: number;
  /** Share of the pairs that are further from the expected output than before. */
  readonly harmful: number;
  /** Share of the outputs nearest to their own template. */
  readonly lineUp: number;
  readonly byLook: Readonly<Record<string, number>>;
  /** Like `knownLooks`, of the thirds of the templates with the least, middle and greatest confidence. */
  readonly byConfidence: readonly number[];
}

/** Ours at these strengths, and what others do. */
export async function proveLooks(
  looks: Pick<Looks, 'facts'>,
  strengths: readonly number[] = STRENGTHS,
  others: readonly (keyof typeof OTHERS)[] = Object.keys(OTHERS),
): Promise<LookProof[]> {
  const clips: VideoFacts[] = [];
  for (const name of CLIPS) clips.push((await looks.facts(name)).video);
  const templates: VideoFacts[] = [];
  for (const name of TEMPLATES) templates.push((await looks.facts(name)).video);
  return proveLooksOf(clips, templates, strengths, others);
}

/** The same for any clips; `templates` appear in the line-up besides. */
export function proveLooksOf(
  clips: readonly VideoFacts[],
  templates: readonly VideoFacts[],
  strengths: readonly number[] = STRENGTHS,
  others: readonly (keyof typeof OTHERS)[] = [],
): LookProof[] {
  const known = knownLooks(clips, new Random(7));
  const lines = lineUps(
    clips.map((clip) => sideOf(clip)),
    templates.map((clip) => sideOf(clip)),
    new Random(8),
  );
  return [
    ...others.map((name) => proofOf(name, OTHERS[name], known, lines)),
    ...strengths.map((strength) => proofOf(`ours, strength ${strength}`, ours(strength), known, lines)),
  ];
}

const OTHERS: Readonly<Record<string, Way>> = {
  untouched: ({ lab }) => lab,
  Reinhard: mapOf(reinhard),
  'Monge–Kantorovich': mapOf(mongeKantorovich),
  'half of it': mapOf((source, template) => halfOf(mongeKantorovich(source, template))),
};

function proofOf(
  name: string,
  way: Way,
  known: readonly KnownLook[],
  lines: ReturnType<typeof lineUps>,
): LookProof {
  const errors = known.map(({ source, template, wanted }) => difference(way(source, template), wanted));
  const untouched = known.map(({ source, wanted }) => difference(source.lab, wanted));
  const left = (isCounted: (one: KnownLook) => boolean) => {
    const sum = (values: readonly number[]) =>
      values.reduce((total, value, at) => total + (isCounted(known[at]) ? value : 0), 0);
    return sum(errors) / sum(untouched);
  };
  const bySurety = [...known].sort((one, other) => one.confidence - other.confidence);
  const third = (at: number) =>
    new Set(bySurety.slice(Math.floor((at * known.length) / 3), Math.floor(((at + 1) * known.length) / 3)));
  return {
    way: name,
    knownLooks: left(() => true),
    harmful: errors.filter((error, at) => error > untouched[at]).length / errors.length,
    lineUp: shareRight(lines, way),
    byLook: Object.fromEntries(
      Object.keys(NAMED_LOOKS).map((look) => [look, left(({ name: of }) => of === look)]),
    ),
    byConfidence: [0, 1, 2].map((at) => left((one) => third(at).has(one))),
  };
}

export function looksTable(proofs: readonly LookProof[]): string {
  return table(
    [
      'way',
      'known looks',
      'harmful',
      'line-up right',
      'unsure third',
      'middle',
      'sure third',
      ...Object.keys(NAMED_LOOKS),
    ],
    proofs.map(({ way, knownLooks: all, harmful, lineUp, byLook, byConfidence }) => [
      way,
      all.toFixed(2),
      percent(harmful),
      percent(lineUp),
      ...byConfidence.map((value) => value.toFixed(2)),
      ...Object.values(byLook).map((value) => value.toFixed(2)),
    ]),
  );
}

function shareRight(lines: ReturnType<typeof lineUps>, way: Way): number {
  const each = lines.flatMap(({ templates, sources }) =>
    sources.flatMap((source) =>
      templates.map((template) => {
        const observed = impressionOf(sortedByLightness(way(source, template)));
        const nearest = templates.reduce((best, one) =>
          distance(one.impression, observed) < distance(best.impression, observed) ? one : best,
        );
        return Number(nearest === template);
      }),
    ),
  );
  return each.reduce((sum, value) => sum + value, 0) / each.length;
}
