/** Peak memory of the child that renders (or analyses) clips as telephones record them, for each kind of edit that holds pictures. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { QUALITIES, type Quality } from '../src/domain/job-choices.ts';
import { MediaEngine } from '../src/pipeline/engine/engine.ts';
import { type Clip, type Timeline, wholeClip } from '../src/style/model/timeline.ts';
import { IDENTITY_GRADE } from '../test/support/identity-grade.ts';
import { type PhoneClip, writePhoneClip } from '../test/support/phone-clip.ts';
import { type Cost, measureCost } from './lib/cost.ts';
import { conditionsInWords, currentConditions, saveResult, table } from './lib/report.ts';

const USAGE = 'node bench/render-memory.ts [--only WORD,WORD] [--no-save]';

const FULL_HD = { width: 1920, height: 1080, framesPerSecond: 30, frameCount: 100 } as const;
const UHD = { width: 3840, height: 2160, framesPerSecond: 60, frameCount: 100 } as const;
/** Nearly as large as uploads may be. */
const LARGEST = { width: 8192, height: 4320, framesPerSecond: 30, frameCount: 76 } as const;

type Change = (seconds: number) => Partial<Timeline>;

interface Case {
  readonly what: string;
  readonly clip: PhoneClip;
  /** Left out: the clip is analysed, not rendered. */
  readonly quality?: Quality;
  readonly change?: Change;
}

const dissolve =
  (durationSeconds: number): Change =>
  (seconds) => ({
    clips: [wholeClip(0, seconds / 2), wholeClip(seconds / 2, seconds, 'source_cut')],
    transitions: [{ clipIndex: 1, type: 'dissolve', durationSeconds, easing: 'linear' }],
  });
const graded: Change = () => ({ takes: [{ grade: IDENTITY_GRADE }] });
const moving: Change = (seconds) => {
  const clip: Clip = {
    ...wholeClip(0, seconds),
    from: { x: 0.05, y: 0.05, width: 0.9, height: 0.9 },
    to: { x: 0, y: 0, width: 1, height: 1 },
  };
  return { clips: [clip] };
};

const CASES: readonly Case[] = [
  { what: '1080p30 analysis', clip: FULL_HD },
  { what: '1080p30 medium', clip: FULL_HD, quality: 'medium', change: graded },
  { what: '1080p30 ultra, dissolve of 1 s', clip: FULL_HD, quality: 'ultra', change: dissolve(1) },
  { what: '4K60 analysis', clip: UHD },
  { what: '4K60 low', clip: UHD, quality: 'low' },
  { what: '4K60 medium', clip: UHD, quality: 'medium' },
  { what: '4K60 high', clip: UHD, quality: 'high' },
  { what: '4K60 ultra', clip: UHD, quality: 'ultra' },
  { what: '4K60 ultra, graded', clip: UHD, quality: 'ultra', change: graded },
  { what: '4K60 ultra, dissolve of 0.5 s', clip: UHD, quality: 'ultra', change: dissolve(0.5) },
  { what: '4K60 ultra, dissolve of 1.3 s', clip: UHD, quality: 'ultra', change: dissolve(1.3) },
  {
    what: '4K60 ultra, to 30 frames/s',
    clip: UHD,
    quality: 'ultra',
    change: () => ({ frameRate: { numerator: 30, denominator: 1 } }),
  },
  { what: '4K60 ultra, moving framing', clip: UHD, quality: 'ultra', change: moving },
  { what: '4K60 ultra, turned', clip: { ...UHD, turned: true }, quality: 'ultra' },
  { what: '4K60 HLG analysis', clip: { ...UHD, hdr: true } },
  { what: '4K60 HLG ultra', clip: { ...UHD, hdr: true }, quality: 'ultra' },
  { what: '8K30 analysis', clip: LARGEST },
  { what: '8K30 low', clip: LARGEST, quality: 'low' },
  { what: '8K30 high', clip: LARGEST, quality: 'high' },
  { what: '8K30 ultra', clip: LARGEST, quality: 'ultra' },
  { what: '8K30 ultra, dissolve of 1.3 s', clip: LARGEST, quality: 'ultra', change: dissolve(1.3) },
];

function timelineOf({ clip, quality, change }: Case): Timeline {
  const { turned = false, framesPerSecond, frameCount } = clip;
  const seconds = frameCount / framesPerSecond;
  const { maxLines } = QUALITIES[quality!];
  const scale = Math.min(1, (maxLines ?? Number.POSITIVE_INFINITY) / Math.min(clip.width, clip.height));
  const [width, height] = [clip.width, clip.height].map((side) => 2 * Math.round((side * scale) / 2)) as [
    number,
    number,
  ];
  return {
    version: 2,
    frameRate: { numerator: framesPerSecond, denominator: 1 },
    width: turned ? height : width,
    height: turned ? width : height,
    clips: [wholeClip(0, seconds)],
    transitions: [],
    takes: [{ grade: null }],
    audio: null,
    captions: [],
    ...change?.(seconds),
  };
}

async function measure(engine: MediaEngine, path: string, one: Case, folder: string): Promise<Cost> {
  const options = { signal: new AbortController().signal, folder, mediaSeconds: 60 };
  if (one.quality === undefined) {
    const motionLogPath = join(folder, 'motion.bin');
    return (
      await measureCost(() => engine.run('video', { path, motionLogPath, withSubjects: true }, options))
    ).cost;
  }
  const { compression } = QUALITIES[one.quality];
  const [outputPath, posterPath] = [join(folder, 'output.mp4'), join(folder, 'poster.jpg')];
  const request = { takePaths: [path], timeline: timelineOf(one), ...compression, outputPath, posterPath };
  return (await measureCost(() => engine.run('render', request, options))).cost;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { only: { type: 'string', default: '' }, 'no-save': { type: 'boolean', default: false } },
  });
  const words = values.only.split(',').filter((word) => word !== '');
  const chosen = CASES.filter(({ what }) => words.length === 0 || words.some((word) => what.includes(word)));
  if (chosen.length === 0) throw new Error(`No case's name holds one of these words. ${USAGE}`);
  const conditions = currentConditions();
  const folder = mkdtempSync(join(tmpdir(), 'styledna-memory-'));
  const engine = new MediaEngine({ workRoot: join(folder, 'work'), idleSeconds: 600, memoryBytes: 2 ** 35 });
  const written = new Map<string, string>();
  const results = [];
  try {
    for (const one of chosen) {
      const key = JSON.stringify(one.clip);
      const path = written.get(key) ?? join(folder, `${written.size}.mp4`);
      if (!written.has(key)) written.set(key, await writePhoneClip(path, one.clip));
      const workFolder = join(folder, `run-${results.length}`);
      mkdirSync(workFolder);
      const cost = await measure(engine, path, one, workFolder);
      results.push({ what: one.what, ...cost });
      console.error(`${one.what}: ${(cost.childPeakBytes / 1e6).toFixed(0)} MB`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const rows = results.map(({ what, childPeakBytes, cpuSeconds, wallSeconds }) => [
    what,
    (childPeakBytes / 1e6).toFixed(0),
    cpuSeconds.toFixed(1),
    wallSeconds.toFixed(1),
  ]);
  console.log(`${conditionsInWords(conditions)}\n\n${table(['', 'peak MB', 'CPU s', 'wall s'], rows)}`);
  if (!values['no-save']) console.log(`\n${saveResult('render-memory', { conditions, results })}`);
}

await main();
