/** Plans a talk from several takes: what is heard first, then what is shown. Pure: equal requests give equal plans. */
import type { ClipFacts, Span } from '../../analysis/facts.ts';
import type { TAKE_ROLES } from '../../domain/edit-options.ts';
import { Failure, type FieldError } from '../../domain/errors.ts';
import type { TextCue } from '../../domain/footage.ts';
import type { JobConfig } from '../../domain/job-config.ts';
import { refusal } from '../../domain/refusals.ts';
import { lengthOf, overlapSeconds, totalSeconds } from '../../domain/spans.ts';
import type { Warning } from '../../domain/stage.ts';
import { SHORTEST_OUTPUT_SECONDS } from '../../domain/talk-options.ts';
import type { FrameRate } from '../../domain/time.ts';
import { rounded } from '../../signal/rounding.ts';
import { type BRollPlan, planBRoll } from '../edit/b-roll.ts';
import { MIN_B_ROLL_SECONDS, type TalkSection } from '../edit/b-roll-places.ts';
import { takeUses } from '../edit/edit-choices.ts';
import type { EditPlan, EditRequest, PlannedSlot, TakeUse } from '../edit/edit-plan.ts';
import { checkRequest, failWith } from '../edit/edit-requests.ts';
import { outputEnd, type TakeRole, type TalkPart, talkFrames } from '../edit/talk-plan.ts';
import type { Style } from '../model/schema.ts';
import type { TalkRemoval } from '../model/talk.ts';
import { JUMP_SECONDS } from './talk-pieces.ts';
import { planTalkTrack, roleOf, silencedWarnings, spokenShare, type TalkTrack } from './talk-track.ts';

export interface TalkEditRequest {
  readonly edit: EditRequest;
  /** Of the same takes. */
  readonly facts: readonly ClipFacts[];
  readonly roles: readonly (typeof TAKE_ROLES)[number][];
  /** Words of each take, in its time. Left out: not known. */
  readonly cues?: readonly (readonly TextCue[])[];
  readonly style: Style;
  readonly config: Pick<JobConfig, 'components' | 'style_strength' | 'pacing'>;
  readonly frameRate: FrameRate;
}

/** Places of the output, in frames. `picture`: number of its B-roll; null: its part of the talk. */
interface Shown {
  readonly startFrame: number;
  readonly endFrame: number;
  readonly part: TalkPart;
  readonly picture: number | null;
}

/**
 * @throws Failure `VALIDATION_ERROR` for impossible requests, `INPUT_UNSUPPORTED` if nobody speaks or nothing is left.
 */
export function planTalkEdit(request: TalkEditRequest): EditPlan {
  const { edit, facts, style, config, frameRate } = request;
  checkRequest(edit);
  const roles = request.roles.map((role, at) => (role === 'auto' ? roleOf(facts[at]!) : role));
  const takes = edit.takes.map(({ exclude }, at) => {
    const bans = edit.bans.filter(({ take }) => take === at);
    const cues = request.cues?.[at] ?? [];
    return { facts: facts[at]!, role: roles[at]!, unwanted: [...exclude, ...bans], cues };
  });
  if (!roles.includes('talk')) {
    const shares = facts.map(spokenShare);
    const share = Math.max(...shares);
    const field = refusal('edit.takes', 'NOBODY_SPEAKS', {
      ...{ takes: takes.length, share: rounded(share, 2), take: shares.indexOf(share) },
    });
    throw new Failure('INPUT_UNSUPPORTED', `${field.path} ${field.message}`, { fields: [field] });
  }
  const track = planTalkTrack({ takes, style, config, frameRate });
  if (talkFrames(track.parts) / edit.frameRate < SHORTEST_OUTPUT_SECONDS) {
    const all = facts.reduce((sum, { video }) => sum + video.durationSeconds, 0);
    const field = refusal('edit.takes', 'NOTHING_USABLE', { takes: takes.length, seconds: all });
    throw new Failure('INPUT_UNSUPPORTED', `${field.path} ${field.message}`, { fields: [field] });
  }
  const bRoll = pictured(edit, roles, track.parts);
  const heard = takes.map((take, at) => ({ ...take, isRequested: request.roles[at] !== 'auto' }));
  const slots = shownOf(track.parts, bRoll.pictures).map((shown) => slotOf(shown, bRoll, edit));
  const order = numbersOf(roles, 'b_roll');
  const uses = takeUses(bRoll.takes, slots, order, bRollEdit(edit, roles));
  return {
    slots,
    unchanged: slots,
    musicStartSeconds: edit.music === null ? null : (edit.music.startSeconds ?? 0),
    takes: roles.map((role, at) => (role === 'talk' ? talkUse(at, track, edit) : shortNamed(uses[at]!))),
    warnings: [...track.warnings, ...silencedWarnings(heard), ...warningsOf(edit, roles, slots)],
    talk: { parts: track.parts, roles, removedSeconds: track.removals.map(totalSeconds) },
  };
}

function numbersOf(roles: readonly TakeRole[], wanted: TakeRole): number[] {
  return roles.flatMap((role, number) => (role === wanted ? [number] : []));
}

/** The request about the takes of B-roll alone, numbered among them. */
function bRollEdit(edit: EditRequest, roles: readonly TakeRole[]): EditRequest {
  const order = numbersOf(roles, 'b_roll');
  const among = <Item extends { readonly take: number }>(items: readonly Item[]) =>
    items
      .filter(({ take }) => order.includes(take))
      .map((one) => ({ ...one, take: order.indexOf(one.take) }));
  return {
    ...edit,
    takes: order.map((number) => edit.takes[number]!),
    pins: among(edit.pins),
    bans: among(edit.bans),
  };
}

function pictured(edit: EditRequest, roles: readonly TakeRole[], parts: readonly TalkPart[]): BRollPlan {
  const order = numbersOf(roles, 'b_roll');
  failWith(
    edit.pins.flatMap(({ take }, at): FieldError[] =>
      roles[take] === 'b_roll'
        ? []
        : [
            {
              path: `edit.pins.${at}.video_id`,
              message: 'is a take that speaks; in a talk a pin chooses the B-roll of a slot',
            },
          ],
    ),
  );
  const sections = sectionsOf(parts, edit.frameRate);
  return planBRoll({ edit: bRollEdit(edit, roles), order, sections }, (pictures) =>
    shownOf(parts, pictures).map(({ picture }) => picture),
  );
}

/** The time of each take in the output, with the cuts at which its picture jumps. */
function sectionsOf(parts: readonly TalkPart[], frameRate: number): TalkSection[] {
  const sections: {
    startFrame: number;
    endFrame: number;
    cuts: { frame: number; hiddenSeconds: number }[];
    phrases: number[];
  }[] = [];
  for (const part of parts) {
    const { outputFrame, isTakeStart, before } = part;
    const last = sections.at(-1);
    if (isTakeStart || last === undefined) {
      sections.push({ startFrame: outputFrame, endFrame: outputEnd(part), cuts: [], phrases: [] });
      continue;
    }
    last.endFrame = outputEnd(part);
    last.phrases.push(outputFrame);
    if (before.seconds > JUMP_SECONDS + 0.5 / frameRate)
      last.cuts.push({ frame: outputFrame, hiddenSeconds: before.seconds });
  }
  return sections;
}

/** Parts and pictures in the order of the output; a picture replaces what it covers. */
function shownOf(
  parts: readonly TalkPart[],
  pictures: readonly { readonly startFrame: number; readonly endFrame: number }[],
): Shown[] {
  const shown: Shown[] = [];
  let next = 0;
  for (const part of parts) {
    let from = part.outputFrame;
    const end = outputEnd(part);
    const before = shown.at(-1);
    if (before?.picture != null) from = Math.max(from, before.endFrame);
    while (from < end) {
      const picture = pictures[next];
      const to = Math.min(end, picture?.startFrame ?? end);
      if (to > from) shown.push({ startFrame: from, endFrame: to, part, picture: null });
      if (picture === undefined || picture.startFrame >= end) break;
      shown.push({ startFrame: picture.startFrame, endFrame: picture.endFrame, part, picture: next });
      from = picture.endFrame;
      next++;
    }
  }
  return shown;
}

function slotOf(
  { startFrame, endFrame, part, picture }: Shown,
  { pictures }: BRollPlan,
  edit: EditRequest,
): PlannedSlot {
  const rate = edit.frameRate;
  const time = { startSeconds: startFrame / rate, endSeconds: endFrame / rate };
  const plain = {
    ...{ beat: null, transition: null, isJumpCut: false, beatsChanged: 0 },
    handles: { headSeconds: 0, tailSeconds: 0 },
  };
  const moved = part.startFrame - part.outputFrame;
  if (picture === null)
    return {
      ...{ ...time, ...plain, take: part.take, fit: 1, reasons: [{ code: 'speech' }], role: 'talk' },
      sourceStartSeconds: (startFrame + moved) / rate,
      sourceEndSeconds: (endFrame + moved) / rate,
      ...{ templateSlot: 0, isPinned: false, focus: null, alternatives: [] },
    };
  const { chosen, alternatives, hiddenSeconds, pin, templateSlot } = pictures[picture]!;
  const seconds = rounded(hiddenSeconds, 2);
  return {
    ...{ ...time, ...plain, ...chosen, templateSlot, alternatives, role: 'b_roll' },
    reasons: [
      ...(seconds > 0 ? [{ code: 'hides_cut', values: { seconds } } as const] : []),
      ...chosen.reasons,
    ],
    isPinned: pin !== null,
    focus: pin?.focus ?? null,
  };
}

function talkUse(take: number, { parts, removals }: TalkTrack, { bans, frameRate }: EditRequest): TakeUse {
  const isBanned = (removal: Span) =>
    bans.some((ban) => ban.take === take && overlapSeconds(ban, removal) > lengthOf(removal) / 2);
  const codeOf = (removal: TalkRemoval) =>
    removal.reason !== 'requested' ? removal.reason : isBanned(removal) ? 'banned' : 'excluded';
  const own = parts.filter((part) => part.take === take);
  const outputPlace = ({ startSeconds }: Span) => {
    const before = own.findLast(({ startFrame }) => startFrame / frameRate < startSeconds);
    const frame = before === undefined ? own[0]?.outputFrame : outputEnd(before);
    return frame === undefined ? {} : { at_seconds: rounded(frame / frameRate, 3) };
  };
  return {
    used: own.map(({ startFrame, endFrame }) => ({
      startSeconds: startFrame / frameRate,
      endSeconds: endFrame / frameRate,
    })),
    passedOver: removals[take]!.map((removal) => ({
      ...{ startSeconds: removal.startSeconds, endSeconds: removal.endSeconds },
      reason: {
        code: codeOf(removal),
        values: { certainty: rounded(removal.certainty, 3), ...outputPlace(removal) },
      },
    })),
  };
}

/** Unused parts of B-roll that are too short to be understood say so. */
function shortNamed({ used, passedOver }: TakeUse): TakeUse {
  const isShort = (span: Span) => lengthOf(span) > 0 && lengthOf(span) < MIN_B_ROLL_SECONDS;
  const short = { code: 'too_short_for_b_roll', values: { seconds: MIN_B_ROLL_SECONDS } } as const;
  return {
    used,
    passedOver: passedOver.map((one) =>
      one.reason.code === 'no_slot' && isShort(one) ? { ...one, reason: short } : one,
    ),
  };
}

function warningsOf(edit: EditRequest, roles: readonly TakeRole[], slots: readonly PlannedSlot[]): Warning[] {
  const warnings: Warning[] = [];
  const unused = edit.takes.flatMap(({ mustUse }, at) =>
    mustUse && !slots.some(({ take }) => take === at) ? [at] : [],
  );
  if (unused.length > 0) {
    const message = `No cut of the talk or usable moment was left for must-use take ${unused.join(', ')}.`;
    warnings.push({ code: 'EDIT_TAKE_UNUSED', message });
  }
  if (roles.includes('b_roll') && !slots.some(({ role }) => role === 'b_roll')) {
    const message = `No B-roll is shown: no cut of the talk needs it, or no usable part of it lasts ${MIN_B_ROLL_SECONDS} s. edit.takes says what was left out.`;
    warnings.push({ code: 'EDIT_NO_B_ROLL', message });
  }
  return warnings;
}
