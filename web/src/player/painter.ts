import type { CubeGrade } from '../../../src/domain/footage.ts';
import type { Timeline } from '../../../src/style/model/timeline.ts';
import type { CaptionLayer } from './caption-layer.ts';
import type { Scene } from './scene.ts';
import type { View } from './stage.ts';

/** How a scene is shown. */
export interface Appearance {
  readonly view: View;
  /** The line between before and after in the view `slider`: 0..1 from the left. */
  readonly line: number;
  /** Share of the grades: 1 as planned, 0 none. */
  readonly gradeShare: number;
  /** Most lines of the canvas's shorter side. */
  readonly lines: number;
  /** Whether other scenes follow at once. */
  readonly isMoving: boolean;
}

/** Draws scenes into a canvas. */
export interface Painter {
  setTimeline(timeline: Timeline, captions: CaptionLayer): void;
  /** `cube` null: the take's colors are unchanged, or its table is not computed yet. */
  setCube(take: number, cube: CubeGrade | null): void;
  draw(scene: Scene, appearance: Appearance): void;
  close(): void;
}
