/** Scores of fault detection on planted takes: faults found, and good spans marked by mistake. */
import type { ClipFacts, Span } from '../../src/analysis/facts.ts';
import { materialOf } from '../../src/analysis/material/material.ts';
import type { TakeFault, TakeMaterial } from '../../src/analysis/material/take-material.ts';
import type { PlantedFault, PlantedTake } from './plant.ts';

/** Sampling interval of planted spans, and not within this of their ends, where a fault begins. */
const STEP_SECONDS = 0.05;
const EDGE_SECONDS = 0.1;
/** Choices of an edit: this many spans of this length from each take. */
const CHOSEN_SECONDS = 1;
const CHOSEN_SPANS = 2;

export interface TakeScore {
  /** Seconds planted and seconds marked, by fault; `good` for the untouched span. */
  readonly planted: Readonly<
    Record<PlantedFault | 'good', { readonly seconds: number; readonly marked: number }>
  >;
  /** Share of the chosen time that is good; null: nothing could be chosen. */
  readonly chosenGood: number | null;
  /** Faults that the good span was marked with, seconds. */
  readonly wrong: Readonly<Record<string, number>>;
}

export function scoreTake(take: PlantedTake, facts: ClipFacts): TakeScore {
  const material = materialOf(facts);
  const planted = Object.fromEntries(
    take.spans.map(({ fault, ...span }) => {
      const times = timesIn(span);
      const marked = times.filter((at) => faultsAt(material, at).length > 0).length;
      return [fault ?? 'good', { seconds: times.length * STEP_SECONDS, marked: marked * STEP_SECONDS }];
    }),
  ) as unknown as TakeScore['planted'];
  const good = take.spans.find(({ fault }) => fault === null)!;
  const wrong: Record<string, number> = {};
  for (const at of timesIn(good))
    for (const fault of faultsAt(material, at)) wrong[fault] = (wrong[fault] ?? 0) + STEP_SECONDS;
  return { planted, chosenGood: shareWithin(chosenSpans(material), good), wrong };
}

/** Seconds of an untouched clip by the faults that it is marked with, and those without any. */
export function scoreReal(facts: ClipFacts): {
  readonly seconds: number;
  readonly usable: number;
  readonly by: Record<string, number>;
} {
  const material = materialOf(facts);
  const times = timesIn({ startSeconds: 0, endSeconds: material.durationSeconds });
  const by: Record<string, number> = {};
  let usable = 0;
  for (const at of times) {
    const faults = faultsAt(material, at);
    if (faults.length === 0) usable += STEP_SECONDS;
    for (const fault of faults) by[fault] = (by[fault] ?? 0) + STEP_SECONDS;
  }
  return { seconds: times.length * STEP_SECONDS, usable, by };
}

function timesIn({ startSeconds, endSeconds }: Span): number[] {
  const count = Math.max(0, Math.floor((endSeconds - startSeconds - 2 * EDGE_SECONDS) / STEP_SECONDS));
  return Array.from({ length: count }, (_, i) => startSeconds + EDGE_SECONDS + (i + 0.5) * STEP_SECONDS);
}

function faultsAt({ faults }: TakeMaterial, at: number): TakeFault[] {
  return [
    ...new Set(
      faults.filter((span) => span.startSeconds <= at && span.endSeconds > at).map(({ fault }) => fault),
    ),
  ];
}

/** Gated by faults, then ranked by quality: the best spans that do not overlap. */
function chosenSpans(material: TakeMaterial): Span[] {
  const { stepSeconds, curves } = material;
  const length = Math.round(CHOSEN_SECONDS / stepSeconds);
  const quality = curves.quality!;
  const spans = quality.flatMap((_, step) => {
    const startSeconds = step * stepSeconds;
    const endSeconds = startSeconds + CHOSEN_SECONDS;
    const isFaulty = material.faults.some(
      (span) => span.startSeconds < endSeconds && span.endSeconds > startSeconds,
    );
    if (isFaulty || endSeconds > material.durationSeconds) return [];
    const worst = Math.min(...quality.slice(step, step + length));
    return [{ startSeconds, endSeconds, worst }];
  });
  const chosen: Span[] = [];
  for (const span of spans.sort((a, b) => b.worst - a.worst || a.startSeconds - b.startSeconds)) {
    const isApart = chosen.every(
      (one) => one.endSeconds <= span.startSeconds || one.startSeconds >= span.endSeconds,
    );
    if (isApart && chosen.length < CHOSEN_SPANS) chosen.push(span);
  }
  return chosen;
}

function shareWithin(spans: readonly Span[], good: Span): number | null {
  if (spans.length === 0) return null;
  const inside = spans.map(({ startSeconds, endSeconds }) =>
    Math.max(0, Math.min(endSeconds, good.endSeconds) - Math.max(startSeconds, good.startSeconds)),
  );
  return inside.reduce((sum, seconds) => sum + seconds, 0) / (spans.length * CHOSEN_SECONDS);
}
