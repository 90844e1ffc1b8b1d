import { queryOptions } from '@tanstack/react-query';
import { service } from '../../state/service.ts';

/** Size of the rendered video; null if another storage serves the file and does not report it to pages. */
export function outputBytesData(jobId: string) {
  return queryOptions({
    queryKey: ['output-bytes', jobId],
    queryFn: ({ signal }) => outputBytes(jobId, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

async function outputBytes(jobId: string, signal: AbortSignal): Promise<number | null> {
  try {
    const answer = await service.getOutput(jobId, { range: 'bytes=0-0', signal });
    await answer.body?.cancel();
    return Number(answer.headers.get('content-range')?.split('/')[1]) || null;
  } catch {
    return null;
  }
}
