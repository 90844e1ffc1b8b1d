import { useQueries } from '@tanstack/react-query';
import type { Video } from '../../../src/client/api-types.ts';
import { videoIdOf } from '../state/edit-parts.ts';
import type { Make } from '../state/make.ts';
import { videoData } from '../state/server-data.ts';

/** The name of an earlier take that is the same file; null: there is none. */
export function useTwin(video: Video | undefined, { takes }: Make): string | null {
  const ids = takes.map(({ source }) => videoIdOf(source)).filter((id) => id !== null);
  const before = [...new Set(ids.slice(0, Math.max(0, ids.indexOf(video?.video_id ?? ''))))];
  return useQueries({
    queries: before.map(videoData),
    combine: (answers) => answers.find(({ data }) => data?.sha256 === video?.sha256)?.data?.filename ?? null,
  });
}
