import type { CameraLabel, ShotMotion } from './facts.ts';

/** The camera's motion through one shot, one entry per frame step, all arrays of one length. */
export interface CameraPath {
  /** Length of each step, seconds, > 0. */
  readonly stepSeconds: Float64Array;
  /** Shift per step in frame diagonals. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly logScale: Float64Array;
  readonly support: Float64Array;
}

/** Root mean square distance of a 16:9 frame's points from its middle, diagonals; other ratios differ by 1 %. */
const SPREAD = 0.289;
/** Steps are joined to at least this long: a repeated frame is no shake. */
const BIN_SECONDS = 0.1;
const SMOOTH_SECONDS = 0.7;
/** A zoom: `zoom_usage` counts from here (log scale per second), and at least this much in all. */
const ZOOM_RATE = 0.03;
const LEAST_ZOOM = 0.035;
const LEAST_ZOOM_SECONDS = 0.4;
/** A pan or tilt: diagonals per second along one axis, and at least this much in all. */
const PAN_RATE = 0.02;
const LEAST_PAN = 0.03;
/** Share of the way that must lead in one direction. */
const ONE_WAY = 0.6;
/** How far the picture may wander, diagonals, and shake, diagonals per second, and still be called static. */
const STATIC_WANDER = 0.02;
const STATIC_SHAKE = 0.02;
const HANDHELD_SHAKE = 0.025;
/** A picture that rests for this share of the shot, slower than this, is static: the rest was a jolt. */
const QUIET_SPEED = 0.006;
const QUIET_SHARE = 0.75;
/** A zoom or pan must stand out against the shake by this factor. */
const OVER_SHAKE = 0.25;
/** Below this mean support no camera model holds: parallax or blur, not a plain zoom or pan. */
const MODEL_SUPPORT = 0.5;

interface Bins {
  readonly seconds: Float64Array;
  /** Velocities: diagonals and log scale per second. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly logScale: Float64Array;
}

/**
 * What the camera does in a shot. A zoom and a push-in are one: both scale the picture. Shots of no step are
 * static with confidence 0.
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
  };
  let duration = 0;
  let shake = 0;
  for (let i = 0; i < count; i++) {
    const dx = bins.x[i] - smooth.x[i];
    const dy = bins.y[i] - smooth.y[i];
    shake += (dx * dx + dy * dy) * bins.seconds[i];
    duration += bins.seconds[i];
  }
  shake = Math.sqrt(shake / duration);
  const support = path.support.reduce((sum, value) => sum + value, 0) / path.support.length;
  const label = chooseLabel(smooth, duration, shake, support);
  return {
    label: label.name,
    // Short shots say little about the intention: full confidence from one second on.
    confidence: label.margin * Math.min(1, support / 0.7) * Math.min(1, duration),
    shake,
    zoom: path.logScale.reduce((sum, value) => sum + value, 0),
  };
}

/**
 * Time under a zoom: runs of one sign whose rate, smoothed, is at least ZOOM_RATE. Short or slight runs are the
 * sway of a hand.
 */
export function secondsUnderZoom(path: CameraPath): number {
  const bins = toBins(path);
  const rate = movingMean(bins.logScale, bins.seconds);
  let total = 0;
  let run = 0;
  let scaled = 0;
  for (let i = 0; i <= rate.length; i++) {
    const goesOn = i < rate.length && Math.abs(rate[i]) >= ZOOM_RATE && rate[i] * scaled >= 0;
    if (goesOn) {
      run += bins.seconds[i];
      scaled += rate[i] * bins.seconds[i];
      continue;
    }
    if (run >= LEAST_ZOOM_SECONDS && Math.abs(scaled) >= LEAST_ZOOM) total += run;
    const starts = i < rate.length && Math.abs(rate[i]) >= ZOOM_RATE;
    run = starts ? bins.seconds[i] : 0;
    scaled = starts ? rate[i] * bins.seconds[i] : 0;
  }
  return total;
}

interface Travel {
  readonly net: number;
  /** Share of the way that leads towards the end. */
  readonly oneWay: number;
}

function travel(velocity: Float64Array, seconds: Float64Array): Travel {
  let net = 0;
  let way = 0;
  for (let i = 0; i < velocity.length; i++) {
    net += velocity[i] * seconds[i];
    way += Math.abs(velocity[i]) * seconds[i];
  }
  return { net, oneWay: way === 0 ? 0 : Math.abs(net) / way };
}

/** Share of the time in which the picture moves slower than QUIET_SPEED. */
function quietShare(smooth: Bins, duration: number): number {
  let quiet = 0;
  for (let i = 0; i < smooth.seconds.length; i++) {
    const speed = Math.hypot(smooth.x[i], smooth.y[i], smooth.logScale[i] * SPREAD);
    if (speed < QUIET_SPEED) quiet += smooth.seconds[i];
  }
  return quiet / duration;
}

/** Whether the usual motion, a jolt left aside, would in the shot's time make a pan or zoom after all. */
function drifts(smooth: Bins, duration: number): boolean {
  const way = Math.hypot(median(smooth.x), median(smooth.y)) * duration;
  return way >= LEAST_PAN || Math.abs(median(smooth.logScale)) * duration >= LEAST_ZOOM;
}

function median(values: Float64Array): number {
  return values.toSorted()[values.length >> 1];
}

interface Verdict {
  readonly name: CameraLabel;
  /** 0..1: how clear the verdict is. */
  readonly margin: number;
}

function chooseLabel(smooth: Bins, duration: number, shake: number, support: number): Verdict {
  const x = travel(smooth.x, smooth.seconds);
  const y = travel(smooth.y, smooth.seconds);
  const zoom = travel(smooth.logScale, smooth.seconds);
  const zoomRate = Math.abs(zoom.net) / duration;
  const panRate = Math.hypot(x.net, y.net) / duration;
  const zooms = zoomRate >= ZOOM_RATE && Math.abs(zoom.net) >= LEAST_ZOOM && zoom.oneWay >= ONE_WAY;
  const mainAxis = Math.abs(x.net) >= Math.abs(y.net) ? x : y;
  const across = Math.min(Math.abs(x.net), Math.abs(y.net)) / Math.max(1e-9, Math.abs(mainAxis.net));
  const pans = panRate >= PAN_RATE && Math.abs(mainAxis.net) >= LEAST_PAN && mainAxis.oneWay >= ONE_WAY;
  const model = support >= MODEL_SUPPORT;
  const zoomSpeed = zoomRate * SPREAD;
  const quiet = quietShare(smooth, duration);
  if (quiet >= QUIET_SHARE && !drifts(smooth, duration)) return { name: 'static', margin: quiet };
  if (model && zooms && zoomSpeed >= 0.5 * panRate && zoomSpeed >= OVER_SHAKE * shake) {
    return {
      name: zoom.net > 0 ? 'zoom_in' : 'zoom_out',
      margin: sureness(zoomRate / ZOOM_RATE, zoom.oneWay),
    };
  }
  if (model && pans && across <= 0.5 && panRate >= OVER_SHAKE * shake) {
    return { name: mainAxis === x ? 'pan' : 'tilt', margin: sureness(panRate / PAN_RATE, mainAxis.oneWay) };
  }
  const extent = Math.hypot(wander(smooth.x, smooth.seconds), wander(smooth.y, smooth.seconds));
  const breathing = wander(smooth.logScale, smooth.seconds) * SPREAD;
  const still = Math.max(extent / STATIC_WANDER, breathing / STATIC_WANDER, shake / STATIC_SHAKE);
  if (still <= 1) return { name: 'static', margin: 1 - 0.5 * still };
  if (shake >= HANDHELD_SHAKE && panRate < 3 * PAN_RATE) {
    return { name: 'handheld', margin: Math.min(1, 0.5 + 0.25 * (shake / HANDHELD_SHAKE - 1)) };
  }
  return { name: 'moving', margin: 0.6 };
}

/** 0.5 at the threshold and just one way enough, towards 1 at three times it. */
function sureness(ratio: number, oneWay: number): number {
  return Math.min(1, 0.5 + 0.25 * (ratio - 1)) * Math.min(1, 0.5 + oneWay / 2);
}

/** Distance between the ends of the path's range. */
function wander(velocity: Float64Array, seconds: Float64Array): number {
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
  const x: number[] = [];
  const y: number[] = [];
  const logScale: number[] = [];
  let held = 0;
  let sumX = 0;
  let sumY = 0;
  let sumScale = 0;
  for (let i = 0; i < path.stepSeconds.length; i++) {
    held += path.stepSeconds[i];
    sumX += path.x[i];
    sumY += path.y[i];
    sumScale += path.logScale[i];
    const last = i === path.stepSeconds.length - 1;
    if (held < BIN_SECONDS && !(last && seconds.length === 0)) continue;
    if (held <= 0) continue;
    seconds.push(held);
    x.push(sumX / held);
    y.push(sumY / held);
    logScale.push(sumScale / held);
    held = 0;
    sumX = 0;
    sumY = 0;
    sumScale = 0;
  }
  const floats = (values: number[]): Float64Array => Float64Array.from(values);
  return { seconds: floats(seconds), x: floats(x), y: floats(y), logScale: floats(logScale) };
}

/** Mean over SMOOTH_SECONDS about each bin, shorter at the ends. */
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
    while (to < values.length && toTime + seconds[to] / 2 <= centre + SMOOTH_SECONDS / 2) {
      sum += values[to] * seconds[to];
      weight += seconds[to];
      toTime += seconds[to];
      to++;
    }
    while (fromTime + seconds[from] / 2 < centre - SMOOTH_SECONDS / 2) {
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
