import { useState } from 'react';
import type { StyleJSON, Video } from '../../../../src/client/api-types.ts';
import type { DroppedFiles } from '../../parts/dropped-files.ts';
import { fileKind, sortDropped, type WellName } from '../../state/dropped.ts';
import { MAX_TAKES, type Source } from '../../state/edit-parts.ts';
import { addTakes, changeEdit, chooseLook, type Make } from '../../state/make.ts';
import { queries } from '../../state/service.ts';
import {
  currentUpload,
  forgetLostUploads,
  giveUpIfOnItsWay,
  lostUploads,
  startUpload,
} from '../../state/uploads.ts';
import { addWords, leftOutErrors, lostFilesText, notAStyle } from '../../words/dropped-files.ts';
import type { ErrorText } from '../../words/error-text.ts';

/** Results of the last drop that the wells do not show. */
export interface FileNotes {
  /** Files that went into the other well, in words. */
  readonly moved: string | null;
  readonly errorTexts: readonly ErrorText[];
}

const NOTHING: FileNotes = { moved: null, errorTexts: [] };
/** Far above any Style DNA, far below what would stop the page. */
const MAX_STYLE_BYTES = 1 << 20;

export interface Files {
  readonly notes: Readonly<Record<WellName, FileNotes>>;
  readonly take: (on: WellName, dropped: DroppedFiles) => Promise<void>;
  readonly dismiss: () => void;
}

/** Puts files where they belong: takes and a song into one well, the look into the other. */
export function useFiles(make: Make): Files {
  const [notes, setNotes] = useState(notesOfLostFiles);
  const take = async (on: WellName, { files, unread }: DroppedFiles) => {
    forgetLostUploads();
    const known = knownFiles(make);
    const isKnown = (file: File) => known.has(identityOf(file.name, file.size));
    const { once, twice: repeated } = distinct(files);
    const twice = on === 'source' ? [...repeated, ...once.filter(isKnown)] : [];
    const sorted = sortDropped(
      files.filter((file) => !twice.includes(file)),
      on,
      {
        takes: make.takes.length,
        hasSong: make.song !== null,
        hasLook: make.look !== null,
      },
    );
    addFiles(sorted.takes, sorted.song);
    const ofLook = sorted.look === null ? [] : await takeLook(sorted.look, make);
    const isMoved = on === 'source' ? sorted.look !== null && ofLook.length === 0 : sorted.takes.length > 0;
    const moved = !isMoved
      ? null
      : on === 'source'
        ? `${sorted.look!.name} was added as the look.`
        : `${sorted.takes.map(({ name }) => name).join(', ')} ${sorted.takes.length === 1 ? 'was' : 'were'} added as your video.`;
    const ofDrop = {
      moved,
      errorTexts: leftOutErrors({
        ...{ leftOut: sorted.leftOut, twice, unread, maxTakes: MAX_TAKES },
        isNothing: files.length === 0 && unread.length === 0,
      }),
    };
    setNotes(
      on === 'look'
        ? { source: NOTHING, look: { ...ofDrop, errorTexts: [...ofLook, ...ofDrop.errorTexts] } }
        : { source: ofDrop, look: { moved: null, errorTexts: ofLook } },
    );
  };
  const dismiss = () => {
    forgetLostUploads();
    setNotes({ source: NOTHING, look: NOTHING });
  };
  return { notes, take, dismiss };
}

function notesOfLostFiles(): Files['notes'] {
  const names = lostUploads();
  const errorTexts = names.length === 0 ? [] : [lostFilesText(names)];
  return { source: { moved: null, errorTexts }, look: NOTHING };
}

function addFiles(takes: readonly File[], song: File | null): void {
  if (takes.length === 0 && song === null) return;
  const uploaded = (file: File): Source => ({ kind: 'upload', uploadId: startUpload(file) });
  const what = addWords([...takes, ...(song === null ? [] : [song])].map(({ name }) => name));
  const withSong = song === null ? {} : { song: { source: uploaded(song), startSeconds: null } };
  if (takes.length > 0) addTakes(takes.map(uploaded), what, withSong);
  else changeEdit(withSong, what);
}

async function takeLook(file: File, { look }: Make): Promise<ErrorText[]> {
  const isStyle = fileKind(file) === 'style';
  const style = isStyle ? await styleIn(file) : null;
  // The look that is in the well stays.
  if (isStyle && style === null) return [notAStyle(file.name)];
  giveUpIfOnItsWay(look);
  chooseLook(
    style === null
      ? { kind: 'upload', uploadId: startUpload(file) }
      : { kind: 'style', name: file.name, style },
  );
  return [];
}

/** Name and size of the files that are in the well. */
function knownFiles({ takes, song }: Make): Set<string> {
  const sources = [...takes.map(({ source }) => source), ...(song === null ? [] : [song.source])];
  return new Set(
    sources.flatMap((source) => {
      if (source.kind === 'upload') {
        const upload = currentUpload(source.uploadId);
        return upload === null || upload.errorText !== null
          ? []
          : [identityOf(upload.name, upload.sizeBytes)];
      }
      const video = queries.getQueryData<Video>(['video', source.videoId]);
      return video === undefined ? [] : [identityOf(video.filename, video.size_bytes)];
    }),
  );
}

/** Folders may contain the same file twice. */
function distinct(files: readonly File[]): { readonly once: File[]; readonly twice: File[] } {
  const seen = new Set<string>();
  const [once, twice]: [File[], File[]] = [[], []];
  for (const file of files) {
    const identity = identityOf(file.name, file.size);
    (seen.has(identity) ? twice : once).push(file);
    seen.add(identity);
  }
  return { once, twice };
}

function identityOf(name: string, sizeBytes: number): string {
  return `${sizeBytes} ${name}`;
}

async function styleIn(file: File): Promise<StyleJSON | null> {
  if (file.size > MAX_STYLE_BYTES) return null;
  try {
    const given = JSON.parse(await file.text());
    return typeof given?.version === 'string' && typeof given.color_grade === 'object' ? given : null;
  } catch {
    return null;
  }
}
