/** What the commands that work on a source and a style have in common. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import {
  COMPONENT_NAMES,
  GRADUAL_COMPONENTS,
  type GradualComponent,
  type JobConfigInput,
  jobConfigSchema,
} from '../job-config.ts';
import type { Edit, StyleSource } from '../library.ts';
import { type Style, styleSchema } from '../style/model/schema.ts';
import { type CommandCall, type OptionTable, stringOption, UsageError } from './command.ts';

/** For what decides how the look is taken. */
export const EDIT_OPTIONS = {
  template: { type: 'string', short: 't' },
  style: { type: 'string' },
  preset: { type: 'string' },
  strength: { type: 'string', short: 's' },
  resolution: { type: 'string' },
  framing: { type: 'string' },
  pacing: { type: 'string' },
  without: { type: 'string' },
  with: { type: 'string' },
  captions: { type: 'string' },
  seed: { type: 'string' },
} as const satisfies OptionTable;

export const LOOK_HELP = `  -t, --template FILE   a video whose style to take; or an image (JPEG, PNG, WebP), whose look and ratio
      --style FILE      a Style DNA (see: styledna extract)
      --preset NAME     a style that comes with StyleDNA (see: styledna presets)`;

export const STRENGTH_HELP = `  -s, --strength S      0 (a clean copy) to 1 (all of the style); default 0.8. Components may have their own, of
                        color, audio, pacing, transitions and motion: 0.8,color=0.4 or just color=0.4`;

export const EDIT_HELP = `      --resolution R    auto (default: a size to publish), source (never scaled up), 720p, 1080p, 1440p
                        or 2160p: lines of the shorter side, as far as the quality allows
      --framing F       how another aspect ratio is filled: auto (default), crop or pad
      --pacing P        punch_in (default; nothing is lost), trim or keep
      --without LIST    components to leave out, such as color,motion
      --with LIST       components to put in that a preset leaves out
      --captions FILE   SubRip or WebVTT to show where the style has captions; default: SOURCE's own text track
      --seed N          another edit of the same kind`;

/** The edit that was asked for, and the files that it is made from, which nothing may be written over. */
export async function readEdit(
  call: CommandCall,
  source: string,
): Promise<{ readonly edit: Edit; readonly inputs: readonly string[] }> {
  const look = await readLook(call);
  const config = readJobConfig(call);
  const captions = stringOption(call, 'captions');
  const inputs = [
    source,
    ...('template' in look ? [look.template] : []),
    ...(captions === undefined ? [] : [captions]),
  ];
  return { edit: { source, look, config, ...(captions === undefined ? {} : { captions }) }, inputs };
}

/** What the look is to be taken from. Throws `UsageError` unless one was given. */
async function readLook(call: CommandCall): Promise<StyleSource> {
  const template = stringOption(call, 'template');
  const stylePath = stringOption(call, 'style');
  const preset = stringOption(call, 'preset');
  if ([template, stylePath, preset].filter((given) => given !== undefined).length !== 1) {
    throw new UsageError('Give one of --template TEMPLATE, --style style.json and --preset NAME');
  }
  if (preset !== undefined) return { preset };
  if (template !== undefined) return { template };
  const text = await readFile(stylePath!, 'utf8').catch(() => {
    throw new UsageError(`The style file ${stylePath} cannot be read`);
  });
  return { style: parseStyle(text, stylePath!) };
}

function parseStyle(text: string, path: string): Style {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    throw new UsageError(`${path} is not valid JSON`);
  }
  const parsed = styleSchema.safeParse(raw);
  if (!parsed.success) throw new UsageError(`${path} is not a Style DNA:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** The `config` of a job, as the options say it. Throws `UsageError`. */
function readJobConfig(call: CommandCall): JobConfigInput {
  const number = (name: string) => {
    const text = stringOption(call, name);
    return text === undefined ? undefined : Number(text);
  };
  const list = (name: string) => (stringOption(call, name) ?? '').split(',').filter((word) => word !== '');
  const [without, withThem] = [list('without'), list('with')];
  const unknown = [...without, ...withThem].filter(
    (name) => !(COMPONENT_NAMES as readonly string[]).includes(name),
  );
  if (unknown.length > 0) {
    throw new UsageError(
      `There is no component "${unknown.join(', ')}"; there are ${COMPONENT_NAMES.join(', ')}`,
    );
  }
  const { whole, ofComponents } = readStrengths(stringOption(call, 'strength'));
  const raw = {
    quality: stringOption(call, 'quality'),
    style_strength: whole,
    resolution: stringOption(call, 'resolution'),
    framing: stringOption(call, 'framing'),
    pacing: stringOption(call, 'pacing'),
    seed: number('seed'),
    components: Object.fromEntries([
      ...withThem.map((name) => [name, true]),
      ...ofComponents,
      ...without.map((name) => [name, false]),
    ]),
  };
  const parsed = jobConfigSchema.safeParse(raw);
  if (!parsed.success) throw new UsageError(z.prettifyError(parsed.error));
  // Parsing has shown that it is one.
  return raw as JobConfigInput;
}

interface Strengths {
  /** Left out: the default. */
  readonly whole: number | undefined;
  readonly ofComponents: readonly (readonly [GradualComponent, number])[];
}

/** Of `0.8,color=0.4`: a strength for all, strengths of their own for components, or both. */
function readStrengths(text: string | undefined): Strengths {
  const ofComponents: [GradualComponent, number][] = [];
  let whole: number | undefined;
  for (const part of text?.split(',') ?? []) {
    const [name, value] = part.includes('=')
      ? part.split('=', 2).map((word) => word.trim())
      : [null, part.trim()];
    const strength = value === '' ? Number.NaN : Number(value);
    if (!(strength >= 0 && strength <= 1))
      throw new UsageError(`--strength must be 0 to 1; got ${name === null ? '' : `${name}=`}${value}`);
    if (name === null) whole = strength;
    else if (isGradual(name!)) ofComponents.push([name, strength]);
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
