import { useState } from 'react';
import type { StyleJSON } from '../../../../src/client/api-types.ts';
import type { DroppedFiles } from '../../parts/well.tsx';
import { isStyleFile, sortDropped, type WellName } from '../../state/dropped.ts';
import { changeMake, chooseLook, type Make } from '../../state/make.ts';
import { giveUpIfOnItsWay, startUpload } from '../../state/uploads.ts';
import type { Trouble } from '../../words/trouble.ts';

/** What became of the files that were dropped last, as far as their wells do not show it. */
export interface FileNotes {
  /** A file that went into the other well, in words. */
  readonly moved: string | null;
  readonly troubles: readonly Trouble[];
}

const NOTHING: FileNotes = { moved: null, troubles: [] };
/** Far above any Style DNA, far below what would stop the page. */
const MAX_STYLE_BYTES = 1 << 20;

export interface Files {
  readonly notes: Readonly<Record<WellName, FileNotes>>;
  readonly take: (on: WellName, dropped: DroppedFiles) => Promise<void>;
  readonly dismiss: () => void;
}

/** Puts files into the two wells, each into the one that it suits. */
export function useFiles({ source, look }: Make): Files {
  const [notes, setNotes] = useState<Files['notes']>({ source: NOTHING, look: NOTHING });
  const takeSource = (file: File) => {
    giveUpIfOnItsWay(source);
    changeMake({ source: { kind: 'upload', uploadId: startUpload(file) } });
  };
  const takeLook = async (file: File): Promise<Trouble[]> => {
    const style = isStyleFile(file) ? await styleIn(file) : null;
    // The look that is in the well stays.
    if (isStyleFile(file) && style === null) return [notAStyle(file)];
    giveUpIfOnItsWay(look);
    chooseLook(
      style === null
        ? { kind: 'upload', uploadId: startUpload(file) }
        : { kind: 'style', name: file.name, style },
    );
    return [];
  };
  const take = async (on: WellName, { files, folders }: DroppedFiles) => {
    const sorted = sortDropped(files, on, (on === 'source' ? look : source) === null);
    if (sorted.source !== null) takeSource(sorted.source);
    const ofLook = sorted.look === null ? [] : await takeLook(sorted.look);
    const added = ofLook.length === 0 ? sorted : { ...sorted, look: null };
    const ofDrop = { moved: movedWords(on, added), troubles: leftOut(files, folders, sorted.leftOut) };
    setNotes(
      on === 'look'
        ? { source: NOTHING, look: { ...ofDrop, troubles: [...ofLook, ...ofDrop.troubles] } }
        : { source: ofDrop, look: { moved: null, troubles: ofLook } },
    );
  };
  return { notes, take, dismiss: () => setNotes({ source: NOTHING, look: NOTHING }) };
}

function movedWords(
  on: WellName,
  { source, look }: { readonly source: File | null; readonly look: File | null },
): string | null {
  const moved = on === 'source' ? look : source;
  if (moved === null) return null;
  return `${moved.name} was added as ${on === 'source' ? 'the look' : 'your video'}.`;
}

function leftOut(
  files: readonly File[],
  folders: readonly string[],
  others: readonly File[],
): readonly Trouble[] {
  const troubles: Trouble[] = [];
  if (others.length > 0) {
    troubles.push({
      title:
        others.length === 1 ? `${others[0]!.name} was not added` : `${others.length} files were not added`,
      advice: `Your video and the look are one file each.${others.length === 1 ? '' : ` Not added: ${others.map(({ name }) => name).join(', ')}.`}`,
      technical: null,
    });
  }
  for (const name of folders)
    troubles.push({
      title: `${name} is a folder`,
      advice: 'Drop one of its files instead.',
      technical: null,
    });
  if (files.length === 0 && folders.length === 0)
    troubles.push({
      title: 'That was not a file',
      advice: 'Drop a file from a folder of your computer, or choose one.',
      technical: null,
    });
  return troubles;
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

function notAStyle(file: File): Trouble {
  return {
    title: `${file.name} is not a Style DNA file`,
    advice: 'Use the style.json that comes with a finished job, or drop the video or picture itself.',
    technical: null,
  };
}
