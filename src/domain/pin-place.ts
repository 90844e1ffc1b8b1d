/** Where a pinned shot may begin: outside the parts of its take that bans and exclusions forbid. Pure. */
import type { FieldError } from './errors.ts';
import type { TimeRange } from './time-range.ts';

/** Interfaces show times in tenths of a second, and callers send them back; .001 s more for rounding. */
const TOLERANCE_SECONDS = 0.101;

/** Of sums of seconds: 8.1 - 6.33 is less than 1.77. */
const ROUNDING_SECONDS = 1e-6;

/** A part of a take that is not shown. */
export interface ForbiddenPart {
  readonly range: TimeRange;
  /** The field that forbids it: `edit.bans.0.range`. */
  readonly path: string;
}

export interface RequestedPin {
  /** `edit.pins.0` */
  readonly path: string;
  readonly slot: number;
  /** In the take; null: chosen. */
  readonly startSeconds: number | null;
  readonly isPhoto: boolean;
  /** Of the take. */
  readonly durationSeconds: number;
  readonly forbidden: readonly ForbiddenPart[];
}

/** Parts of the take in which the shot may lie, and its start in the only one; null: chosen. */
export interface PinPlace {
  readonly runs: readonly TimeRange[];
  readonly startSeconds: number | null;
}

/**
 * A start near to a forbidden part, or too late for the end of the take, is moved away from there.
 *
 * @param seconds Length of the slot; 0: not known yet.
 * @param toleratedSeconds By this time a shot may be shorter than its slot.
 * @returns The place, or the errors of both fields if what the pin names is forbidden.
 */
export function pinPlace(
  pin: RequestedPin,
  seconds: number,
  toleratedSeconds = 0,
): PinPlace | readonly FieldError[] {
  const { durationSeconds, isPhoto } = pin;
  const forbidden = pin.forbidden.filter(({ range: [from] }) => isPhoto || from < durationSeconds);
  const whole: TimeRange = [0, durationSeconds];
  if (forbidden.length === 0) return { runs: [whole], startSeconds: pin.startSeconds };
  if (isPhoto) return photoErrors(pin);
  // Rounded times can lie behind the end of the take.
  const latest = Math.max(0, durationSeconds - TOLERANCE_SECONDS);
  const start = pin.startSeconds === null ? null : Math.min(pin.startSeconds, latest);
  const runs = allowedRuns(durationSeconds, forbidden);
  const least = seconds - toleratedSeconds - ROUNDING_SECONDS;
  if (start === null) {
    const needed = Math.max(least, TOLERANCE_SECONDS);
    const long = runs.filter(([from, to]) => to - from >= needed);
    return long.length > 0 ? { runs: long, startSeconds: null } : lengthErrors(pin, runs, seconds);
  }
  const run = runs.find(([from, to]) => start >= from - TOLERANCE_SECONDS && start < to);
  if (run === undefined) return momentErrors(pin, start, seconds);
  const [from, to] = run;
  const moved = Math.max(from, Math.min(start, to - seconds));
  // At its end the take, not a wish, is in the way.
  const isMovable = to >= durationSeconds || start - moved <= TOLERANCE_SECONDS;
  if (isMovable && to - from >= least) return { runs: [run], startSeconds: moved };
  return momentErrors(pin, Math.min(start, Math.max(0, durationSeconds - seconds)), seconds);
}

/** The parts of a take outside all forbidden ones. */
function allowedRuns(durationSeconds: number, forbidden: readonly ForbiddenPart[]): TimeRange[] {
  const runs: [number, number][] = [];
  let free = 0;
  for (const { range } of forbidden.toSorted((one, other) => one.range[0] - other.range[0])) {
    if (range[0] > free) runs.push([free, Math.min(range[0], durationSeconds)]);
    free = Math.max(free, range[1]);
  }
  if (free < durationSeconds) runs.push([free, durationSeconds]);
  return runs.filter(([from, to]) => from < to);
}

function photoErrors({ path, forbidden }: RequestedPin): FieldError[] {
  const message = `is a photo that ${namesOf(forbidden)} does not allow; pin another take, or remove that field`;
  return withParts({ path: `${path}.video_id`, message }, path, forbidden);
}

function lengthErrors(
  { path, slot, forbidden }: RequestedPin,
  runs: readonly TimeRange[],
  seconds: number,
): FieldError[] {
  const longest = Math.max(0, ...runs.map(([from, to]) => to - from));
  const left = `leaves ${longest.toFixed(2)} s in one piece`;
  const need = seconds > 0 ? `, but slot ${slot} lasts ${seconds.toFixed(2)} s` : '';
  const message = `names a take of which ${namesOf(forbidden)} ${left}${need}; pin another take, or allow more of it`;
  return withParts({ path: `${path}.video_id`, message }, path, forbidden);
}

/** @param shown Start of the shot in the take. */
function momentErrors(
  { path, slot, startSeconds, forbidden }: RequestedPin,
  shown: number,
  seconds: number,
): FieldError[] {
  const end = shown + seconds;
  const inTheWay = forbidden.filter(
    ({ range: [from, to] }) => (from < end && to > shown) || (shown >= from && shown < to),
  );
  const parts = inTheWay.map(({ range: [from, to], path: by }) => `[${from}, ${to}] (${by})`).join(' and ');
  const shot = seconds > 0 ? `slot ${slot} shows ${shown.toFixed(2)} to ${end.toFixed(2)} s` : 'it begins';
  const message = `is ${startSeconds}: ${shot} in a part that is excluded or banned, ${parts}; pin another moment, or allow that part`;
  return withParts({ path: `${path}.start_seconds`, message }, path, inTheWay);
}

function namesOf(forbidden: readonly ForbiddenPart[]): string {
  return forbidden.map(({ path }) => path).join(' and ');
}

/** Each side of the contradiction is a field that can be changed. */
function withParts(error: FieldError, pin: string, parts: readonly ForbiddenPart[]): FieldError[] {
  const message = `forbids what ${pin} shows`;
  return [error, ...parts.map(({ path }) => ({ path, message }))];
}
