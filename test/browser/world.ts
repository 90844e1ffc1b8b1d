/** Services, files and jobs in which the page can be seen in each of its states. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StyleDnaClient } from '../../src/client/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { mediaPath } from '../support/media.ts';
import { childrenOf } from '../support/processes.ts';
import { beatSong, takeClip } from '../support/reel-clips.ts';
import { createJob, rottenVideo, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

/** A child is suspended while it is shown. */
const PATIENT = { STAGE_IDLE_SECONDS: '3600', WORKER_CONCURRENCY: '1' };
/** Results are stored for 17 s. */
const FORGETFUL = { RETENTION_DAYS: '0.0002' };
/** A rendering takes 15 s on an idle machine; two other files with services and browsers run beside it. */
const PATIENCE_MS = 300_000;

const CAPTIONS = `1
00:00:00,500 --> 00:00:02,000
The first flower

2
00:00:02,500 --> 00:00:04,500
opens in the morning
`;

export interface World extends AsyncDisposable {
  /** Paths of clips: a source, a template, an upright one, a long one, captions, and a file that is no video. */
  readonly files: Readonly<
    Record<'source' | 'look' | 'upright' | 'long' | 'letter' | 'prices' | 'song' | 'captions', string>
  >;
  /** For an edit. */
  readonly takes: readonly string[];
  /** Does its work. */
  readonly working: Service;
  /** Takes everything and does nothing of it. */
  readonly idle: Service;
  /** Nobody has used it. */
  readonly unused: Service;
  /** Forgets what it made. */
  readonly forgetful: Service;
  /** Of `working`: with a comparison, and warnings. */
  readonly doneId: string;
  readonly failedId: string;
  readonly cancelledId: string;
  /** Of `forgetful`. */
  readonly expiredId: string;
}

export async function makeWorld(): Promise<World> {
  const folder = temporaryFolder();
  const [letter, prices] = [join(folder, 'letter.mp4'), join(folder, 'prices.json')];
  const captions = join(folder, 'words.srt');
  writeFileSync(captions, CAPTIONS);
  writeFileSync(letter, 'Dear editor');
  writeFileSync(prices, '{"apples": 3}');
  const files = {
    source: mediaPath('video/mdn_flower.mp4') ?? (await makeClip(folder, { name: 'source' })),
    look: mediaPath('edits/edit_landscape_a.mp4') ?? (await makeClip(folder, { name: 'look' })),
    upright:
      mediaPath('edits/edit_vertical_a.mp4') ??
      (await takeClip(folder, {
        name: 'upright',
        tone: 40,
        durationSeconds: 8,
        shotSeconds: 1,
        isUpright: true,
      })),
    long: await makeClip(folder, { name: 'long', durationSeconds: 10 }),
    song: mediaPath('music/808kick_120bpm.mp3') ?? beatSong(folder),
    ...{ letter, prices, captions },
  };
  const takes = await Promise.all(
    ['mdn_frog', 'mdn_pig', 'sam2_dog', 'cartoon_surf_8s'].map(
      (name, at) =>
        mediaPath(`video/${name}.mp4`) ?? takeClip(folder, { name, tone: 30 + 30 * at, durationSeconds: 7 }),
    ),
  );
  const services = new AsyncDisposableStack();
  const start = async (settings: Readonly<Record<string, string>>) =>
    services.use(await startService(settings));
  const working = await start(PATIENT);
  const idle = await start({ WORKER_CONCURRENCY: '0' });
  const unused = await start({ WORKER_CONCURRENCY: '0' });
  const forgetful = await start(FORGETFUL);
  const sourceId = await uploaded(working, files.source);
  await using done = await createJob(working, {
    ...{ video_id: sourceId, template_video_id: await uploaded(working, files.look) },
    config: { quality: 'medium', comparison: true },
  });
  await done.ended(PATIENCE_MS);
  const client = new StyleDnaClient({ baseUrl: working.baseUrl });
  const { style_json: style } = await client.getJobResult(done.jobId);
  await client.createStyle({ name: 'From a file', style_json: style! });
  await client.createStyle({ name: 'Evening light', job_id: done.jobId });
  const broken = await rottenVideo(working, await makeClip(folder, { name: 'holiday', durationSeconds: 1 }));
  await using failed = await createJob(working, { video_id: broken });
  await failed.ended(PATIENCE_MS);
  await using cancelled = await createJob(working, { video_id: await uploaded(working, files.long) });
  await client.cancelJob(cancelled.jobId);
  await cancelled.ended(PATIENCE_MS);
  const expiredId = await expiredJob(forgetful, await makeClip(folder, { name: 'gone', durationSeconds: 1 }));
  return {
    ...{ files, takes, working, idle, unused, forgetful, expiredId },
    ...{ doneId: done.jobId, failedId: failed.jobId, cancelledId: cancelled.jobId },
    [Symbol.asyncDispose]: () => services.disposeAsync(),
  };
}

async function expiredJob(service: Service, clip: string): Promise<string> {
  await using job = await createJob(service, { video_id: await uploaded(service, clip) });
  await job.ended(PATIENCE_MS);
  return job.jobId;
}

/** Runs a function while the service's tasks are suspended. */
export async function standingStill<T>(service: Service, look: () => Promise<T>): Promise<T> {
  const stopped = childrenOf(service.pid);
  for (const child of stopped) process.kill(-child, 'SIGSTOP');
  try {
    return await look();
  } finally {
    for (const child of stopped) process.kill(-child, 'SIGCONT');
  }
}
