import type { ClipFacts, Transition } from '../analysis/facts.ts';
import type { Still } from '../domain/footage.ts';
import { colorName } from '../style/model/color-name.ts';
import { transitionWord } from '../style/model/transition-words.ts';
import type { PlannedStill } from './still-plan.ts';
import type { BeatView, ShotView, StillView, TransitionView } from './view.ts';
import { lengthText } from './wording.ts';

/** Tolerance of `cuts_on_beat` (`docs/style-cuts.md`). */
const BEAT_TOLERANCE_SECONDS = 0.07;

/** Least cuts on the off-beat, with twice as many as on the beat, for the off-beat to count as the beat. */
const MIN_OFF_BEAT = 3;

export function transitionViews(
  transitions: readonly Transition[],
  beats: readonly BeatView[],
): TransitionView[] {
  const grid = cutGrid(transitions, beats);
  return transitions.map((one) => ({
    type: one.type,
    startSeconds: one.type === 'cut' ? one.endSeconds : one.startSeconds,
    endSeconds: one.endSeconds,
    easing: one.easing,
    confidence: one.confidence,
    text: transitionText(one),
    isEdge: one.edge !== undefined,
    beat: one.type === 'cut' && isNear(one.endSeconds, grid.times) ? grid.name : null,
  }));
}

function transitionText(one: Transition): string {
  if (one.type === 'cut') return 'cut';
  const length = lengthText(one.endSeconds - one.startSeconds);
  const color =
    one.color === undefined ? (one.type === 'fade_white' ? 'white' : 'black') : colorName(one.color);
  if (one.edge !== undefined && one.type.startsWith('fade')) {
    return `fade ${one.edge === 'start' ? 'from' : 'to'} ${color} ${length}`;
  }
  if (one.color !== undefined) return `fade through ${color} ${length}`;
  return `${transitionWord(one.type, 1)}${one.direction === undefined ? '' : ` ${one.direction}`} ${length}`;
}

/** The half of the pulse that the clip is cut to, as for `cuts_on_beat`. */
function cutGrid(transitions: readonly Transition[], beats: readonly BeatView[]) {
  const on = beats.map(({ timeSeconds }) => timeSeconds);
  const off = on.slice(1).map((time, index) => (time + on[index]) / 2);
  const held = (times: readonly number[]) =>
    transitions.filter(({ type, endSeconds }) => type === 'cut' && isNear(endSeconds, times)).length;
  const isOff = held(off) >= MIN_OFF_BEAT && held(off) >= 2 * held(on);
  return isOff ? ({ name: 'off-beat', times: off } as const) : ({ name: 'beat', times: on } as const);
}

function isNear(seconds: number, times: readonly number[]): boolean {
  return times.some((time) => Math.abs(time - seconds) <= BEAT_TOLERANCE_SECONDS);
}

/** `plan` and `stills` match one to one; a damaged end may lack the last ones. `key`: see `ReportView`. */
export function shotViews(
  { video, motion }: ClipFacts,
  transitions: readonly TransitionView[],
  plan: readonly PlannedStill[],
  stills: readonly Still[],
  key: string,
): ShotView[] {
  const views: readonly StillView[] = stills.map(({ timeSeconds, width, height, jpeg }, index) => ({
    id: `${key}-still-${index}`,
    timeSeconds,
    width,
    height,
    source: `data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}`,
  }));
  const changes = transitions.filter(({ isEdge }) => !isEdge);
  return video.shots.map((shot, index) => {
    const camera = motion.shots[index];
    return {
      number: index + 1,
      startSeconds: shot.startSeconds,
      endSeconds: shot.endSeconds,
      camera:
        camera === undefined || camera.confidence === 0
          ? null
          : { label: camera.label, confidence: camera.confidence },
      stills: views.filter((_, at) => plan[at]?.shot === index),
      entry: index === 0 ? null : (changes.find((change) => begins(change, shot.startSeconds)) ?? null),
    };
  });
}

/** The middle of a gradual transition divides two shots. */
function begins(change: TransitionView, shotStartSeconds: number): boolean {
  const tolerance = Math.max(0.05, (change.endSeconds - change.startSeconds) / 2);
  return Math.abs((change.startSeconds + change.endSeconds) / 2 - shotStartSeconds) <= tolerance;
}
