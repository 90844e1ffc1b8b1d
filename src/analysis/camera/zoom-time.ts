import { clamp } from '../../signal/interpolation.ts';
import { CAMERA } from './camera-limits.ts';
import { type CameraPath, movingMean, toBins } from './velocity-bins.ts';

/**
 * Time under a zoom, seconds: runs of one direction whose smoothed rate would make a zoom within about a second. Slower runs
 * are hand sway. Values near a limit count in part, because re-encoding a clip moves them to either side.
 */
export function secondsUnderZoom(path: CameraPath): number {
  const bins = toBins(path);
  const rates = movingMean(bins.logScale, bins.seconds);
  let total = 0;
  let runSeconds = 0;
  let runScale = 0;
  const endRun = () => {
    total += runSeconds * softThreshold(Math.abs(runScale), CAMERA.zoom.logScale);
    runSeconds = 0;
    runScale = 0;
  };
  for (const [i, rate] of rates.entries()) {
    const isZooming = Math.abs(rate) > CAMERA.zoom.logScale * (1 - CAMERA.zoom.softness);
    if (!isZooming || rate * runScale < 0) endRun();
    if (!isZooming) continue;
    runSeconds += bins.seconds[i] * softThreshold(Math.abs(rate), CAMERA.zoom.logScale);
    runScale += rate * bins.seconds[i];
  }
  endRun();
  return total;
}

/** 0 at a third below the limit, 1 at a third above it. */
function softThreshold(value: number, limit: number): number {
  return clamp((value / limit - 1 + CAMERA.zoom.softness) / (2 * CAMERA.zoom.softness), 0, 1);
}
