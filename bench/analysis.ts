/** Accuracy of the analysis on clips with known truth, and its cost against decoding alone. */
import { parseArgs } from 'node:util';
import type { ClipFacts, PictureFacts, SoundFacts } from '../src/analysis/facts.ts';
import { analyseMotion } from '../src/analysis/motion.ts';
import { readMotionLog } from '../src/analysis/motion-log.ts';
import { PictureAnalysis } from '../src/analysis/picture.ts';
import { SoundAnalysis } from '../src/analysis/sound.ts';
import { openFrames } from '../src/media/frames.ts';
import { outlineOf } from '../src/media/outline.ts';
import { openSamples } from '../src/media/samples.ts';
import { accuracyTables, type ClipScore } from './accuracy-tables.ts';
import { measureCost } from './cost.ts';
import { MEDIA } from './long-clip.ts';
import { decodeAlone } from './plain-transcode.ts';
import { conditionsInWords, currentConditions, saveResult } from './report.ts';
import { judgeCamera } from './score-camera.ts';
import { scoreBeats } from './score-sound.ts';
import { scoreTransitions } from './score-transitions.ts';
import { readTruths, type Truth } from './truth.ts';

/** The rate at which the product analyses sound. */
const SAMPLE_RATE = 44_100;

async function measurePicture(path: string, outline: Awaited<ReturnType<typeof outlineOf>>) {
  if (outline.picture === null) return null;
  const { durationSeconds: containerDurationSeconds } = outline;
  const analysis = new PictureAnalysis({ ...outline.picture, containerDurationSeconds });
  for await (const frame of openFrames(path)) analysis.push(frame);
  const { facts, motionLog } = analysis.finish();
  return { picture: facts, motion: analyseMotion(readMotionLog(motionLog), facts) };
}

async function measureSound(path: string): Promise<SoundFacts | null> {
  let analysis: SoundAnalysis | null = null;
  for await (const block of openSamples(path, { sampleRate: SAMPLE_RATE, channels: 'source' })) {
    analysis ??= new SoundAnalysis({ sampleRate: SAMPLE_RATE, channels: block.channels.length });
    analysis.push(block);
  }
  return analysis?.finish() ?? null;
}

/** Analyses in this process, without the service's children: their starts would weigh too much on short clips. */
async function score(truth: Truth): Promise<ClipScore> {
  const { path, excluded } = truth;
  const decoding = await measureCost(() => decodeAlone(path));
  const analysis = await measureCost(async () => {
    const outline = await outlineOf(path);
    const seen = await measurePicture(path, outline);
    return { seen, sound: outline.hasSound ? await measureSound(path) : null };
  });
  const { seen, sound } = analysis.result;
  const clip: ClipFacts | null = seen === null ? null : { ...seen, sound };
  return {
    name: truth.name,
    transitions:
      clip === null || truth.cutsSeconds === null || excluded.has('cuts')
        ? null
        : scoreTransitions(clip.picture, truth),
    beats: sound === null || truth.beats === null ? null : scoreBeats(sound, truth.beats),
    captions: clip === null || truth.captions === null ? null : scoreCaptions(clip.picture, truth.captions),
    camera: clip === null ? [] : judgeCamera(clip, truth),
    cost: excluded.has('speed')
      ? null
      : {
          seconds: clip?.picture.durationSeconds ?? sound?.durationSeconds ?? 0,
          soundOnly: clip === null,
          analysis: analysis.cost,
          decoding: decoding.cost,
        },
  };
}

function scoreCaptions({ captions }: PictureFacts, wanted: boolean) {
  return { wanted, share: captions.share, found: captions.style !== null };
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { only: { type: 'string', default: '' }, 'no-save': { type: 'boolean', default: false } },
  });
  const conditions = currentConditions();
  const folder = positionals[0] ?? MEDIA;
  const truths = readTruths(folder).filter(({ path }) => path.includes(values.only));
  if (truths.length === 0) throw new Error('No media file with a *.truth.json beside it was found');
  const scores: ClipScore[] = [];
  for (const truth of truths) {
    console.error(truth.name);
    scores.push(await score(truth));
  }
  const { text, totals } = accuracyTables(scores);
  console.log(`${conditionsInWords(conditions)}\n\n${text}`);
  if (!values['no-save']) console.log(`\n${saveResult('analysis', { conditions, totals, scores })}`);
}

await main();
