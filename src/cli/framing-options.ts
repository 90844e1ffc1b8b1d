/** Options for shape, frame rate and focus of an edit. */
import type { JobConfigInput } from '../domain/job-config.ts';
import { type CommandCall, choiceOption, type OptionTable, stringOption, UsageError } from './command.ts';

const SETTINGS = ['auto', 'on', 'off'] as const;

export const FRAMING_OPTIONS = {
  'aspect-ratio': { type: 'string' },
  'frame-rate': { type: 'string' },
  focus: { type: 'string' },
} as const satisfies OptionTable;

export const FRAMING_CHOICES = { 'aspect-ratio': SETTINGS, 'frame-rate': SETTINGS } as const;

export const FRAMING_HELP = `      --aspect-ratio A  auto (default: the template's where crops hold the subjects without padding), on or off
      --frame-rate R    auto (default: the template's where SOURCE has a whole multiple of it), on or off
      --focus X,Y       what crops keep in view: from 0,0 (top left of SOURCE) to 1,1. A track: X,Y@SECONDS, several with
                        spaces between, quoted; they count for the shot that they lie in`;

/** The part of a `config` that these options set; undefined values are not set. Throws `UsageError`. */
export function readFramingOptions(call: CommandCall): Pick<JobConfigInput, 'framing_focus'> & {
  readonly components: Readonly<Record<string, boolean | 'auto'>>;
} {
  const components = [
    ['aspect_ratio', choiceOption(call, 'aspect-ratio', SETTINGS)],
    ['frame_rate', choiceOption(call, 'frame-rate', SETTINGS)],
  ] as const;
  const focus = readFocus(stringOption(call, 'focus'));
  return {
    ...(focus === undefined ? {} : { framing_focus: focus }),
    components: Object.fromEntries(
      components.flatMap(([name, word]) =>
        word === undefined ? [] : [[name, word === 'auto' ? word : word === 'on'] as const],
      ),
    ),
  };
}

const POINT = /^(\d*\.?\d+),(\d*\.?\d+)(?:@(\d*\.?\d+))?$/;

function readFocus(text: string | undefined): JobConfigInput['framing_focus'] {
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
