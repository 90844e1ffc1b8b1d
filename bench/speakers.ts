/**
 * Whether mouths and voices tell which of two people speaks: `node bench/speakers.ts SOURCES FOLDER [--half tuning]` lays the clips whose
 * sources lie anywhere below SOURCES into FOLDER, as `unseen.ts` does, and scores them. Of the reporting half only the sums are told.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openFrames } from '../src/media/decode/frames.ts';
import { openSamples } from '../src/media/decode/samples.ts';
import { readSpeakerClips } from './speakers/clips.ts';
import { type MouthFacts, MouthMeter } from './speakers/mouths.ts';
import { scoreTurns, sumOf, type TurnScore } from './speakers/score.ts';
import { loudMoments, mouthEvidence, type Path, turnsByMouths, turnsByVoices } from './speakers/turns.ts';
import { CURVES_PER_SECOND, TimbreMeter, type VoiceMoment } from './speakers/voices.ts';
import { layOut } from './unseen/lay-out.ts';

const SAMPLE_RATE = 44_100;
/** Fewer looks that show both faces are no ground to tell whose mouth moves. */
const MIN_BOTH_SHARE = 0.5;
const WAYS = ['mouths', 'mouths and voices'] as const;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { half: { type: 'string' } },
});
const [sources, folder] = positionals;
if (sources === undefined || folder === undefined)
  throw new Error('Usage: node bench/speakers.ts SOURCES FOLDER [--half tuning|reporting]');
const clips = readSpeakerClips();
const missing = new Set(layOut(clips, sources, folder));
for (const { repository, commit, path } of missing) console.log(`missing: ${repository} ${commit} ${path}`);
for (const half of ['tuning', 'reporting'] as const) {
  if (values.half !== undefined && values.half !== half) continue;
  const scores: Record<(typeof WAYS)[number], TurnScore[]> = { mouths: [], 'mouths and voices': [] };
  let silent = 0;
  for (const clip of clips.filter((one) => one.half === half && !missing.has(one))) {
    const found = await turnsIn(join(folder, half, clip.file));
    if (found === null) silent += 1;
    for (const way of found === null ? [] : WAYS) {
      const score = scoreTurns(found![way], clip.turns);
      scores[way].push(score);
      if (half === 'tuning') console.log(`${clip.file}, ${way}: ${runsOf(found![way])}`, inWords(score));
    }
  }
  for (const way of WAYS) console.log(`${half}, ${way}:`, inWords(sumOf(scores[way])));
  console.log(`${half}: ${silent} clips in which nothing is told`);
}

/** Null: two faces are hardly ever seen, or nothing is heard. */
async function turnsIn(path: string): Promise<Record<(typeof WAYS)[number], Path> | null> {
  const mouths = await mouthsOf(path);
  const voices = await voicesOf(path);
  const isLoud = loudMoments(voices);
  if (mouths.bothShare < MIN_BOTH_SHARE || !isLoud.includes(true)) return null;
  const evidence = mouthEvidence(mouths.samples, voices.length);
  return {
    mouths: turnsByMouths(evidence, isLoud),
    'mouths and voices': turnsByVoices(evidence, voices, isLoud),
  };
}

async function mouthsOf(path: string): Promise<MouthFacts> {
  const meter = new MouthMeter();
  for await (const frame of openFrames(path, { thinned: true })) meter.push(frame);
  return meter.finish();
}

async function voicesOf(path: string): Promise<VoiceMoment[]> {
  const meter = new TimbreMeter(SAMPLE_RATE);
  for await (const block of openSamples(path, { sampleRate: SAMPLE_RATE, channels: 'mono' }))
    meter.push(block);
  return meter.finish();
}

function runsOf(path: Path): string {
  return path
    .flatMap((side, at) =>
      at + 1 === path.length || path[at + 1] !== side
        ? [`${side === 1 ? 'right' : 'left'} to ${((at + 1) / CURVES_PER_SECOND).toFixed(1)}`]
        : [],
    )
    .join(', ');
}

function inWords(score: TurnScore): Record<string, string> {
  const share = (part: number, whole: number) =>
    whole === 0 ? '-' : `${(part / whole).toFixed(3)} of ${whole.toFixed(1)} s`;
  return {
    shown: share(score.shown, score.spoken),
    stayed: share(score.stayed, score.spoken),
    aloneShown: share(score.aloneShown, score.alone),
    aloneStayed: share(score.aloneStayed, score.alone),
    changes: `${score.found} of ${score.wanted} found, ${score.told} told`,
  };
}
