import type { EditSlot, Preview } from '../../../src/client/api-types.ts';
import { framingAt } from '../../../src/style/model/framing.ts';
import type { Reframe, Timeline } from '../../../src/style/model/timeline.ts';

/** The part of the take's picture that a shot shows in its middle; null: it is padded, or there is no plan as data. */
export function slotFraming(preview: Preview | null, slot: EditSlot): Reframe | null {
  if (preview?.plan == null) return null;
  const { clips } = preview.plan.timeline as unknown as Pick<Timeline, 'clips'>;
  const middle = (slot.start_seconds + slot.end_seconds) / 2;
  let start = 0;
  for (const clip of clips) {
    const seconds = clip.sourceEndSeconds - clip.sourceStartSeconds;
    if (middle < start + seconds) {
      const at = middle - start;
      return clip.fit === 'crop' ? framingAt(clip, at / seconds, clip.sourceStartSeconds + at) : null;
    }
    start += seconds;
  }
  return null;
}

/** The same window about a point, inside the picture. */
export function windowAbout(
  { width, height }: Reframe,
  { x, y }: { readonly x: number; readonly y: number },
): Reframe {
  const inside = (middle: number, size: number) => Math.max(0, Math.min(1 - size, middle - size / 2));
  return { x: inside(x, width), y: inside(y, height), width, height };
}
