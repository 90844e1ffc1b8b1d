import { clamp } from '../../signal/interpolation.ts';
import { mean, median, quantile } from '../../signal/statistics.ts';
import type { CameraLabel, ShotMotion } from '../facts.ts';
import { CAMERA } from './camera-limits.ts';
import { SPREAD } from './motion-steps.ts';

/** The camera's motion through one shot, one entry per frame step, all arrays of one length. */
export interface CameraPath {
  /** Length of each step, seconds, > 0. */
  readonly stepSeconds: Float64Array;
  /** Shift per step in frame diagonals. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly logScale: Float64Array;
  /** Radians. */
  readonly rotation: Float64Array;
  /** Share of the blocks with texture. */
  readonly texture: Float64Array;
  /** Share of the blocks along the picture's sides that move with the camera: see `MotionField.reach`. */
  readonly reach: Float64Array;
  /** Coherence of the whole shot; see `coherenceOf`. */
  readonly coherence: number | null;
}

interface Bins {
  readonly seconds: Float64Array;
  /** Velocities: diagonals, log scale and radians per second. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly logScale: Float64Array;
  readonly rotation: Float64Array;
}

/**
 * Describes the camera's motion in a shot. A zoom and a push-in are the same: both scale the picture. A shot
 * without steps is static with confidence 0.
 */
export function describeCamera(path: CameraPath): ShotMotion {
  const bins = toBins(path);
  const count = bins.seconds.length;
  if (count === 0) return { label: 'static', confidence: 0, shake: 0, zoom: 0 };
  const smooth: Bins = {
    seconds: bins.seconds,
    x: movingMean(bins.x, bins.seconds),
    y: movingMean(bins.y, bins.seconds),
    logScale: movingMean(bins.logScale, bins.seconds),
    rotation: movingMean(bins.rotation, bins.seconds),
  };
  const duration = bins.seconds.reduce((sum, seconds) => sum + seconds, 0);
  const shake = shakeOf(bins, smooth, duration);
  const label = chooseLabel(smooth, duration, shake);
  return {
    label: label.name,
    // Short shots show little of the intention: full confidence from one second.
    confidence:
      label.margin *
      backgroundFactor(mean(path.texture), mean(path.reach)) *
      (label.name === 'static' ? 1 : coherenceFactor(path.coherence)) *
      Math.min(1, duration),
    shake: shake.all,
    zoom: path.logScale.reduce((sum, value) => sum + value, 0),
  };
}

/** Deviation of the camera from its smoothed path, diagonals per second. */
interface Shake {
  /** Root mean square. */
  readonly all: number;
  /** The median speed, which ignores a jolt. */
  readonly usual: number;
}

function shakeOf(bins: Bins, smooth: Bins, duration: number): Shake {
  const speeds = bins.x.map((x, i) => Math.hypot(x - smooth.x[i], bins.y[i] - smooth.y[i]));
  const squares = speeds.reduce((sum, speed, i) => sum + speed * speed * bins.seconds[i], 0);
  return { all: Math.sqrt(squares / duration), usual: median(speeds) };
}

/** 0..1: how far the picture follows the motion that the label names. */
function coherenceFactor(coherence: number | null): number {
  return coherence === null ? 1 : clamp(coherence / CAMERA.enough.coherence, 0, 1);
}

/** 0..1: how well the picture can show its camera's motion, by the measures of `MotionField`. */
export function backgroundFactor(texture: number, reach: number): number {
  return (
    Math.min(1, texture / CAMERA.enough.texture) *
    Math.min(1, CAMERA.enough.ground + reach / CAMERA.enough.reach)
  );
}

/**
 * Time under a zoom: runs of one sign whose smoothed rate would make a zoom within about a second. Slower runs
 * are hand sway. Values near a limit count in part, because re-encoding a clip moves them to either side.
 */
export function secondsUnderZoom(path: CameraPath): number {
  const bins = toBins(path);
  const rate = movingMean(bins.logScale, bins.seconds);
  let total = 0;
  let counted = 0;
  let scaled = 0;
  for (let i = 0; i <= rate.length; i++) {
    const zooms = i < rate.length && Math.abs(rate[i]) > CAMERA.zoom.logScale * (1 - CAMERA.zoom.softness);
    if (!zooms || rate[i] * scaled < 0) {
      total += counted * softThreshold(Math.abs(scaled), CAMERA.zoom.logScale);
      counted = 0;
      scaled = 0;
    }
    if (!zooms) continue;
    counted += bins.seconds[i] * softThreshold(Math.abs(rate[i]), CAMERA.zoom.logScale);
    scaled += rate[i] * bins.seconds[i];
  }
  return total;
}

/** Soft threshold: 0 at a third below the limit, 1 at a third above it. */
function softThreshold(value: number, limit: number): number {
  return clamp((value / limit - 1 + CAMERA.zoom.softness) / (2 * CAMERA.zoom.softness), 0, 1);
}

/** Motion along one degree of freedom, as displacement of the picture's points in diagonals. */
interface Travel {
  readonly net: number;
  readonly pathLength: number;
  /** Share of the path that leads towards its end. */
  readonly directness: number;
}

function travel(velocity: Float64Array, seconds: Float64Array, spread: number): Travel {
  let net = 0;
  let pathLength = 0;
  for (let i = 0; i < velocity.length; i++) {
    const distance = velocity[i] * spread * seconds[i];
    net += distance;
    pathLength += Math.abs(distance);
  }
  return { net, pathLength, directness: pathLength === 0 ? 0 : Math.abs(net) / pathLength };
}

/** The same for the picture's middle, which moves in two dimensions. */
function travelOfMiddle({ x, y, seconds }: Bins): Travel {
  const [alongX, alongY] = [travel(x, seconds, 1).net, travel(y, seconds, 1).net];
  const speeds = x.map((value, i) => Math.hypot(value, y[i]));
  const { pathLength } = travel(speeds, seconds, 1);
  const net = Math.hypot(alongX, alongY);
  return { net, pathLength, directness: pathLength === 0 ? 0 : net / pathLength };
}

/** Travel relative to the least that makes a move: 1 is just enough. */
function strengthOf({ net, directness }: Travel, minDistance: number): number {
  return directness < CAMERA.move.directness ? 0 : Math.abs(net) / minDistance;
}

/** Whether the usual motion, without a jolt, would make a move within the shot's time. */
function drifts(smooth: Bins, duration: number): boolean {
  const usual = (velocity: Float64Array) =>
    quantile(velocity.map(Math.abs), CAMERA.static.quietShare) * duration;
  return (
    Math.hypot(usual(smooth.x), usual(smooth.y)) >= CAMERA.move.panDistance ||
    usual(smooth.logScale) >= CAMERA.zoom.logScale ||
    usual(smooth.rotation) * SPREAD >= CAMERA.static.unrest
  );
}

interface Verdict {
  readonly name: CameraLabel;
  /** 0..1: how clear the verdict is. */
  readonly margin: number;
}

function chooseLabel(smooth: Bins, duration: number, shake: Shake): Verdict {
  const x = travel(smooth.x, smooth.seconds, 1);
  const y = travel(smooth.y, smooth.seconds, 1);
  const zoom = travel(smooth.logScale, smooth.seconds, SPREAD);
  const main = Math.abs(x.net) >= Math.abs(y.net) ? x : y;
  const across = main === x ? y : x;
  const middle = travelOfMiddle(smooth);
  const panDistance = middle.net;
  const overShake = (pathLength: number) => pathLength / duration >= CAMERA.move.overShake * shake.all;
  const trembles = shake.usual / CAMERA.static.unrest;
  if (trembles <= 1 && !drifts(smooth, duration)) return { name: 'static', margin: staticMargin(trembles) };
  const zooms = strengthOf(zoom, CAMERA.zoom.logScale * SPREAD);
  const zoomDistance = Math.abs(zoom.net);
  const large = zoomDistance >= CAMERA.move.largeZoom * SPREAD;
  const over = zoomDistance / (CAMERA.move.zoomOverPan * panDistance);
  if (over >= 1 && (large || (zooms >= 1 && overShake(zoomDistance)))) {
    return {
      name: zoom.net > 0 ? 'zoom_in' : 'zoom_out',
      margin: clarityOf(Math.min(Math.max(1, zooms), over), zoom),
    };
  }
  const pans = strengthOf({ ...main, directness: middle.directness }, CAMERA.move.panDistance);
  const straight = (0.5 * Math.abs(main.net)) / Math.max(1e-9, Math.abs(across.net));
  if (pans >= 1 && straight >= 1 && overShake(panDistance)) {
    const margin = clarityOf(Math.min(pans, 2 * straight, over > 0 ? 2 / over : pans), middle);
    return { name: main === x ? 'pan' : 'tilt', margin };
  }
  return labelWithoutMove(smooth, duration, shake.all, middle.pathLength);
}

function labelWithoutMove(smooth: Bins, duration: number, shake: number, pathLength: number): Verdict {
  const extent = Math.hypot(rangeOf(smooth.x, smooth.seconds), rangeOf(smooth.y, smooth.seconds));
  const breathing = rangeOf(smooth.logScale, smooth.seconds) * SPREAD;
  const rocking = rangeOf(smooth.rotation, smooth.seconds) * SPREAD;
  const still = Math.max(extent, breathing, rocking, shake) / CAMERA.static.unrest;
  if (still <= 1) return { name: 'static', margin: staticMargin(still) };
  if (pathLength / duration < CAMERA.handheld.swayOverShake * shake) {
    return { name: 'handheld', margin: marginOf(shake / CAMERA.static.unrest) };
  }
  return { name: 'moving', margin: marginOf(still) };
}

/** Like `marginOf`, but smaller if the path goes back and forth. */
function clarityOf(ratio: number, { directness }: Travel): number {
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

/** Distance between the ends of the path's range. */
function rangeOf(velocity: Float64Array, seconds: Float64Array): number {
  let at = 0;
  let least = 0;
  let most = 0;
  for (let i = 0; i < velocity.length; i++) {
    at += velocity[i] * seconds[i];
    if (at < least) least = at;
    if (at > most) most = at;
  }
  return most - least;
}

function toBins(path: CameraPath): Bins {
  const seconds: number[] = [];
  const velocities = [path.x, path.y, path.logScale, path.rotation].map((of) => ({
    of,
    sum: 0,
    means: [] as number[],
  }));
  let held = 0;
  const count = path.stepSeconds.length;
  for (let i = 0; i < count; i++) {
    held += path.stepSeconds[i];
    for (const velocity of velocities) velocity.sum += velocity.of[i];
    const alone = i === count - 1 && seconds.length === 0;
    if ((held < CAMERA.binSeconds && !alone) || held <= 0) continue;
    seconds.push(held);
    for (const velocity of velocities) {
      velocity.means.push(velocity.sum / held);
      velocity.sum = 0;
    }
    held = 0;
  }
  const [x, y, logScale, rotation] = velocities.map(({ means }) => Float64Array.from(means));
  return { seconds: Float64Array.from(seconds), x, y, logScale, rotation };
}

/** Mean over CAMERA.smoothSeconds about each bin, shorter at the ends. */
function movingMean(values: Float64Array, seconds: Float64Array): Float64Array {
  const out = new Float64Array(values.length);
  let from = 0;
  let to = 0;
  let weight = 0;
  let sum = 0;
  let middle = 0;
  let fromTime = 0;
  let toTime = 0;
  for (let i = 0; i < values.length; i++) {
    const centre = middle + seconds[i] / 2;
    while (to < values.length && toTime + seconds[to] / 2 <= centre + CAMERA.smoothSeconds / 2) {
      sum += values[to] * seconds[to];
      weight += seconds[to];
      toTime += seconds[to];
      to++;
    }
    while (fromTime + seconds[from] / 2 < centre - CAMERA.smoothSeconds / 2) {
      sum -= values[from] * seconds[from];
      weight -= seconds[from];
      fromTime += seconds[from];
      from++;
    }
    out[i] = to > from ? sum / weight : values[i];
    middle += seconds[i];
  }
  return out;
}
