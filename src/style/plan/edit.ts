/** An edit from many takes: from measurements and wishes to its timeline and its result. */
import { confidentFacts } from '../../analysis/confident-facts.ts';
import type { AudioFacts, ClipFacts } from '../../analysis/facts.ts';
import { materialOf } from '../../analysis/material/material.ts';
import type { Song } from '../../analysis/music/song.ts';
import { songOf } from '../../analysis/music/song-of.ts';
import type { EditOptions } from '../../domain/edit-options.ts';
import { musicStartFault } from '../../domain/edit-takes.ts';
import { Failure } from '../../domain/errors.ts';
import type { CubeGrade } from '../../domain/footage.ts';
import type { JobConfig } from '../../domain/job-config.ts';
import { oncePer } from '../../domain/once-per.ts';
import { totalSeconds } from '../../domain/spans.ts';
import type { Warning } from '../../domain/stage.ts';
import { isTalkEdit, requestedRole } from '../../domain/talk-takes.ts';
import { framesPerSecond } from '../../domain/time.ts';
import type { EditPlan, EditRequest, SlotChoice } from '../edit/edit-plan.ts';
import { barSeconds } from '../edit/music-window.ts';
import { planEdit } from '../edit/plan-edit.ts';
import { templateEditOf } from '../edit/template-edit.ts';
import { pacedSlots } from '../model/adjusted-slots.ts';
import { adjustedStyle, paceFactor } from '../model/adjusted-style.ts';
import type { MetricsOf } from '../model/caption-face.ts';
import { reasonText } from '../model/edit-reasons.ts';
import type { EditMusic, EditResult, EditSlotChoice } from '../model/edit-result.ts';
import type { Style } from '../model/schema.ts';
import type { Timeline } from '../model/timeline.ts';
import type { SourceCaptions } from './captions.ts';
import { editRate } from './edit-shape.ts';
import { planEditTimeline } from './edit-timeline.ts';
import { namedFileWarnings } from './file-warnings.ts';
import { planTalkEdit } from './talk-edit.ts';

export interface MeasuredTake {
  readonly videoId: string;
  /** Identifies the file and its part: names and order of files have no effect. */
  readonly content: string;
  readonly facts: ClipFacts;
}

export interface ManyTakesRequest {
  /** In the order of the request. */
  readonly takes: readonly MeasuredTake[];
  /** Null: no song. `templateStartSeconds`: start of the template in the song, if the template has the same song. */
  readonly music: { readonly audio: AudioFacts; readonly templateStartSeconds: number | null } | null;
  readonly style: Style;
  /** Null: a style without its template. */
  readonly template: ClipFacts | null;
  readonly config: JobConfig;
  /** A LUT that replaces the style's own grade. */
  readonly cube?: CubeGrade;
  /** The `video_id`s are those of the takes. */
  readonly options: EditOptions;
  readonly metricsOf: MetricsOf;
  /** Words of a talk, per take; null: none. Left out: it shows none. */
  readonly captions?: readonly (SourceCaptions | null)[];
}

export interface PlannedManyTakes {
  readonly timeline: Timeline;
  readonly edit: EditResult;
  readonly warnings: readonly Warning[];
}

/** Cached for the same measurements, because an edit is planned again after each change. */
const materialOnce = oncePer(materialOf);
const songOnce = oncePer((audio: AudioFacts) => songOf(audio));

/**
 * Plans an edit. Throws `Failure` VALIDATION_ERROR for impossible wishes, INPUT_UNSUPPORTED without a usable moment.
 */
export function planManyTakes(unadjusted: ManyTakesRequest): PlannedManyTakes {
  const style = adjustedStyle(unadjusted.style, unadjusted.config.adjust);
  const request = { ...unadjusted, style };
  const { takes, music, config, options } = request;
  const warnings: Warning[] = [];
  const facts = takes.map((take) => take.facts);
  const frameRate = editRate(facts, style, config, warnings);
  const song = music === null ? null : songOnce(music.audio);
  const edit = editRequest(request, song, framesPerSecond(frameRate));
  const plan = isTalkEdit(config.talk, options.takes)
    ? planTalkEdit({
        edit,
        facts: facts.map(confidentFacts),
        roles: takes.map(({ videoId }) => requestedRole(options.takes, videoId)),
        cues: (request.captions ?? []).map((one) => one?.cues ?? []),
        style,
        config,
        frameRate,
      })
    : planEdit(edit);
  const planned = planEditTimeline({
    ...request,
    takes: facts,
    music: music?.audio ?? null,
    barSeconds: song === null ? null : barSeconds(song),
    plan,
    frameRate,
  });
  return {
    timeline: planned.timeline,
    edit: resultOf(plan, request, song, templateSlots(unadjusted)),
    warnings: [...warnings, ...planned.warnings, ...fileWarnings(request)],
  };
}

/** The shot of the template that a slot of the adjusted style follows. */
function templateSlots({ style, config }: ManyTakesRequest): (slot: number) => number {
  const slots = style.edit === undefined ? [] : pacedSlots(style.edit.slots, paceFactor(config.adjust));
  return (slot) => slots[slot]?.origin ?? slot;
}

function editRequest(
  { takes, music, style, config, options }: ManyTakesRequest,
  song: Song | null,
  frameRate: number,
): EditRequest {
  const takeOf = (videoId: string) => {
    const index = takes.findIndex((take) => take.videoId === videoId);
    if (index === -1) throw new Failure('VALIDATION_ERROR', `${videoId} is not a take of this edit`);
    return index;
  };
  if (options.duration === 'music' && music === null)
    throw new Failure(
      'VALIDATION_ERROR',
      'duration "music" needs a song; without one it is "template" or seconds',
    );
  assertMusicStart(options, song);
  return {
    takes: takes.map(({ videoId, content, facts }) => {
      const wishes = options.takes.filter((take) => take.video_id === videoId);
      return {
        content,
        material: materialOnce(facts),
        exclude: wishes.flatMap(({ exclude }) => exclude.map(spanOf)),
        mustUse: wishes.some(({ must_use }) => must_use),
      };
    }),
    music:
      song === null
        ? null
        : {
            song,
            startSeconds: options.music?.start_seconds ?? null,
            templateStartSeconds: music!.templateStartSeconds,
          },
    template: templateEditOf(style),
    playsTakes: song === null || options.sound !== 'music',
    duration:
      typeof options.duration === 'number'
        ? { kind: 'seconds', seconds: options.duration }
        : { kind: options.duration },
    order: options.order,
    rhythm: options.rhythm,
    pins: options.pins.map(({ slot, video_id, start_seconds, focus = null }) => ({
      slot,
      take: takeOf(video_id),
      startSeconds: start_seconds,
      focus,
    })),
    lengths: options.lengths ?? [],
    bans: options.bans.map(({ video_id, range }) => ({ take: takeOf(video_id), ...spanOf(range) })),
    replan: options.replan,
    seed: config.seed,
    frameRate,
  };
}

/** Numbers of takes count from 1, in the order of the request. */
function fileWarnings({ takes, music, template }: ManyTakesRequest): Warning[] {
  return [
    ...takes.flatMap(({ facts }, index) => namedFileWarnings(`Take ${index + 1}`, facts)),
    ...(music === null ? [] : namedFileWarnings('The song', { video: null, audio: music.audio })),
    ...(template === null ? [] : namedFileWarnings('The template', template)),
  ];
}

/** The audible part of a song can end before its file does. */
function assertMusicStart({ music }: EditOptions, song: Song | null): void {
  const message = song === null ? null : musicStartFault(music?.start_seconds ?? null, song.soundEndSeconds);
  if (message === null) return;
  const path = 'edit.music.start_seconds';
  throw new Failure('VALIDATION_ERROR', `${path}: ${message}`, { fields: [{ path, message }] });
}

function spanOf([startSeconds, endSeconds]: readonly [number, number]) {
  return { startSeconds, endSeconds };
}

function resultOf(
  plan: EditPlan,
  { takes, options }: Pick<ManyTakesRequest, 'takes' | 'options'>,
  song: Song | null,
  templateSlotOf: (slot: number) => number,
): EditResult {
  const durationSeconds = toMilliseconds(plan.slots.at(-1)?.endSeconds ?? 0);
  const choice = ({
    take,
    sourceStartSeconds,
    sourceEndSeconds,
    fit,
    reasons,
  }: SlotChoice): EditSlotChoice => ({
    video_id: takes[take].videoId,
    source_start_seconds: toMilliseconds(sourceStartSeconds),
    source_end_seconds: toMilliseconds(sourceEndSeconds),
    fit: Number(fit.toFixed(3)),
    reasons: reasons.map((reason) => reasonText(reason)),
    reason_codes: reasons,
  });
  const range = ({
    startSeconds,
    endSeconds,
  }: {
    readonly startSeconds: number;
    readonly endSeconds: number;
  }) => [toMilliseconds(startSeconds), toMilliseconds(endSeconds)] as const;
  return {
    duration_seconds: durationSeconds,
    music_start_seconds: plan.musicStartSeconds === null ? null : toMilliseconds(plan.musicStartSeconds),
    music:
      song === null || plan.musicStartSeconds === null
        ? null
        : musicInOutput(song, plan.musicStartSeconds, durationSeconds),
    slots: plan.slots.map((slot) => ({
      ...choice(slot),
      start_seconds: toMilliseconds(slot.startSeconds),
      end_seconds: toMilliseconds(slot.endSeconds),
      beat: slot.beat,
      on_beat: slot.beat !== null,
      transition_in:
        slot.transition === null
          ? null
          : {
              type: slot.transition.type,
              duration_seconds: slot.transition.durationSeconds,
              ...(slot.transition.direction === undefined ? {} : { direction: slot.transition.direction }),
            },
      template_slot: templateSlotOf(slot.templateSlot),
      pinned: slot.isPinned,
      beats_changed: slot.beatsChanged,
      focus: slot.focus,
      alternatives: slot.alternatives.map(choice),
      ...(slot.role === undefined ? {} : { role: slot.role }),
    })),
    takes: plan.takes.map(({ used, passedOver }, index) => ({
      video_id: takes[index].videoId,
      ...roleOfTake(plan, index),
      used: used.map(range),
      passed_over: passedOver.map(({ reason, ...span }) => ({
        range: range(span),
        reason: reasonText(reason),
        reason_code: reason,
      })),
    })),
    ...talkOf(plan),
    revises: options.revises,
  };
}

function roleOfTake({ talk }: EditPlan, take: number): Partial<EditResult['takes'][number]> {
  if (talk === undefined) return {};
  const role = talk.roles[take]!;
  return {
    role,
    ...(role === 'talk' ? { removed_seconds: toMilliseconds(talk.removedSeconds[take]!) } : {}),
  };
}

function talkOf({ talk, slots }: EditPlan): Pick<EditResult, 'talk'> {
  if (talk === undefined) return {};
  const bRollSeconds = totalSeconds(slots.filter(({ role }) => role === 'b_roll'));
  return {
    talk: {
      removed_seconds: toMilliseconds(talk.removedSeconds.reduce((sum, seconds) => sum + seconds, 0)),
      b_roll_seconds: toMilliseconds(bRollSeconds),
      b_roll_share: Number((bRollSeconds / slots.at(-1)!.endSeconds).toFixed(3)),
    },
  };
}

function musicInOutput(song: Song, startSeconds: number, durationSeconds: number): EditMusic {
  return {
    beats: song.beats
      .map(({ timeSeconds, isDownbeat, isPhraseStart }) => ({
        at_seconds: toMilliseconds(timeSeconds - startSeconds),
        is_downbeat: isDownbeat,
        is_phrase_start: isPhraseStart,
      }))
      .filter(({ at_seconds: at }) => at >= 0 && at <= durationSeconds),
    sections: song.sections
      .map((section) => ({
        start_seconds: toMilliseconds(Math.max(0, section.startSeconds - startSeconds)),
        end_seconds: toMilliseconds(Math.min(durationSeconds, section.endSeconds - startSeconds)),
        energy: Number(section.energy.toFixed(3)),
      }))
      .filter(({ start_seconds: start, end_seconds: end }) => start < end),
  };
}

function toMilliseconds(seconds: number): number {
  return Number(seconds.toFixed(3));
}
