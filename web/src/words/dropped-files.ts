/** Results of a drop of files, in words. */
import type { LeftOutReason } from '../state/dropped.ts';
import type { ErrorText } from './error-text.ts';
import { counted } from './quantity.ts';

interface Named {
  readonly name: string;
}

interface LeftOut {
  readonly leftOut: readonly { readonly file: Named; readonly reason: LeftOutReason }[];
  /** In the well already, or twice among the dropped. */
  readonly twice: readonly Named[];
  /** Names of folders that could not be read. */
  readonly unread: readonly string[];
  readonly maxTakes: number;
  /** Neither files nor folders were dropped. */
  readonly isNothing: boolean;
}

/** Limit of listed names. */
const MAX_NAMES = 12;

export function addWords(names: readonly string[]): string {
  return names.length === 1 ? `Add ${names[0]}` : `Add ${counted(names.length, 'file')}`;
}

export function leftOutErrors({ leftOut, twice, unread, maxTakes, isNothing }: LeftOut): ErrorText[] {
  const advice: Readonly<Record<LeftOutReason, string>> = {
    other: 'Only videos, photos (JPEG, PNG, WebP, GIF, AVIF, HEIC) and songs can be used.',
    full: `An edit has at most ${maxTakes} takes. Take others out first.`,
    song: 'An edit has one song. Take the other song out first.',
    look: 'The look is one file. Drop the others on Your video, or take the look out first.',
  };
  const reasons = [...new Set(leftOut.map(({ reason }) => reason))];
  const errorTexts = reasons.map((reason) =>
    notAdded(
      leftOut.filter((one) => one.reason === reason).map(({ file }) => file.name),
      advice[reason],
    ),
  );
  if (twice.length > 0)
    errorTexts.push({
      title: `${nameOrCount(twice.map(({ name }) => name))} ${twice.length === 1 ? 'is' : 'are'} here already`,
      advice: `A file of the same name and size is used once.${restNames(twice.map(({ name }) => name))}`,
      technical: null,
    });
  for (const name of unread)
    errorTexts.push({
      title: `The folder ${name} could not be read`,
      advice: 'Open it and drop its files instead.',
      technical: null,
    });
  if (isNothing)
    errorTexts.push({
      title: 'That was not a file',
      advice: 'Drop a file from a folder of your computer, or choose one.',
      technical: null,
    });
  return errorTexts;
}

/** Of files that arrived, or were refused while they did. */
export function unusableFilesText(names: readonly string[]): ErrorText {
  const [them, list] = names.length === 1 ? ['it', ''] : ['them', ` ${listed(names)}.`];
  return {
    title: `${nameOrCount(names)} cannot be used`,
    advice: `The list says why. The others are cut without ${them}.${list}`,
    technical: null,
  };
}

/** Uploads that ended with the page that sent them. */
export function lostFilesText(names: readonly string[]): ErrorText {
  const [them, list] = names.length === 1 ? ['it', ''] : ['them', ` ${listed(names)}.`];
  return {
    title: `${nameOrCount(names)} had not arrived when the page was closed`,
    advice: `Add ${them} again: what has been sent is not sent twice.${list}`,
    technical: null,
  };
}

export function notAStyle(name: string): ErrorText {
  return {
    title: `${name} is not a Style DNA file`,
    advice: 'Use the style.json that comes with a finished job, or drop the video or picture itself.',
    technical: null,
  };
}

function notAdded(names: readonly string[], advice: string): ErrorText {
  return {
    title: `${nameOrCount(names)} ${names.length === 1 ? 'was' : 'were'} not added`,
    advice: advice + restNames(names),
    technical: null,
  };
}

function nameOrCount(names: readonly string[]): string {
  return names.length === 1 ? names[0]! : counted(names.length, 'file');
}

function restNames(names: readonly string[]): string {
  if (names.length === 1) return '';
  return ` Not added: ${listed(names)}.`;
}

function listed(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  return names.slice(0, MAX_NAMES).join(', ') + more;
}
