/** Options of the command `edit` that name takes and moments in them. */
import { basename } from 'node:path';
import {
  EDIT_ORDERS,
  EDIT_RHYTHMS,
  EDIT_SOUNDS,
  MAX_EDIT_SECONDS,
  MAX_LENGTH_BEATS,
} from '../domain/edit-options.ts';
import type { TakesInput, TakesOptions } from '../pipeline/engine/direct-results.ts';
import { type CommandCall, choiceOption, type OptionTable, stringOption, UsageError } from './command.ts';
import { TRANSCRIBE } from './edit-options.ts';

const LENGTHS = ['template', 'music'] as const;

export const TAKES_OPTIONS = {
  music: { type: 'string' },
  'music-start': { type: 'string' },
  sound: { type: 'string' },
  duration: { type: 'string' },
  order: { type: 'string' },
  rhythm: { type: 'string' },
  exclude: { type: 'string', multiple: true },
  must: { type: 'string', multiple: true },
  speaks: { type: 'string', multiple: true },
  'b-roll': { type: 'string', multiple: true },
  captions: { type: 'string', multiple: true },
  pin: { type: 'string', multiple: true },
  focus: { type: 'string', multiple: true },
  length: { type: 'string', multiple: true },
  ban: { type: 'string', multiple: true },
  replan: { type: 'boolean' },
  title: { type: 'string', multiple: true },
} satisfies OptionTable;

export const TAKES_CHOICES = {
  sound: EDIT_SOUNDS,
  duration: LENGTHS,
  order: EDIT_ORDERS,
  rhythm: EDIT_RHYTHMS,
};

export const TAKES_HELP = `      --music FILE      the song that the edit is cut to: MP3, M4A, FLAC, WAV, Ogg, or a video whose sound is used
      --music-start S   where the edit begins in the song (--music, or a song as --template), in seconds; default: at the start
                        of a suitable phrase
      --sound MODE      music (default): only the song, but in a talk as mix; mix: the takes over the song, which is ducked under
                        speech; takes: only the takes, like without a song
      --duration LENGTH template (default), music, or seconds; shorter if there is too little material
      --order ORDER     story (default): in the order of the arguments and their times; free: any order
      --rhythm RHYTHM   on_beat (default): all cuts lie on beats of the song; loose: as near to beats as the template's
      --exclude FILE=A-B  leave out seconds A to B of a take; repeatable
      --must FILE       show at least one moment of this take; repeatable
      --speaks FILE     in a talk (--talk on): somebody speaks in this take, whatever is heard; repeatable. Makes the edit a talk
      --b-roll FILE     in a talk: this take hides cuts, without its sound; repeatable. Other takes: by what is heard
      --captions TAKE=FILE  in a talk: the words of a take that speaks, as SubRip or WebVTT; repeatable. They are shown, and filler words and
                        repeated words go. "transcribe": the speech of all takes, by the transcription engine at TRANSCRIPTION_URL
      --pin N=FILE@S    show this take in slot N (from 0), from second S on; without @S from the best moment
      --focus N=X,Y     keep this point of the picture in view in the pinned slot N, from 0,0 (top left) to 1,1
      --length N=+B     make slot N longer by B beats, or shorter by -B; the nearest slot with the time gives or takes
                        them. A slot N=0 stays as planned
      --ban FILE=A-B    never show these seconds, such as those of an unwanted slot in an earlier result; other slots stay as they are
      --replan          plan the whole edit again around what is banned
      --title TEXT      a title at the start, in the template's caption style; end:TEXT at the end, 12.5:TEXT at a time`;

/** Takes and wishes. Throws `UsageError` with the invalid value. */
export function readTakes(call: CommandCall): TakesInput {
  const files = call.positionals;
  if (files.length === 0)
    throw new UsageError('This command takes one or more TAKE; it got none', { field: 'TAKE' });
  const excluded = many(call, 'exclude').map((text) => readRange(files, 'exclude', text));
  const must = many(call, 'must').map((text) => takeNamed(files, 'must', text));
  const roleOf = readRoles(call, files);
  const captions = readWords(call, files);
  return {
    takes: files.map((file) => ({
      file,
      exclude: excluded.filter((one) => one.file === file).map(({ range }) => range),
      mustUse: must.includes(file),
      ...roleOf(file),
      ...(captions.has(file) ? { captions: captions.get(file)! } : {}),
    })),
    music: stringOption(call, 'music') ?? null,
    options: readWishes(call, files),
  };
}

function readRoles(call: CommandCall, files: readonly string[]) {
  const speaking = many(call, 'speaks').map((text) => takeNamed(files, 'speaks', text));
  const silent = many(call, 'b-roll').map((text) => takeNamed(files, 'b-roll', text));
  const both = speaking.find((file) => silent.includes(file));
  if (both !== undefined)
    throw new UsageError(`--speaks and --b-roll both name ${both}; name it in one of them`);
  return (file: string): Pick<TakesInput['takes'][number], 'role'> => {
    if (speaking.includes(file)) return { role: 'talk' };
    return silent.includes(file) ? { role: 'b_roll' } : {};
  };
}

const WORDS = /^(.+)=(.+)$/;

/** Caption files by take. */
function readWords(call: CommandCall, files: readonly string[]): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const text of many(call, 'captions').filter((one) => one !== TRANSCRIBE)) {
    const [, take, file] = WORDS.exec(text) ?? [];
    if (take === undefined || file === undefined)
      throw new UsageError(
        `--captions must be TAKE=FILE, such as ${files[0]}=words.srt, or ${TRANSCRIBE}; got ${text}`,
      );
    const named = takeNamed(files, 'captions', take);
    if (words.has(named)) throw new UsageError(`--captions names ${named} twice`);
    words.set(named, file);
  }
  return words;
}

function readWishes(call: CommandCall, files: readonly string[]): TakesOptions {
  const start = stringOption(call, 'music-start');
  const songs = [stringOption(call, 'music'), stringOption(call, 'template')];
  if (start !== undefined && songs.every((song) => song === undefined))
    throw new UsageError('--music-start needs a song: --music SONG, or --template SONG');
  return {
    sound: choiceOption(call, 'sound', EDIT_SOUNDS) ?? 'music',
    duration: readDuration(stringOption(call, 'duration') ?? 'template'),
    order: choiceOption(call, 'order', EDIT_ORDERS) ?? 'story',
    rhythm: choiceOption(call, 'rhythm', EDIT_RHYTHMS) ?? 'on_beat',
    musicStartSeconds: start === undefined ? null : readSeconds('music-start', start),
    pins: readPins(call, files),
    ...readLengths(call),
    bans: many(call, 'ban').map((text) => readRange(files, 'ban', text)),
    replan: call.values['replan'] === true,
    titles: many(call, 'title').map(readTitle),
  };
}

function many(call: CommandCall, name: string): readonly string[] {
  const value = call.values[name];
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
}

function readDuration(text: string): TakesOptions['duration'] {
  if (text === 'template' || text === 'music') return text;
  const seconds = Number(text);
  if (seconds >= 1 && seconds <= MAX_EDIT_SECONDS) return seconds;
  throw new UsageError(
    `--duration must be template, music, or seconds from 1 to ${MAX_EDIT_SECONDS}; got ${text}`,
  );
}

function readSeconds(name: string, text: string): number {
  const seconds = text === '' ? Number.NaN : Number(text);
  if (seconds >= 0 && Number.isFinite(seconds)) return seconds;
  throw new UsageError(`--${name} must be seconds from 0; got ${text}`);
}

const RANGE = /^(.+)=(\d*\.?\d+)-(\d*\.?\d+)$/;

function readRange(files: readonly string[], name: string, text: string) {
  const [, file, from, to] = RANGE.exec(text) ?? [];
  if (file === undefined || !(Number(from) < Number(to)))
    throw new UsageError(`--${name} must be FILE=FROM-TO in seconds, such as ${files[0]}=0-4; got ${text}`);
  return { file: takeNamed(files, name, file), range: [Number(from), Number(to)] as const };
}

function readPins(call: CommandCall, files: readonly string[]): TakesOptions['pins'] {
  const pins = many(call, 'pin').map((text) => readPin(files, text));
  const points = many(call, 'focus').map(readSlotFocus);
  for (const { slot } of points)
    if (!pins.some((pin) => pin.slot === slot))
      throw new UsageError(`--focus ${slot}=… needs --pin ${slot}=FILE`);
  return pins.map((pin) => ({ ...pin, focus: points.find(({ slot }) => slot === pin.slot)?.focus ?? null }));
}

const SLOT_FOCUS = /^(\d+)=(\d*\.?\d+),(\d*\.?\d+)$/;

function readSlotFocus(text: string) {
  const [, slot, x, y] = SLOT_FOCUS.exec(text) ?? [];
  if (slot === undefined || !(Number(x) <= 1 && Number(y) <= 1))
    throw new UsageError(`--focus must be SLOT=X,Y with X and Y from 0 to 1, such as 3=0.7,0.5; got ${text}`);
  return { slot: Number(slot), focus: { x: Number(x), y: Number(y) } };
}

const LENGTH = /^(\d+)=([+-]?\d+)$/;

function readLengths(call: CommandCall): Pick<TakesOptions, 'lengths'> {
  const lengths = many(call, 'length').map((text) => {
    const [, slot, beats] = LENGTH.exec(text) ?? [];
    if (beats === undefined || Math.abs(Number(beats)) > MAX_LENGTH_BEATS)
      throw new UsageError(
        `--length must be SLOT=BEATS with at most ${MAX_LENGTH_BEATS} beats, such as 3=+1 or 3=-1; got ${text}`,
      );
    return { slot: Number(slot), beats: Number(beats) };
  });
  const twice = lengths.find(({ slot }, at) => lengths.findIndex((other) => other.slot === slot) < at);
  if (twice !== undefined) throw new UsageError(`--length names slot ${twice.slot} twice`);
  return lengths.length === 0 ? {} : { lengths };
}

const PIN = /^(\d+)=(.+?)(?:@(\d*\.?\d+))?$/;

function readPin(files: readonly string[], text: string): Omit<TakesOptions['pins'][number], 'focus'> {
  const [, slot, file, seconds] = PIN.exec(text) ?? [];
  if (file === undefined)
    throw new UsageError(
      `--pin must be SLOT=FILE or SLOT=FILE@SECONDS, such as 3=${files[0]}@12.4; got ${text}`,
    );
  return {
    slot: Number(slot),
    file: takeNamed(files, 'pin', file),
    startSeconds: seconds === undefined ? null : Number(seconds),
  };
}

const TITLE = /^(start|end|\d*\.?\d+):(.+)$/s;

function readTitle(text: string): TakesOptions['titles'][number] {
  const [, at, title] = TITLE.exec(text) ?? [];
  if (at === undefined) return { at: 'start', text };
  return { at: at === 'start' || at === 'end' ? at : Number(at), text: title!.trim() };
}

/** A take by its path, or by its file name if that is unique. */
function takeNamed(files: readonly string[], option: string, name: string): string {
  if (files.includes(name)) return name;
  const same = files.filter((file) => basename(file) === name);
  if (same.length === 1) return same[0];
  const why = same.length === 0 ? 'is none of the takes' : 'is the name of several takes: give its path';
  throw new UsageError(`--${option}: "${name}" ${why}; they are ${files.join(', ')}`);
}
