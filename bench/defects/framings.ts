/** Defects of a plan's framings, by the plan and the source's facts. */
import type { Box, ClipFacts, Shot } from '../../src/analysis/facts.ts';
import { isDrawn } from '../../src/style/model/drawn.ts';
import { framingAt } from '../../src/style/model/framing.ts';
import type { Clip, Reframe, Timeline } from '../../src/style/model/timeline.ts';
import { shareInside } from '../../src/style/plan/sightings.ts';
import { facesCut } from '../edit-judge/faces.ts';
import type { Flag } from './flag.ts';

/** A source is uncut if its shots are at least this long in the mean. */
const UNCUT_SHOT_SECONDS = 4;
/** Limits of the design. */
const MIN_FRAMING_SECONDS = 1.2;
const [WINDOW_SECONDS, MOST_IN_WINDOW] = [8, 4];
/** A framing of less than this share of the widest is closer: the planner's least magnification is 1.2. */
const CLOSER = 0.9;
/** Frames of the output are not exact. */
const ROUNDING_SECONDS = 0.05;
/** Share of a text that is cut, shown; letters that are seen for less time are not standing. */
const CUT = { least: 0.1, most: 0.93 } as const;
const STANDING_SECONDS = 1;
const MIN_SECONDS = 0.5;
const STEP_SECONDS = 0.1;
/** Share of a figure in one part of its profile from which the part counts. */
const MIN_PART = 0.005;
/** Above a framing by more than this share of it, a head is outside and not cut. */
const HEAD_SHARE = 0.3;
/** Sums of shares are not exact. */
const ROUNDING = 0.005;
/** A head of less than this share of the picture's height is in the background. */
const MIN_HEAD = 0.15;

export function framingFlags(facts: ClipFacts, { clips }: Pick<Timeline, 'clips'>): Flag[] {
  const { shots, durationSeconds } = facts.video;
  const isUncut = durationSeconds / shots.length >= UNCUT_SHOT_SECONDS;
  return [
    ...(isUncut ? [...shortFramings(clips), ...manyFramings(clips)] : []),
    ...shots.flatMap((shot, at) => inMovement(facts, shot, at, clips)),
    ...letterFramings(facts, clips),
  ];
}

const isInside = ({ sourceStartSeconds: start }: Clip, shot: Shot) =>
  start > shot.startSeconds + ROUNDING_SECONDS && start < shot.endSeconds;

/** Clips that are too short, if the framing changes at their start or end. */
function shortFramings(clips: readonly Clip[]): Flag[] {
  return clips.flatMap((clip, at): Flag[] => {
    const seconds = clip.sourceEndSeconds - clip.sourceStartSeconds;
    const isChange = clip.reason === 'punch_in' || clips[at + 1]?.reason === 'punch_in';
    if (!isChange || seconds >= MIN_FRAMING_SECONDS - ROUNDING_SECONDS) return [];
    return [
      { defect: 'short framing', atSeconds: clip.sourceStartSeconds, detail: `${seconds.toFixed(2)} s` },
    ];
  });
}

/** One flag for each window that has too many, windows apart. */
function manyFramings(clips: readonly Clip[]): Flag[] {
  const times = clips.filter(({ reason }) => reason === 'punch_in').map((clip) => clip.sourceStartSeconds);
  const flags: Flag[] = [];
  for (const from of times) {
    if (from < (flags.at(-1)?.atSeconds ?? -WINDOW_SECONDS) + WINDOW_SECONDS) continue;
    const count = times.filter(
      (time) => time >= from && time < from + WINDOW_SECONDS - ROUNDING_SECONDS,
    ).length;
    if (count > MOST_IN_WINDOW)
      flags.push({
        defect: 'many framings',
        atSeconds: from,
        detail: `${count} in ${WINDOW_SECONDS} s`,
      });
  }
  return flags;
}

function inMovement({ motion }: ClipFacts, shot: Shot, at: number, clips: readonly Clip[]): Flag[] {
  const label = motion.shots[at]?.label;
  const changes = clips.filter((clip) => clip.reason === 'punch_in' && isInside(clip, shot));
  const first = changes[0]?.sourceStartSeconds;
  const detail = `${changes.length} in a ${label} of ${(shot.endSeconds - shot.startSeconds).toFixed(1)} s`;
  if (label === 'zoom_in' || label === 'zoom_out') {
    if (first !== undefined) return [{ defect: 'framing on a zoom', atSeconds: first, detail }];
    const growing = clips.find(
      (clip) =>
        clip.from.width !== clip.to.width &&
        clip.sourceStartSeconds >= shot.startSeconds - ROUNDING_SECONDS &&
        clip.sourceStartSeconds < shot.endSeconds,
    );
    return growing === undefined
      ? []
      : [{ defect: 'framing on a zoom', atSeconds: growing.sourceStartSeconds, detail: `push-in, ${label}` }];
  }
  const isPan = label === 'pan' || label === 'tilt';
  return isPan && changes.length > 1 ? [{ defect: 'hopping in a pan', atSeconds: first!, detail }] : [];
}

/** Closer framings of a drawn picture with letters: screens, pages. */
function letterFramings({ video }: ClipFacts, clips: readonly Clip[]): Flag[] {
  const { lettering = [], spans } = video.captions;
  const widest = Math.max(...clips.map(({ from }) => from.width));
  const found = clips.find((clip) => {
    const run = { startSeconds: clip.sourceStartSeconds, endSeconds: clip.sourceEndSeconds };
    const hasLetters = [...lettering, ...spans].some(
      ({ startSeconds, endSeconds }) => startSeconds < run.endSeconds && endSeconds > run.startSeconds,
    );
    return clip.from.width < CLOSER * widest && hasLetters && isDrawn(video, run);
  });
  return found === undefined
    ? []
    : [{ defect: 'framing of letters', atSeconds: found.sourceStartSeconds, detail: 'a drawn picture' }];
}

/** Letters that a crop cuts, one flag for each text. */
export function letterFlags({ video }: ClipFacts, { clips }: Pick<Timeline, 'clips'>): Flag[] {
  const { lettering = [], spans, marks = [] } = video.captions;
  const standing = marks.map((box) => ({ startSeconds: 0, endSeconds: video.durationSeconds, box }));
  return [...standing, ...spans, ...lettering].flatMap(({ startSeconds, endSeconds, box }): Flag[] => {
    if (endSeconds - startSeconds < STANDING_SECONDS) return [];
    const cut = momentsOf(clips, startSeconds, endSeconds).filter(({ clip, framing }) => {
      const share = shareInside(box, framing);
      return clip.fit === 'crop' && share > CUT.least && share < CUT.most;
    });
    if (cut.length * STEP_SECONDS < MIN_SECONDS) return [];
    const [{ seconds, framing }] = cut as [Moment];
    const detail = `${shareInside(box, framing).toFixed(2)} of ${wordsOf(box)} for ${(cut.length * STEP_SECONDS).toFixed(1)} s`;
    return [{ defect: 'letters cut', atSeconds: seconds, detail }];
  });
}

/** Faces that a crop cuts, or loses although it shows no other. */
export function faceFlags({ video }: ClipFacts, timeline: Timeline): Flag[] {
  const heads = [{ tracks: video.faces, aspect: video.width / video.height }];
  const cut = facesCut({ timeline, heads }).map(({ atSeconds, detail }): Flag => {
    return { defect: 'face cut', atSeconds, detail };
  });
  const facesAt = (seconds: number) =>
    video.faces.flatMap(({ boxes }) =>
      boxes.filter(({ timeSeconds }) => Math.abs(timeSeconds - seconds) < STEP_SECONDS),
    );
  const lost = video.shots.flatMap((shot): Flag[] => {
    const moments = momentsOf(timeline.clips, shot.startSeconds, shot.endSeconds).filter(
      ({ framing, seconds, clip }) => {
        const faces = facesAt(seconds).filter(({ box }) => box.height >= MIN_HEAD);
        return (
          clip.fit === 'crop' && faces.length > 0 && faces.every(({ box }) => shareInside(box, framing) < 0.4)
        );
      },
    );
    if (moments.length * STEP_SECONDS < MIN_SECONDS) return [];
    const detail = `for ${(moments.length * STEP_SECONDS).toFixed(1)} s`;
    return [{ defect: 'face lost', atSeconds: moments[0]!.seconds, detail }];
  });
  return [...cut, ...lost, ...hairFlags(video, timeline.clips)];
}

/** Closer framings whose upper edge goes through the top of a head or figure, one flag for each clip. */
function hairFlags({ faces, figures }: ClipFacts['video'], clips: readonly Clip[]): Flag[] {
  const widest = Math.max(...clips.map(({ from }) => from.width));
  const heads = faces.flatMap(({ boxes }) => boxes);
  const tops = figures.flatMap(({ timeSeconds, across, down }) => {
    const [left, top] = [across, down].map((shares) => shares.findIndex((share) => share >= MIN_PART));
    // Known to a part of the profile: it is cut for certain below that part.
    const y = (top! + 1) / down.length;
    return top! < 0
      ? []
      : [
          {
            timeSeconds,
            box: { x: left! / across.length, y, width: 1 - left! / across.length, height: 1 - y },
          },
        ];
  });
  return clips.flatMap((clip): Flag[] => {
    const [start, end] = [clip.sourceStartSeconds, clip.sourceEndSeconds];
    if (clip.fit !== 'crop' || clip.from.width >= CLOSER * widest) return [];
    const cut = [...heads, ...tops].find(({ timeSeconds, box }) => {
      if (timeSeconds < start || timeSeconds >= end) return false;
      const { x, y, width, height } = framingAt(clip, (timeSeconds - start) / (end - start), timeSeconds);
      const isBeside = box.x >= x + width || box.x + box.width <= x;
      return !isBeside && y > box.y + ROUNDING && y < box.y + HEAD_SHARE * height;
    });
    if (cut === undefined) return [];
    return [{ defect: 'hair cut', atSeconds: cut.timeSeconds, detail: `a top at ${cut.box.y.toFixed(2)}` }];
  });
}

interface Moment {
  readonly clip: Clip;
  readonly seconds: number;
  readonly framing: Reframe;
}

/** The framings between two times of the source. */
function momentsOf(clips: readonly Clip[], from: number, to: number): Moment[] {
  return clips.flatMap((clip) => {
    const [start, end] = [clip.sourceStartSeconds, clip.sourceEndSeconds];
    const first = Math.max(from, start);
    const count = Math.max(0, Math.ceil((Math.min(to, end) - first) / STEP_SECONDS));
    return Array.from({ length: count }, (_, step) => {
      const seconds = first + step * STEP_SECONDS;
      return { clip, seconds, framing: framingAt(clip, (seconds - start) / (end - start), seconds) };
    });
  });
}

function wordsOf({ x, y, width, height }: Box): string {
  return [x, y, width, height].map((side) => side.toFixed(2)).join(' ');
}
