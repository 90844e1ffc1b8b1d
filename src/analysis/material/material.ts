import { rounded } from '../../signal/rounding.ts';
import type { ClipFacts, VideoFacts } from '../facts.ts';
import { cameraCurves } from './camera-curves.ts';
import { cameraPlaces } from './camera-places.ts';
import { hasRecordedLength, judgeTake, LIMITS } from './faults.ts';
import { focusCurves } from './focus.ts';
import { peopleCurve } from './people.ts';
import { nearestTo, STEP_SECONDS, stepCount } from './steps.ts';
import type { Impact, TakeMaterial } from './take-material.ts';
import { decodedViews } from './views.ts';
import { worthOf } from './worth.ts';

const VIEW_SECONDS = 1;
/** Spread of colors up to which a picture is black and white: two takes without saturation, stored with losses, have 0, with a quarter of it .015 and .041. */
const BLACK_AND_WHITE = 0.01;

/** The material of a take, from its facts. */
export function materialOf(facts: ClipFacts): TakeMaterial {
  const { video, motion, audio } = facts;
  const { picture, isStill } = video;
  const durationSeconds = isStill ? 0 : video.durationSeconds;
  const count = stepCount(durationSeconds);
  const at = nearestTo(picture.timesSeconds, count);
  const camera = cameraCurves(motion.curve, video.width / video.height, count);
  const sampled = (values: readonly number[]) => Array.from(at, (sample) => values[sample] ?? 0);
  const { faults, quality, isMotionless } = judgeTake(video, camera);
  const places = (values: readonly number[]) => values.map((value) => rounded(value, 3));
  const focus = focusCurves(facts, count);
  const [contrast, detail] = [sampled(picture.contrast), sampled(picture.detail)];
  const colorSpread = picture.colorSpread.some((spread) => spread > BLACK_AND_WHITE)
    ? sampled(picture.colorSpread)
    : null;
  const isChosen = !isStill && !hasRecordedLength(count);
  const worth = focus.figure.map((figure, step) =>
    isChosen
      ? 1
      : worthOf({
          ...{ figure, faceHeight: focus.faceHeight[step], subject: focus.subject[step] },
          ...{ contrast: contrast[step], detail: detail[step], activity: camera.activity[step] },
          colorSpread: colorSpread === null ? null : colorSpread[step],
        }),
  );
  const viewCount = Math.max(1, Math.ceil(durationSeconds / VIEW_SECONDS - 1e-6));
  return {
    durationSeconds,
    isPhoto: isStill,
    isMotionless: !isStill && isMotionless,
    lines: video.height,
    stepSeconds: STEP_SECONDS,
    curves: {
      motion: places(camera.motion),
      activity: places(camera.activity),
      contrast,
      detail,
      lightness: sampled(picture.lightness),
      sharpness: sampled(picture.sharpness),
      quality: places(quality),
      worth: places(worth),
      faceHeight: places(focus.faceHeight),
      figure: focus.figure,
      people: isChosen ? focus.figure.map(() => 1) : places(peopleCurve(facts, count)),
      focusX: places(focus.focusX),
      focusY: places(focus.focusY),
    },
    faults: isStill ? [] : faults,
    impacts: isStill ? [] : impactsOf(video),
    speech: audio?.speech.spans ?? [],
    viewSeconds: VIEW_SECONDS,
    views: viewsOf(video, viewCount),
    places: cameraPlaces(motion.curve, video, viewCount, VIEW_SECONDS),
  };
}

/** Jolts away from the take's own cuts, by their strength within the take. */
function impactsOf({ picture, transitions }: VideoFacts): Impact[] {
  const jolts = picture.jolts.filter(
    ({ timeSeconds }) =>
      !transitions.some(
        ({ startSeconds, endSeconds }) =>
          timeSeconds > startSeconds - LIMITS.cutSeconds && timeSeconds < endSeconds + LIMITS.cutSeconds,
      ),
  );
  const strongest = jolts.reduce((most, { strength }) => Math.max(most, strength), 0);
  return jolts.map(({ timeSeconds, strength }) => ({
    timeSeconds,
    strength: rounded(strength / strongest, 3),
  }));
}

function viewsOf({ picture }: VideoFacts, count: number): number[][] {
  const views = decodedViews(picture);
  const at = nearestTo(picture.viewTimesSeconds, count, VIEW_SECONDS);
  return Array.from(at, (view) => (view < 0 ? [] : views[view]));
}
