import { useEffect, useRef, useState } from 'react';
import type { EditResult, EditSlot } from '../../../src/client/api-types.ts';

/** As long as an eye needs to find them. */
const MARKED_MS = 2500;
const NONE: ReadonlySet<number> = new Set();

/** Numbers of the slots that differ from the plan before, for a moment after it was replaced; null before the second plan. */
export function useChanges(plan: EditResult | null): ReadonlySet<number> | null {
  const before = useRef<EditResult | null>(null);
  const [changed, setChanged] = useState<ReadonlySet<number> | null>(null);
  useEffect(() => {
    const earlier = before.current;
    before.current = plan;
    if (plan === null || earlier === null || plan === earlier) return;
    setChanged(changedSlots(earlier, plan));
    const timer = setTimeout(() => setChanged(NONE), MARKED_MS);
    return () => clearTimeout(timer);
  }, [plan]);
  return changed;
}

export function changedSlots({ slots: before }: EditResult, { slots }: EditResult): ReadonlySet<number> {
  return new Set(slots.flatMap((slot, at) => (isSame(slot, before[at]) ? [] : [at])));
}

function isSame(one: EditSlot, other: EditSlot | undefined): boolean {
  return (
    one.video_id === other?.video_id &&
    one.source_start_seconds === other.source_start_seconds &&
    one.start_seconds === other.start_seconds &&
    one.end_seconds === other.end_seconds
  );
}
