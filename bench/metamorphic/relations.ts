/** Whether material and plans of one take are the same however it is stored. */
import type { Span } from '../../src/analysis/facts.ts';
import type { TakeMaterial } from '../../src/analysis/material/take-material.ts';
import type { EditRequest, EditTake, TemplateEdit } from '../../src/style/edit/edit-plan.ts';
import { planEdit } from '../../src/style/edit/plan-edit.ts';
import type { Difference } from '../score/robustness.ts';

/** Seconds by which a fault may begin or end elsewhere. */
const NEAR_SECONDS = 0.3;
const STEP_SECONDS = 0.05;
/** Of the seconds of a take. */
const MIN_SAME_FAULTS = 0.98;
/** Mean difference of a window's rank, 0..1. */
const MAX_RANK_DIFFERENCE = 0.1;
const MIN_SAME_CHOICES = 0.9;
/** Of an in-point. */
const SAME_PLACE_SECONDS = 0.3;
const WINDOW_SECONDS = 1;
const RANKED = ['quality', 'motion', 'activity', 'contrast', 'detail', 'lightness'] as const;

export function materialDifferences(one: TakeMaterial, other: TakeMaterial): Difference[] {
  const faults = sameFaults(one, other);
  const ranks = RANKED.map((name) => rankDifference(one, other, name)).filter((value) => value !== null);
  const worst = Math.max(0, ...ranks);
  return [
    { field: 'faults', text: faults.toFixed(2), within: faults >= MIN_SAME_FAULTS },
    { field: 'ranks', text: worst.toFixed(2), within: worst <= MAX_RANK_DIFFERENCE },
  ];
}

/** Share of the time that is faulty in both or in none, or near a border of a fault of either. */
function sameFaults(one: TakeMaterial, other: TakeMaterial): number {
  const count = Math.max(1, Math.floor(one.durationSeconds / STEP_SECONDS));
  const isFaulty = ({ faults }: TakeMaterial, at: number) => faults.some((span) => isWithin(span, at));
  const borders = [one, other].flatMap(({ faults }) =>
    faults.flatMap(({ startSeconds, endSeconds }) => [startSeconds, endSeconds]),
  );
  let same = 0;
  for (let step = 0; step < count; step++) {
    const at = (step + 0.5) * STEP_SECONDS;
    const isNear = borders.some((border) => Math.abs(border - at) <= NEAR_SECONDS);
    if (isNear || isFaulty(one, at) === isFaulty(other, at)) same += 1;
  }
  return same / count;
}

function isWithin({ startSeconds, endSeconds }: Span, at: number): boolean {
  return startSeconds <= at && at < endSeconds;
}

/** Null: too short for ranks. */
function rankDifference(
  one: TakeMaterial,
  other: TakeMaterial,
  name: (typeof RANKED)[number],
): number | null {
  const [first, second] = [one, other].map((take) => windowRanks(take, name)) as [number[], number[]];
  const count = Math.min(first.length, second.length);
  if (count < 4) return null;
  let sum = 0;
  for (let at = 0; at < count; at++) sum += Math.abs(first[at] - second[at]);
  return sum / count;
}

/** Rank of each second among all, 0..1; of equal values the middle. */
function windowRanks({ curves, stepSeconds }: TakeMaterial, name: (typeof RANKED)[number]): number[] {
  const values = curves[name] ?? [];
  const length = Math.round(WINDOW_SECONDS / stepSeconds);
  const means = Array.from({ length: Math.floor(values.length / length) }, (_, at) => {
    const window = values.slice(at * length, (at + 1) * length);
    return window.reduce((sum, value) => sum + value, 0) / length;
  });
  return means.map((value) => {
    const below = means.filter((mean) => mean < value).length;
    const equal = means.filter((mean) => mean === value).length;
    return (below + equal / 2) / means.length;
  });
}

/** Share of the shots that show the same moment of the same take. */
export function sameChoices(
  originals: readonly TakeMaterial[],
  variants: readonly TakeMaterial[],
  template: TemplateEdit,
  order: EditRequest['order'],
): Difference {
  const [before, after] = [originals, variants].map((materials) => slotsOf(materials, template, order));
  const same = before.filter((slot, at) => {
    const other = after[at];
    return (
      other?.take === slot.take &&
      Math.abs(other.sourceStartSeconds - slot.sourceStartSeconds) <= SAME_PLACE_SECONDS
    );
  });
  const share = same.length / before.length;
  return { field: `plan, ${order} order`, text: share.toFixed(2), within: share >= MIN_SAME_CHOICES };
}

function slotsOf(materials: readonly TakeMaterial[], template: TemplateEdit, order: EditRequest['order']) {
  const takes = materials.map(
    (material, at): EditTake => ({ content: String(at).repeat(64), material, exclude: [], mustUse: false }),
  );
  return planEdit({
    ...{ takes, template, music: null, playsTakes: false, duration: { kind: 'template' }, order },
    ...{ pins: [], lengths: [], bans: [], replan: false, rhythm: 'on_beat', seed: 0, frameRate: 30 },
  }).slots;
}
