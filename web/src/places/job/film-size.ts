/** The size of an output before anything of it is shown: a later size would move the page. */
import { queryOptions } from '@tanstack/react-query';

export interface FilmSize {
  readonly width: number;
  readonly height: number;
}

export function filmSizeData(address: string) {
  return queryOptions({
    queryKey: ['film-size', address],
    queryFn: ({ signal }) => filmSize(address, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function filmSize(address: string, signal: AbortSignal): Promise<FilmSize> {
  const video = document.createElement('video');
  video.preload = 'metadata';
  video.muted = true;
  return new Promise<FilmSize>((resolve, reject) => {
    video.onloadedmetadata = () => resolve({ width: video.videoWidth, height: video.videoHeight });
    video.onerror = () => reject(new Error(video.error?.message ?? 'The video cannot be played'));
    signal.onabort = () => reject(signal.reason);
    video.src = address;
  }).finally(() => {
    video.removeAttribute('src');
    video.load();
  });
}
