import type { EditResult } from '../../../src/client/api-types.ts';
import { counted } from './quantity.ts';

/** `8 shots of 3 takes, 7 of them on the beat`: an edit of many takes in one line. */
export function editWords({ slots, takes }: Pick<EditResult, 'slots' | 'takes'>): string {
  const used = new Set(slots.map(({ video_id }) => video_id)).size;
  const of = used === takes.length ? counted(used, 'take') : `${used} of ${counted(takes.length, 'take')}`;
  const onBeat = slots.filter(({ on_beat }) => on_beat).length;
  const share = onBeat === slots.length ? 'all' : `${onBeat} of them`;
  const beats = onBeat === 0 ? '' : `, ${share} on the beat`;
  return `${counted(slots.length, 'shot')} of ${of}${beats}`;
}
