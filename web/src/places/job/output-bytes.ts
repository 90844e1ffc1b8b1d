import { queryOptions } from '@tanstack/react-query';
import { service } from '../../state/service.ts';

const FIRST_BYTE = 'bytes=0-0';

/** Size of the rendered video; null if another storage serves the file and does not report it to pages. */
export function outputBytesData(jobId: string) {
  return queryOptions({
    queryKey: ['output-bytes', jobId],
    queryFn: ({ signal }) => sizeIn(service.getOutput(jobId, { range: FIRST_BYTE, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The same of a comparison. */
export function comparisonBytesData(jobId: string) {
  return queryOptions({
    queryKey: ['comparison-bytes', jobId],
    queryFn: ({ signal }) => sizeIn(service.getComparisonFile(jobId, { range: FIRST_BYTE, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

async function sizeIn(response: Promise<Response>): Promise<number | null> {
  try {
    const answer = await response;
    await answer.body?.cancel();
    return Number(answer.headers.get('content-range')?.split('/')[1]) || null;
  } catch {
    return null;
  }
}
