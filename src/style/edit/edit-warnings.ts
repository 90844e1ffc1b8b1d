import type { Warning } from '../../domain/stage.ts';
import type { EditPlan, EditRequest } from './edit-plan.ts';
import type { Drawn } from './filled-cuts.ts';
import { playableSeconds } from './music-window.ts';
import { differentShare, MIN_DIFFERENT_SHARE } from './other-version.ts';

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

/** Wishes that a plan does not fulfil. `order`: number in the request of each take of `request`; `wanted`: length in seconds. */
export function warningsOf(
  request: EditRequest,
  order: readonly number[],
  { slots, takes }: Pick<EditPlan, 'slots' | 'takes'>,
  wanted: number,
): Warning[] {
  const warnings: Warning[] = [];
  const seconds = slots.at(-1)?.endSeconds ?? 0;
  if (seconds < wanted * (1 - LENGTH_TOLERANCE)) {
    const song =
      request.music === null
        ? Number.POSITIVE_INFINITY
        : playableSeconds(request.music.song, request.music.startSeconds);
    const hasRest = takes.some(({ passedOver }) =>
      passedOver.some(({ reason }) => reason.code === 'no_slot'),
    );
    const cause =
      song < wanted * (1 - LENGTH_TOLERANCE) && seconds >= song * (1 - LENGTH_TOLERANCE)
        ? 'the music is no longer'
        : hasRest
          ? 'what is left of the takes fits no further shot'
          : 'the takes have no more usable moments';
    warnings.push({
      code: 'EDIT_SHORTENED',
      message: `The edit lasts ${seconds.toFixed(1)} s instead of ${wanted.toFixed(1)} s: ${cause}.`,
    });
  }
  for (const { slot, take, startSeconds } of request.pins) {
    const { sourceStartSeconds, sourceEndSeconds } = slots[slot] ?? {};
    const { isPhoto, durationSeconds } = request.takes[take].material;
    if (startSeconds === null || sourceStartSeconds === undefined || isPhoto) continue;
    if (Math.abs(startSeconds - sourceStartSeconds) < 1 / request.frameRate) continue;
    const isTakeEnd = sourceEndSeconds! >= durationSeconds - 1 / request.frameRate;
    const cause = isTakeEnd ? 'its take ends too soon' : 'what is beside it is excluded or banned';
    warnings.push({
      code: 'EDIT_PIN_MOVED',
      message: `The shot pinned in slot ${slot} begins at ${sourceStartSeconds.toFixed(2)} s instead of ${startSeconds.toFixed(2)} s: ${cause}.`,
    });
  }
  const unused = order.filter(
    (take, at) => request.takes[at].mustUse && !slots.some((slot) => slot.take === take),
  );
  if (unused.length > 0) {
    const numbers = unused.sort((one, other) => one - other).join(', ');
    warnings.push({
      code: 'EDIT_TAKE_UNUSED',
      message: `No usable moment or slot was left for must-use take ${numbers}.`,
    });
  }
  return warnings;
}
