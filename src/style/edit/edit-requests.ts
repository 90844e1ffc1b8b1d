/** Whether the requests of a person for an edit are possible. */
import { Failure, type FieldError } from '../../domain/errors.ts';
import { refusal } from '../../domain/refusals.ts';
import type { EditPin, EditRequest } from './edit-plan.ts';
import { TOLERATED_FRAMES } from './slot-candidates.ts';

/** @throws Failure `VALIDATION_ERROR` that names every pin, ban and length that no plan can follow. */
export function checkRequest(request: EditRequest): void {
  const fields = [
    ...request.pins.flatMap((pin, at) => pinErrors(pin, at, request)),
    ...request.bans.flatMap(({ take }, at) => takeErrors(take, `edit.bans.${at}.video_id`, request)),
    ...slotLengthErrors(request),
    ...lengthErrors(request),
  ];
  failWith(fields);
}

/**
 * @param seconds Length of each slot of the plan.
 * @throws Failure `VALIDATION_ERROR` if a pin names a slot that the plan does not have, or a take that is too short for its slot.
 */
export function checkPinnedSlots({ pins, takes, frameRate }: EditRequest, seconds: readonly number[]): void {
  const fields = pins.flatMap(({ slot, take }, at): FieldError[] => {
    if (slot >= seconds.length)
      return [refusal(`edit.pins.${at}.slot`, 'SLOT_MISSING', { slot, last_slot: seconds.length - 1 })];
    const { durationSeconds, isPhoto } = takes[take].material;
    if (isPhoto || durationSeconds >= seconds[slot] - TOLERATED_FRAMES / frameRate) return [];
    const values = { slot, take_seconds: durationSeconds, slot_seconds: seconds[slot]! };
    return [refusal(`edit.pins.${at}.video_id`, 'PINNED_TAKE_TOO_SHORT', values)];
  });
  failWith(fields);
}

/**
 * @param empty First slot without a shot; -1: none.
 * @throws Failure `VALIDATION_ERROR` if wishes about lengths leave a slot that no shot fills.
 */
export function checkFilled({ lengths }: EditRequest, empty: number, beatsChanged: readonly number[]): void {
  if (empty < 0) return;
  const named = lengths.findIndex(({ slot }) => slot === empty);
  const at = named >= 0 ? named : lengths.findIndex(({ beats }) => beats !== 0);
  const values = { slot: empty, beats: beatsChanged[empty]! };
  failWith([refusal(`edit.lengths.${at}.beats`, 'SLOT_EMPTY', values)]);
}

/** @throws Failure `VALIDATION_ERROR` if there are any errors. */
export function failWith(fields: readonly FieldError[]): void {
  if (fields.length === 0) return;
  const detail = fields.map(({ path, message }) => `${path} ${message}`).join('; ');
  throw new Failure('VALIDATION_ERROR', detail, { fields });
}

function slotLengthErrors({ lengths }: EditRequest): FieldError[] {
  return lengths.flatMap(({ slot }, at) => {
    const same = lengths.findIndex((other) => other.slot === slot);
    if (same === at) return [];
    return [{ path: `edit.lengths.${at}.slot`, message: `is ${slot}, which length ${same} names already` }];
  });
}

function pinErrors(pin: EditPin, at: number, request: EditRequest): FieldError[] {
  const path = `edit.pins.${at}`;
  const errors = takeErrors(pin.take, `${path}.video_id`, request);
  if (!Number.isInteger(pin.slot) || pin.slot < 0)
    errors.push({ path: `${path}.slot`, message: `is ${pin.slot}, but slots are numbered from 0` });
  const same = request.pins.findIndex(({ slot }) => slot === pin.slot);
  if (same < at)
    errors.push({ path: `${path}.slot`, message: `is ${pin.slot}, which pin ${same} fills already` });
  if (errors.length > 0 || pin.startSeconds === null) return errors;
  const { durationSeconds, isPhoto } = request.takes[pin.take].material;
  if (isPhoto || (pin.startSeconds >= 0 && pin.startSeconds < durationSeconds)) return [];
  const message = `is ${pin.startSeconds}, but the take lasts from 0 to ${durationSeconds.toFixed(2)} s`;
  return [{ path: `${path}.start_seconds`, message }];
}

function takeErrors(take: number, path: string, { takes }: EditRequest): FieldError[] {
  return takes[take] === undefined
    ? [{ path, message: `is take ${take}, but this edit has the takes 0 to ${takes.length - 1}` }]
    : [];
}

function lengthErrors({ duration, music }: EditRequest): FieldError[] {
  if (duration.kind === 'music' && music === null)
    return [{ path: 'edit.duration', message: 'is "music", but this edit has no music' }];
  if (duration.kind === 'seconds' && !(duration.seconds >= 1))
    return [{ path: 'edit.duration', message: `is ${duration.seconds}, but an edit lasts at least 1 s` }];
  if (music !== null && music.song.soundEndSeconds <= 0)
    return [{ path: 'edit.music', message: 'is silent; name a song that sounds, or no music' }];
  const start = music?.startSeconds ?? 0;
  if (music !== null && (start < 0 || start >= music.song.soundEndSeconds))
    return [
      {
        path: 'edit.music.start_seconds',
        message: `is ${start}, but the music sounds from 0 to ${music.song.soundEndSeconds.toFixed(2)} s`,
      },
    ];
  return [];
}
