import { pino } from 'pino';
import { openInstallation } from '../installation.ts';
import { JobQueue } from '../jobs/queue/queue.ts';
import { visibleJson } from '../received/visible-text.ts';
import { readConfig } from '../settings/config.ts';
import type { Manifest } from '../transfer/archive.ts';
import { exportInstallation, type TransferParts } from '../transfer/export-installation.ts';
import { importInstallation, readManifest } from '../transfer/import-installation.ts';
import { type Command, type CommandCall, EXIT, takeArguments } from './command.ts';
import { ProgressLine } from './progress-line.ts';

const SETTINGS = `DATA_DIR, DATABASE_URL and S3_… name the installation, as for serve. Stop all of its processes first.`;

export const exportCommand: Command = {
  usage: 'FOLDER [--json]',
  help: `Writes everything to a new folder: videos, jobs and their results, measurements, idempotency keys, webhooks including
undelivered ones, secrets; and a manifest with counts and hashes. Protect the folder, because it contains secrets.
${SETTINGS}

Example
  styledna export /backup/styledna
  DATABASE_URL=postgres://… S3_BUCKET=videos … styledna import /backup/styledna`,
  options: { json: { type: 'boolean' } },
  run: (call) => transfer(call, 'Exporting', exportInstallation),
};

export const importCommand: Command = {
  usage: 'FOLDER [--json]',
  help: `Writes the files of \`styledna export\` to an empty installation: another database, another storage, or both. Files are
compared with their hashes while they are copied, rows before they are committed in one transaction: an interrupted import
leaves no rows, and a repeated one continues with the missing files. Queued jobs keep their order, running jobs
continue at their stage. ${SETTINGS}

Example
  DATABASE_URL=postgres://… S3_BUCKET=videos … styledna import /backup/styledna`,
  options: { json: { type: 'boolean' } },
  async run(call) {
    const [folder] = takeArguments(call, 'FOLDER') as [string];
    // Before an empty installation is made for it.
    await readManifest(folder);
    return transfer(call, 'Importing', async (parts, queue) => {
      await queue.start();
      return importInstallation({ ...parts, queue }).finally(() => queue.stop());
    });
  },
};

async function transfer(
  call: CommandCall,
  doing: string,
  work: (parts: TransferParts, queue: JobQueue) => Promise<Manifest>,
): Promise<number> {
  const [folder] = takeArguments(call, 'FOLDER') as [string];
  const config = readConfig(call.environment);
  const logger = pino({ level: 'warn', base: null }, process.stderr);
  const { database, blobs } = await openInstallation(config, logger);
  const line = new ProgressLine(doing);
  try {
    const manifest = await work(
      {
        database,
        blobs,
        folder,
        signal: call.signal,
        onProgress: (what, fraction) => line.update(fraction, `${doing} ${what.replaceAll('_', ' ')}`),
      },
      new JobQueue(database, logger),
    );
    line.end();
    console.log(call.values['json'] === true ? visibleJson(manifest) : summaryOf(manifest));
    return EXIT.done;
  } finally {
    line.end();
    await database.close();
  }
}

function summaryOf({ tables, blobs }: Manifest): string {
  const rows = Object.entries(tables).map(
    ([table, { rows: count }]) => `${count} ${table.replaceAll('_', ' ')}`,
  );
  return `${rows.join(', ')}; ${blobs.files} files, ${(blobs.bytes / 1e9).toFixed(3)} GB. Counts and hashes agree.`;
}
