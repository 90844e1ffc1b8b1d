import { useQueries } from '@tanstack/react-query';
import { takeAnalysisData, takeStateOf } from '../state/edit-data.ts';
import { videoIdOf, withoutTake } from '../state/edit-parts.ts';
import { changeEdit, type Make } from '../state/make.ts';
import { videoData } from '../state/server-data.ts';
import { useRefusedUploads } from '../state/uploads.ts';
import { counted } from '../words/quantity.ts';

export interface UnusableFiles {
  readonly names: readonly string[];
  /** No take is left to plan with. */
  readonly isAll: boolean;
  /** Takes all of them out, as one change. */
  readonly remove: () => void;
}

/** Files that the service refused, and takes whose analysis failed. */
export function useUnusableFiles(make: Make): UnusableFiles {
  const { takes, song } = make;
  const refused = useRefusedUploads();
  const ids = [...new Set(takes.map(({ source }) => videoIdOf(source)).filter((id) => id !== null))];
  const states = useQueries({ queries: ids.map(takeAnalysisData) }).map(takeStateOf);
  const videos = useQueries({ queries: ids.map(videoData) });
  const failed = new Map(
    ids.flatMap((id, at) =>
      states[at]!.errorText === null ? [] : [[id, videos[at]!.data?.filename ?? 'a file'] as const],
    ),
  );
  const nameOf = (source: Make['takes'][number]['source']): string | undefined =>
    source.kind === 'upload' ? refused.get(source.uploadId) : failed.get(source.videoId);
  const unusable = takes.filter(({ source }) => nameOf(source) !== undefined);
  const songName = song?.source.kind === 'upload' ? refused.get(song.source.uploadId) : undefined;
  const names = [
    ...unusable.map(({ source }) => nameOf(source)!),
    ...(songName === undefined ? [] : [songName]),
  ];
  const remove = () => {
    const rest = unusable.reduce((parts, { id }) => withoutTake(parts, id), {
      takes,
      pins: make.pins,
      bans: make.bans,
    });
    const what = names.length === 1 ? `Take ${names[0]} out` : `Take ${counted(names.length, 'file')} out`;
    changeEdit(songName === undefined ? rest : { ...rest, song: null }, what);
  };
  return { names, remove, isAll: unusable.length > 0 && unusable.length === takes.length };
}
