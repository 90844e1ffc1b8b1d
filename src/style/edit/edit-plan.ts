/** Inputs and result of planning an edit from many takes: plain data, without pixels or files. */
import type { Direction, Easing, Span, TransitionType } from '../../analysis/facts.ts';
import type { TakeMaterial } from '../../analysis/material/take-material.ts';
import type { Song } from '../../analysis/music/song.ts';
import type { Warning } from '../../domain/stage.ts';
import type { EditReason } from '../model/edit-reasons.ts';
import type { TakeRole, TalkPlan } from './talk-plan.ts';

export interface EditTake {
  /** Identity by content, so that names and order of files decide nothing: SHA-256 of the file and its part. */
  readonly content: string;
  readonly material: TakeMaterial;
  /** In seconds of the take. */
  readonly exclude: readonly Span[];
  readonly mustUse: boolean;
}

export interface EditPin {
  /** Number of the slot, from 0. */
  readonly slot: number;
  readonly take: number;
  /** In the take; null: the plan decides. */
  readonly startSeconds: number | null;
  /** Point of the picture that crops keep in view, in shares of it; null or left out: the plan decides. */
  readonly focus?: Point | null;
}

/** In shares of a picture, from its upper left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A slot that is longer or shorter than planned. */
export interface EditLength {
  /** Number of the slot, from 0. */
  readonly slot: number;
  /** Whole beats more, or less. 0: no other slot changes it. */
  readonly beats: number;
}

export interface EditBan extends Span {
  readonly take: number;
}

export interface EditMusic {
  readonly song: Song;
  /** Where the edit begins in the song; null: the plan decides. */
  readonly startSeconds: number | null;
  /** Start of the template within this song, where it is the template's own song; null: another song. */
  readonly templateStartSeconds: number | null;
}

/** Transition into a slot; null: a cut. */
export interface SlotTransition {
  readonly type: Exclude<TransitionType, 'cut'>;
  readonly durationSeconds: number;
  readonly easing: Easing;
  readonly direction?: Direction;
}

export type SizeClass = 'close' | 'medium' | 'wide';
export type CameraMove = 'static' | 'pan' | 'tilt' | 'zoom_in' | 'zoom_out' | 'handheld';

/** A shot of the template as a place to fill. Ranks 0..1 are among the template's own shots, by time; null: not measured. */
export interface TemplateSlot {
  readonly durationSeconds: number;
  /** Null: the template has no beat. */
  readonly beats: number | null;
  /** Position of the cut into it within a beat, 0..1 exclusive; null: no beat. */
  readonly phase: number | null;
  readonly motionRank: number | null;
  readonly activityRank: number | null;
  readonly contrastRank: number | null;
  readonly detailRank: number | null;
  readonly lightnessRank: number | null;
  /** Means in the units of `MaterialCurves`; null: not measured. */
  readonly motion: number | null;
  readonly activity: number | null;
  readonly contrast: number | null;
  readonly detail: number | null;
  readonly lightness: number | null;
  readonly size: SizeClass | null;
  /** 0..1 */
  readonly sizeConfidence: number;
  readonly move: CameraMove | null;
  readonly speaks: boolean;
  /** Number of the first slot that shows the same view; null: none does. */
  readonly returnsTo: number | null;
  readonly transition: SlotTransition | null;
}

/** The fields of a template that an edit follows: the group `edit` of a Style DNA, in this module's names. */
export interface TemplateEdit {
  readonly slots: readonly TemplateSlot[];
  /** Share of cuts within 60 ms of a beat, 0..1; null: no beat. */
  readonly onBeatShare: number | null;
  readonly tempoBpm: number | null;
  /** Cuts per bar in quiet, medium and loud thirds of the music; null: not measured. */
  readonly cutsPerBarByEnergy: readonly [number, number, number] | null;
}

export interface EditRequest {
  readonly takes: readonly EditTake[];
  /** Null: the edit has no song. */
  readonly music: EditMusic | null;
  readonly template: TemplateEdit;
  /** Whether sound of the takes is heard: then phrases of speech stay whole. */
  readonly playsTakes: boolean;
  /** Requested length. */
  readonly duration:
    | { readonly kind: 'template' }
    | { readonly kind: 'music' }
    | { readonly kind: 'seconds'; readonly seconds: number };
  /** `story`: takes in the listed order, by time within a take. `free`: any order. */
  readonly order: 'story' | 'free';
  readonly rhythm: EditRhythm;
  readonly pins: readonly EditPin[];
  readonly lengths: readonly EditLength[];
  readonly bans: readonly EditBan[];
  /** Whether the edit is planned as if what is banned were not there; otherwise a ban changes its slots alone. */
  readonly replan: boolean;
  readonly seed: number;
  /** Frames per second of the output: all output times lie on its frames. */
  readonly frameRate: number;
}

/** `on_beat`: all cuts lie on beats of a song whose beats are known. `loose`: as near to beats as the template's. */
export type EditRhythm = 'on_beat' | 'loose';

/** A span of a take that fills, or could fill, a slot. */
export interface SlotChoice {
  readonly take: number;
  /** The source may be up to 1.5 frames shorter than its slot, whose last frame then stays: lengths of takes and slots are rounded. */
  readonly sourceStartSeconds: number;
  readonly sourceEndSeconds: number;
  /** 0..1, higher is better; comparable within one slot only. */
  readonly fit: number;
  readonly reasons: readonly EditReason[];
}

export interface PlannedSlot extends SlotChoice {
  /** In the output, on whole frames; slots follow each other without gaps. */
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** Number of the beat of the song at its start, from 0; null: off the beat, or no song. */
  readonly beat: number | null;
  /** Which of the template's slots it follows. */
  readonly templateSlot: number;
  readonly transition: SlotTransition | null;
  readonly isPinned: boolean;
  /** A cut into it shows the picture with which the slot before ends. */
  readonly isJumpCut: boolean;
  /** Usable time of the take before and after its span that no other slot shows: what transitions may show. */
  readonly handles: { readonly headSeconds: number; readonly tailSeconds: number };
  /** Beats by which wishes about lengths made it longer, or shorter if negative. */
  readonly beatsChanged: number;
  /** Point that its pin keeps in view; null: chosen. */
  readonly focus: Point | null;
  /** The best others, at most five. */
  readonly alternatives: readonly SlotChoice[];
  /** In a talk; left out: the edit is no talk. */
  readonly role?: TakeRole;
}

export interface TakeUse {
  readonly used: readonly Span[];
  /** Passed over, and why: a fault, a wish of the user, a repetition, or no slot that it fits. */
  readonly passedOver: readonly (Span & { readonly reason: EditReason })[];
}

/** A span of a take in the output. */
export type ShownSpan = Pick<
  PlannedSlot,
  'take' | 'sourceStartSeconds' | 'sourceEndSeconds' | 'startSeconds' | 'endSeconds'
>;

export interface EditPlan {
  readonly slots: readonly PlannedSlot[];
  /** What the plan shows without pins, lengths, bans and seed: these do not change the shape of the output. */
  readonly unchanged: readonly ShownSpan[];
  /** Where the song begins at the output's start; null: no song. */
  readonly musicStartSeconds: number | null;
  /** One per take, in the request's order. */
  readonly takes: readonly TakeUse[];
  readonly warnings: readonly Warning[];
  /** Left out: the edit is no talk. */
  readonly talk?: TalkPlan;
}
