/** How far an upload is, in words. */
import type { Upload } from '../state/uploads.ts';
import { about, bytes } from './quantity.ts';

export function uploadWords({ progress, wasResumed, isWaiting }: Upload): string {
  const { state, sentBytes, totalBytes, bytesPerSecond, secondsLeft } = progress;
  if (isWaiting) return `${bytes(totalBytes)} · waits for the files before it`;
  const size = `${bytes(sentBytes)} of ${bytes(totalBytes)}`;
  if (state === 'paused') return `Paused at ${size}`;
  if (state === 'waiting') return `No connection at ${size}; goes on by itself`;
  if (sentBytes === totalBytes) return 'Arrived; looking at it';
  const speed = bytesPerSecond === null ? '' : ` · ${bytes(bytesPerSecond)}/s`;
  const left = secondsLeft === null ? '' : ` · ${about(secondsLeft)} left`;
  return `${wasResumed ? 'Resumed: ' : ''}${size}${speed}${left}`;
}
