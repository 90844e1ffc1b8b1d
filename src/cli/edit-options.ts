/** What the commands that work on a source and a style have in common. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import {
  COMPONENT_NAMES,
  GRADUAL_COMPONENTS,
  type GradualComponent,
  QUALITIES,
  type Quality,
  RESOLUTIONS,
} from '../domain/job-choices.ts';
import { FRAMINGS, type JobConfigInput, MAX_SEED, PACINGS, qualitySchema } from '../domain/job-config.ts';
import { PRESETS } from '../presets/presets.ts';
import type { Edit, StyleSource } from '../studio.ts';
import { type Style, styleSchema } from '../style/model/schema.ts';
import { type CommandCall, choiceOption, type OptionTable, stringOption, UsageError } from './command.ts';
import { didYouMean } from './did-you-mean.ts';
import { FRAMING_CHOICES, FRAMING_HELP, FRAMING_OPTIONS, readFramingOptions } from './framing-options.ts';

export const QUALITY_NAMES = Object.keys(QUALITIES) as Quality[];
const PRESET_NAMES = PRESETS.map(({ id }) => id);

/** The words that options of an edit take. */
export const EDIT_CHOICES = {
  preset: PRESET_NAMES,
  resolution: RESOLUTIONS,
  framing: FRAMINGS,
  pacing: PACINGS,
  without: COMPONENT_NAMES,
  with: COMPONENT_NAMES,
  ...FRAMING_CHOICES,
} as const;

/** Lines of `QUALITIES`; times and sizes beside medium's are those of drawing a flower of 5 s at 1080 lines (2.2 and 3.3; 1.9 and 2.8). */
export const QUALITY_HELP = `  -q, --quality Q       low     up to 480 lines, small and quick: to look at
                        medium  up to 1080 lines, for the web (default)
                        high    as many lines as --resolution asks for: to publish; twice as long, twice as large
                        ultra   the same, nearly as good as the source: to edit further; three times both`;

/** For what decides how the look is taken. */
export const EDIT_OPTIONS = {
  template: { type: 'string', short: 't' },
  style: { type: 'string' },
  preset: { type: 'string' },
  cube: { type: 'string' },
  strength: { type: 'string', short: 's' },
  resolution: { type: 'string' },
  framing: { type: 'string' },
  ...FRAMING_OPTIONS,
  pacing: { type: 'string' },
  without: { type: 'string' },
  with: { type: 'string' },
  captions: { type: 'string' },
  seed: { type: 'string' },
} as const satisfies OptionTable;

export const LOOK_HELP = `  -t, --template FILE   a video whose style to take; or an image (JPEG, PNG, WebP, AVIF), whose look and ratio
      --style FILE      a Style DNA (see: styledna extract)
      --preset NAME     a style that comes with StyleDNA (see: styledna presets)
      --cube FILE       a LUT (.cube: 3D, 1D, or DaVinci Resolve's 1D before 3D): its colours as they are, and nothing else
                        of the picture changes`;

export const STRENGTH_HELP = `  -s, --strength S      0 (a clean copy) to 1 (all of the style); default 0.8. Components may have their own, of
                        color, audio, pacing, transitions and motion: 0.8,color=0.4 or just color=0.4`;

export const EDIT_HELP = `      --resolution R    auto (default: a size to publish), source (never scaled up), 720p, 1080p, 1440p
                        or 2160p: lines of the shorter side, as far as the quality allows
      --framing F       how another aspect ratio is filled: auto (default), crop or pad
${FRAMING_HELP}
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
    ...('template' in look ? [look.template] : 'cube' in look ? [look.cube] : []),
    ...(captions === undefined ? [] : [captions]),
  ];
  return { edit: { source, look, config, ...(captions === undefined ? {} : { captions }) }, inputs };
}

/** What the look is to be taken from. Throws `UsageError` unless one was given. */
async function readLook(call: CommandCall): Promise<StyleSource> {
  const template = stringOption(call, 'template');
  const stylePath = stringOption(call, 'style');
  const preset = stringOption(call, 'preset');
  const cube = stringOption(call, 'cube');
  if ([template, stylePath, preset, cube].filter((given) => given !== undefined).length !== 1) {
    throw new UsageError(
      'Give one of --template TEMPLATE, --style style.json, --preset NAME and --cube look.cube',
    );
  }
  if (preset !== undefined) return { preset: knownPreset(preset) };
  if (cube !== undefined) return { cube };
  if (template !== undefined) return { template };
  const text = await readFile(stylePath!, 'utf8').catch(() => {
    throw new UsageError(`--style: the file ${stylePath} cannot be read`);
  });
  return { style: parseStyle(text, stylePath!) };
}

function knownPreset(name: string): string {
  if (PRESET_NAMES.includes(name)) return name;
  throw new UsageError(
    `--preset: there is no preset "${name}"; there are ${PRESET_NAMES.join(', ')}${didYouMean(name, PRESET_NAMES)}`,
  );
}

/** Throws `UsageError` for what is no Style DNA. */
export function parseStyle(text: string, path: string): Style {
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
  const list = (name: string) => (stringOption(call, name) ?? '').split(',').filter((word) => word !== '');
  const [without, withThem] = [list('without'), list('with')];
  assertComponents('without', without);
  assertComponents('with', withThem);
  const { whole, ofComponents } = readStrengths(stringOption(call, 'strength'));
  const { components, ...focus } = readFramingOptions(call);
  return {
    quality: readQuality(call),
    style_strength: whole,
    resolution: choiceOption(call, 'resolution', RESOLUTIONS),
    framing: choiceOption(call, 'framing', FRAMINGS),
    ...focus,
    pacing: choiceOption(call, 'pacing', PACINGS),
    seed: readSeed(call),
    components: Object.fromEntries([
      ...withThem.map((name) => [name, true]),
      ...ofComponents,
      ...Object.entries(components),
      ...without.map((name) => [name, false]),
    ]),
  };
}

/** Other names of a quality are understood, though not listed. */
function readQuality(call: CommandCall) {
  const { data, success } = qualitySchema.safeParse(stringOption(call, 'quality'));
  return success ? data : choiceOption(call, 'quality', QUALITY_NAMES);
}

function assertComponents(option: string, names: readonly string[]): void {
  for (const name of names) {
    if ((COMPONENT_NAMES as readonly string[]).includes(name)) continue;
    throw new UsageError(
      `--${option}: there is no component "${name}"; there are ${COMPONENT_NAMES.join(', ')}${didYouMean(name, COMPONENT_NAMES)}`,
    );
  }
}

function readSeed(call: CommandCall): number | undefined {
  const text = stringOption(call, 'seed');
  if (text === undefined) return undefined;
  if (/^\d{1,10}$/.test(text) && Number(text) <= MAX_SEED) return Number(text);
  throw new UsageError(`--seed must be a whole number from 0 to ${MAX_SEED}; got ${text}`);
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
