/** Plans of takes with planted faults, and what they show. */
import type { TakeMaterial } from '../../src/analysis/material/take-material.ts';
import { overlapSeconds } from '../../src/domain/spans.ts';
import type { EditRequest, PlannedSlot, TemplateEdit } from '../../src/style/edit/edit-plan.ts';
import { planEdit } from '../../src/style/edit/plan-edit.ts';
import type { PlantedTake } from './plant.ts';

/** Of an in-point: a choice that begins within this is the same. */
const SAME_PLACE_SECONDS = 0.3;
/** Twins are aligned within a frame or two. */
const REPEATED_SECONDS = 0.1;

export interface Planned {
  readonly slots: readonly PlannedSlot[];
  readonly seconds: number;
}

/** Takes are named by their number, as the contents of files decide ties. */
export function planOfMaterials(
  materials: readonly TakeMaterial[],
  template: TemplateEdit,
  order: EditRequest['order'],
): Planned {
  const { slots } = planEdit({
    takes: materials.map((material, at) => ({
      ...{ content: `${at}`.padStart(2, '0').repeat(32), material, exclude: [], mustUse: false },
    })),
    ...{ template, music: null, playsTakes: false, duration: { kind: 'template' }, order },
    ...{ pins: [], lengths: [], bans: [], replan: false, rhythm: 'on_beat', seed: 0, frameRate: 30 },
  });
  return { slots, seconds: slots.at(-1)?.endSeconds ?? 0 };
}

/** Share of the output that comes from good spans. */
export function goodShare({ slots, seconds }: Planned, takes: readonly PlantedTake[]): number {
  let good = 0;
  for (const slot of slots) {
    const span = { startSeconds: slot.sourceStartSeconds, endSeconds: slot.sourceEndSeconds };
    for (const { fault, ...own } of takes[slot.take].spans)
      if (fault === null) good += overlapSeconds(span, own);
  }
  return good / seconds;
}

/** Share of the choices that a plan of the same slots keeps. */
export function keptShare(plan: Planned, other: Planned): number {
  const kept = plan.slots.filter((slot) =>
    other.slots.some(
      ({ take, sourceStartSeconds }) =>
        take === slot.take && Math.abs(sourceStartSeconds - slot.sourceStartSeconds) <= SAME_PLACE_SECONDS,
    ),
  );
  return kept.length / plan.slots.length;
}

/** Pairs of slots that show one moment, where take `n + count` is take `n` again. */
export function repeats({ slots }: Planned, count: number): number {
  let found = 0;
  slots.forEach((one, at) => {
    for (const other of slots.slice(at + 1)) {
      if (one.take % count !== other.take % count) continue;
      const [first, second] = [one, other].map((slot) => ({
        startSeconds: slot.sourceStartSeconds,
        endSeconds: slot.sourceEndSeconds,
      })) as [{ startSeconds: number; endSeconds: number }, { startSeconds: number; endSeconds: number }];
      if (overlapSeconds(first, second) > REPEATED_SECONDS) found += 1;
    }
  });
  return found;
}
