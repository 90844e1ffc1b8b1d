/**
 * The state of the view Make as the fragment of an address. Short enough for a link, and browsers never send
 * it to a server. Videos are named by their ids in 22 characters, takes by their number. Pure.
 */

import {
  type EditParts,
  type Length,
  type Look,
  type Make,
  NO_EDIT,
  type Pin,
  type Point,
  type PresetId,
  type Range,
  type Take,
  type Title,
  type TitleAnimation,
  type TitleStyle,
  videoIdOf,
} from './edit-parts.ts';
import { DEFAULT_SETTINGS, type Settings } from './settings.ts';

/** Version of the fragment's format. Other versions are ignored. */
const VERSION = 'v1';
const ID = /^[\w-]{22}$/;

/** Empty: nothing of it is at the service yet. */
export function addressOfParts(make: Make): string {
  const takes = make.takes.filter(({ source }) => source.kind === 'video');
  if (takes.length === 0) return '';
  const numberOf = (videoId: string) => takes.findIndex(({ source }) => videoIdOf(source) === videoId);
  const songId = videoIdOf(make.song?.source);
  const start = make.song?.startSeconds ?? null;
  const fields: readonly (readonly [string, string | number | null])[] = [
    ['t', takes.map(takeText).join(',')],
    ['s', songId === null ? null : shortId(songId) + (start === null ? '' : `@${start}`)],
    ['l', lookText(make)],
    [
      'p',
      make.pins
        .map(
          ({ slot, videoId, startSeconds, focus }) =>
            `${slot}:${numberOf(videoId)}${startSeconds === null ? '' : `@${startSeconds}`}${pointText(focus)}`,
        )
        .join(','),
    ],
    ['g', make.lengths.map(({ slot, beats }) => `${slot}:${beats}`).join(',')],
    ['b', make.bans.map(({ videoId, range }) => numberOf(videoId) + rangeText(range)).join(',')],
    ['n', make.titles.map(titleText).join(',')],
    ...(['sound', 'order', 'rhythm', 'duration', 'seed'] as const).map(
      (name) => [name, make[name] === NO_EDIT[name] ? null : make[name]] as const,
    ),
    ['r', make.revises === null ? null : shortId(make.revises)],
    ['c', settingsText(make.settings)],
  ];
  return [
    VERSION,
    ...fields.flatMap(([name, value]) => (value === null || value === '' ? [] : [`${name}=${value}`])),
  ].join('&');
}

/** Null: the fragment is none of ours, or damaged. Of a look that is a file it holds the name alone. */
export function partsInAddress(fragment: string): Partial<Make> | null {
  const [version, ...pairs] = fragment.replace(/^#/, '').split('&');
  if (version !== VERSION) return null;
  const fields = new Map(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
  try {
    return partsOf(fields);
  } catch {
    return null;
  }
}

function partsOf(fields: ReadonlyMap<string, string>): Partial<Make> {
  const list = (name: string) => (fields.get(name) ?? '').split(',').filter((one) => one !== '');
  const takes = list('t').map(takeOf);
  if (takes.length === 0) throw new Error('no takes');
  const idOf = (number: string) => videoIdOf(takes[Number(number)]!.source)!;
  const [song, start] = (fields.get('s') ?? '').split('@');
  const look = lookOf(fields.get('l'));
  const lostLook = lostLookOf(fields.get('l'));
  const revises = fields.get('r');
  return {
    ...NO_EDIT,
    takes,
    song:
      song === '' || song === undefined
        ? null
        : { source: videoOf(song), startSeconds: start === undefined ? null : numberOf(start) },
    ...(look === null ? {} : { look }),
    ...(lostLook === null ? {} : { lostLook }),
    pins: list('p').map((text) => pinOf(text, idOf)),
    lengths: list('g').map(lengthOf),
    bans: list('b').map((text) => {
      const [take, ...range] = text.split('~') as [string, ...string[]];
      return { videoId: idOf(take), range: rangeOf(range.join('~')) };
    }),
    titles: list('n').map(titleOf),
    ...optionsOf(fields),
    revises: revises === undefined ? null : longId(revises),
    settings: settingsOf(fields.get('c')),
  };
}

function pinOf(text: string, idOf: (take: string) => string): Pin {
  const [head = '', ...point] = text.split('~');
  const [slot, take, at] = head.split(/[:@]/) as [string, string, string | undefined];
  const [x, y] = point.map(numberOf);
  return {
    slot: numberOf(slot),
    videoId: idOf(take),
    startSeconds: at === undefined ? null : numberOf(at),
    ...(x === undefined || y === undefined ? {} : { focus: { x, y } }),
  };
}

function pointText(focus: Point | undefined): string {
  return focus === undefined ? '' : `~${focus.x}~${focus.y}`;
}

function lengthOf(text: string): Length {
  const [slot, beats] = text.split(':') as [string, string];
  const isLess = beats.startsWith('-');
  const count = numberOf(isLess ? beats.slice(1) : beats);
  return { slot: numberOf(slot), beats: isLess ? -count : count };
}

function optionsOf(fields: ReadonlyMap<string, string>): Partial<EditParts> {
  const { sound, order, rhythm, duration, seed } = Object.fromEntries(fields);
  return {
    ...(sound === 'mix' || sound === 'takes' ? { sound } : {}),
    ...(order === 'free' ? { order } : {}),
    ...(rhythm === 'loose' ? { rhythm } : {}),
    ...(duration === undefined ? {} : { duration: duration === 'music' ? duration : numberOf(duration) }),
    ...(seed === undefined ? {} : { seed: numberOf(seed) }),
  };
}

/** After the id of a take with a role. */
const ROLE_MARKS = { talk: '*', b_roll: '.' } as const;

function takeText({ source, exclude, mustUse, role }: Take): string {
  const marks = (role === undefined ? '' : ROLE_MARKS[role]) + (mustUse ? '!' : '');
  return shortId(videoIdOf(source)!) + marks + exclude.map(rangeText).join('');
}

function takeOf(text: string, index: number): Take {
  const [head = '', ...numbers] = text.split('~');
  const mustUse = head.endsWith('!');
  const marked = mustUse ? head.slice(0, -1) : head;
  const role = (['talk', 'b_roll'] as const).find((one) => marked.endsWith(ROLE_MARKS[one]));
  return {
    id: index + 1,
    source: videoOf(role === undefined ? marked : marked.slice(0, -1)),
    exclude: pairsOf(numbers),
    mustUse,
    ...(role === undefined ? {} : { role }),
  };
}

function pairsOf(numbers: readonly string[]): Range[] {
  return numbers.flatMap((from, at) => (at % 2 === 0 ? [rangeOf(`${from}~${numbers[at + 1]}`)] : []));
}

function rangeText([from, to]: Range): string {
  return `~${from}~${to}`;
}

function rangeOf(text: string): Range {
  const [from, to] = text.split('~') as [string, string];
  return [numberOf(from), numberOf(to)];
}

/** `b1`, `b0`: with or without a box; `a` and a name: an animation. */
function titleText({ at, text, style, place, box, animation }: Title): string {
  const parts = [
    ...[at, encodeURIComponent(text), style ?? '', ...(place == null ? [] : [place.x, place.y])],
    ...(box == null ? [] : [`b${Number(box)}`]),
    ...(animation === undefined || animation === 'auto' ? [] : [`a${animation}`]),
  ];
  return parts.join(':').replace(/:$/, '');
}

function titleOf(text: string): Title {
  const [at = '', words = '', style = '', ...rest] = text.split(':');
  const [x, y] = rest.filter((part) => !/^[ab]/.test(part)).map(numberOf);
  const box = rest.find((part) => part.startsWith('b'));
  const animation = rest.find((part) => part.startsWith('a'))?.slice(1);
  return {
    at: at === 'start' || at === 'end' ? at : numberOf(at),
    text: decodeURIComponent(words),
    ...(style === '' ? {} : { style: style as TitleStyle }),
    ...(x === undefined || y === undefined ? {} : { place: { x, y } }),
    ...(box === undefined ? {} : { box: box === 'b1' }),
    ...(animation === undefined ? {} : { animation: animation as TitleAnimation }),
  };
}

function lookText({ look, lostLook }: Pick<Make, 'look' | 'lostLook'>): string | null {
  const name = look?.kind === 'style' ? look.name : look === null ? lostLook : null;
  if (name != null) return `f${encodeURIComponent(name)}`;
  if (look?.kind === 'video')
    return `v${shortId(look.videoId)}${look.range === undefined ? '' : rangeText(look.range)}`;
  if (look?.kind === 'saved') return `s${shortId(look.styleId)}`;
  return look?.kind === 'preset' ? `p${look.presetId}` : null;
}

function lookOf(text: string | undefined): Look | null {
  if (text === undefined || text.startsWith('f')) return null;
  const name = text.slice(1);
  if (text.startsWith('s')) return { kind: 'saved', styleId: longId(name) };
  if (!text.startsWith('v')) return { kind: 'preset', presetId: name as PresetId };
  const [id = '', ...numbers] = name.split('~');
  const [range] = pairsOf(numbers);
  return { ...videoOf(id), ...(range === undefined ? {} : { range }) };
}

function lostLookOf(text: string | undefined): string | null {
  return text?.startsWith('f') ? decodeURIComponent(text.slice(1)) : null;
}

/** Only values that differ from the defaults. */
function settingsText(settings: Settings): string | null {
  const own = Object.entries(settings).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(DEFAULT_SETTINGS[name as keyof Settings]),
  );
  return own.length === 0 ? null : encodeURIComponent(JSON.stringify(Object.fromEntries(own)));
}

function settingsOf(text: string | undefined): Settings {
  return { ...DEFAULT_SETTINGS, ...(text === undefined ? {} : JSON.parse(decodeURIComponent(text))) };
}

function videoOf(id: string): { readonly kind: 'video'; readonly videoId: string } {
  return { kind: 'video', videoId: longId(id) };
}

function shortId(uuid: string): string {
  const bytes = uuid
    .replaceAll('-', '')
    .match(/../g)!
    .map((pair) => String.fromCharCode(Number.parseInt(pair, 16)));
  return btoa(bytes.join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function longId(id: string): string {
  if (!ID.test(id)) throw new Error(`${id} is no id`);
  const bytes = atob(id.replaceAll('-', '+').replaceAll('_', '/'));
  const hex = [...bytes].map((letter) => letter.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function numberOf(text: string): number {
  const value = Number(text);
  if (text === '' || !Number.isFinite(value) || value < 0) throw new Error(`${text} is no number`);
  return value;
}
