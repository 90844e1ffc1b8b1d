import { totalSeconds } from '../../domain/spans.ts';
import type { Warning } from '../../domain/stage.ts';
import type { EditPlan, EditRequest } from './edit-plan.ts';
import { playableSeconds } from './music-window.ts';
import { differentShare, MIN_DIFFERENT_SHARE } from './other-version.ts';
import { type Drawn, hasNamedLength } from './plan-cost.ts';

/** A larger difference of the length is reported. */
const LENGTH_TOLERANCE = 0.05;

/** Another version that shows nearly the same. */
export function alikeWarnings(first: Drawn, version: Drawn): Warning[] {
  const { length } = first.assignment.choices;
  const different = differentShare(first.assignment, version.assignment);
  if (version === first || different >= MIN_DIFFERENT_SHARE) return [];
  return [
    {
      code: 'EDIT_VERSION_ALIKE',
      message: `Only ${Math.round(different * length)} of ${length} shots differ from the first version: the takes have too few other moments that fit.`,
    },
  ];
}

type Planned = Pick<EditPlan, 'slots' | 'takes'>;

/** Wishes that a plan does not fulfil. `requestNumbers`: number in the request of each take of `request`; `wanted`: length in seconds. */
export function warningsOf(
  request: EditRequest,
  requestNumbers: readonly number[],
  plan: Planned,
  wanted: number,
): Warning[] {
  return [
    ...shortenedWarnings(request, plan, wanted),
    ...pinWarnings(request, plan),
    ...mustUseWarnings(request, requestNumbers, plan),
  ];
}

function shortenedWarnings(request: EditRequest, { slots, takes }: Planned, wanted: number): Warning[] {
  const { music } = request;
  const seconds = slots.at(-1)?.endSeconds ?? 0;
  if (seconds >= wanted * (1 - LENGTH_TOLERANCE)) return [];
  const song = music === null ? Number.POSITIVE_INFINITY : playableSeconds(music.song, music.startSeconds);
  const isSongEnd = song < wanted * (1 - LENGTH_TOLERANCE) && seconds >= song * (1 - LENGTH_TOLERANCE);
  const rest = totalSeconds(takes.flatMap(({ passedOver }) => passedOver.filter(isWithoutSlot)));
  const isKeptShort = !hasNamedLength(request) && rest >= wanted - seconds;
  const cause = isSongEnd
    ? 'the music is no longer'
    : isKeptShort
      ? 'a longer one would show the same again or last where nothing happens; name a length in seconds to get one'
      : rest > 0
        ? 'what is left of the takes fits no further shot'
        : 'the takes have no more usable moments';
  return [
    {
      code: 'EDIT_SHORTENED',
      message: `The edit lasts ${seconds.toFixed(1)} s instead of ${wanted.toFixed(1)} s: ${cause}.`,
    },
  ];
}

function isWithoutSlot({ reason }: EditPlan['takes'][number]['passedOver'][number]): boolean {
  return reason.code === 'no_slot';
}

function pinWarnings({ pins, takes, frameRate }: EditRequest, { slots }: Planned): Warning[] {
  return pins.flatMap(({ slot, take, startSeconds }) => {
    const { sourceStartSeconds, sourceEndSeconds } = slots[slot] ?? {};
    const { isPhoto, durationSeconds } = takes[take].material;
    if (startSeconds === null || sourceStartSeconds === undefined || isPhoto) return [];
    if (Math.abs(startSeconds - sourceStartSeconds) < 1 / frameRate) return [];
    const isTakeEnd = sourceEndSeconds! >= durationSeconds - 1 / frameRate;
    const cause = isTakeEnd ? 'its take ends too soon' : 'what is beside it is excluded or banned';
    return [
      {
        code: 'EDIT_PIN_MOVED',
        message: `The shot pinned in slot ${slot} begins at ${sourceStartSeconds.toFixed(2)} s instead of ${startSeconds.toFixed(2)} s: ${cause}.`,
      },
    ];
  });
}

function mustUseWarnings(
  { takes }: EditRequest,
  requestNumbers: readonly number[],
  { slots }: Planned,
): Warning[] {
  const unused = requestNumbers.filter(
    (take, at) => takes[at].mustUse && !slots.some((slot) => slot.take === take),
  );
  if (unused.length === 0) return [];
  const numbers = unused.sort((one, other) => one - other).join(', ');
  return [
    {
      code: 'EDIT_TAKE_UNUSED',
      message: `No usable moment or slot was left for must-use take ${numbers}.`,
    },
  ];
}
