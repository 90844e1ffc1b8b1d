/**
 * A detector sees each frame once, in order, and touches nothing else. Events may come late (it may need to
 * look ahead), but in time order; `finish` gives those still held back.
 */
export interface Detector<Input, Event> {
  push(input: Input): readonly Event[];
  finish(): readonly Event[];
}
