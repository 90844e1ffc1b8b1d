import { confidentFacts } from '../../analysis/confident-facts.ts';
import type { AudioFacts, ClipFacts, VideoFacts } from '../../analysis/facts.ts';
import type { EditOptions } from '../../domain/edit-options.ts';
import type { CubeGrade, Size } from '../../domain/footage.ts';
import { strengthOf } from '../../domain/job-choices.ts';
import type { JobConfig } from '../../domain/job-config.ts';
import { LastResult } from '../../domain/last-result.ts';
import { oncePer } from '../../domain/once-per.ts';
import { totalSeconds } from '../../domain/spans.ts';
import type { Warning } from '../../domain/stage.ts';
import { type FrameRate, framesPerSecond } from '../../domain/time.ts';
import type { EditPlan, PlannedSlot, ShownSpan } from '../edit/edit-plan.ts';
import { peopleShareOfTakes } from '../look/people.ts';
import type { MetricsOf } from '../model/caption-face.ts';
import type { Style } from '../model/schema.ts';
import { editShareOf } from '../model/strength.ts';
import {
  type Clip,
  type Take,
  type Timeline,
  type TimelineTransition,
  wholeClip,
} from '../model/timeline.ts';
import type { PlannedCaptions, SourceCaptions } from './captions.ts';
import { clipsOf } from './clips.ts';
import { MIN_ZOOM } from './closer-framing.ts';
import { editShape, type ShownTake } from './edit-shape.ts';
import { editSize, type SizedPart } from './edit-size.ts';
import { type AudibleSlot, planEditSound } from './edit-sound.ts';
import { planTitles } from './edit-titles.ts';
import { type Framing, piecesByView, viewOf } from './framing.ts';
import { colorKey, gradeOf } from './grade.ts';
import { audioOf } from './mastering.ts';
import { pushGrowth } from './motion.ts';
import { outputSize } from './output-size.ts';
import { alternatePhotoMove, filmedPhoto } from './photo.ts';
import { frameGrid, type Segment, segmentsOf, showsFace } from './segments.ts';
import { isSevereCrop } from './styled-shape.ts';
import { besideTitles, planTalkCaptions } from './talk-captions.ts';
import { talkSlotPieces } from './talk-slots.ts';
import { planTalkSound } from './talk-sound.ts';
import { MAX_OF_NEIGHBOUR, MIN_TRANSITION_SECONDS } from './transitions.ts';

export interface EditTimelineRequest {
  readonly takes: readonly ClipFacts[];
  /** Null: no song. */
  readonly music: AudioFacts | null;
  readonly barSeconds: number | null;
  readonly plan: EditPlan;
  readonly options: Pick<EditOptions, 'sound' | 'titles'>;
  readonly style: Style;
  /** Null: a style without its template. */
  readonly template: ClipFacts | null;
  readonly config: JobConfig;
  /** A LUT that replaces the style's own grade. */
  readonly cube?: CubeGrade;
  readonly frameRate: FrameRate;
  readonly metricsOf: MetricsOf;
  /** Words of a talk, per take; null: none. Left out: it shows none. */
  readonly captions?: readonly (SourceCaptions | null)[];
}

/** A slot with its frames in its take. */
interface FramedSlot<Slot = PlannedSlot> {
  readonly slot: Slot;
  readonly segment: Segment;
}

/** The edit decision list of a planned edit: framings, moves, transitions, grades and sound of its slots. */
export function planEditTimeline(request: EditTimelineRequest): { timeline: Timeline; warnings: Warning[] } {
  const { plan, style, config, frameRate } = request;
  const warnings: Warning[] = [];
  const shown = shownTakes(request, plan.slots);
  // What a person changes in one slot must not change the shape of the whole edit.
  const shape = editShape(shownTakes(request, plan.unchanged), style, config);
  const used = shown.flatMap(partedByFocus);
  const framings = used.map(shape.framingOf);
  const output = editSize(sizedParts(used, framings, request), config, warnings);
  const on = (name: Parameters<typeof strengthOf>[1]) => strengthOf(config, name) > 0;
  const clipsBySlot = new Map<PlannedSlot, readonly Clip[]>();
  const grades = new Map<number, TakeGrade>();
  const gradedBy = {
    colors: colorKey(style),
    leastPeople: peopleShareOfTakes(request.takes.map(({ video }) => video)),
  };
  const closer =
    on('pacing') && config.pacing !== 'keep' ? closerSlots(plan.slots) : new Map<PlannedSlot, PlannedSlot>();
  for (const [index, take] of used.entries()) {
    const framing = framings[index];
    for (const [slot, clips] of clipsOfSlots(take, framing, output)) clipsBySlot.set(slot, clips);
    hideJumpCuts(take, framing, { closer, clipsBySlot, output });
    if (on('color') && !grades.has(take.number))
      grades.set(take.number, gradeOnce(request, take.facts, gradedBy));
  }
  const clips = plan.slots.flatMap((slot) => clipsBySlot.get(slot) ?? []);
  const timeline: Timeline = {
    version: 2,
    frameRate,
    ...output,
    takes: request.takes.map((_, number) => ({ grade: grades.get(number)?.grade ?? null })),
    clips,
    transitions: on('transitions') ? transitionsOf(plan, clipsBySlot, request) : [],
    ...soundOf(request, warnings),
    ...textsOf(request, output, warnings),
    ...(shape.notFollowed === null ? {} : { notFollowed: [shape.notFollowed] }),
  };
  return { timeline, warnings: [...plan.warnings, ...gradeWarnings([...grades.values()]), ...warnings] };
}

/** The clips of each slot of a take: one, or more where the framing changes within the slot. */
function clipsOfSlots(take: UsedTake, framing: Framing, output: Size): Map<PlannedSlot, readonly Clip[]> {
  const { facts, grid, slots, number } = take;
  const isPhoto = facts.video.isStill;
  const piecesBySlot = take.isTalk
    ? talkSlotPieces(take, framing)
    : slots.map(({ segment }) => piecesByView([{ ...segment, reason: 'slot', isCloser: false }], framing));
  const pieces = piecesBySlot.flat();
  const growth = pieces.map(({ startFrame, endFrame }) =>
    isPhoto ? pushGrowth((endFrame - startFrame) / framesPerSecond(grid.rate)) : 1,
  );
  const clips = clipsOf(facts, framing, grid, pieces, stillMovement(growth, output)).map(
    (clip): Clip => ({ ...clip, take: number, reason: 'slot' }),
  );
  let at = 0;
  return new Map(
    slots.map(({ slot }, index) => {
      const own = clips.slice(at, at + piecesBySlot[index].length);
      at += own.length;
      return [slot, isPhoto ? own.map((clip) => alternatePhotoMove(clip, index)) : own];
    }),
  );
}

/** No movement but growth: takes keep their own shake. */
function stillMovement(growth: readonly number[], output: Size): Parameters<typeof clipsOf>[4] {
  return { growth, output, wantedShake: null, reach: 1 };
}

interface TakeGrade extends Take {
  readonly warnings: readonly Warning[];
}

const lastGrades = oncePer((_video: VideoFacts) => new LastResult<TakeGrade>());

/** The grade of a take, which is the last one where the style's colors, the strength and the guard of skin are the same. */
function gradeOnce(
  { style, config, cube }: EditTimelineRequest,
  facts: ClipFacts,
  { colors, leastPeople }: { readonly colors: string; readonly leastPeople: number },
): TakeGrade {
  const source = { source: facts, config, leastPeople, ...(cube === undefined ? {} : { cube }) };
  return lastGrades(facts.video).of([colors, strengthOf(config, 'color'), cube, leastPeople], () => {
    const warnings: Warning[] = [];
    // Of the whole take: colors of a slot must not change with the choice of another.
    const whole = [wholeClip(0, facts.video.durationSeconds)];
    return { grade: gradeOf(source, whole, style, warnings), warnings };
  });
}

/** The first of each code: what limits a grade usually does so in most takes. */
function gradeWarnings(grades: readonly TakeGrade[]): Warning[] {
  return [
    ...Map.groupBy(
      grades.flatMap(({ warnings }) => warnings),
      ({ code }) => code,
    ).values(),
  ].map(([first]) => first!);
}

/**
 * Slots that the second camera shows, each with the slot beside it from which its size must differ. By number, every second one at a jump
 * cut: another choice in one slot changes the framing of its neighbors at most.
 */
function closerSlots(slots: readonly PlannedSlot[]): Map<PlannedSlot, PlannedSlot> {
  const isHidden = (index: number) => slots[index]?.isJumpCut === true && slots[index]!.transition === null;
  const closer = new Map<PlannedSlot, PlannedSlot>();
  for (let index = 1; index < slots.length; index += 2) {
    const beside = isHidden(index) ? slots[index - 1] : isHidden(index + 1) ? slots[index + 1] : undefined;
    if (beside !== undefined) closer.set(slots[index]!, beside);
  }
  return closer;
}

interface JumpCuts {
  readonly closer: ReturnType<typeof closerSlots>;
  /** Changed. */
  readonly clipsBySlot: Map<PlannedSlot, readonly Clip[]>;
  readonly output: Size;
}

/**
 * Frames slots closer than those beside them, where the picture and its subjects leave room for a change that is seen; a severe crop is close
 * already. Only where a face is found: of people seen from behind, heads were cut.
 */
function hideJumpCuts(
  { facts, grid, slots, number }: UsedTake,
  framing: Framing,
  { closer, clipsBySlot, output }: JumpCuts,
): void {
  for (const { slot, segment } of slots) {
    const beside = slots.find((one) => one.slot === closer.get(slot));
    const [wide, ...more] = clipsBySlot.get(slot)!;
    if (beside === undefined || more.length > 0 || wide!.fit !== 'crop') continue;
    if (!showsFace(facts.motion, slot.sourceStartSeconds, slot.sourceEndSeconds)) continue;
    if (isSevereCrop(wide!.from, viewOf(framing, segment).area)) continue;
    const pieces = [beside.segment, segment].map((run, at) => ({
      ...run,
      reason: 'slot' as const,
      isCloser: at === 1,
    }));
    const framed = clipsOf(facts, framing, grid, pieces, stillMovement([1, 1], output))[1]!;
    if (framed.from.width * MIN_ZOOM <= wide!.from.width + 1e-6)
      clipsBySlot.set(slot, [{ ...framed, take: number }]);
  }
}

interface UsedTake<Slot = PlannedSlot> extends ShownTake {
  readonly number: number;
  /** In the order of the take's time. */
  readonly slots: readonly FramedSlot<Slot>[];
  /** Somebody speaks in it: its slots are parts of one run. */
  readonly isTalk: boolean;
}

/** Each used take with its slots, in the order of its time. Pinned slots of one take may overlap. */
function shownTakes<Slot extends ShownSpan>(
  { takes, frameRate, plan }: EditTimelineRequest,
  shown: readonly Slot[],
): UsedTake<Slot>[] {
  const rate = framesPerSecond(frameRate);
  const longest = shown.reduce((most, slot) => Math.max(most, slot.sourceEndSeconds), 0);
  return takes.flatMap((confident, number): UsedTake<Slot>[] => {
    const own = shown.filter(({ take }) => take === number);
    if (own.length === 0) return [];
    const facts = confident.video.isStill
      ? filmedPhoto(confident, longest, frameRate)
      : confidentFacts(confident);
    const grid = frameGrid(frameRate, facts.video.durationSeconds);
    const slots = own
      .map((slot): FramedSlot<Slot> => {
        const outputFrame = Math.round(slot.startSeconds * rate);
        const length = Math.round(slot.endSeconds * rate) - outputFrame;
        const startFrame = Math.max(
          0,
          Math.min(grid.frameCount - length, Math.round(slot.sourceStartSeconds * rate)),
        );
        return { slot, segment: { startFrame, endFrame: startFrame + length } };
      })
      .sort((one, other) => one.segment.startFrame - other.segment.startFrame);
    const isTalk = plan.talk?.roles[number] === 'talk';
    // Parts of one shot have one framing.
    const segments = isTalk ? segmentsOf(facts.video, grid) : slots.map(({ segment }) => segment);
    return [{ number, facts, grid, slots, segments, isTalk, focus: null }];
  });
}

/** Slots with a focus stand alone: each has its own, and another slot may show the same moment. */
function partedByFocus(take: UsedTake): UsedTake[] {
  if (take.isTalk) return [take];
  const part = (slots: readonly FramedSlot[], focus: UsedTake['focus']) => ({
    ...take,
    ...{ slots, focus, segments: slots.map(({ segment }) => segment) },
  });
  const others = take.slots.filter(({ slot }) => slot.focus === null);
  const own = take.slots.filter(({ slot }) => slot.focus !== null);
  return [
    ...(others.length === 0 ? [] : [part(others, null)]),
    ...own.map((framed) => part([framed], framed.slot.focus)),
  ];
}

/** Each part with the size that it would have alone. */
function sizedParts(
  used: readonly UsedTake[],
  framings: readonly Framing[],
  { template, config }: EditTimelineRequest,
): SizedPart[] {
  return used.map(({ facts, segments }, index) => ({
    own: outputSize(framings[index].shown, facts.video, template?.video ?? null, config).size,
    shown: framings[index].shown,
    frames: segments.reduce((sum, { startFrame, endFrame }) => sum + endFrame - startFrame, 0),
  }));
}

function transitionsOf(
  { slots }: EditPlan,
  clipsBySlot: ReadonlyMap<PlannedSlot, readonly Clip[]>,
  { style, config, frameRate }: EditTimelineRequest,
): TimelineTransition[] {
  const frameSeconds = 1 / framesPerSecond(frameRate);
  const reach = editShareOf(strengthOf(config, 'transitions'));
  const transitions: TimelineTransition[] = [];
  let [clipIndex, wanted] = [0, 0];
  for (const [index, slot] of slots.entries()) {
    const { transition } = slot;
    if (transition !== null && index > 0) {
      wanted++;
      const before = slots[index - 1];
      const room = Math.min(before.endSeconds - before.startSeconds, slot.endSeconds - slot.startSeconds);
      const durationSeconds = Math.min(transition.durationSeconds, MAX_OF_NEIGHBOUR * room);
      const color = style.transition_color;
      const isPlaced =
        Math.round(wanted * reach) > transitions.length && durationSeconds >= MIN_TRANSITION_SECONDS;
      if (isPlaced && (transition.type !== 'fade_color' || color !== undefined))
        transitions.push({
          ...transition,
          clipIndex,
          durationSeconds,
          ...(transition.type === 'fade_color' ? { color: color! } : {}),
          ...(Math.min(before.handles.tailSeconds, slot.handles.headSeconds) >=
          durationSeconds / 2 + frameSeconds
            ? { hasHandles: true }
            : {}),
        });
    }
    clipIndex += clipsBySlot.get(slot)?.length ?? 0;
  }
  return transitions;
}

/** Titles, and the words of a talk. */
function textsOf(
  { takes, captions, plan, options, style, config, frameRate, metricsOf }: EditTimelineRequest,
  output: Pick<Timeline, 'width' | 'height'>,
  warnings: Warning[],
): PlannedCaptions {
  const totalSeconds = plan.slots.at(-1)?.endSeconds ?? 0;
  const titles = planTitles(options.titles, { style, output, totalSeconds, metricsOf }, warnings);
  if (plan.talk === undefined || captions === undefined) return titles;
  const talk = {
    ...{ captions, takes, style, output, parts: plan.talk.parts },
    isRequested: config.captions === 'transcribe',
    frameRate: framesPerSecond(frameRate),
  };
  return besideTitles(planTalkCaptions(talk, warnings), titles);
}

function soundOf(
  { takes, music, barSeconds, plan, options, style, config, frameRate }: EditTimelineRequest,
  warnings: Warning[],
): Pick<Timeline, 'audio' | 'sound'> {
  const { talk } = plan;
  const slots = plan.slots.filter(({ role }) => role !== 'b_roll');
  const mixed = {
    ...{ music, barSeconds, sound: options.sound },
    takes: takes.map(({ audio }) => audio),
    musicStartSeconds: plan.musicStartSeconds ?? 0,
  };
  const sound =
    talk === undefined
      ? planEditSound({ ...mixed, slots })
      : planTalkSound({ ...mixed, parts: talk.parts, frameRate: framesPerSecond(frameRate) }, warnings);
  if (sound === null) return { audio: null };
  const isSong = talk === undefined && music !== null && options.sound !== 'takes';
  const audio = isSong ? music : mostAudible(takes, slots);
  return { audio: audioOf(audio, style, strengthOf(config, 'audio'), warnings), sound };
}

/** Facts of the take with the longest audible sound. */
function mostAudible(takes: readonly ClipFacts[], slots: readonly AudibleSlot[]): AudioFacts | null {
  const seconds = takes.map(({ audio }, number) =>
    audio === null ? -1 : totalSeconds(slots.filter(({ take }) => take === number)),
  );
  return takes[seconds.indexOf(Math.max(...seconds))]?.audio ?? null;
}
