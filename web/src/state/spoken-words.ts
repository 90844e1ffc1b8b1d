import { queryOptions } from '@tanstack/react-query';
import { captionsOf } from '../words/sub-rip.ts';
import { service } from './service.ts';

/** The artifact with the words that were heard in a source, in its times. */
export const SPEECH = 'speech.srt';

export const spokenWordsData = (jobId: string) =>
  queryOptions({
    queryKey: ['spoken-words', jobId],
    queryFn: async ({ signal }) =>
      captionsOf(await (await service.getArtifact(jobId, SPEECH, { signal })).text()),
    staleTime: Number.POSITIVE_INFINITY,
  });
