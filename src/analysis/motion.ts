import { rounded } from '../signal/rounding.ts';
import { backgroundFactor, describeCamera } from './camera/camera.ts';
import { coherenceOf } from './camera/coherence.ts';
import {
  areaPerFrame,
  blockGrid,
  diagonalOf,
  measuredSteps,
  motionMaps,
  residualPerFrame,
  shiftOf,
  toSteps,
} from './camera/motion-steps.ts';
import { activityPerSecond, medianSpeed } from './camera/pacing.ts';
import type { CameraPath } from './camera/velocity-bins.ts';
import { secondsUnderZoom } from './camera/zoom-time.ts';
import {
  type Box,
  type MotionCurve,
  type MotionFacts,
  type Shot,
  type ShotMotion,
  type SubjectTrack,
  type VideoFacts,
  WHOLE_PICTURE,
} from './facts.ts';
import { MIN_SUPPORT } from './optical-flow/field.ts';
import { COARSE_STEP } from './optical-flow/jump.ts';
import type { MotionLog } from './optical-flow/log.ts';
import { trackSubjects } from './subjects/subject.ts';

/**
 * Motion of a clip from its log and its shots. Steps inside a transition are not measured: they mix two
 * pictures. Definitions: `docs/style-motion.md` and `MotionFacts`. Throws when log and facts are not of one clip.
 */
export function analyseMotion(log: MotionLog, video: VideoFacts): MotionFacts {
  const count = log.timesSeconds.length;
  if (video.frameCount !== count) {
    throw new Error(`The motion log has ${count} frames, the video facts ${video.frameCount}`);
  }
  const measured = measuredSteps(log, video);
  const areaAt = areaPerFrame(video);
  const residual = residualPerFrame(log, measured, areaAt);
  const steps = toSteps(log, residual, measured, areaAt);
  const grid = blockGrid(log);
  const shots: ShotMotion[] = [];
  const subjects: SubjectTrack[] = [];
  const salientTracks = new Map(video.salientTracks.map((track) => [track.startSeconds, track]));
  let zoomSeconds = 0;
  for (const [index, shot] of video.shots.entries()) {
    const area = video.shotAreas[index] ?? WHOLE_PICTURE;
    const path = cameraPath(log, measured, shot, area);
    shots.push(describeCamera(path));
    zoomSeconds += secondsUnderZoom(path);
    const shotSeconds = shot.endSeconds - shot.startSeconds;
    const moving = trackSubjects(
      motionMaps(log, measured, shot, video.captions.spans, area),
      grid,
      shotSeconds,
    );
    const faces = video.faces.filter(
      ({ startSeconds }) => startSeconds >= shot.startSeconds && startSeconds < shot.endSeconds,
    );
    subjects.push(...faces, ...moving);
    const standing = salientTracks.get(shot.startSeconds);
    if (standing !== undefined) subjects.push(standing);
  }
  return {
    curve: toCurve(log, residual, measured, areaAt),
    medianSpeed: medianSpeed(steps),
    zoomShare: video.durationSeconds > 0 ? Math.min(1, zoomSeconds / video.durationSeconds) : 0,
    punchIns: findPunchIns(log, video),
    shots,
    subjects,
    activity: activityPerSecond(steps, video.durationSeconds),
    confidence: confidence(log, measured),
  };
}

function cameraPath(log: MotionLog, measured: Uint8Array, shot: Shot, area: Box): CameraPath {
  const frames: number[] = [];
  for (let i = shot.startFrame; i < Math.min(shot.endFrame, measured.length); i++) {
    if (measured[i] === 1) frames.push(i);
  }
  return {
    stepSeconds: Float64Array.from(frames, (i) => log.timesSeconds[i] - log.timesSeconds[i - 1]),
    x: Float64Array.from(frames, (i) => shiftOf(log, i, area).x),
    y: Float64Array.from(frames, (i) => shiftOf(log, i, area).y),
    logScale: Float64Array.from(frames, (i) => log.logScale[i]),
    rotation: Float64Array.from(frames, (i) => log.rotation[i]),
    texture: Float64Array.from(frames, (i) => log.texture[i]),
    reach: Float64Array.from(frames, (i) => log.reach[i]),
    coherence: coherenceOf(log, measured, shot),
  };
}

/** Rounded far below the precision of the measurement, because the facts are stored as JSON. */
function toCurve(
  log: MotionLog,
  residual: Float64Array,
  measured: Uint8Array,
  areaAt: (frame: number) => Box,
): MotionCurve {
  // In shares and diagonals of the frame, like framings.
  const frameDiagonal = diagonalOf(log, WHOLE_PICTURE);
  const ofFrame = residual.map((value, i) => (value * diagonalOf(log, areaAt(i))) / frameDiagonal);
  const millionths = (values: Float32Array | Float64Array): number[] =>
    Array.from(values, (value, i) => (measured[i] === 1 ? Math.round(value * 1e6) / 1e6 : 0));
  return {
    timesSeconds: Array.from(log.timesSeconds, (value) => Math.round(value * 1e6) / 1e6),
    shiftX: millionths(log.shiftX),
    shiftY: millionths(log.shiftY),
    logScale: millionths(log.logScale),
    rotation: millionths(log.rotation),
    residual: millionths(ofFrame),
    support: Array.from(log.support, (value) => rounded(value, 2)),
  };
}

/** Hard cuts across which the picture only changes scale. The frame may be off by one. */
function findPunchIns(log: MotionLog, video: VideoFacts): { timeSeconds: number; logScale: number }[] {
  const found: { timeSeconds: number; logScale: number }[] = [];
  for (const cut of video.transitions) {
    if (cut.type !== 'cut') continue;
    for (const frame of [cut.endFrame, cut.endFrame - 1, cut.endFrame + 1]) {
      const logScale = jumpAt(log, frame);
      if (logScale === null) continue;
      found.push({ timeSeconds: cut.endSeconds, logScale });
      break;
    }
  }
  return found;
}

function jumpAt(log: MotionLog, frame: number): number | null {
  if (frame < 1 || frame >= log.jump.length) return null;
  if (!Number.isNaN(log.jump[frame])) return log.jump[frame];
  const scale = Math.abs(log.logScale[frame]);
  const beside = Math.max(Math.abs(log.logScale[frame - 1] ?? 0), Math.abs(log.logScale[frame + 1] ?? 0));
  const sudden = scale >= COARSE_STEP && scale >= 4 * beside && log.support[frame] >= MIN_SUPPORT;
  return sudden ? log.logScale[frame] : null;
}

/** Mean evidence over the measured frames; 0 for a black clip. */
function confidence(log: MotionLog, measured: Uint8Array): number {
  let sum = 0;
  let count = 0;
  for (let i = 1; i < measured.length; i++) {
    if (measured[i] === 0) continue;
    sum += backgroundFactor(log.texture[i], log.reach[i]);
    count++;
  }
  return count === 0 ? 0 : sum / count;
}
