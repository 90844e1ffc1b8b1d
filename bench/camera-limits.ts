/**
 * What each limit of the camera's labels is worth: labels that come out otherwise, right or wrong, on clips measured once, with a
 * limit a fifth less, a fifth more, or so small or large that its rule never or always holds.
 *
 *   node bench/camera-limits.ts FOLDER …     media files with truths beside them (`NAME.truth.json`)
 */
import { CAMERA } from '../src/analysis/camera/camera-limits.ts';
import type { VideoFacts } from '../src/analysis/facts.ts';
import { analyseMotion } from '../src/analysis/motion.ts';
import type { MotionLog } from '../src/analysis/optical-flow/log.ts';
import { MIN_CONFIDENCE } from '../src/analysis/stated.ts';
import { outlineOf } from '../src/media/read/outline.ts';
import { recordVideo } from './lib/measure.ts';
import { readTruths, type Truth } from './lib/truth.ts';
import { judgeCamera } from './score/camera.ts';

/** From a rule that never holds to one that always does. */
const FACTORS = [0, 0.8, 1.2, 1e6];

interface Clip {
  readonly truth: Truth;
  readonly video: VideoFacts;
  readonly log: MotionLog;
}

type Limits = { [name: string]: number | Limits };

/** Of all labels that are asked for: stated right, stated wrong; and the error of the share of time under a zoom. */
function scoreOf(clips: readonly Clip[]): string {
  let [right, wrong, asked, zoomed] = [0, 0, 0, 0];
  for (const { truth, video, log } of clips) {
    const motion = analyseMotion(log, video);
    for (const verdict of judgeCamera({ video, audio: null, motion }, truth)) {
      asked++;
      if (verdict.confidence < MIN_CONFIDENCE.camera) continue;
      if (verdict.right) right++;
      else wrong++;
    }
    zoomed += motion.zoomShare * video.durationSeconds;
  }
  return `${right} right, ${wrong} wrong of ${asked}; ${zoomed.toFixed(2)} s under a zoom`;
}

function sweep(limits: Limits, place: string, clips: readonly Clip[], plain: string): void {
  for (const [name, value] of Object.entries(limits)) {
    const path = place === '' ? name : `${place}.${name}`;
    if (typeof value !== 'number') {
      sweep(value, path, clips, plain);
      continue;
    }
    const found = FACTORS.map((factor) => {
      limits[name] = value * factor;
      return `×${factor}: ${scoreOf(clips)}`;
    }).filter((text) => !text.endsWith(`: ${plain}`));
    limits[name] = value;
    console.log(`${path} ${value} | ${found.length === 0 ? 'nothing changes' : found.join(' | ')}`);
  }
}

async function main(): Promise<void> {
  const folders = process.argv.slice(2);
  if (folders.length === 0) throw new Error('Usage: node bench/camera-limits.ts FOLDER …');
  const clips: Clip[] = [];
  for (const truth of folders.flatMap((folder) => readTruths(folder))) {
    if (truth.cameraNotes.length === 0 && truth.made.camera_labels === undefined) continue;
    const recorded = await recordVideo(truth.path, await outlineOf(truth.path));
    if (recorded !== null) clips.push({ truth, ...recorded });
  }
  const plain = scoreOf(clips);
  console.log(`${clips.length} clips as it is: ${plain}`);
  sweep(CAMERA as unknown as Limits, '', clips, plain);
}

await main();
