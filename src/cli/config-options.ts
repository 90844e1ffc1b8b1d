/** Options of the command line that set the fields of a job's config. */
import {
  COMPONENT_NAMES,
  GRADUAL_COMPONENTS,
  type GradualComponent,
  QUALITIES,
  type Quality,
  RESOLUTIONS,
} from '../domain/job-choices.ts';
import {
  type ConfigField,
  describeField,
  FRAMINGS,
  type JobConfigInput,
  MAX_SEED,
  PACINGS,
  qualitySchema,
} from '../domain/job-config.ts';
import { TALK_MODES } from '../domain/talk-options.ts';
import { ADJUST_HELP, ADJUST_OPTION, readAdjust } from './adjust-options.ts';
import { type CommandCall, choiceOption, type OptionTable, stringOption, UsageError } from './command.ts';
import { didYouMean } from './did-you-mean.ts';
import { readAutomatic, readFocus, SETTING_WORDS } from './framing-options.ts';
import { readPart, readParts } from './part-options.ts';

export const QUALITY_NAMES = Object.keys(QUALITIES) as Quality[];

interface ConfigOption<Field extends ConfigField> {
  readonly options: OptionTable;
  /** Words that an option takes. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** Lines of the help: the option with its value, then its text. */
  readonly help: readonly (readonly [usage: string, text: string])[];
  /** Undefined: the option is missing. Throws `UsageError`. */
  readonly read: (call: CommandCall) => JobConfigInput[Field];
}

/**
 * Option of the command line for each field; null: none. A new field of the schema does not compile until it
 * has a line here.
 */
const CONFIG_OPTIONS: { readonly [Field in ConfigField]: ConfigOption<Field> | null } = {
  quality: {
    options: { quality: { type: 'string', short: 'q' } },
    choices: { quality: QUALITY_NAMES },
    help: [['-q, --quality Q', describeField('quality')]],
    read: readQuality,
  },
  style_strength: {
    options: { strength: { type: 'string', short: 's' } },
    help: [
      [
        '-s, --strength S',
        `${describeField('style_strength')}. Components may have their own: 0.8,color=0.4 or just color=0.4`,
      ],
    ],
    read: (call) => readStrengths(call).whole,
  },
  components: {
    options: {
      without: { type: 'string' },
      with: { type: 'string' },
      'aspect-ratio': { type: 'string' },
      'frame-rate': { type: 'string' },
    },
    choices: {
      without: COMPONENT_NAMES,
      with: COMPONENT_NAMES,
      'aspect-ratio': SETTING_WORDS,
      'frame-rate': SETTING_WORDS,
    },
    help: [
      [
        '    --without LIST',
        `components to leave out, such as color,motion; from ${COMPONENT_NAMES.join(', ')}`,
      ],
      ['    --with LIST', 'components to follow although the preset leaves them out'],
      [
        '    --aspect-ratio A',
        "auto (default: the style's where crops hold the subjects without padding), on or off",
      ],
      [
        '    --frame-rate R',
        "auto (default: the style's where SOURCE has a whole multiple of it), on or off",
      ],
    ],
    read: readComponents,
  },
  adjust: { options: ADJUST_OPTION, help: [ADJUST_HELP], read: readAdjust },
  resolution: choice('resolution', 'R', RESOLUTIONS),
  framing: choice('framing', 'F', FRAMINGS),
  framing_focus: {
    options: { focus: { type: 'string' } },
    help: [
      [
        '    --focus X,Y',
        `${describeField('framing_focus')}. Written X,Y from 0,0 (top left) to 1,1; a track as X,Y@SECONDS, several with spaces between, quoted`,
      ],
    ],
    read: readFocus,
  },
  source_range: {
    options: { 'source-range': { type: 'string' } },
    help: [['    --source-range A-B', `${describeField('source_range')}. Written A-B, such as 3.5-12`]],
    read: (call) => readPart(call, 'source-range'),
  },
  template_range: {
    options: { 'template-range': { type: 'string' } },
    help: [['    --template-range A-B', `${describeField('template_range')}. Written A-B, such as 0-20`]],
    read: (call) => readPart(call, 'template-range'),
  },
  pacing: choice('pacing', 'P', PACINGS),
  talk: {
    options: {
      talk: { type: 'string' },
      keep: { type: 'string', multiple: true },
      remove: { type: 'string', multiple: true },
    },
    choices: { talk: TALK_MODES },
    help: [
      ['    --talk MODE', describeField('talk')],
      ['    --keep A-B', 'seconds of SOURCE that stay whatever is found; repeatable'],
      ['    --remove A-B', 'seconds of SOURCE to leave out; repeatable'],
    ],
    read: readTalk,
  },
  // `--captions` also names a file: see `edit-options.ts`.
  captions: null,
  seed: {
    options: { seed: { type: 'string' } },
    help: [['    --seed N', describeField('seed')]],
    read: readSeed,
  },
  // `--comparison FILE` names a file to write.
  comparison: null,
  // The command line has no queue.
  priority: null,
  labels: null,
};

function choice<Field extends 'resolution' | 'framing' | 'pacing'>(
  field: Field,
  value: string,
  words: readonly NonNullable<JobConfigInput[Field]>[],
): ConfigOption<Field> {
  return {
    options: { [field]: { type: 'string' } },
    choices: { [field]: words },
    help: [[`    --${field} ${value}`, `${words.join(', ')}. ${describeField(field)}`]],
    read: (call) => choiceOption(call, field, words),
  };
}

/** Fields that have options. */
export const OPTION_FIELDS = (Object.keys(CONFIG_OPTIONS) as ConfigField[]).filter(
  (field) => CONFIG_OPTIONS[field] !== null,
);

export function configOptions(fields: readonly ConfigField[]): OptionTable {
  return Object.assign({}, ...fields.map((field) => CONFIG_OPTIONS[field]?.options));
}

export function configChoices(fields: readonly ConfigField[]): Readonly<Record<string, readonly string[]>> {
  return Object.assign({}, ...fields.map((field) => CONFIG_OPTIONS[field]?.choices));
}

/** Lines of `--help` for these fields. */
export function configHelp(fields: readonly ConfigField[]): string {
  const lines = fields.flatMap((field) => CONFIG_OPTIONS[field]?.help ?? []);
  return lines.map(([usage, text]) => optionHelp(usage, text)).join('\n');
}

/** The fields that the options of a call set. Throws `UsageError`. */
export function readJobConfig(call: CommandCall): JobConfigInput {
  const read = OPTION_FIELDS.map((field) => [field, CONFIG_OPTIONS[field]!.read(call)]);
  return Object.fromEntries(read);
}

const HELP_COLUMN = 24;
const HELP_WIDTH = 120;

/** An option and its text, wrapped into columns. */
function optionHelp(usage: string, text: string): string {
  const lines: string[] = [];
  let line = `  ${usage} `.padEnd(HELP_COLUMN);
  for (const word of text.replaceAll('`', '').split(' ')) {
    if (line.length + word.length > HELP_WIDTH) {
      lines.push(line.trimEnd());
      line = ' '.repeat(HELP_COLUMN);
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()].join('\n');
}

/** Other names of a quality are accepted but not listed. */
function readQuality(call: CommandCall): Quality | undefined {
  const { data, success } = qualitySchema.safeParse(stringOption(call, 'quality'));
  return success ? data : choiceOption(call, 'quality', QUALITY_NAMES);
}

function readComponents(call: CommandCall): Record<string, boolean | number | 'auto'> {
  const list = (name: string) => (stringOption(call, name) ?? '').split(',').filter((word) => word !== '');
  const [without, withThem] = [list('without'), list('with')];
  assertComponents('without', without);
  assertComponents('with', withThem);
  return Object.fromEntries([
    ...withThem.map((name) => [name, true]),
    ...readStrengths(call).ofComponents,
    ...readAutomatic(call),
    ...without.map((name) => [name, false]),
  ]);
}

function assertComponents(option: string, names: readonly string[]): void {
  for (const name of names) {
    if ((COMPONENT_NAMES as readonly string[]).includes(name)) continue;
    throw new UsageError(
      `--${option}: there is no component "${name}"; there are ${COMPONENT_NAMES.join(', ')}${didYouMean(name, COMPONENT_NAMES)}`,
    );
  }
}

function readTalk(call: CommandCall): JobConfigInput['talk'] {
  const mode = choiceOption(call, 'talk', TALK_MODES);
  const [keep, remove] = [readParts(call, 'keep'), readParts(call, 'remove')];
  if (keep === undefined && remove === undefined) return mode;
  return { ...(mode && { mode }), ...(keep && { keep }), ...(remove && { remove }) };
}

function readSeed(call: CommandCall): number | undefined {
  const text = stringOption(call, 'seed');
  if (text === undefined) return undefined;
  if (/^\d{1,10}$/.test(text) && Number(text) <= MAX_SEED) return Number(text);
  throw new UsageError(`--seed must be a whole number from 0 to ${MAX_SEED}; got ${text}`);
}

interface Strengths {
  /** Undefined: the default. */
  readonly whole: number | undefined;
  readonly ofComponents: readonly (readonly [GradualComponent, number])[];
}

/** `--strength 0.8,color=0.4`: one strength for all components, strengths of single components, or both. */
function readStrengths(call: CommandCall): Strengths {
  const ofComponents: [GradualComponent, number][] = [];
  let whole: number | undefined;
  for (const part of stringOption(call, 'strength')?.split(',') ?? []) {
    const [name, value] = part.includes('=')
      ? part.split('=', 2).map((word) => word.trim())
      : [null, part.trim()];
    const strength = value === '' ? Number.NaN : Number(value);
    if (!(strength >= 0 && strength <= 1))
      throw new UsageError(`--strength must be 0 to 1; got ${name === null ? '' : `${name}=`}${value}`);
    if (name === null) whole = strength;
    else if (isGradual(name)) ofComponents.push([name, strength]);
    else
      throw new UsageError(
        `--strength: ${JSON.stringify(name)} has no strength of its own; ${GRADUAL_COMPONENTS.join(', ')} have one`,
      );
  }
  return { whole, ofComponents };
}

function isGradual(name: string): name is GradualComponent {
  return (GRADUAL_COMPONENTS as readonly string[]).includes(name);
}
