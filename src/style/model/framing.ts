import { ease } from '../../signal/easing.ts';
import type { Clip, Reframe, TrackKey } from './timeline.ts';

/** Whether the framing moves within the clip. */
export function isMoving(clip: Clip): boolean {
  const { from, to } = clip;
  const glides = from.x !== to.x || from.y !== to.y || from.width !== to.width || from.height !== to.height;
  return clip.fit === 'crop' && (glides || (clip.track?.length ?? 0) > 1 || (clip.steady?.length ?? 0) > 0);
}

/**
 * The framing at a moment: `share` 0..1 of the clip's visible time, and the source time. `toleranceSeconds`: as
 * for the frame chosen by `SourceFrames`.
 */
export function framingAt(clip: Clip, share: number, sourceSeconds: number, toleranceSeconds = 0): Reframe {
  const planned = plannedFraming(clip, share, sourceSeconds);
  if (clip.steady === undefined || clip.steady.length === 0) return planned;
  const { x, y } = shakeAt(clip.steady, sourceSeconds + toleranceSeconds);
  const inside = (start: number, size: number) => Math.max(0, Math.min(1 - size, start));
  return { ...planned, x: inside(planned.x + x, planned.width), y: inside(planned.y + y, planned.height) };
}

/** The correction of the last frame that began by then. */
function shakeAt(steady: readonly TrackKey[], seconds: number): TrackKey {
  let [first, beyond] = [0, steady.length];
  while (beyond - first > 1) {
    const middle = (first + beyond) >> 1;
    if (steady[middle].timeSeconds <= seconds) first = middle;
    else beyond = middle;
  }
  return steady[first];
}

function plannedFraming(clip: Clip, share: number, sourceSeconds: number): Reframe {
  const { from, to } = clip;
  const done = ease(clip.easing, share);
  const between = (a: number, b: number) => a + (b - a) * done;
  const size = { width: between(from.width, to.width), height: between(from.height, to.height) };
  if (clip.track === undefined || clip.track.length === 0) {
    return { x: between(from.x, to.x), y: between(from.y, to.y), ...size };
  }
  return { ...trackAt(clip.track, sourceSeconds), ...size };
}

/** The part of the picture that contains all framings of the clip. */
export function framingUnion(clip: Clip): Reframe {
  const boxes: Reframe[] = [clip.from, clip.to];
  for (const { x, y } of clip.track ?? []) {
    const width = Math.max(clip.from.width, clip.to.width);
    const height = Math.max(clip.from.height, clip.to.height);
    boxes.push({ x, y, width, height });
  }
  const sideways = straying(clip.steady ?? [], 'x');
  const upDown = straying(clip.steady ?? [], 'y');
  const x = Math.max(0, Math.min(...boxes.map((box) => box.x)) + sideways.least);
  const y = Math.max(0, Math.min(...boxes.map((box) => box.y)) + upDown.least);
  const right = Math.min(1, Math.max(...boxes.map((box) => box.x + box.width)) + sideways.most);
  const bottom = Math.min(1, Math.max(...boxes.map((box) => box.y + box.height)) + upDown.most);
  return { x, y, width: right - x, height: bottom - y };
}

function straying(steady: readonly TrackKey[], axis: 'x' | 'y'): { least: number; most: number } {
  let [least, most] = [0, 0];
  for (const one of steady) [least, most] = [Math.min(least, one[axis]), Math.max(most, one[axis])];
  return { least, most };
}

/**
 * Interpolates between the keys along a monotone cubic (Fritsch & Carlson 1980, with Catmull-Rom slopes), without
 * visible corners.
 */
function trackAt(track: NonNullable<Clip['track']>, seconds: number): { x: number; y: number } {
  let next = track.findIndex((key) => key.timeSeconds > seconds);
  if (next === -1) next = track.length;
  if (next === 0) return track[0];
  if (next === track.length) return track[track.length - 1];
  const [a, b] = [track[next - 1], track[next]];
  const [before, after] = [track[next - 2] ?? a, track[next + 1] ?? b];
  const t = (seconds - a.timeSeconds) / (b.timeSeconds - a.timeSeconds);
  const along = (name: 'x' | 'y') => {
    const slope = (p: typeof a, q: typeof a) =>
      q.timeSeconds === p.timeSeconds ? 0 : (q[name] - p[name]) / (q.timeSeconds - p.timeSeconds);
    const own = slope(a, b);
    const limit = (wanted: number) =>
      wanted * own <= 0 ? 0 : Math.sign(own) * Math.min(Math.abs(wanted), 3 * Math.abs(own));
    const span = b.timeSeconds - a.timeSeconds;
    const [m0, m1] = [limit(slope(before, b)) * span, limit(slope(a, after)) * span];
    const [t2, t3] = [t * t, t * t * t];
    return (
      (2 * t3 - 3 * t2 + 1) * a[name] + (t3 - 2 * t2 + t) * m0 + (3 * t2 - 2 * t3) * b[name] + (t3 - t2) * m1
    );
  };
  return { x: along('x'), y: along('y') };
}
