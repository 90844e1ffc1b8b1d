import { useQuery } from '@tanstack/react-query';
import { partOf, videoIdOf } from './edit-parts.ts';
import { type Make, singleSource } from './make.ts';
import { type UsedVideo, videoData } from './server-data.ts';

/** The only video and its part that counts. Null: there is none at the service, it is an edit, or the video's length is not known yet. */
export function useUsedVideo(make: Make): UsedVideo | null {
  const videoId = videoIdOf(singleSource(make));
  const exclude = make.takes[0]?.exclude ?? [];
  const { data: video } = useQuery({ ...videoData(videoId ?? ''), enabled: videoId !== null });
  if (videoId === null) return null;
  if (exclude.length === 0) return { videoId, part: null };
  return video === undefined ? null : { videoId, part: partOf({ exclude }, video.duration_seconds) };
}
