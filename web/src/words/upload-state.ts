/** Progress of an upload, in words. */
import type { Upload } from '../state/uploads.ts';
import { about, bytes } from './quantity.ts';

export function uploadWords({ progress, wasResumed, isWaiting }: Upload): string {
  const { state, sentBytes, totalBytes, bytesPerSecond, secondsLeft } = progress;
  if (isWaiting) return `${bytes(totalBytes)} · waiting for other files`;
  const size = `${bytes(sentBytes)} of ${bytes(totalBytes)}`;
  if (state === 'paused') return `Paused at ${size}`;
  if (state === 'waiting') return `No connection at ${size}; continues by itself`;
  if (sentBytes === totalBytes) return 'Uploaded; checking the file';
  const speed = bytesPerSecond === null ? '' : ` · ${bytes(bytesPerSecond)}/s`;
  const left = secondsLeft === null ? '' : ` · ${about(secondsLeft)} left`;
  return `${wasResumed ? 'Resumed: ' : ''}${size}${speed}${left}`;
}
