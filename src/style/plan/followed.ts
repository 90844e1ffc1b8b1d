import type { NotFollowed } from '../model/timeline.ts';

/** A property of the output that follows the style, or not. */
export interface Followed<Value> {
  readonly value: Value;
  /** Null: followed, or there is no difference. */
  readonly notFollowed: NotFollowed | null;
}
