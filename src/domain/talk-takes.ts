/** Whether an edit is a talk, and whether its options fit one. Pure. */
import type { EditOptions } from './edit-options.ts';
import type { FieldError } from './errors.ts';
import type { VideoKind } from './stage.ts';
import type { TalkOptions } from './talk-options.ts';

type Take = EditOptions['takes'][number];

interface KnownVideo {
  readonly kind: VideoKind;
  readonly hasAudio: boolean;
}

/** By request only: speech in its takes makes no reel a talk. */
export function isTalkEdit(
  { mode }: Pick<TalkOptions, 'mode'>,
  takes: readonly Partial<Pick<Take, 'role'>>[],
): boolean {
  return mode === 'on' || (mode === 'auto' && takes.some(({ role }) => role === 'talk'));
}

/** The role of a take in the request, which may name a take twice; `auto`: none. */
export function requestedRole(takes: readonly Take[], videoId: string): NonNullable<Take['role']> {
  return takes.find(({ video_id, role }) => video_id === videoId && role !== undefined)?.role ?? 'auto';
}

/**
 * Why an edit cannot be a talk, or has options that only a talk has. Empty: it is valid.
 *
 * @param edit As sent: paths name its fields.
 * @param all All takes, each once.
 * @param known Null: properties of the video are not known.
 */
export function talkTakesErrors(
  talk: TalkOptions,
  edit: EditOptions,
  all: readonly Take[],
  known: (videoId: string) => KnownVideo | null,
): FieldError[] {
  const isTalk = isTalkEdit(talk, edit.takes);
  const ofRoles = edit.takes.flatMap(({ video_id, role = 'auto' }, at): FieldError[] => {
    const path = `edit.takes.${at}.role`;
    if (role === 'auto') return [];
    if (!isTalk) return [{ path, message: `is "${role}", which only a talk has: set config.talk to "on"` }];
    const fault = role === 'talk' ? whySilent(known(video_id)) : null;
    return fault === null
      ? []
      : [{ path, message: `is "talk", but the take ${fault}: "b_roll" shows it without sound` }];
  });
  if (!isTalk) return ofRoles;
  const hasSpeaker = all.some(({ role }) => role !== 'b_roll');
  const noSpeaker = {
    path: 'edit.takes',
    message: 'are all "b_roll", but in a talk at least one take speaks: give it the role "talk"',
  };
  return [...ofRoles, ...(hasSpeaker ? [] : [noSpeaker]), ...rhythmErrors(edit)];
}

/** Why nobody can speak in a video; null: somebody may. */
function whySilent(video: KnownVideo | null): string | null {
  if (video === null) return null;
  if (video.kind === 'image') return 'is a photo';
  return video.hasAudio ? null : 'has no sound';
}

/** Options for cuts on a song: a talk is cut where it pauses. */
function rhythmErrors({ duration, rhythm, lengths = [] }: EditOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (duration !== 'template') {
    const message = `is ${JSON.stringify(duration)}, but a talk lasts as long as its speech; leave it out, and exclude parts of the takes to shorten the talk`;
    errors.push({ path: 'edit.duration', message });
  }
  if (rhythm !== 'on_beat') {
    const message = `is "${rhythm}", but a talk is cut where it pauses, not on a song: leave it out`;
    errors.push({ path: 'edit.rhythm', message });
  }
  if (lengths.length > 0) {
    const message = 'are for edits that are cut to a song, but a talk is cut where it pauses: leave them out';
    errors.push({ path: 'edit.lengths', message });
  }
  return errors;
}
