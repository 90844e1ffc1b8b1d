/** Options for shape, frame rate and focus of an edit. */
import type { JobConfigInput } from '../domain/job-config.ts';
import { type CommandCall, choiceOption, stringOption, UsageError } from './command.ts';

export const SETTING_WORDS = ['auto', 'on', 'off'] as const;

/** Components that the options `--aspect-ratio` and `--frame-rate` set. Throws `UsageError`. */
export function readAutomatic(call: CommandCall): readonly (readonly [string, boolean | 'auto'])[] {
  const components = [
    ['aspect_ratio', choiceOption(call, 'aspect-ratio', SETTING_WORDS)],
    ['frame_rate', choiceOption(call, 'frame-rate', SETTING_WORDS)],
  ] as const;
  return components.flatMap(([name, word]) =>
    word === undefined ? [] : [[name, word === 'auto' ? word : word === 'on'] as const],
  );
}

const POINT = /^(\d*\.?\d+),(\d*\.?\d+)(?:@(\d*\.?\d+))?$/;

/** The option `--focus`: one point, or a track of points with times. Throws `UsageError`. */
export function readFocus(call: CommandCall): JobConfigInput['framing_focus'] {
  const text = stringOption(call, 'focus');
  if (text === undefined) return undefined;
  const points = text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => {
      const [, x, y, seconds] = POINT.exec(word) ?? [];
      const point = { x: Number(x), y: Number(y) };
      if (!(point.x <= 1 && point.y <= 1))
        throw new UsageError(`--focus must be X,Y or X,Y@SECONDS with X and Y from 0 to 1; got ${word}`);
      return { ...point, at_seconds: seconds === undefined ? null : Number(seconds) };
    });
  const [first] = points;
  if (first === undefined) throw new UsageError('--focus must be X,Y; got nothing');
  if (points.length === 1 && first.at_seconds === null) return { x: first.x, y: first.y };
  return points.map(({ at_seconds, ...point }) => {
    if (at_seconds === null)
      throw new UsageError('--focus: each of several points needs a time, as X,Y@SECONDS');
    return { at_seconds, ...point };
  });
}
