/** The thread that draws a clip of the demonstration. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Drawing, drawClip } from './demo-clips.ts';

await drawClip(workerData as Drawing, (fraction) => parentPort?.postMessage(fraction));
