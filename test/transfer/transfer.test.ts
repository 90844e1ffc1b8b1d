/** Rows and files between two installations, and refused archives. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import pino from 'pino';
import type { QueueDatabase } from '../../src/database/queue-database.ts';
import { editSchema } from '../../src/domain/edit-options.ts';
import { claimJob, completeJob } from '../../src/jobs/model/job-store.ts';
import { JobQueue } from '../../src/jobs/queue/queue.ts';
import { BlobProxyService } from '../../src/pipeline/previews/proxy-service.ts';
import { PRESETS } from '../../src/presets/presets.ts';
import { DatabaseSavedStyles } from '../../src/saved-styles/database-saved-styles.ts';
import { exportInstallation } from '../../src/transfer/export-installation.ts';
import { importInstallation } from '../../src/transfer/import-installation.ts';
import { MOVED_TABLES, SKIPPED_TABLES } from '../../src/transfer/moved-tables.ts';
import {
  aPublication,
  type JobsService,
  newJob,
  openService,
  stagesThat,
  temporaryDirectory,
} from '../support/jobs.ts';
import { waitFor } from '../support/processes.ts';
import { waitingEntries } from '../support/queue-entries.ts';
import { storeProxy } from '../support/stored-proxy.ts';

const A_STYLE = PRESETS[0]!.style;
const QUIET = { signal: new AbortController().signal, onProgress: () => {} };

const exporting = ({ database, blobs }: JobsService, folder: string) =>
  exportInstallation({ database, blobs, folder, ...QUIET });

async function importing(
  { database, blobs }: JobsService,
  folder: string,
  queueOf: QueueDatabase = database,
) {
  const queue = new JobQueue(queueOf, pino({ level: 'silent' }));
  await queue.start();
  return importInstallation({ database, blobs, folder, queue, ...QUIET }).finally(() => queue.stop());
}

/** One job of each kind, and a file of each owner. */
async function filled(service: JobsService) {
  const { database, blobs } = service;
  const done = await newJob(service, { webhookUrl: 'http://127.0.0.1:9/hook' });
  const running = await newJob(service, { config: { note: 'a\u0000b', quoted: '{"x",\\N}' } });
  const low = await newJob(service, { priority: 10, origin: { requestId: 'r', trace: null } });
  const high = await newJob(service, { priority: 90, warnings: [{ code: 'ODD', message: 'ü, "\\' }] });
  for (const { jobId } of [done, running]) await claimJob(database, jobId);
  await database.transaction(async (transaction) => {
    const end = { publication: aPublication(done.jobId, 1), warnings: [], keepDays: 30 };
    await service.webhooks.jobEnded(transaction, (await completeJob(transaction, done.jobId, 1, end))!, null);
  });
  const styles = new DatabaseSavedStyles({ database, blobs, responses: service.jobs.idempotency });
  await blobs.put('previews/picture', Readable.from(['a picture']));
  const { styleId } = await styles.create(
    {
      name: 'Ours',
      style: A_STYLE,
      origin: { kind: 'job', jobId: done.jobId },
      pictureKey: 'previews/picture',
    },
    null,
  );
  const files = {
    [`styles/${styleId}.jpg`]: 'a picture',
    [`videos/${done.videoId}`]: 'x'.repeat(200_000),
    [`jobs/${done.jobId}/1/output.mp4`]: 'output',
    [`results/ab/${'ab'.repeat(32)}/video-1.json`]: '',
  };
  for (const [key, content] of Object.entries(files))
    await blobs.put(key, Readable.from([Buffer.from(content)]));
  return { done, running, low, high, files };
}

const everything = async ({ database }: JobsService) =>
  Promise.all(
    ['videos', 'jobs', 'styles', 'webhook_deliveries', 'webhook_secrets'].map((table) =>
      database.query(`select * from ${table} order by 1`),
    ),
  );

test('each table is moved, or left for a reason', async () => {
  await using service = await openService();
  const rows = await service.database.query<{ name: string }>(
    `select tablename::text as name from pg_tables where schemaname = 'public'`,
  );
  const names = rows.map(({ name }) => name).sort();
  assert.deepEqual(names, [...MOVED_TABLES, ...Object.keys(SKIPPED_TABLES)].sort());
});

test('an installation arrives unchanged: rows, files, the order of waiting jobs; running jobs continue', async () => {
  using directory = temporaryDirectory();
  const folder = join(directory.path, 'export');
  await using from = await openService();
  await using to = await openService();
  const { done, running, low, high, files } = await filled(from);
  const manifest = await exporting(from, folder);
  assert.deepEqual(
    [manifest.tables.jobs.rows, manifest.tables.videos.rows, manifest.tables.webhook_deliveries.rows],
    [4, 4, 1],
  );
  assert.deepEqual(manifest.blobs, { files: 4, bytes: 200_015 });
  await importing(to, folder);
  const [videos, jobs, ...others] = await everything(from);
  const [newVideos, newJobs, ...newOthers] = await everything(to);
  assert.deepEqual([newVideos, ...newOthers], [videos, ...others]);
  const handedOver = jobs!.map((job) => ({ ...job, handed_over: job['status'] === 'processing' }));
  assert.deepEqual(newJobs, handedOver);
  for (const [key, content] of Object.entries(files))
    assert.equal(await text(await to.blobs.get(key)), content);
  assert.equal((await to.jobs.service.list({ filter: {}, page: 1, pageSize: 10 })).total, 4);
  assert.equal((await to.jobs.service.figures()).queued, 2);
  const claimed: string[] = [];
  const stages = stagesThat(({ jobId, stage }) => {
    if (stage === 'video_analysis') claimed.push(jobId);
  });
  await to.jobs.startWorker(stages, { concurrency: 1 });
  await waitFor('all ended', async () => (await to.jobs.service.get(low.jobId))?.status === 'completed');
  assert.deepEqual(
    claimed.filter((jobId) => jobId !== running.jobId),
    [high.jobId, low.jobId],
  );
  const [resumed] = await to.database.query('select workers_lost, attempt from jobs where job_id = $1', [
    running.jobId,
  ]);
  assert.deepEqual(resumed, { workers_lost: 0, attempt: 2 });
  assert.equal((await to.jobs.service.get(done.jobId))?.status, 'completed');
});

test('an invalid archive is refused, and leaves no rows', async () => {
  using directory = temporaryDirectory();
  await using from = await openService();
  await using to = await openService();
  const { done } = await filled(from);
  const fresh = async (name: string) => {
    const folder = join(directory.path, name);
    await exporting(from, folder);
    return folder;
  };
  const folder = await fresh('kept');
  await assert.rejects(exporting(from, folder), /is not empty/);
  const change = (file: string, from: string | RegExp, into: string) => (folder: string) => {
    const path = join(folder, file);
    writeFileSync(path, readFileSync(path, 'utf8').replace(from, into));
  };
  const damages: readonly (readonly [string, (folder: string) => void, RegExp])[] = [
    // First, since existing files of an earlier import remain.
    [
      'a changed file',
      (folder) => appendFileSync(join(folder, `blobs/videos/${done.videoId}`), 'y'),
      /differs/,
    ],
    ['no manifest', (folder) => rmSync(join(folder, 'manifest.json')), /no manifest\.json/],
    ['half a manifest', change('manifest.json', /\}\s*$/, ''), /manifest\.json is damaged/],
    [
      'an older version',
      change('manifest.json', /"migration": \d+/, '"migration": 3'),
      /needs migration \d+/,
    ],
    [
      'a style that is none',
      change('tables/styles.jsonl', 'frame_rate', 'frame_rote'),
      /line 1 of tables\/styles\.jsonl: style\.frame_rate/,
    ],
    ['another column', change('manifest.json', '"workers_lost"', '"workers_gone"'), /columns of jobs/],
    ['a changed row', change('tables/jobs.jsonl', 'quality', 'qualitx'), /4 rows that are not the 4/],
    ['a row too few', change('tables/videos.jsonl', /^.*\n/, ''), /videos has 3 rows/],
    ['a file too few', change('blobs.jsonl', /^.*\n/, ''), /3 files in place of 4/],
  ];
  for (const [name, damage, message] of damages) {
    const damaged = await fresh(name);
    damage(damaged);
    await assert.rejects(importing(to, damaged), message, name);
    assert.equal((await to.database.query('select 1 from videos')).length, 0, name);
  }
  // Existing files are used; then the disk is full.
  await importing(to, folder);
  await assert.rejects(importing(to, folder), /not empty: videos has 4 rows/);
});

test('nothing is moved while a worker is there', async () => {
  using directory = temporaryDirectory();
  await using service = await openService();
  await service.jobs.startWorker(stagesThat(), { concurrency: 1 });
  await assert.rejects(
    exporting(service, join(directory.path, 'export')),
    /Workers were active.*Stop every process/,
  );
});

test('a key of the list that is no key of ours is not used as a path', async () => {
  using directory = temporaryDirectory();
  const folder = join(directory.path, 'export');
  await using from = await openService();
  await using to = await openService();
  await filled(from);
  await exporting(from, folder);
  const path = join(folder, 'blobs.jsonl');
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(/"key":"[^"]*"/, '"key":"videos/../../../etc/passwd"'),
  );
  await assert.rejects(importing(to, folder));
  assert.equal((await to.database.query('select 1 from videos')).length, 0);
});

describe('a crafted export is refused, with its entry', () => {
  const secret = 'not of the export';
  /** Replaces an entry by a link to the same kind of thing outside. */
  const linked = (entry: string) => (folder: string, outside: string) => {
    renameSync(join(folder, entry), join(outside, 'moved'));
    symlinkSync(join(outside, 'moved'), join(folder, entry));
  };
  const fifo = (entry: string) => (folder: string) => {
    rmSync(join(folder, entry), { recursive: true });
    execFileSync('mkfifo', [join(folder, entry)]);
  };
  const edited =
    (file: string, change: (lines: string[]) => void) =>
    (folder: string): void => {
      const path = join(folder, file);
      const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
      change(lines);
      writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
    };
  /** Another value in a column of the first row that has one. */
  const valued = (table: string, column: string, value: string) => (folder: string) => {
    const { tables } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
    const at = tables[table].columns.findIndex(({ name }: { name: string }) => name === column);
    edited(`tables/${table}.jsonl`, (lines) => {
      const index = lines.findIndex((line) => JSON.parse(line)[at] !== null);
      const row = JSON.parse(lines[index]);
      row[at] = value;
      lines[index] = JSON.stringify(row);
    })(folder);
  };
  const publication = (artifact: object) => {
    const output = { name: 'o', blobKey: 'jobs/x/1/o.mp4', contentType: 'video/mp4', sizeBytes: 1 };
    return JSON.stringify({ style: null, output, artifacts: [{ ...output, ...artifact }] });
  };
  type Crafting = (folder: string, outside: string) => void;
  const crafted: readonly (readonly [string, Crafting, RegExp])[] = [
    ...['manifest.json', 'blobs.jsonl', 'tables/jobs.jsonl', 'tables', 'blobs', 'blobs/videos'].flatMap(
      (entry): [string, Crafting, RegExp][] => [
        [`${entry} is a link`, linked(entry), new RegExp(`${entry} is a symbolic link`)],
        [`${entry} is a FIFO`, fifo(entry), new RegExp(`${entry} is a FIFO`)],
      ],
    ),
    [
      'a file is a link to a file outside',
      (folder, outside) => {
        const [name] = readdirSync(join(folder, 'blobs/videos'));
        writeFileSync(join(outside, 'secret'), secret);
        rmSync(join(folder, 'blobs/videos', name!));
        symlinkSync(join(outside, 'secret'), join(folder, 'blobs/videos', name!));
      },
      /blobs\/videos\/[^ ]+ is a symbolic link/,
    ],
    [
      'a device',
      (folder) => symlinkSync('/dev/zero', replaced(join(folder, 'blobs.jsonl'))),
      /symbolic link/,
    ],
    [
      'a folder for a file',
      (folder) => mkdirSync(replaced(join(folder, 'blobs.jsonl'))),
      /blobs\.jsonl is a folder/,
    ],
    [
      'a file is larger than its recorded size',
      edited('blobs.jsonl', (lines) => {
        lines[0] = lines[0].replace(/"sizeBytes":\d+/, '"sizeBytes":7');
      }),
      /has \d+ bytes, not 7/,
    ],
    ...['../x', '/etc/passwd', 'videos/.hidden', 'elsewhere/x', 'videos/a b', 'database/PG_VERSION', ''].map(
      (key): [string, Crafting, RegExp] => [
        `the key ${key}`,
        edited('blobs.jsonl', (lines) => {
          lines[1] = JSON.stringify({ ...JSON.parse(lines[1]), key });
        }),
        /line 2 of blobs\.jsonl: key is not a valid key of a stored file/,
      ],
    ),
    [
      'a line that is no JSON',
      edited('blobs.jsonl', (lines) => {
        lines[0] = '{';
      }),
      /line 1 of blobs\.jsonl: is not valid JSON/,
    ],
    [
      'a row that is not a list',
      edited('tables/jobs.jsonl', (lines) => {
        lines[1] = '{"length":3}';
      }),
      /line 2 of tables\/jobs\.jsonl: is not a list of \d+ texts/,
    ],
    [
      'a row of a million numbers',
      edited('tables/jobs.jsonl', (lines) => {
        lines[0] = `[${'0,'.repeat(1_000_000)}0]`;
      }),
      /line 1 of tables\/jobs\.jsonl: is not a list of \d+ texts/,
    ],
    [
      'a file whose key is a tower of lists',
      edited('blobs.jsonl', (lines) => {
        lines[0] = `{"key":${'['.repeat(1_000_000)}`;
      }),
      /line 1 of blobs\.jsonl: is nested deeper than 1 levels/,
    ],
    [
      'a row of numbers',
      edited('tables/jobs.jsonl', (lines) => {
        lines[0] = lines[0].replace(/"[^"]*"/, '7');
      }),
      /line 1 of tables\/jobs\.jsonl: is not a list/,
    ],
    [
      'a page as a video',
      valued('videos', 'content_type', 'text/x-evil'),
      /content_type: is not a type of a stored file/,
    ],
    ['a type with a header', valued('videos', 'content_type', 'video/mp4\r\nx: y'), /content_type/],
    [
      'a key in a row',
      valued('videos', 'blob_key', '../../etc/passwd'),
      /videos\.jsonl: blob_key: is not a valid key/,
    ],
    ['warnings of another kind', valued('videos', 'warnings', '7'), /warnings/],
    [
      'more warnings than anything has',
      valued('videos', 'warnings', `[${'0,'.repeat(200_000)}0]`),
      /warnings: has more than 100000 values and keys/,
    ],
    ['a publication without files', valued('jobs', 'publication', '{}'), /publication\.output/],
    ['a publication that is no JSON', valued('jobs', 'publication', '{'), /publication: is not valid JSON/],
    [
      'a page among the files of a job',
      valued('jobs', 'publication', publication({ contentType: 'image/svg+xml' })),
      /publication\.artifacts\.0\.contentType/,
    ],
    [
      'a key among the files of a job',
      valued('jobs', 'publication', publication({ blobKey: 'jobs/../../x' })),
      /publication\.artifacts\.0\.blobKey: is not a valid key/,
    ],
    [
      'a date that is none',
      valued('jobs', 'created_at', 'never'),
      /jobs has a value that its columns refuse/,
    ],
    ['a number that is none', valued('jobs', 'priority', 'x'), /a value that its columns refuse/],
  ];
  test('each with its own error', async () => {
    using directory = temporaryDirectory();
    await using from = await openService();
    await using to = await openService();
    await filled(from);
    const whole = join(directory.path, 'whole');
    await exporting(from, whole);
    for (const [index, [what, craft, why]] of crafted.entries()) {
      const [folder, outside] = [join(directory.path, `${index}`), join(directory.path, `${index}-outside`)];
      cpSync(whole, folder, { recursive: true });
      mkdirSync(outside);
      craft(folder, outside);
      // Files that are there already are not read again.
      for (const root of ['videos/', 'jobs/', 'results/']) await to.blobs.removeAll(root);
      await assert.rejects(importing(to, folder), (error: Error) => {
        assert.equal(error.name, 'Failure', `${what}: ${error.stack}`);
        assert.match(error.message, why, what);
        return true;
      });
      assert.equal((await to.database.query('select 1 from videos')).length, 0, what);
      for await (const key of to.blobs.list('videos/'))
        assert.notEqual(await text(await to.blobs.get(key)), secret, what);
    }
    await importing(to, whole);
  });
});

function replaced(path: string): string {
  rmSync(path);
  return path;
}

test('a job that waits for an import waits for it there too', async () => {
  using directory = temporaryDirectory();
  const folder = join(directory.path, 'export');
  await using from = await openService();
  await using to = await openService();
  const waiting = await newJob(from);
  const ready = await newJob(from);
  await from.database.query(
    `insert into imports (video_id, url, filename, status, created_at, next_attempt_at)
     values ($1, 'https://example.com/a.mp4', 'a.mp4', 'importing', now(), now() + interval '1 day')`,
    [waiting.videoId],
  );
  const edit = editSchema.parse({ takes: [{ video_id: waiting.videoId }] });
  const reel = await newJob(from, { edit });
  await exporting(from, folder);
  await importing(to, folder);
  assert.deepEqual((await to.jobs.service.get(reel.jobId))?.edit, reel.edit);
  await assert.rejects(to.jobs.videos.remove(waiting.videoId), { code: 'VIDEO_IN_USE' });
  assert.deepEqual(await waitingEntries(to.database), [ready.jobId]);
  assert.equal((await to.database.query('select 1 from imports')).length, 1);
});

test('a proxy arrives with its description', async () => {
  using directory = temporaryDirectory();
  const folder = join(directory.path, 'export');
  await using from = await openService();
  await using to = await openService();
  const found = await from.jobs.videos.get((await newJob(from)).videoId);
  assert.ok(found.state === 'present');
  const proxy = await storeProxy(from.blobs, found.video.sha256);
  await exporting(from, folder);
  await importing(to, folder);
  assert.deepEqual(await new BlobProxyService(to).load(found.video), proxy);
  assert.equal(await text(await to.blobs.get(proxy.file.blobKey)), 'proxy');
});
