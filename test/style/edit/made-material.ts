/** Takes, songs and templates whose good answer is known. */
import type { Impact, TakeFault, TakeMaterial } from '../../../src/analysis/material/take-material.ts';
import type { Song } from '../../../src/analysis/music/song.ts';
import { seededRandom } from '../../../src/signal/seeded-random.ts';
import type {
  EditPlan,
  EditRequest,
  EditTake,
  TemplateEdit,
  TemplateSlot,
} from '../../../src/style/edit/edit-plan.ts';

const STEP = 0.1;
const VIEW_SECONDS = 0.5;

export interface MadeTake {
  readonly content: string;
  readonly seconds: number;
  readonly seed: number;
  readonly faults?: readonly (readonly [number, number, TakeFault])[];
  readonly exclude?: readonly (readonly [number, number])[];
  readonly impacts?: readonly Impact[];
  readonly speech?: readonly (readonly [number, number])[];
  readonly mustUse?: boolean;
  readonly isPhoto?: boolean;
  readonly isMotionless?: boolean;
}

/** Curves wander, and each half second shows another view. */
export function madeTake(made: MadeTake): EditTake {
  const { seconds, seed, isPhoto = false } = made;
  const span = ([startSeconds, endSeconds]: readonly [number, number]) => ({ startSeconds, endSeconds });
  const material: TakeMaterial = {
    durationSeconds: isPhoto ? 0 : seconds,
    isPhoto,
    isMotionless: made.isMotionless ?? false,
    stepSeconds: STEP,
    curves: curvesOf(isPhoto ? STEP : seconds, seed),
    faults: (made.faults ?? []).map(([startSeconds, endSeconds, fault]) => ({
      startSeconds,
      endSeconds,
      fault,
    })),
    impacts: made.impacts ?? [],
    speech: (made.speech ?? []).map(span),
    viewSeconds: VIEW_SECONDS,
    views: viewsOf(isPhoto ? VIEW_SECONDS : seconds, seed),
  };
  return {
    content: made.content,
    material,
    exclude: (made.exclude ?? []).map(span),
    mustUse: made.mustUse ?? false,
  };
}

function curvesOf(seconds: number, seed: number): TakeMaterial['curves'] {
  const count = Math.round(seconds / STEP);
  const random = seededRandom(seed);
  const wandering = (least: number, most: number) => {
    let value = random();
    return Array.from({ length: count }, () => {
      value = Math.min(1, Math.max(0, value + (random() - 0.5) * 0.2));
      return least + value * (most - least);
    });
  };
  return {
    motion: wandering(0, 0.4),
    activity: wandering(0, 0.3),
    contrast: wandering(0.1, 0.3),
    detail: wandering(0.05, 0.5),
    lightness: wandering(30, 70),
    sharpness: wandering(0.7, 0.9),
    faceHeight: Array.from({ length: count }, () => 0),
    focusX: wandering(0.2, 0.8),
    focusY: wandering(0.2, 0.8),
  };
}

function viewsOf(seconds: number, seed: number): number[][] {
  const random = seededRandom(seed + 7919);
  const count = Math.max(1, Math.floor(seconds / VIEW_SECONDS));
  return Array.from({ length: count }, () => Array.from({ length: 64 }, () => Math.floor(random() * 256)));
}

/** In bars of four and phrases of sixteen beats; its second half is loud. */
export function madeSong(
  beatsPerMinute: number,
  beats: number,
  more: { readonly shiftSeconds?: number } = {},
): Song {
  const period = 60 / beatsPerMinute;
  const shift = more.shiftSeconds ?? 0;
  const seconds = shift + beats * period;
  return {
    durationSeconds: seconds + 0.5,
    beats: Array.from({ length: beats }, (_, at) => ({
      timeSeconds: shift + at * period,
      isDownbeat: at % 4 === 0,
      isPhraseStart: at % 16 === 0,
    })),
    beatsPerBar: 4,
    confidence: 0.9,
    sections: [
      { startSeconds: 0, endSeconds: seconds / 2, energy: 0.5 },
      { startSeconds: seconds / 2, endSeconds: seconds + 0.5, energy: 1 },
    ],
    energyStepSeconds: 0.5,
    energy: Array.from({ length: Math.ceil((seconds + 0.5) / 0.5) }, (_, at) =>
      at * 0.5 < seconds / 2 ? 0.5 : 1,
    ),
    soundEndSeconds: seconds,
  };
}

export function madeSlot(durationSeconds: number, more: Partial<TemplateSlot> = {}): TemplateSlot {
  return {
    durationSeconds,
    beats: durationSeconds * 2,
    phase: 0,
    motionRank: 0.5,
    activityRank: 0.5,
    contrastRank: 0.5,
    detailRank: 0.5,
    lightnessRank: 0.5,
    ...{ motion: null, activity: null, contrast: null, detail: null, lightness: null },
    size: null,
    sizeConfidence: 0,
    move: null,
    speaks: false,
    returnsTo: null,
    transition: null,
    ...more,
  };
}

/** At 120 beats a minute; ranks at random. */
export function madeTemplate(beats: readonly number[], seed = 1): TemplateEdit {
  const random = seededRandom(seed);
  let position = 0;
  const slots = beats.map((count) => {
    const phase = position % 1;
    position += count;
    return madeSlot(count / 2, {
      phase,
      motionRank: random(),
      activityRank: random(),
      contrastRank: random(),
      detailRank: random(),
      lightnessRank: random(),
    });
  });
  return { slots, onBeatShare: 1, tempoBpm: 120, cutsPerBarByEnergy: null };
}

export function madeRequest(more: Partial<EditRequest>): EditRequest {
  return {
    takes: [],
    music: null,
    template: madeTemplate([4, 2, 2, 1, 1, 2, 4, 2, 1, 1, 4, 8]),
    playsTakes: false,
    duration: { kind: 'template' },
    order: 'free',
    rhythm: 'on_beat',
    pins: [],
    lengths: [],
    bans: [],
    replan: false,
    seed: 0,
    frameRate: 30,
    ...more,
  };
}

export function makeTakes(count: number, seconds: number, firstSeed = 1): EditTake[] {
  return Array.from({ length: count }, (_, at) =>
    madeTake({ content: contentOf(firstSeed + at), seconds, seed: firstSeed + at }),
  );
}

export function contentOf(seed: number): string {
  return Math.imul(seed, 0x9e3779b1).toString(16).padStart(8, '0').replace('-', 'f').repeat(8).slice(0, 64);
}

/** Frames at which slots begin, the first left out. */
export function cutFrames({ slots }: EditPlan, frameRate = 30): number[] {
  return slots.slice(1).map(({ startSeconds }) => Math.round(startSeconds * frameRate));
}

export function choicesOf({ slots }: EditPlan): string[] {
  return slots.map(({ take, sourceStartSeconds }) => `${take}@${sourceStartSeconds.toFixed(2)}`);
}
