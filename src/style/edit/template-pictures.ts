/** Pictures over the speech of a template: its shots without the speaker (decision 0289). */
import type { TemplateSlot } from './edit-plan.ts';

/** Share of speech from which a template is a talk. */
const MIN_SPEECH_SHARE = 0.5;
/** The share of fewer pictures is chance. */
const MIN_PICTURES = 3;
/** The speaker's view has a face for at least this share of its time: faces are missed in single shots. */
const MIN_FACE_SHARE = 0.5;
/** Half of the shots that can be either is the error of the share: a share is followed within .05. */
const MAX_UNKNOWN_SHARE = 0.1;

export interface TemplatePictures {
  /** Of the template's time. */
  readonly share: number;
  /** Numbers of the slots that show them. */
  readonly slots: readonly number[];
}

type Slot = Pick<TemplateSlot, 'durationSeconds' | 'size' | 'speaks' | 'returnsTo'>;

/**
 * The speaker is the face to whose views the template returns; a picture is a shot over speech without a face, whose view does not return. Null:
 * the template is no talk, has few pictures, or too many shots can be either.
 */
export function templatePictures(slots: readonly Slot[]): TemplatePictures | null {
  const numbers = slots.map((_, at) => at);
  const secondsOf = (some: readonly number[]) =>
    some.reduce((sum, at) => sum + slots[at]!.durationSeconds, 0);
  const total = secondsOf(numbers);
  if (secondsOf(numbers.filter((at) => slots[at]!.speaks)) < MIN_SPEECH_SHARE * total) return null;
  const hasFace = (at: number) => slots[at]!.size !== null;
  const views = [...Map.groupBy(numbers, (at) => slots[at]!.returnsTo ?? at).values()];
  const returning = views.filter((view) => view.length > 1);
  const ofSpeaker = returning
    .filter((view) => secondsOf(view.filter(hasFace)) >= MIN_FACE_SHARE * secondsOf(view))
    .flat();
  const isReturning = new Set(returning.flat());
  const pictures = numbers.filter((at) => slots[at]!.speaks && !hasFace(at) && !isReturning.has(at));
  const unknownSeconds = total - secondsOf(ofSpeaker) - secondsOf(pictures);
  if (ofSpeaker.length === 0 || pictures.length < MIN_PICTURES) return null;
  if (unknownSeconds > MAX_UNKNOWN_SHARE * total) return null;
  return { share: (secondsOf(pictures) + unknownSeconds / 2) / total, slots: pictures };
}
