/** Options for the part of a video to use. */
import { MIN_RANGE_SECONDS } from '../domain/time-range.ts';
import { type CommandCall, stringOption, UsageError } from './command.ts';

export const RANGE_OPTION = { range: { type: 'string' } } as const;
export const RANGE_HELP = `      --range A-B    measures only this part, in seconds, at least ${MIN_RANGE_SECONDS} s, such as 3.5-12`;

const PART = /^(\d*\.?\d+)-(\d*\.?\d+)$/;

/** Each `A-B` of a repeated option; undefined: none. Throws `UsageError`. */
export function readParts(call: CommandCall, option: string): [number, number][] | undefined {
  const texts = call.values[option];
  if (!Array.isArray(texts)) return undefined;
  return texts.map((text) => {
    const range = rangeIn(String(text));
    if (range !== null && range[1] > range[0]) return range;
    throw new UsageError(`--${option} must be A-B in seconds, with B after A, such as 3.5-12; got ${text}`);
  });
}

/** `A-B` in seconds. Throws `UsageError`. */
export function readPart(call: CommandCall, option: string): [number, number] | undefined {
  const text = stringOption(call, option);
  if (text === undefined) return undefined;
  const range = rangeIn(text);
  if (range !== null && range[1] - range[0] >= MIN_RANGE_SECONDS) return range;
  throw new UsageError(
    `--${option} must be A-B in seconds, with B at least ${MIN_RANGE_SECONDS} s after A, such as 3.5-12; got ${text}`,
  );
}

/** Null: not two numbers. */
function rangeIn(text: string): [number, number] | null {
  const [, start, end] = PART.exec(text) ?? [];
  return end === undefined ? null : [Number(start), Number(end)];
}
