/** Slots that a person makes longer or shorter by beats: which cuts move. Pure. */
import type { FieldError } from '../../domain/errors.ts';
import { refusal } from '../../domain/refusals.ts';
import { type CutPlan, minSlotSeconds } from './cut-plan.ts';
import type { EditRequest } from './edit-plan.ts';
import { failWith } from './edit-requests.ts';
import { beatPositionAt, beatSeconds, beatTimeAt, withoutGaps } from './music-window.ts';
import { TOLERATED_FRAMES } from './slot-candidates.ts';

/** Of a template without a tempo, and no song: 120 beats a minute. */
const DEFAULT_BEAT_SECONDS = 0.5;
/** Cuts lie on quarters of a beat, or beside the grid as in the template. */
const STEPS_PER_BEAT = 4;

export interface ChangedCuts {
  readonly cuts: CutPlan;
  /** Beats by which each slot is longer than before. */
  readonly beats: readonly number[];
}

/**
 * The cut after a slot moves, and all up to the nearest slot that has the time: the rest of the edit stays. Where none has it, the
 * edit's end moves.
 *
 * @param longestSeconds Longest span that a take can fill.
 * @throws Failure `VALIDATION_ERROR` that names every length that cannot be followed.
 */
export function changedCuts(cuts: CutPlan, request: EditRequest, longestSeconds: number): ChangedCuts {
  checkSlots(request, cuts.slots.length);
  const line = new CutLine(cuts, request);
  const named = new Set(request.lengths.map(({ slot }) => slot));
  for (const { slot, beats } of request.lengths.toSorted((one, other) => one.slot - other.slot)) {
    const by = Math.sign(beats);
    for (let beat = 0; beat < Math.abs(beats); beat++) {
      const other = nearest(slot, cuts.slots.length, (at) => {
        if (named.has(at)) return false;
        const seconds = line.secondsOf(at) - by * line.beatSeconds;
        return seconds >= leastSeconds(request) && (by > 0 || seconds <= longestSeconds);
      });
      line.lengthen(slot, by, other);
    }
  }
  checkLengths(request, line, longestSeconds);
  return line.changed();
}

/** The cuts with a slot that lasts `by` beats longer, and those after it as much later; null: the music ends before. */
export function lengthenedCuts(cuts: CutPlan, request: EditRequest, slot: number, by = 1): CutPlan | null {
  const line = new CutLine(cuts, request);
  line.lengthen(slot, by, null);
  return line.endsAfterMusic ? null : line.changed().cuts;
}

/** Cuts of an edit in frames, which move by beats; the last is its end. */
class CutLine {
  readonly beatSeconds: number;
  /** From the edit's start to the end of the music. */
  readonly musicSeconds: number;
  readonly #cuts: CutPlan;
  readonly #frameRate: number;
  readonly #frameOf: (position: number) => number;
  readonly #frames: readonly number[];
  readonly #positions: readonly number[];
  readonly #moves: number[];

  constructor(cuts: CutPlan, request: EditRequest) {
    const grid = beatGrid(request, cuts.musicStartSeconds);
    this.beatSeconds = grid.beatSeconds;
    const { music } = request;
    const { musicStartSeconds: start } = cuts;
    this.musicSeconds =
      music === null || start === null ? Number.POSITIVE_INFINITY : music.song.soundEndSeconds - start;
    this.#cuts = cuts;
    this.#frameRate = request.frameRate;
    this.#frameOf = grid.frameOf;
    this.#frames = [...cuts.slots.map(({ startFrame }) => startFrame), cuts.slots.at(-1)!.endFrame];
    this.#positions = this.#frames.map(grid.positionOf);
    this.#moves = this.#frames.map(() => 0);
  }

  /** @param other Slot that gives or takes the beat; null: the end moves. */
  lengthen(slot: number, by: number, other: number | null): void {
    if (other === null) this.#move(slot + 1, this.#cuts.slots.length, by);
    else if (other > slot) this.#move(slot + 1, other, by);
    else this.#move(other + 1, slot, -by);
  }

  #move(from: number, to: number, by: number): void {
    for (let cut = from; cut <= to; cut++) this.#moves[cut]! += by;
  }

  #frameAt(cut: number): number {
    const moved = this.#moves[cut]!;
    return moved === 0 ? this.#frames[cut]! : this.#frameOf(this.#positions[cut]! + moved);
  }

  secondsOf(slot: number): number {
    return (this.#frameAt(slot + 1) - this.#frameAt(slot)) / this.#frameRate;
  }

  get endSeconds(): number {
    return this.#frameAt(this.#cuts.slots.length) / this.#frameRate;
  }

  /** By more than a frame. */
  get endsAfterMusic(): boolean {
    return this.endSeconds > this.musicSeconds + 1 / this.#frameRate;
  }

  get isLonger(): boolean {
    return this.#moves.at(-1)! > 0;
  }

  changed(): ChangedCuts {
    const slots = this.#cuts.slots.map((slot, at) => ({
      ...slot,
      startFrame: this.#frameAt(at),
      endFrame: this.#frameAt(at + 1),
    }));
    return {
      cuts: { ...this.#cuts, slots },
      beats: slots.map((_, at) => this.#moves[at + 1]! - this.#moves[at]!),
    };
  }
}

/** The nearest after a slot that is suitable, else the nearest before it. */
function nearest(slot: number, count: number, isSuitable: (at: number) => boolean): number | null {
  for (let at = slot + 1; at < count; at++) if (isSuitable(at)) return at;
  for (let at = slot - 1; at >= 0; at--) if (isSuitable(at)) return at;
  return null;
}

/** Beats in frames of the output: of the song, else at the template's tempo. */
function beatGrid({ music, template, frameRate }: EditRequest, musicStart: number | null) {
  const period = music === null ? null : beatSeconds(music.song);
  if (music === null || musicStart === null || period === null) {
    const seconds = template.tempoBpm === null ? DEFAULT_BEAT_SECONDS : 60 / template.tempoBpm;
    return {
      beatSeconds: seconds,
      positionOf: (frame: number) => frame / frameRate / seconds,
      frameOf: (position: number) => Math.round(position * seconds * frameRate),
    };
  }
  const song = withoutGaps(music.song);
  const frameOf = (position: number) =>
    Math.round((beatTimeAt(song, period, position) - musicStart) * frameRate);
  return {
    beatSeconds: period,
    frameOf,
    positionOf: (frame: number) => {
      const position = beatPositionAt(song, period, musicStart + frame / frameRate);
      const onGrid = Math.round(position * STEPS_PER_BEAT) / STEPS_PER_BEAT;
      // Without this a moved cut would be rounded to frames twice.
      return Math.abs(frameOf(onGrid) - frame) <= 1 ? onGrid : position;
    },
  };
}

/** A slot that was rounded down to frames is not too short. */
function leastSeconds({ template, frameRate }: EditRequest): number {
  return minSlotSeconds(template) - 1 / frameRate;
}

function checkSlots({ lengths }: EditRequest, count: number): void {
  failWith(
    lengths.flatMap(({ slot }, at) =>
      slot < count
        ? []
        : [refusal(`edit.lengths.${at}.slot`, 'SLOT_MISSING', { slot, last_slot: count - 1 })],
    ),
  );
}

function checkLengths(request: EditRequest, line: CutLine, longestSeconds: number): void {
  const { lengths, pins, template, frameRate } = request;
  const fields = lengths.flatMap(({ slot, beats }, at): FieldError[] => {
    const seconds = line.secondsOf(slot);
    const path = `edit.lengths.${at}.beats`;
    if (beats < 0 && seconds < leastSeconds(request))
      return [refusal(path, 'SLOT_TOO_SHORT', { slot, seconds, least_seconds: minSlotSeconds(template) })];
    const isPinned = pins.some((pin) => pin.slot === slot);
    if (beats <= 0 || isPinned || seconds <= longestSeconds + TOLERATED_FRAMES / frameRate) return [];
    return [refusal(path, 'SLOT_TOO_LONG', { slot, seconds, most_seconds: longestSeconds })];
  });
  const { endSeconds, musicSeconds } = line;
  if (line.isLonger && line.endsAfterMusic) {
    const values = { seconds: endSeconds, most_seconds: musicSeconds };
    fields.push(refusal('edit.lengths', 'MUSIC_TOO_SHORT', values));
  }
  failWith(fields);
}
