import { quantile } from '../../signal/statistics.ts';
import type { CameraLabel } from '../facts.ts';
import { CAMERA } from './camera-limits.ts';
import { SPREAD } from './motion-steps.ts';
import { rangeOf, type Travel, travelOf, travelOfCenter } from './travel.ts';
import type { VelocityBins } from './velocity-bins.ts';

/** Deviation of the camera from its smoothed path, diagonals per second. */
export interface Shake {
  /** Root mean square. */
  readonly all: number;
  /** The median speed, which ignores a jolt. */
  readonly usual: number;
}

interface Verdict {
  readonly label: CameraLabel;
  /** 0..1: how clear the verdict is. */
  readonly margin: number;
}

/** The motion of a shot after its shake was removed. */
interface Motion {
  readonly smooth: VelocityBins;
  readonly durationSeconds: number;
  readonly shake: Shake;
  readonly center: Travel;
  /** Travel of the points at the usual distance from the center. */
  readonly zoom: Travel;
}

/** The label of the camera's motion in a shot: zooms before pans, since a zoom off the center also shifts the picture. */
export function labelOf(smooth: VelocityBins, durationSeconds: number, shake: Shake): Verdict {
  const trembling = shake.usual / CAMERA.static.unrest;
  if (trembling <= 1 && !drifts(smooth, durationSeconds))
    return { label: 'static', margin: staticMargin(trembling) };
  const motion = {
    ...{ smooth, durationSeconds, shake },
    center: travelOfCenter(smooth),
    zoom: travelOf(smooth.logScale, smooth.seconds, SPREAD),
  };
  return zoomOf(motion) ?? panOf(motion) ?? unmovedOf(motion);
}

/** Whether the usual motion, without a jolt, would make a move within the shot's time. */
function drifts(smooth: VelocityBins, durationSeconds: number): boolean {
  const usual = (velocity: Float64Array) =>
    quantile(velocity.map(Math.abs), CAMERA.static.quietShare) * durationSeconds;
  return (
    Math.hypot(usual(smooth.x), usual(smooth.y)) >= CAMERA.move.panDistance ||
    usual(smooth.logScale) >= CAMERA.zoom.logScale ||
    usual(smooth.rotation) * SPREAD >= CAMERA.static.unrest
  );
}

function zoomOf(motion: Motion): Verdict | null {
  const { zoom } = motion;
  const distance = Math.abs(zoom.net);
  const overPan = zoomOverPan(motion);
  const strength = strengthOf(zoom, CAMERA.zoom.logScale * SPREAD);
  const isLarge = distance >= CAMERA.move.largeZoom * SPREAD;
  if (overPan < 1 || !(isLarge || (strength >= 1 && exceedsShake(distance, motion)))) return null;
  return {
    label: zoom.net > 0 ? 'zoom_in' : 'zoom_out',
    margin: directMargin(Math.min(Math.max(1, strength), overPan), zoom),
  };
}

/** Distance of the zoom over that of the pan, in units of the limit. */
function zoomOverPan({ zoom, center }: Motion): number {
  return Math.abs(zoom.net) / (CAMERA.move.zoomOverPan * center.net);
}

function panOf(motion: Motion): Verdict | null {
  const { smooth, center } = motion;
  const x = travelOf(smooth.x, smooth.seconds, 1);
  const y = travelOf(smooth.y, smooth.seconds, 1);
  const isPan = Math.abs(x.net) >= Math.abs(y.net);
  const [along, across] = isPan ? [x, y] : [y, x];
  const strength = strengthOf({ ...along, directness: center.directness }, CAMERA.move.panDistance);
  /** 1: the picture shifts half as far across as along. */
  const straightness = (0.5 * Math.abs(along.net)) / Math.max(1e-9, Math.abs(across.net));
  if (strength < 1 || straightness < 1 || !exceedsShake(center.net, motion)) return null;
  const overPan = zoomOverPan(motion);
  const overZoom = overPan > 0 ? 2 / overPan : strength;
  return {
    label: isPan ? 'pan' : 'tilt',
    margin: directMargin(Math.min(strength, 2 * straightness, overZoom), center),
  };
}

/** The label of a shot that neither zooms nor pans. */
function unmovedOf({ smooth, durationSeconds, shake, center }: Motion): Verdict {
  const extent = Math.hypot(rangeOf(smooth.x, smooth.seconds), rangeOf(smooth.y, smooth.seconds));
  const breathing = rangeOf(smooth.logScale, smooth.seconds) * SPREAD;
  const rocking = rangeOf(smooth.rotation, smooth.seconds) * SPREAD;
  const unrest = Math.max(extent, breathing, rocking, shake.all) / CAMERA.static.unrest;
  if (unrest <= 1) return { label: 'static', margin: staticMargin(unrest) };
  if (center.pathLength / durationSeconds < CAMERA.handheld.swayOverShake * shake.all)
    return { label: 'handheld', margin: marginOf(shake.all / CAMERA.static.unrest) };
  return { label: 'moving', margin: marginOf(unrest) };
}

/** Travel relative to the least that makes a move: 1 is just enough; 0 if it goes back and forth. */
function strengthOf({ net, directness }: Travel, minDistance: number): number {
  return directness < CAMERA.move.directness ? 0 : Math.abs(net) / minDistance;
}

function exceedsShake(distance: number, { durationSeconds, shake }: Motion): boolean {
  return distance / durationSeconds >= CAMERA.move.overShake * shake.all;
}

/** Like `marginOf`, but smaller if the path goes back and forth. */
function directMargin(ratio: number, { directness }: Travel): number {
  return marginOf(ratio) * Math.min(1, 0.5 + directness / 2);
}

/** 0.5 at the limit, 1 at twice the limit. */
function marginOf(ratio: number): number {
  return Math.min(1, 0.5 * ratio);
}

/** Falls to 0.5 just below the limit. */
function staticMargin(ratio: number): number {
  return 1 - 0.5 * ratio;
}
