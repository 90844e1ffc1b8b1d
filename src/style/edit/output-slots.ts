/** The cuts of an edit as places to fill, with the song's beats in the output. */
import type { TransitionType } from '../../analysis/facts.ts';
import type { Song } from '../../analysis/music/song.ts';
import type { CutPlan, CutSlot } from './cut-plan.ts';
import type { EditRequest, SlotTransition, TemplateEdit, TemplateSlot } from './edit-plan.ts';
import { RANK_FIELDS, RANKED_CURVES, type RankedCurve, scaled } from './ranked-curves.ts';
import type { OutputSlot } from './slot-candidates.ts';

/** A transition fills at most this share of the shorter slot at its sides. */
const MAX_TRANSITION_SHARE = 0.6;
const MIN_TRANSITION_SECONDS = 0.08;

/** Least number of a template's fades to a color, and least share of its joins, that an edit follows: single ones were seen as blinks (0310). */
const COLOR_FADES = {
  types: new Set<TransitionType>(['fade_black', 'fade_white', 'fade_color']),
  least: 2,
  share: 0.2,
} as const;

export function outputSlots(request: EditRequest, { slots, musicStartSeconds }: CutPlan): OutputSlot[] {
  const { frameRate, template, music } = request;
  const strong = music === null || musicStartSeconds === null ? null : strongBeats(music.song);
  const fadesToColor = isColorFadeUsual(template);
  const transitions = slots.map((slot, at) => {
    const transition = transitionInto(slot, slots[at - 1], request);
    return isColorFade(transition) && !fadesToColor ? null : transition;
  });
  return slots.map(({ templateSlot, startFrame, endFrame }, index) => ({
    index,
    template: template.slots[templateSlot],
    ranks: RANKED_CURVES.map((name) => template.slots[templateSlot][RANK_FIELDS[name]]),
    levels: RANKED_CURVES.map((name) => levelOf(name, template.slots[templateSlot])),
    templateSlot,
    startFrame,
    endFrame,
    seconds: (endFrame - startFrame) / frameRate,
    transition: transitions[index],
    headSeconds: (transitions[index]?.durationSeconds ?? 0) / 2,
    tailSeconds: (transitions[index + 1]?.durationSeconds ?? 0) / 2,
    isEnd: index === 0 || index === slots.length - 1,
    strongBeats: strong?.length
      ? strong
          .map((time) => Math.round((time - musicStartSeconds!) * frameRate))
          .filter((frame) => frame >= startFrame && frame < endFrame)
          .map((frame) => (frame - startFrame) / frameRate)
      : null,
  }));
}

/** A transition through black, white or another color. */
export function isColorFade(transition: SlotTransition | null): boolean {
  return transition !== null && COLOR_FADES.types.has(transition.type);
}

function isColorFadeUsual({ slots }: TemplateEdit): boolean {
  const joins = slots.slice(1);
  const fades = joins.filter(({ transition }) => isColorFade(transition)).length;
  return fades >= COLOR_FADES.least && fades >= COLOR_FADES.share * joins.length;
}

function levelOf(name: RankedCurve, slot: TemplateSlot): number | null {
  const value = slot[name];
  return value === null ? null : scaled(name, value);
}

/** Number of the beat by output frame; a cut one frame off counts as on it. */
export function outputBeats(song: Song | null, start: number | null, frameRate: number): Map<number, number> {
  const beats = new Map<number, number>();
  if (song === null || start === null) return beats;
  const frames = song.beats.map(({ timeSeconds }) => Math.round((timeSeconds - start) * frameRate));
  for (const aside of [-1, 1, 0]) {
    frames.forEach((frame, beat) => {
      beats.set(frame + aside, beat);
    });
  }
  return beats;
}

/** First beats of bars; all beats where no meter was found. */
function strongBeats({ beats }: Song): number[] {
  const downbeats = beats.filter(({ isDownbeat }) => isDownbeat);
  return (downbeats.length > 0 ? downbeats : beats).map(({ timeSeconds }) => timeSeconds);
}

function transitionInto(
  slot: CutSlot,
  before: CutSlot | undefined,
  { template, frameRate }: EditRequest,
): SlotTransition | null {
  const { transition } = template.slots[slot.templateSlot];
  if (transition === null || before === undefined || slot.isContinuation) return null;
  const shorter = Math.min(slot.endFrame - slot.startFrame, before.endFrame - before.startFrame) / frameRate;
  const durationSeconds = Math.min(transition.durationSeconds, MAX_TRANSITION_SHARE * shorter);
  return durationSeconds < MIN_TRANSITION_SECONDS ? null : { ...transition, durationSeconds };
}
