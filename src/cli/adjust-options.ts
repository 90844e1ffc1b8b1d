/** The option of dials that change a style. */
import { ADJUSTMENT_NAMES, type AdjustmentName } from '../domain/adjustment-names.ts';
import { describeField, type JobConfigInput } from '../domain/job-config.ts';
import { type CommandCall, stringOption, UsageError } from './command.ts';
import { didYouMean } from './did-you-mean.ts';

export const ADJUST_OPTION = { adjust: { type: 'string' } } as const;
export const ADJUST_HELP = [
  '    --adjust LIST',
  `${describeField('adjust')}. Written warmth=0.4,cuts=-0.5`,
] as const;

/** `--adjust warmth=0.4,cuts=-0.5`; undefined: missing. Throws `UsageError`. */
export function readAdjust(call: CommandCall): JobConfigInput['adjust'] {
  const text = stringOption(call, 'adjust');
  if (text === undefined) return undefined;
  const dials = text.split(',').map((part) => {
    const [name = '', value = ''] = part.split('=', 2).map((word) => word.trim());
    if (!isAdjustment(name))
      throw new UsageError(
        `--adjust: there is no dial "${name}"; there are ${ADJUSTMENT_NAMES.join(', ')}${didYouMean(name, ADJUSTMENT_NAMES)}`,
      );
    const dial = value === '' ? Number.NaN : Number(value);
    if (!(dial >= -1 && dial <= 1))
      throw new UsageError(`--adjust: ${name} must be -1 to 1, such as ${name}=0.4; got ${part}`);
    return [name, dial] as const;
  });
  return Object.fromEntries(dials);
}

function isAdjustment(name: string): name is AdjustmentName {
  return (ADJUSTMENT_NAMES as readonly string[]).includes(name);
}
