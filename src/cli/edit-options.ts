/** Options common to the commands that apply a style to a source. */
import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { Failure } from '../domain/errors.ts';
import { PRESETS } from '../presets/presets.ts';
import { readConfig } from '../settings/config.ts';
import type { Edit, StyleSource, TranscriptionOptions } from '../studio.ts';
import { type Style, styleSchema } from '../style/model/schema.ts';
import { check } from '../untrusted/check.ts';
import { DOCUMENT_LIMITS, JsonFault, parseJson } from '../untrusted/json.ts';
import { type CommandCall, type OptionTable, stringOption, UsageError } from './command.ts';
import { configChoices, configHelp, configOptions, OPTION_FIELDS, readJobConfig } from './config-options.ts';
import { didYouMean } from './did-you-mean.ts';

/** Sixteen times the limit of a request. */
const MAX_STYLE_BYTES = 1 << 24;
const PRESET_NAMES = PRESETS.map(({ id }) => id);

/** Commands that write a video also take `--quality`. */
const EDIT_FIELDS = OPTION_FIELDS.filter((field) => field !== 'quality');

/** Options that choose the style. */
export const STYLE_OPTIONS = {
  template: { type: 'string', short: 't' },
  style: { type: 'string' },
  preset: { type: 'string' },
} satisfies OptionTable;
/** Options that choose a style, or a LUT as the only change. */
const LOOK_OPTIONS = { ...STYLE_OPTIONS, cube: { type: 'string' } } satisfies OptionTable;
export const LOOK_CHOICES = { preset: PRESET_NAMES };

/** Words that options of an edit take. */
export const EDIT_CHOICES = { ...LOOK_CHOICES, ...configChoices(EDIT_FIELDS) };

/** Options that choose the style and how it is applied. */
export const EDIT_OPTIONS = {
  ...LOOK_OPTIONS,
  ...configOptions(EDIT_FIELDS),
  captions: { type: 'string' },
} satisfies OptionTable;

export const STYLE_HELP = `  -t, --template FILE   a video whose style to follow, an image (JPEG, PNG, WebP, GIF, AVIF) for its look, or a sound file for its sound
      --style FILE      a Style DNA (see: styledna extract)
      --preset NAME     a style that comes with StyleDNA (see: styledna presets)`;

export const LOOK_HELP = `${STYLE_HELP}
      --cube FILE       a LUT (.cube: 3D, 1D, or DaVinci Resolve's 1D before 3D): only the colors change, exactly as the
                        LUT defines`;

export const EDIT_HELP = `${configHelp(EDIT_FIELDS)}
      --captions FILE   SubRip or WebVTT captions for a style with captions; default: SOURCE's own text track. The word
                        "transcribe": the speech of SOURCE, by the transcription engine at TRANSCRIPTION_URL (with
                        --server, the service's), in the style's caption design or a plain one`;

/** Value of `--captions` instead of a file; a file of this name is written ./transcribe. */
export const TRANSCRIBE = 'transcribe';

/** The requested edit and its input files, which must not be overwritten. */
export async function readEdit(
  call: CommandCall,
  source: string,
): Promise<{ readonly edit: Edit; readonly inputs: readonly string[] }> {
  const look = await readLook(call);
  const given = stringOption(call, 'captions');
  const isSpeech = given === TRANSCRIBE;
  const captions = isSpeech ? undefined : given;
  const config = { ...readJobConfig(call), ...(isSpeech ? ({ captions: 'transcribe' } as const) : {}) };
  const inputs = [
    source,
    ...('template' in look ? [look.template] : 'cube' in look ? [look.cube] : []),
    ...(captions === undefined ? [] : [captions]),
  ];
  return { edit: { source, look, config, ...(captions === undefined ? {} : { captions }) }, inputs };
}

/** Whether `--captions` requests the speech; it may be repeated. */
export function isTranscribed(call: CommandCall): boolean {
  return [call.values['captions']].flat().includes(TRANSCRIBE);
}

/** The engine of the environment's settings if the call needs it; undefined: it does not, or none is set. Throws `ConfigError`. */
export function readTranscription(call: CommandCall): TranscriptionOptions | undefined {
  if (!isTranscribed(call)) return undefined;
  const { TRANSCRIPTION_URL: url, ...config } = readConfig(call.environment);
  if (url === undefined) return undefined;
  return {
    url,
    model: config.TRANSCRIPTION_MODEL,
    apiKey: config.TRANSCRIPTION_API_KEY,
    allowedNetworks: config.WEBHOOK_ALLOWED_NETWORKS,
  };
}

/** The style, or the LUT. Throws `UsageError` unless exactly one option names it. */
async function readLook(call: CommandCall): Promise<StyleSource> {
  const [name, value] = theOption(call, LOOK_OPTIONS);
  return name === 'cube' ? { cube: value } : styleFrom(name, value);
}

/** The source of the style. Throws `UsageError` unless exactly one option names it. */
export async function readStyle(call: CommandCall): Promise<StyleOnly> {
  return styleFrom(...theOption(call, STYLE_OPTIONS));
}

type StyleOnly = Exclude<StyleSource, { readonly cube: string }>;

/** Name and value of the only one of these options that the call has. Throws `UsageError`. */
function theOption<Name extends string>(
  call: CommandCall,
  options: Readonly<Record<Name, object>>,
): [Name, string] {
  const names = Object.keys(options) as Name[];
  const [used, ...others] = names.filter((name) => stringOption(call, name) !== undefined);
  if (used === undefined || others.length > 0) {
    const listed = names.map((name) => `--${name}`);
    throw new UsageError(`Give one of ${listed.slice(0, -1).join(', ')} and ${listed.at(-1)}`, {
      field: listed[0]!,
    });
  }
  return [used, stringOption(call, used)!];
}

async function styleFrom(option: keyof typeof STYLE_OPTIONS, value: string): Promise<StyleOnly> {
  if (option === 'preset') return { preset: knownPreset(value) };
  if (option === 'template') return { template: value };
  return { style: await readStyleFile(value) };
}

function knownPreset(name: string): string {
  if (PRESET_NAMES.includes(name)) return name;
  throw new UsageError(
    `--preset: there is no preset "${name}"; there are ${PRESET_NAMES.join(', ')}${didYouMean(name, PRESET_NAMES)}`,
  );
}

/** Reads a Style DNA. Throws `UsageError` for another file. */
export async function readStyleFile(path: string): Promise<Style> {
  const unreadable = (error: NodeJS.ErrnoException): never => {
    if (error.code === 'ENOENT')
      throw new Failure('FILE_NOT_FOUND', `There is no file "${path}"`, { file: path });
    throw new UsageError(`--style: the file ${path} cannot be read (${error.code})`);
  };
  const { size } = await stat(path).catch(unreadable);
  if (size > MAX_STYLE_BYTES)
    throw new UsageError(`${path} is not a Style DNA: it has ${size} bytes, more than ${MAX_STYLE_BYTES}`);
  return parseStyle(await readFile(path, 'utf8').catch(unreadable), path);
}

function parseStyle(text: string, path: string): Style {
  let raw: unknown;
  try {
    raw = parseJson(text, DOCUMENT_LIMITS);
  } catch (error) {
    if (error instanceof JsonFault) throw new UsageError(`${path} ${error.message}`, { file: path });
    throw error;
  }
  const parsed = check(styleSchema, raw);
  if (!parsed.success)
    throw new UsageError(`${path} is not a Style DNA:\n${z.prettifyError(parsed.error)}`, { file: path });
  return parsed.data;
}
