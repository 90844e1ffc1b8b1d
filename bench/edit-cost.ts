/**
 * Cost of an edit of ten takes of 30 s in 1080p, against decoding all takes and a plain transcode of 30 s of them (the mean of the
 * takes: single ones cost 18 to 39 CPU s); and of rendering it again with one slot changed. Needs `ffmpeg` and the clips of the shared media.
 */
import { execFileSync } from 'node:child_process';
import { createReadStream, existsSync, mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { v7 as newId } from 'uuid';
import { editSchema } from '../src/domain/edit-options.ts';
import { QUALITIES } from '../src/domain/job-choices.ts';
import { jobConfigSchema } from '../src/domain/job-config.ts';
import { STAGE_NAMES, type StageName, type VideoReference } from '../src/domain/stage.ts';
import { outlineOf } from '../src/media/read/outline.ts';
import { MediaEngine } from '../src/pipeline/engine/engine.ts';
import { contentHash } from '../src/pipeline/stages/results.ts';
import { stageRunner } from '../src/pipeline/stages/stage-table.ts';
import { openFileStore } from '../src/storage/file-store.ts';
import { StorageWatch } from '../src/storage/storage-watch.ts';
import type { EditResult } from '../src/style/model/edit-result.ts';
import { pingPong } from './edit-material/plant.ts';
import { addCosts, type Cost, measureCost } from './lib/cost.ts';
import { MEDIA } from './lib/long-clip.ts';
import { runPlain } from './lib/plain-child.ts';
import { conditionsInWords, currentConditions, saveResult, table } from './lib/report.ts';

const SECONDS = 30;
const CLIPS = [
  ...['video/sam2_dog.mp4', 'more/video/sam2_cups.mp4', 'video/mdn_crystal.mp4', 'video/mdn_flower.mp4'],
  ...['video/mdn_frog.mp4', 'video/roof_zoom_17s.mp4', 'video/mdn_rabbit_vp8.webm', 'video/mdn_pig.mp4'],
  ...['more/video/concert_phone_vfr_12s.mp4', 'more/video/street_fire_10s.mp4'],
] as const;

/** Half a minute of the clip forwards and backwards, in 1080p; made once. */
function longTake(clip: string, folder: string): string {
  const path = join(folder, `${basename(clip)}.${SECONDS}s.mp4`);
  if (existsSync(path)) return path;
  const filter = 'fps=30,scale=1920:1080:force_original_aspect_ratio=increase,crop=1920:1080,setsar=1';
  const input = ['-stream_loop', '-1', '-i', pingPong(join(MEDIA, clip), folder), '-t', `${SECONDS}`];
  const output = ['-vf', filter, '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-g', '60', path];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...input, '-an', ...output]);
  return path;
}

const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: join(tmpdir(), 'styledna-edit-cost') },
    template: { type: 'string', default: join(MEDIA, 'edits/edit_landscape_a.mp4') },
    music: { type: 'string', default: join(MEDIA, 'music/feelings_95bpm_60s.ogg') },
  },
});
mkdirSync(values.folder, { recursive: true });
const takes = CLIPS.map((clip) => longTake(clip, values.folder));
const conditions = currentConditions();
const work = await mkdtemp(join(tmpdir(), 'styledna-bench-'));
try {
  await main(work);
} finally {
  await rm(work, { recursive: true, force: true });
}

async function main(folder: string): Promise<void> {
  const blobs = await openFileStore(join(folder, 'blobs'));
  const engine = new MediaEngine({ workRoot: join(folder, 'work'), idleSeconds: 300 });
  await engine.prepare();
  const storage = new StorageWatch({ logger: pino({ level: 'silent' }), check: () => blobs.check() });
  const runStage = stageRunner({ engine, blobs, storage, segmentSeconds: 30 });
  const stored = async (path: string): Promise<VideoReference> => {
    const videoId = newId();
    const blobKey = `videos/${videoId}`;
    await blobs.put(blobKey, createReadStream(path));
    const { video, durationSeconds } = await outlineOf(path);
    const size = { width: video?.width ?? 0, height: video?.height ?? 0 };
    const sha256 = contentHash(path);
    return {
      videoId,
      sha256,
      blobKey,
      filename: basename(path),
      durationSeconds: durationSeconds ?? 0,
      ...size,
    };
  };
  const references = await Promise.all(takes.map(stored));
  const [template, music] = [await stored(values.template), await stored(values.music)];
  const config = jobConfigSchema.parse({ quality: 'medium' });
  const costs: Record<string, Cost> = {};
  const job = async (jobId: string, more: object): Promise<EditResult> => {
    const options = editSchema.parse({
      takes: references.map(({ videoId }) => ({ video_id: videoId })),
      ...{ music: { video_id: music.videoId }, duration: SECONDS, ...more },
    });
    let edit: unknown;
    for (const stage of STAGE_NAMES) {
      const { cost, result } = await measureCost(() =>
        runStage({
          ...{ jobId, attempt: 1, product: null, stage, config, template, style: null },
          ...{ source: references[0]!, edit: { takes: references, music, options } },
          signal: new AbortController().signal,
          onProgress: () => {},
        }),
      );
      costs[`${jobId}/${stage}`] = cost;
      edit = result.publication?.edit ?? edit;
    }
    return edit as EditResult;
  };
  const first = await job('first', {});
  const changed = Math.floor(first.slots.length / 2);
  const [other] = first.slots[changed]!.alternatives;
  const pins = [{ slot: changed, video_id: other!.video_id, start_seconds: other!.source_start_seconds }];
  const second = await job('second', { pins });
  const moved = second.slots.filter(
    ({ video_id, source_start_seconds }, index) =>
      video_id !== first.slots[index]?.video_id ||
      source_start_seconds !== first.slots[index]?.source_start_seconds,
  ).length;
  for (const path of takes) {
    const request = {
      ...{ sourcePath: path, outputPath: join(folder, 'plain.mp4'), width: 1920, height: 1080 },
      ...{ frameRate: { numerator: 30, denominator: 1 }, ...QUALITIES.medium.compression },
    };
    const name = basename(path);
    costs[`decode/${name}`] = (await measureCost(() => runPlain('decode', { path }, folder))).cost;
    costs[`transcode/${name}`] = (await measureCost(() => runPlain('transcode', request, folder))).cost;
  }
  report(costs, first, moved);
}

function report(costs: Readonly<Record<string, Cost>>, first: EditResult, moved: number): void {
  const sum = (prefix: string) =>
    addCosts(Object.entries(costs).flatMap(([name, cost]) => (name.startsWith(prefix) ? [cost] : [])));
  const of = (job: string, stage: StageName) => costs[`${job}/${stage}`]!;
  const whole = sum('first/');
  const plainCpuSeconds = sum('decode/').cpuSeconds + sum('transcode/').cpuSeconds / takes.length;
  const [one, other] = [of('first', 'rendering'), of('second', 'rendering')];
  const figures = {
    slots: first.slots.length,
    seconds: first.duration_seconds,
    slotsMovedByPin: moved,
    cpuAgainstPlain: whole.cpuSeconds / plainCpuSeconds,
    childPeakMegabytes: whole.childPeakBytes / 1e6,
    secondRenderingCpu: other.cpuSeconds / one.cpuSeconds,
    secondRenderingWall: other.wallSeconds / one.wallSeconds,
    secondJobWall: sum('second/').wallSeconds / whole.wallSeconds,
  };
  const rows = Object.entries(costs).map(([name, { cpuSeconds, wallSeconds, childPeakBytes }]) => [
    ...[name, cpuSeconds.toFixed(1), wallSeconds.toFixed(1), (childPeakBytes / 1e6).toFixed(0)],
  ]);
  console.log(conditionsInWords(conditions));
  console.log(`\n${table(['work', 'CPU s', 'wall s', 'child MB'], rows)}\n`);
  for (const [name, value] of Object.entries(figures)) console.log(`${name}: ${Number(value.toFixed(2))}`);
  console.log(`\n${saveResult('edit-cost', { conditions, figures, costs })}`);
}
