/** How large an output and its comparison are, before anything of them is shown: a later size would move the page. */
import { queryOptions } from '@tanstack/react-query';
import { GAP, sideSize } from '../../../../src/render/previews/comparison-size.ts';
import type { Part } from './half.tsx';

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

/** The two pictures in a comparison: the right one in the output's shape, the left one in what is left beside it. */
export function partsOf(
  comparison: FilmSize,
  output: FilmSize,
): { readonly before: Part; readonly after: Part } {
  const right = sideSize(output, output.height);
  const { height } = right;
  return {
    before: { x: 0, width: comparison.width - GAP - right.width, height },
    after: { x: comparison.width - right.width, width: right.width, height },
  };
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
