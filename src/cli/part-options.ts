/** Options for the range of a video to use. */
import { MIN_RANGE_SECONDS } from '../domain/time-range.ts';
import { type CommandCall, stringOption, UsageError } from './command.ts';

const PART = /^(\d*\.?\d+)-(\d*\.?\d+)$/;

/** `A-B` in seconds. Throws `UsageError`. */
export function readPart(call: CommandCall, option: string): [number, number] | undefined {
  const text = stringOption(call, option);
  if (text === undefined) return undefined;
  const [, start, end] = PART.exec(text) ?? [];
  if (end !== undefined && Number(end) - Number(start) >= MIN_RANGE_SECONDS)
    return [Number(start), Number(end)];
  throw new UsageError(
    `--${option} must be A-B in seconds, with B at least ${MIN_RANGE_SECONDS} s after A, such as 3.5-12; got ${text}`,
  );
}
