/** What a media child does for each task. Runs in the child only. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { analyseMotion } from '../analysis/motion.ts';
import { readMotionLog } from '../analysis/motion-log.ts';
import { PictureAnalysis } from '../analysis/picture.ts';
import { SoundAnalysis } from '../analysis/sound.ts';
import { Failure } from '../errors.ts';
import { fingerprintOf } from '../media/fingerprint.ts';
import { openFrames } from '../media/frames.ts';
import { outlineOf } from '../media/outline.ts';
import { probeFile } from '../media/probe.ts';
import { openSamples } from '../media/samples.ts';
import { render } from '../render/render.ts';
import { extractStyle } from '../style/extract.ts';
import { gradeLut, writeCube } from '../style/grade.ts';
import { timelineToOtio } from '../style/otio.ts';
import { planTimeline } from '../style/plan.ts';
import type { PlanInput, TaskInput, TaskName, TaskOutput } from './tasks.ts';

type OnProgress = (fraction: number) => void;
type Runner<T extends TaskName> = (
  input: TaskInput<T>,
  onProgress: OnProgress,
) => Promise<TaskOutput<T>> | TaskOutput<T>;

/** The rate at which sound is analysed, whatever the file has. */
const ANALYSIS_SAMPLE_RATE = 44_100;
/** Decoding and measuring, before the findings are put together. */
const PASS_SHARE = 0.95;
/** Of measuring sound; the fingerprint is the rest. */
const SOUND_PASS_SHARE = 0.8;

const RUNNERS: { readonly [T in TaskName]: Runner<T> } = {
  ping: () => 'pong',
  outline: ({ path }) => outlineOf(path),
  probe: ({ path, maxDurationSeconds }) => probeFile(path, { maxDurationSeconds }),
  picture: measurePicture,
  sound: measureSound,
  motion: async ({ motionLogPath, picture }) =>
    analyseMotion(readMotionLog(await readFile(motionLogPath)), picture),
  style: ({ facts, fingerprint, createdAt }) => extractStyle(facts, { fingerprint, createdAt }),
  plan: planEdit,
  render: async (request, onProgress) => {
    const rendered = await render(request, onProgress);
    return { ...rendered, sha256: await sha256Of(request.outputPath) };
  },
};

export function runTask<T extends TaskName>(
  task: T,
  input: TaskInput<T>,
  onProgress: OnProgress,
): Promise<TaskOutput<T>> | TaskOutput<T> {
  const runner: Runner<T> = RUNNERS[task];
  return runner(input, onProgress);
}

async function measurePicture({ path, motionLogPath }: TaskInput<'picture'>, onProgress: OnProgress) {
  const outline = await outlineOf(path);
  if (outline.picture === null) throw new Failure('INPUT_UNSUPPORTED', 'The file has no video stream');
  const { durationSeconds } = outline;
  const analysis = new PictureAnalysis({ ...outline.picture, containerDurationSeconds: durationSeconds });
  for await (const frame of openFrames(path)) {
    analysis.push(frame);
    onProgress(passed(frame.timeSeconds, durationSeconds));
  }
  const { facts, motionLog } = analysis.finish();
  await writeFile(motionLogPath, motionLog);
  return facts;
}

async function measureSound({ path, durationSeconds }: TaskInput<'sound'>, onProgress: OnProgress) {
  if (!(await outlineOf(path)).hasSound) return null;
  let analysis: SoundAnalysis | null = null;
  for await (const block of openSamples(path, { sampleRate: ANALYSIS_SAMPLE_RATE, channels: 'source' })) {
    analysis ??= new SoundAnalysis({ sampleRate: ANALYSIS_SAMPLE_RATE, channels: block.channels.length });
    analysis.push(block);
    onProgress(passed(block.startSeconds, durationSeconds) * SOUND_PASS_SHARE);
  }
  // A sound stream without one sample counts as none.
  if (analysis === null) return null;
  const facts = analysis.finish();
  const fingerprint = await fingerprintOf(path, process.cwd(), (part) =>
    onProgress(SOUND_PASS_SHARE + part * (1 - SOUND_PASS_SHARE)),
  );
  return { facts, fingerprint };
}

/** Share of a pass that is done; where the length is not known it nears its end ever more slowly. */
function passed(seconds: number, durationSeconds: number | null): number {
  const share =
    durationSeconds === null ? 1 - Math.exp(-seconds / 60) : Math.min(1, seconds / durationSeconds);
  return share * PASS_SHARE;
}

function planEdit({ source, style, template, config }: PlanInput) {
  const { timeline, warnings } = planTimeline({ source, style, template, config });
  const cube = timeline.grade === null ? null : writeCube(gradeLut(timeline.grade));
  const otio = JSON.stringify(
    timelineToOtio(timeline, { timeline: 'StyleDNA edit', source: 'source', sourceUrl: 'source' }),
    null,
    2,
  );
  return { timeline, cube, otio, warnings };
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
