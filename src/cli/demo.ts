import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { StyleDnaClient } from '../client/client.ts';
import { openService } from '../compose.ts';
import type { Quality } from '../domain/job-choices.ts';
import { EXAMPLE } from '../example/example.ts';
import { openEarlyListener } from '../http/server/early-listener.ts';
import { receiveFile } from '../received/received-file.ts';
import { readConfig } from '../settings/config.ts';
import type { EditSummary } from '../style/model/edit-summary.ts';
import type { Style } from '../style/model/schema.ts';
import { styleSentence } from '../style/model/style-sentence.ts';
import { appliedText } from './applied-text.ts';
import { type Command, type CommandCall, choiceOption, EXIT, stringOption, UsageError } from './command.ts';
import { QUALITY_NAMES } from './config-options.ts';
import { assertAbsent, assertOutput, isOverwriting, OVERWRITE_OPTION, overwriteHelp } from './output-file.ts';
import { ProgressLine } from './progress-line.ts';
import { sendFile } from './server-client.ts';

/** Files that are written beside the output; with the example's videos these, too. */
const BESIDE = ['comparison.mp4', 'before-after.jpg', 'report.html'] as const;
const OF_EXAMPLE = ['reel.mp4', 'source.mp4', 'template.mp4'] as const;

const TEMPLATE = fileURLToPath(EXAMPLE.template);
const TAKES = EXAMPLE.takes.map((take) => fileURLToPath(take));

export const demo: Command = {
  usage: '[SOURCE TEMPLATE] [-o OUT.mp4] [-q QUALITY]',
  help: `Starts its own service in a temporary folder, sends it your video and a template, and writes beside OUT.mp4: comparison.mp4
(source and result side by side), before-after.jpg, and report.html (all measurements of the template). Without arguments it
uses videos that come with StyleDNA, writes source and template, too, and makes a reel: reel.mp4, five takes cut to the
template's music.

Options
  -o, --output FILE   default: out/demo.mp4, which the next demo replaces
${overwriteHelp('FILE and the files beside it')}
  -q, --quality Q     low, medium (default), high or ultra

Examples
  npm run demo
  npm run demo -- holiday.mp4 trailer.mp4`,
  options: {
    output: { type: 'string', short: 'o' },
    ...OVERWRITE_OPTION,
    quality: { type: 'string', short: 'q' },
  },
  choices: { quality: QUALITY_NAMES },
  async run(call) {
    if (![0, 2].includes(call.positionals.length))
      throw new UsageError('Give both SOURCE and TEMPLATE, or neither');
    const quality = choiceOption(call, 'quality', QUALITY_NAMES) ?? 'medium';
    const outputOption = stringOption(call, 'output');
    if (outputOption !== undefined) {
      await assertOutput(call, outputOption, 'video', call.positionals);
      const beside = [...BESIDE, ...(call.positionals.length === 0 ? OF_EXAMPLE : [])];
      await assertAbsent(
        beside.map((name) => join(dirname(outputOption), name)),
        isOverwriting(call),
      );
    }
    const output = outputOption ?? join('out', 'demo.mp4');
    const folder = await mkdtemp(join(tmpdir(), 'styledna-demo-'));
    try {
      await show(call, { folder, output, quality });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return EXIT.done;
  },
};

/** Returns the path of a file beside the output. `what`: for the list at the end. */
type Put = (name: (typeof BESIDE)[number] | (typeof OF_EXAMPLE)[number], what: string) => string;

interface DemoPlan {
  readonly folder: string;
  readonly output: string;
  readonly quality: Quality;
}

async function show(call: CommandCall, { folder, output, quality }: DemoPlan): Promise<void> {
  const startedAt = performance.now();
  console.log('StyleDNA: a video in the style of another one, in about a minute.');
  const config = readConfig({
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'error',
  });
  const [source, template] = call.positionals;
  await mkdir(dirname(resolve(output)), { recursive: true });
  const logger = pino({ level: config.LOG_LEVEL, base: null });
  const service = await openService(config, logger, await openEarlyListener(config));
  try {
    const base = await service.startHttp();
    await service.startWork();
    console.log(`A service listens on ${base}, for as long as this takes`);
    const files = new Map<string, string>([[output, "your video in the template's style"]]);
    const put: Put = (name, what) => {
      const path = join(dirname(output), name);
      files.set(path, what);
      return path;
    };
    const client = new StyleDnaClient({ baseUrl: base });
    const clips = { source: source ?? TAKES[0]!, template: template ?? TEMPLATE };
    const sent = await runThrough(client, call.signal, { clips, output, quality, put });
    if (source === undefined) {
      await makeReel(client, call.signal, { sent, quality, put });
      await copyFile(clips.source, put('source.mp4', 'the video as it was'));
      await copyFile(clips.template, put('template.mp4', 'the template'));
    }
    const width = Math.max(...[...files.keys()].map((path) => path.length));
    console.log(`\nDone in ${Math.round((performance.now() - startedAt) / 1000)} s. To look at:`);
    for (const [path, what] of files) console.log(`  ${path.padEnd(width)}  ${what}`);
    console.log('\nYour own videos: npm start, then open http://127.0.0.1:8080 in a browser.');
  } finally {
    await service.stop();
  }
}

/** Ids of the uploaded videos. */
interface Sent {
  readonly videoId: string;
  readonly templateId: string;
}

/** The steps of any client: upload, show the measurements, render, download. */
async function runThrough(
  client: StyleDnaClient,
  signal: AbortSignal,
  {
    clips,
    output,
    quality,
    put,
  }: {
    readonly clips: { readonly source: string; readonly template: string };
    readonly output: string;
    readonly quality: Quality;
    readonly put: Put;
  },
): Promise<Sent> {
  const send = (file: string) =>
    step(`Sending ${file}`, (onProgress) => sendFile(client, file, { signal, onProgress }));
  const templateId = await send(clips.template);
  const videoId = await send(clips.source);
  const analysis = await step('Measuring the template', (onProgress) =>
    client.waitForAnalysis(templateId, {
      signal,
      onUpdate: ({ progress_percent }) => onProgress(progress_percent / 100),
    }),
  );
  console.log(`The template's style: ${styleSentence(analysis.style_json as Style)}`);
  const request = { video_id: videoId, template_video_id: templateId };
  const job = await step('Rendering', async (onProgress) => {
    const { job_id } = await client.createJob(
      { ...request, config: { quality, comparison: true } },
      { signal },
    );
    return client.waitForJob(job_id, {
      signal,
      onUpdate: ({ progress_percent }) => onProgress(progress_percent / 100),
    });
  });
  const summary = job.summary as EditSummary | null;
  for (const { message } of job.warnings) console.log(`Note: ${message}`);
  if (summary !== null) console.log(appliedText(summary, job.processing_time_seconds ?? 0, []));
  await receiveFile(await client.getOutput(job.job_id, { signal }), output, { signal });
  const comparison = put('comparison.mp4', 'source and result side by side');
  await receiveFile(await client.getArtifact(job.job_id, 'comparison.mp4', { signal }), comparison, {
    signal,
  });
  const preview = await client.waitForPreview({ ...request, config: { quality } }, { signal });
  const picture = put('before-after.jpg', 'three moments, before and after');
  await receiveFile(await client.getPreviewFile(preview.preview_id, { signal }), picture, { signal });
  const report = put('report.html', 'all that was measured of the template');
  await receiveFile(await client.getAnalysisReport(templateId, { signal }), report, { signal });
  return { videoId, templateId };
}

/** An edit from the source and the other takes, cut to the music of the template. */
async function makeReel(
  client: StyleDnaClient,
  signal: AbortSignal,
  { sent, quality, put }: { readonly sent: Sent; readonly quality: Quality; readonly put: Put },
): Promise<void> {
  const files = TAKES.slice(1);
  const others = await step('Sending four more takes', async (onProgress) => {
    const ids: string[] = [];
    for (const file of files) {
      ids.push(await sendFile(client, file, { signal, onProgress: () => {} }));
      onProgress(ids.length / files.length);
    }
    return ids;
  });
  const job = await step('Making a reel of five takes', async (onProgress) => {
    const { job_id } = await client.createJob(
      {
        ...{ video_id: sent.videoId, template_video_id: sent.templateId, config: { quality } },
        edit: {
          takes: others.map((video_id) => ({ video_id })),
          ...{ music: { video_id: sent.templateId }, order: 'free' },
        },
      },
      { signal },
    );
    return client.waitForJob(job_id, {
      signal,
      onUpdate: ({ progress_percent }) => onProgress(progress_percent / 100),
    });
  });
  const slots = job.edit?.slots ?? [];
  const onBeat = slots.filter(({ on_beat }) => on_beat).length;
  console.log(`The reel: ${slots.length} shots of five takes, ${onBeat} on the beat`);
  const reel = put('reel.mp4', "five takes, cut to the template's music in its rhythm and look");
  await receiveFile(await client.getOutput(job.job_id, { signal }), reel, { signal });
}

/** Runs one step with a progress bar. */
async function step<Result>(
  label: string,
  work: (onProgress: (fraction: number) => void) => Promise<Result>,
): Promise<Result> {
  const line = new ProgressLine(label);
  try {
    return await work((fraction) => line.update(fraction));
  } finally {
    line.end();
  }
}
