import { clamp } from '../../signal/interpolation.ts';
import { mean } from '../../signal/statistics.ts';
import type { CameraLabel, ShotMotion } from '../facts.ts';

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
  readonly support: Float64Array;
  /** Share of the blocks with texture. */
  readonly texture: Float64Array;
  /** Share of the blocks along the picture's sides that move so: see `MotionField.reach`. */
  readonly reach: Float64Array;
}

/** Root mean square distance of a 16:9 frame's points from its middle, diagonals; other ratios differ by 1 %. */
const SPREAD = 0.289;
/** Steps are joined to at least this long: a repeated frame is no shake. */
const BIN_SECONDS = 0.1;
const SMOOTH_SECONDS = 0.7;
/** `zoom_usage` counts from here: log scale per second, for so long, and so much in all. */
const ZOOM_RATE = 0.03;
const MIN_ZOOM = 0.035;
const MIN_ZOOM_SECONDS = 0.4;
/** Half the width, as a share of a limit, of the slope that stands for it. */
const SOFTNESS = 1 / 3;
/** Net displacement from which a move is one, diagonals; of a zoom and a roll that of the picture's points. */
const MIN_PAN = 0.03;
const MIN_ZOOM_WAY = MIN_ZOOM * SPREAD;
const MIN_ROLL_WAY = 0.015;
/** Least speed while it lasts, diagonals per second: slower is drift. */
const MIN_PAN_SPEED = 0.012;
const MIN_ZOOM_SPEED = 0.015 * SPREAD;
/** Share of the way that must lead in one direction. */
const ONE_WAY = 0.6;
/** How far the picture may wander, diagonals, and shake, diagonals per second, and still be called static. */
const STATIC_WANDER = 0.02;
const STATIC_SHAKE = 0.02;
const HANDHELD_SHAKE = 0.025;
/** Mean speed of a shaken shot, diagonals per second, past which the hand is not all that moves. */
const HANDHELD_SPEED = 0.06;
/** A picture that rests for this share of the shot, slower than this, is static: the rest was a jolt. */
const QUIET_SPEED = 0.006;
const QUIET_SHARE = 0.75;
/** A zoom or pan must stand out against the shake by this factor … */
const OVER_SHAKE = 0.25;
/** … but for a framing that ends this much closer or wider, log scale, by whatever way: it is what is remembered. */
const LARGE_ZOOM = 0.5;
/** A zoom with this share of the pan's way is still named before it. */
const ZOOM_OVER_PAN = 0.5;
/** Below this mean support no camera model holds: parallax or blur, not a plain zoom or pan. */
const MODEL_SUPPORT = 0.5;
/** Full confidence from this share of blocks with texture on, and from this share of them that agree. */
const ENOUGH_TEXTURE = 0.2;
const ENOUGH_SUPPORT = 0.7;
/** Where the sides show nothing, camera and subject are hard to tell apart: what is left of the confidence. */
const MIN_GROUND = 0.3;
const ENOUGH_REACH = 0.3;

interface Bins {
  readonly seconds: Float64Array;
  /** Velocities: diagonals, log scale and radians per second. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly logScale: Float64Array;
  readonly rotation: Float64Array;
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
    rotation: movingMean(bins.rotation, bins.seconds),
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
  const support = mean(path.support);
  const label = chooseLabel(smooth, duration, shake, support);
  return {
    label: label.name,
    // Short shots say little about the intention: full confidence from one second on.
    confidence:
      label.margin * evidence(support, mean(path.texture), mean(path.reach)) * Math.min(1, duration),
    shake,
    zoom: path.logScale.reduce((sum, value) => sum + value, 0),
  };
}

/** 0..1: how far a picture can show its camera's motion at all, by the terms of `MotionField`. */
export function evidence(support: number, texture: number, reach: number): number {
  return (
    Math.min(1, support / ENOUGH_SUPPORT) *
    Math.min(1, texture / ENOUGH_TEXTURE) *
    Math.min(1, MIN_GROUND + reach / ENOUGH_REACH)
  );
}

/**
 * Time under a zoom: runs of one sign whose rate, smoothed, is about ZOOM_RATE or more. Short or slight runs are the
 * sway of a hand. What lies about a limit counts in part: re-encoding a clip moves it to either side.
 */
export function secondsUnderZoom(path: CameraPath): number {
  const bins = toBins(path);
  const rate = movingMean(bins.logScale, bins.seconds);
  let total = 0;
  let run = 0;
  let counted = 0;
  let scaled = 0;
  for (let i = 0; i <= rate.length; i++) {
    const zooms = i < rate.length && Math.abs(rate[i]) > ZOOM_RATE * (1 - SOFTNESS);
    if (!zooms || rate[i] * scaled < 0) {
      if (run >= MIN_ZOOM_SECONDS) total += counted * aboutOrMore(Math.abs(scaled), MIN_ZOOM);
      run = 0;
      counted = 0;
      scaled = 0;
    }
    if (!zooms) continue;
    run += bins.seconds[i];
    counted += bins.seconds[i] * aboutOrMore(Math.abs(rate[i]), ZOOM_RATE);
    scaled += rate[i] * bins.seconds[i];
  }
  return total;
}

/** 0 to 1 from a third below the limit to a third above it. */
function aboutOrMore(value: number, limit: number): number {
  return clamp((value / limit - 1 + SOFTNESS) / (2 * SOFTNESS), 0, 1);
}

/** Motion along one of its freedoms, as displacement of the picture's points in diagonals. */
interface Travel {
  readonly net: number;
  /** Share of the way that leads towards the end. */
  readonly oneWay: number;
  /** Mean speed over the way, not over the time: rests before and after do not slow it. */
  readonly speed: number;
}

function travel(velocity: Float64Array, seconds: Float64Array, spread: number): Travel {
  let net = 0;
  let way = 0;
  let squares = 0;
  for (let i = 0; i < velocity.length; i++) {
    const speed = velocity[i] * spread;
    net += speed * seconds[i];
    way += Math.abs(speed) * seconds[i];
    squares += speed * speed * seconds[i];
  }
  return way === 0
    ? { net: 0, oneWay: 0, speed: 0 }
    : { net, oneWay: Math.abs(net) / way, speed: squares / way };
}

/** How far a travel passes what makes it a move: 1 just does. */
function strengthOf({ net, oneWay, speed }: Travel, minWay: number, minSpeed: number): number {
  return Math.min(Math.abs(net) / minWay, speed / minSpeed, oneWay < ONE_WAY ? 0 : Number.POSITIVE_INFINITY);
}

/** Share of the time in which the picture moves slower than QUIET_SPEED. */
function quietShare(smooth: Bins, duration: number): number {
  let quiet = 0;
  for (let i = 0; i < smooth.seconds.length; i++) {
    const turned = Math.hypot(smooth.logScale[i], smooth.rotation[i]) * SPREAD;
    if (Math.hypot(smooth.x[i], smooth.y[i], turned) < QUIET_SPEED) quiet += smooth.seconds[i];
  }
  return quiet / duration;
}

/** Whether the usual motion, a jolt left aside, would in the shot's time make a move after all. */
function drifts(smooth: Bins, duration: number): boolean {
  const way = Math.hypot(median(smooth.x), median(smooth.y)) * duration;
  return (
    way >= MIN_PAN ||
    Math.abs(median(smooth.logScale)) * duration >= MIN_ZOOM ||
    Math.abs(median(smooth.rotation)) * SPREAD * duration >= MIN_ROLL_WAY
  );
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
  const x = travel(smooth.x, smooth.seconds, 1);
  const y = travel(smooth.y, smooth.seconds, 1);
  const zoom = travel(smooth.logScale, smooth.seconds, SPREAD);
  const roll = travel(smooth.rotation, smooth.seconds, SPREAD);
  const main = Math.abs(x.net) >= Math.abs(y.net) ? x : y;
  const across = main === x ? y : x;
  const panWay = Math.hypot(x.net, y.net);
  const overShake = (way: number) => way / duration >= OVER_SHAKE * shake;
  const quiet = quietShare(smooth, duration);
  if (quiet >= QUIET_SHARE && !drifts(smooth, duration)) return { name: 'static', margin: quiet };
  if (support >= MODEL_SUPPORT) {
    const zooms = strengthOf(zoom, MIN_ZOOM_WAY, MIN_ZOOM_SPEED);
    const zoomWay = Math.abs(zoom.net);
    const large = zoomWay >= LARGE_ZOOM * SPREAD;
    const over = zoomWay / (ZOOM_OVER_PAN * panWay);
    if (over >= 1 && (large || (zooms >= 1 && overShake(zoomWay)))) {
      return {
        name: zoom.net > 0 ? 'zoom_in' : 'zoom_out',
        margin: sureness(Math.min(Math.max(1, zooms), over), zoom),
      };
    }
    const pans = strengthOf(main, MIN_PAN, MIN_PAN_SPEED);
    const straight = (0.5 * Math.abs(main.net)) / Math.max(1e-9, Math.abs(across.net));
    const rolls = strengthOf(roll, MIN_ROLL_WAY, MIN_ZOOM_SPEED);
    if (pans >= 1 && straight >= 1 && overShake(panWay) && !(rolls >= 1 && Math.abs(roll.net) > panWay)) {
      const margin = sureness(Math.min(pans, 2 * straight, over > 0 ? 2 / over : pans), main);
      return { name: main === x ? 'pan' : 'tilt', margin };
    }
  }
  return labelWithoutMove(smooth, duration, shake, panWay);
}

function labelWithoutMove(smooth: Bins, duration: number, shake: number, panWay: number): Verdict {
  const extent = Math.hypot(wander(smooth.x, smooth.seconds), wander(smooth.y, smooth.seconds));
  const breathing = wander(smooth.logScale, smooth.seconds) * SPREAD;
  const rocking = wander(smooth.rotation, smooth.seconds) * SPREAD;
  const still = Math.max(
    extent / STATIC_WANDER,
    breathing / STATIC_WANDER,
    rocking / STATIC_WANDER,
    shake / STATIC_SHAKE,
  );
  if (still <= 1) return { name: 'static', margin: 1 - 0.5 * still };
  if (shake >= HANDHELD_SHAKE && panWay / duration < HANDHELD_SPEED) {
    return { name: 'handheld', margin: Math.min(1, 0.5 + 0.25 * (shake / HANDHELD_SHAKE - 1)) };
  }
  return { name: 'moving', margin: 0.6 };
}

/** 0.5 just past the threshold and just one way enough, towards 1 at three times it. */
function sureness(ratio: number, { oneWay }: Travel): number {
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
    if ((held < BIN_SECONDS && !alone) || held <= 0) continue;
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
