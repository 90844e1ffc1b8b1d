/** How spans of takes look: slots of one length share measurements. */
import type { Span } from '../../analysis/facts.ts';
import { overlapSeconds } from '../../domain/spans.ts';
import { clamp, smoothstep } from '../../signal/interpolation.ts';
import type { CurveMeans, UsableRanks } from './curve-means.ts';
import type { SizeClass } from './edit-plan.ts';
import { NOTHING_WORTH } from './holding-time.ts';
import type { PreparedTake } from './prepared-takes.ts';
import { RANKED_CURVES, scaled } from './ranked-curves.ts';
import { softnessOf } from './take-sharpness.ts';

export interface SpanLook {
  /** In the order of `RANKED_CURVES`. */
  readonly ranks: readonly number[];
  /** In the same order, on the scales of `scaled`. */
  readonly levels: readonly number[];
  /** Null: no face. */
  readonly size: SizeClass | null;
  readonly spokenShare: number;
  /** Of hardly readable spans. */
  readonly readingCost: number;
  /** Number of the view in its middle. */
  readonly view: number;
  /** 0..1: mean of its rank by worth among all usable spans, and of how far it is from dark. */
  readonly appeal: number;
}

/** Heights of a face with its shoulders that divide wide, medium and close shots. */
const MEDIUM_FACE = 0.25;
const CLOSE_FACE = 0.55;
/** Of the difference between a take's best and worst moments; a usual mismatch of curves costs 1. */
const QUALITY_WEIGHT = 0.8;
const DARK_COST = 0.5;
/** A second of a span with nothing to see, such as a wall or the sky: for a beat it costs little. */
const NOTHING_COST = 0.6;
const MAX_SECONDS = 3;
/** CIELAB lightness that is too dark to begin or end an edit, and that is not. Lighter is no better: walls and skies are light (0295). */
const DARK_END = [25, 50] as const;
/** Of spans far softer than the other takes. */
const SOFT_COST = 1.2;
/** Of a span without people in a take that shows two whole faces elsewhere (0297). */
const PEOPLE_COST = 2;
/** Of the share of the time in which the scene is empty. */
const EMPTY_COST = 0.6;
/** If the scene is empty at its start or end: somebody enters or leaves. In ten stories, 0 and .5: 7 and 1 of 119 shots. */
const EMPTY_END_COST = 0.5;
/** Of a span whose subject is gone at its end. */
const LEAVING_COST = 0.8;
/** Fall of the worth from a span's beginning or middle to its end: changes of texture reach .07, a figure has .08, a face or a moving subject up to .2. */
const LEAVING = [0.07, 0.17] as const;
/** Two steps of the curves: shorter gaps of detectors are not seen. */
const END_SECONDS = 0.4;
/** Spans that differ by less look the same. */
const STEP_SECONDS = 1e-3;

export class SpanLooks {
  readonly #ranks: UsableRanks;
  readonly #known = new Map<number, Map<number, SpanLook>>();

  constructor(ranks: UsableRanks) {
    this.#ranks = ranks;
  }

  /** With the same looks, which further ones do not change. */
  copy(): SpanLooks {
    const copy = new SpanLooks(this.#ranks);
    for (const [family, known] of this.#known) copy.#known.set(family, new Map(known));
    return copy;
  }

  of(take: PreparedTake, startSeconds: number, endSeconds: number): SpanLook {
    const family = take.index * 1e7 + Math.round((endSeconds - startSeconds) / STEP_SECONDS);
    let known = this.#known.get(family);
    if (known === undefined) {
      known = new Map();
      this.#known.set(family, known);
    }
    const key = Math.round(startSeconds / STEP_SECONDS);
    let look = known.get(key);
    if (look === undefined) {
      look = this.#measured(take, startSeconds, endSeconds);
      known.set(key, look);
    }
    return look;
  }

  #measured(prepared: PreparedTake, start: number, end: number): SpanLook {
    const { means, views, material } = prepared;
    const values = RANKED_CURVES.map((name) => means.mean(name, start, end));
    return {
      ranks: RANKED_CURVES.map((name, at) => this.#ranks.rank(name, values[at])),
      levels: RANKED_CURVES.map((name, at) => scaled(name, values[at])),
      size: sizeOf(means.mean('faceHeight', start, end)),
      spokenShare: spokenShare(material.speech, start, end),
      readingCost: readingCost(prepared, start, end),
      view: views.indexAt((start + end) / 2),
      appeal: appealOf(this.#ranks, means, start, end),
    };
  }
}

function appealOf(ranks: UsableRanks, means: CurveMeans, start: number, end: number): number {
  const worth = ranks.rank('worth', means.mean('worth', start, end));
  return (worth + smoothstep(...DARK_END, means.mean('lightness', start, end))) / 2;
}

function sizeOf(faceHeight: number): SizeClass | null {
  if (faceHeight <= 0) return null;
  return faceHeight >= CLOSE_FACE ? 'close' : faceHeight >= MEDIUM_FACE ? 'medium' : 'wide';
}

function spokenShare(speech: readonly Span[], startSeconds: number, endSeconds: number): number {
  const span = { startSeconds, endSeconds };
  const spoken = speech.reduce((sum, phrase) => sum + overlapSeconds(phrase, span), 0);
  return Math.min(1, spoken / (endSeconds - startSeconds));
}

/** Too dark, with nothing to see, soft, empty, left by its subject, or with less of its people than elsewhere: each passes all gates and reads badly. */
function readingCost(prepared: PreparedTake, start: number, end: number): number {
  const { means } = prepared;
  return (
    DARK_COST * smoothstep(22, 8, means.mean('lightness', start, end)) +
    NOTHING_COST *
      Math.min(MAX_SECONDS, end - start) *
      smoothstep(...NOTHING_WORTH, means.mean('worth', start, end)) +
    SOFT_COST * softnessOf(means.mean('sharpness', start, end) / prepared.referenceSharpness) +
    QUALITY_WEIGHT * (1 - clamp(means.mean('quality', start, end), 0, 1)) +
    PEOPLE_COST * Math.max(0, prepared.bestPeople - means.mean('people', start, end)) +
    EMPTY_COST * means.mean('empty', start, end) +
    EMPTY_END_COST * Math.max(means.at('empty', start), means.at('empty', end - 1e-6)) +
    LEAVING_COST * leavingShare(means, start, end)
  );
}

/** 0: the subject stays to the end; 1: it has left or turned away. */
function leavingShare(means: CurveMeans, start: number, end: number): number {
  const worthFrom = (seconds: number) => means.mean('worth', Math.max(start, seconds), seconds + END_SECONDS);
  const before = Math.max(worthFrom(start), worthFrom((start + end - END_SECONDS) / 2));
  return smoothstep(...LEAVING, before - worthFrom(end - END_SECONDS));
}
