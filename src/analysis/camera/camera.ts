import { clamp } from '../../signal/interpolation.ts';
import { mean, median } from '../../signal/statistics.ts';
import type { ShotMotion } from '../facts.ts';
import { labelOf, type Shake } from './camera-label.ts';
import { CAMERA } from './camera-limits.ts';
import { type CameraPath, smoothed, toBins, type VelocityBins } from './velocity-bins.ts';

/**
 * Describes the camera's motion in a shot. A zoom and a push-in are the same: both scale the picture. A shot
 * without steps is static with confidence 0.
 */
export function describeCamera(path: CameraPath): ShotMotion {
  const bins = toBins(path);
  if (bins.seconds.length === 0) return { label: 'static', confidence: 0, shake: 0, zoom: 0 };
  const smooth = smoothed(bins);
  const durationSeconds = bins.seconds.reduce((sum, seconds) => sum + seconds, 0);
  const shake = shakeOf(bins, smooth, durationSeconds);
  const { label, margin } = labelOf(smooth, durationSeconds, shake);
  return {
    label,
    // Short shots show little of the intention: full confidence from one second.
    confidence:
      margin *
      backgroundFactor(mean(path.texture), mean(path.reach)) *
      (label === 'static' ? 1 : coherenceFactor(path.coherence)) *
      Math.min(1, durationSeconds),
    shake: shake.all,
    zoom: path.logScale.reduce((sum, value) => sum + value, 0),
  };
}

function shakeOf(bins: VelocityBins, smooth: VelocityBins, durationSeconds: number): Shake {
  const speeds = bins.x.map((x, i) => Math.hypot(x - smooth.x[i], bins.y[i] - smooth.y[i]));
  const squares = speeds.reduce((sum, speed, i) => sum + speed * speed * bins.seconds[i], 0);
  return { all: Math.sqrt(squares / durationSeconds), usual: median(speeds) };
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
