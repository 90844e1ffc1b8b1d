/** Cost of a whole job by stage, against a plain transcode and plain decoding of the same source, back to back. */

import { createReadStream, existsSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { QUALITIES } from '../src/domain/job-choices.ts';
import { type JobConfig, jobConfigSchema } from '../src/domain/job-config.ts';
import { STAGE_NAMES, type StageName, type VideoReference } from '../src/domain/stage.ts';
import { framesPerSecond, snapFrameRate } from '../src/domain/time.ts';
import { outlineOf } from '../src/media/read/outline.ts';
import { MediaEngine } from '../src/pipeline/engine/engine.ts';
import { contentHash } from '../src/pipeline/stages/results.ts';
import { stageRunner } from '../src/pipeline/stages/stage-table.ts';
import { median } from '../src/signal/statistics.ts';
import type { BlobStore } from '../src/storage/blob-store.ts';
import { openFileStore } from '../src/storage/file-store.ts';
import { StorageWatch } from '../src/storage/storage-watch.ts';
import { addCosts, type Cost, measureCost } from './lib/cost.ts';
import { longClip, MEDIA } from './lib/long-clip.ts';
import { runPlain } from './lib/plain-child.ts';
import { type Conditions, conditionsInWords, currentConditions, saveResult, table } from './lib/report.ts';

const USAGE = 'node bench/job.ts [SOURCE] [TEMPLATE] [--quality medium] [--runs 3] [--no-save]';
/** For limits only. */
const LONGEST_SECONDS = 3600;
const ANALYSES: readonly StageName[] = ['video_analysis', 'audio_analysis', 'motion_analysis'];

/** Everything that one run measures, by name; the order is that of the measuring. */
type Run = Readonly<Record<string, Cost>>;

interface Subject {
  readonly source: string;
  readonly template: string;
  readonly config: JobConfig;
}

/** One run in a fresh store: template, job, the same job again, plain transcode, plain decoding. */
async function measureRun(subject: Subject): Promise<{ run: Run; output: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'styledna-bench-'));
  try {
    const blobs = await openFileStore(join(folder, 'blobs'));
    const engine = new MediaEngine({
      workRoot: join(folder, 'work'),
      idleSeconds: 300,
      memoryBytes: 8 * 2 ** 30,
    });
    await engine.prepare();
    const storage = new StorageWatch({ logger: pino({ level: 'silent' }), check: () => blobs.check() });
    const runStage = stageRunner({ engine, blobs, storage, segmentSeconds: 30 });
    const source = await store(blobs, subject.source, 'source');
    const template = await store(blobs, subject.template, 'template');
    const costs: Record<string, Cost> = {};
    let outputKey = '';
    const stages = async (prefix: string, names: readonly StageName[], own: VideoReference | null) => {
      for (const stage of names) {
        const work = {
          jobId: prefix,
          attempt: 1,
          product: null,
          stage,
          source: own === null ? template : own,
          template: own === null ? null : template,
          style: null,
          config: subject.config,
          signal: new AbortController().signal,
          onProgress: () => {},
        };
        const { cost, result } = await measureCost(() => runStage(work));
        costs[`${prefix}/${stage}`] = cost;
        outputKey = result.publication?.output.blobKey ?? outputKey;
      }
    };
    await stages('template', STAGE_NAMES.slice(0, 4), null);
    await stages('job', STAGE_NAMES, source);
    await stages('again', STAGE_NAMES.slice(0, 5), source);
    await using rendered = await blobs.localPath(outputKey);
    const output = await measurePlain(subject, rendered.path, folder, engine, costs);
    return { run: costs, output };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The plain work at the size and rate of the job's output. */
async function measurePlain(
  { source, config }: Subject,
  renderedPath: string,
  folder: string,
  engine: MediaEngine,
  costs: Record<string, Cost>,
): Promise<string> {
  const { signal } = new AbortController();
  const limits = { maxDurationSeconds: Number.POSITIVE_INFINITY };
  const rendered = await engine.run('probe', { path: renderedPath, ...limits }, { signal });
  const { width, height, frameRate } = rendered;
  const { compression } = QUALITIES[config.quality];
  const { preset, crf } = compression;
  const outputPath = join(folder, 'plain.mp4');
  const request = {
    sourcePath: source,
    outputPath,
    width,
    height,
    frameRate: snapFrameRate(frameRate),
    preset,
    crf,
  };
  costs['plain/transcode'] = (await measureCost(() => runPlain('transcode', request, folder))).cost;
  const lean = { ...request, ...compression, outputPath: join(folder, 'lean.mp4') };
  costs['plain/lean'] = (await measureCost(() => runPlain('transcode', lean, folder))).cost;
  costs['plain/decode'] = (await measureCost(() => runPlain('decode', { path: source }, folder))).cost;
  const megabytes = async (path: string) => ((await stat(path)).size / 1e6).toFixed(1);
  const rate = framesPerSecond(request.frameRate);
  return `${width}x${height} at ${Number(rate.toFixed(3))} frames/s; ${await megabytes(renderedPath)} MB, plain ${await megabytes(outputPath)} MB`;
}

async function store(blobs: BlobStore, path: string, name: string): Promise<VideoReference> {
  const blobKey = `videos/${name}.mp4`;
  await blobs.put(blobKey, createReadStream(path));
  const { video } = await outlineOf(path);
  const { width, height } = video!;
  return {
    videoId: name,
    sha256: contentHash(name, path),
    blobKey,
    filename: name,
    durationSeconds: LONGEST_SECONDS,
    width,
    height,
  };
}

const sumOf = (run: Run, names: readonly string[]) => addCosts(names.map((name) => run[name]));
const jobNames = STAGE_NAMES.map((stage) => `job/${stage}`);
const templateNames = STAGE_NAMES.slice(0, 4).map((stage) => `template/${stage}`);
const againNames = STAGE_NAMES.slice(0, 5).map((stage) => `again/${stage}`);
const analysisNames = ANALYSES.map((stage) => `job/${stage}`);

function medianCost(runs: readonly Run[], names: readonly string[]): Cost {
  const costs = runs.map((run) => sumOf(run, names));
  const of = (field: keyof Cost) => median(costs.map((cost) => cost[field]));
  return {
    cpuSeconds: of('cpuSeconds'),
    wallSeconds: of('wallSeconds'),
    childPeakBytes: of('childPeakBytes'),
  };
}

/** Each ratio is computed within a run, because the machine's speed varies; then the median is used. */
function medianRatio(runs: readonly Run[], above: readonly string[], below: string): number {
  return median(runs.map((run) => sumOf(run, above).cpuSeconds / run[below].cpuSeconds));
}

function summarise(runs: readonly Run[]) {
  const rows: [string, readonly string[]][] = [
    ...STAGE_NAMES.map((stage): [string, readonly string[]] => [stage, [`job/${stage}`]]),
    ['job, template known', jobNames],
    ['template, once', templateNames],
    ['job, template new', [...templateNames, ...jobNames]],
    ['job again, up to rendering', againNames],
    ['plain transcode', ['plain/transcode']],
    ['plain transcode, compressed as the job', ['plain/lean']],
    ['decoding alone', ['plain/decode']],
  ];
  return {
    rows: rows.map(([name, parts]) => ({ name, ...medianCost(runs, parts) })),
    ratios: {
      'job, template known / plain transcode': medianRatio(runs, jobNames, 'plain/transcode'),
      'job, template new / plain transcode': medianRatio(
        runs,
        [...templateNames, ...jobNames],
        'plain/transcode',
      ),
      'job, template known / plain transcode, compressed as the job': medianRatio(
        runs,
        jobNames,
        'plain/lean',
      ),
      'rendering / plain transcode': medianRatio(runs, ['job/rendering'], 'plain/transcode'),
      'analysis / decoding alone': medianRatio(runs, analysisNames, 'plain/decode'),
    },
  };
}

function print(summary: ReturnType<typeof summarise>, conditions: Conditions, what: string): void {
  console.log(`\n${what}\n${conditionsInWords(conditions)}\n`);
  const rows = summary.rows.map(({ name, cpuSeconds, wallSeconds, childPeakBytes }) => [
    name,
    cpuSeconds.toFixed(2),
    wallSeconds.toFixed(2),
    childPeakBytes === 0 ? '' : (childPeakBytes / 1e6).toFixed(0),
  ]);
  console.log(table(['', 'CPU s', 'wall s', 'peak MB'], rows));
  const ratios = Object.entries(summary.ratios).map(([name, ratio]) => [name, ratio.toFixed(2)]);
  console.log(`\n${table(['CPU ratio, median of the runs', ''], ratios)}`);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quality: { type: 'string', default: 'medium' },
      runs: { type: 'string', default: '3' },
      'no-save': { type: 'boolean', default: false },
    },
  });
  const conditions = currentConditions();
  const source = positionals[0] === undefined ? await longClip() : resolve(positionals[0]);
  const ofMedia = `${MEDIA}edits/edit_vertical_a.mp4`;
  const template =
    positionals[1] === undefined ? (existsSync(ofMedia) ? ofMedia : source) : resolve(positionals[1]);
  const config = jobConfigSchema.parse({ quality: values.quality });
  const count = Number(values.runs);
  if (!Number.isInteger(count) || count < 1) throw new Error(`--runs must be a whole number.\n${USAGE}`);
  const runs: Run[] = [];
  let output = '';
  for (let at = 0; at < count; at++) {
    const measured = await measureRun({ source, template, config });
    runs.push(measured.run);
    output = measured.output;
    const ratio = medianRatio([measured.run], jobNames, 'plain/transcode');
    console.error(`run ${at + 1} of ${count}: job / plain transcode ${ratio.toFixed(2)}`);
  }
  const what = `${basename(source)} in the style of ${basename(template)}, ${values.quality}: ${output}; ${count === 1 ? '1 run' : `${count} runs`}`;
  const summary = summarise(runs);
  print(summary, conditions, what);
  if (!values['no-save']) console.log(`\n${saveResult('job', { conditions, what, ...summary, runs })}`);
}

await main();
