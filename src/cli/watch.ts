import { receivedJob } from '../received/received-job.ts';
import { receivedShare } from '../received/received-progress.ts';
import { appliedText } from './applied-text.ts';
import { type Command, EXIT, takeArguments } from './command.ts';
import { printJson, printNotes } from './print.ts';
import { ProgressLine } from './progress-line.ts';
import { clientOf } from './server-client.ts';
import { LOCAL_SERVER, readServer, SERVER_OPTION } from './server-option.ts';

/** Labels of the stages. */
const STAGES: Readonly<Record<string, string>> = {
  queued: 'Waiting for its turn',
  video_analysis: 'Looking at the pictures',
  audio_analysis: 'Listening to the sound',
  motion_analysis: 'Following the camera',
  style_extraction: 'Reading the style',
  style_application: 'Planning the edit',
  rendering: 'Rendering',
};

export const watch: Command = {
  usage: 'JOB [--server URL] [--json]',
  help: `Shows the progress of a job until it ends; then its changes and the address of the result, or why it failed (exit code 3).
Interrupting the command does not stop the job.

Options
      --server URL   address of the service; default: ${LOCAL_SERVER}
      --json         print the job as JSON when it has ended

Example
  styledna watch job_01hzy3 --server http://render.example.com:8080`,
  options: { ...SERVER_OPTION, json: { type: 'boolean' } },
  async run(call) {
    const [jobId] = takeArguments(call, 'JOB') as [string];
    const client = clientOf(readServer(call) ?? LOCAL_SERVER);
    const line = new ProgressLine('Looking it up');
    const job = await client
      .waitForJob(jobId, {
        signal: call.signal,
        onUpdate: ({ progress_percent, current_stage, status }) =>
          line.update(receivedShare(progress_percent), stageLabel(current_stage ?? status)),
      })
      .finally(() => line.end());
    if (call.values['json'] === true) {
      printJson(job);
      return EXIT.done;
    }
    const { warnings, summary, ...received } = receivedJob(job);
    printNotes(warnings);
    if (summary !== null) console.error(appliedText(summary, received.processing_time_seconds ?? 0, []));
    console.log(received.output_video_url);
    return EXIT.done;
  },
};

/** A later version can have other stages. */
function stageLabel(name: unknown): string {
  return typeof name === 'string' && Object.hasOwn(STAGES, name) ? STAGES[name] : 'Finishing';
}
