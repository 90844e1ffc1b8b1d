import { useQueries } from '@tanstack/react-query';
import { editJobOf, takeAnalysisData } from './edit-data.ts';
import { videoIdOf } from './edit-parts.ts';
import type { Make } from './make.ts';
import { proxyData } from './proxies.ts';

/**
 * Requests the copies that every plan plays first, the song and the first take of a story, before there is a plan: the worker makes them
 * while the service plans.
 */
export function useEarlyProxies(make: Make): void {
  const job = editJobOf(make);
  const takeIds = job?.edit.takes?.map((take) => take.video_id) ?? [];
  const analyses = useQueries({ queries: [...new Set(takeIds)].map(takeAnalysisData) });
  // Nothing may delay the measurement of a take.
  const isWaiting = analyses.some(({ data }) => data === undefined || data.status === 'queued');
  const firstId = make.order === 'story' ? (takeIds[0] ?? null) : null;
  const ids = [videoIdOf(make.song?.source), firstId].filter((id) => id !== null);
  useQueries({ queries: job === null || isWaiting ? [] : [...new Set(ids)].map(proxyData) });
}
