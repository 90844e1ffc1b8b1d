import { stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { ENCODER_CHOICES } from '../domain/encoder-choice.ts';
import { type Edit, Studio } from '../studio.ts';
import { appliedText, writtenFiles } from './applied-text.ts';
import {
  applyBatch,
  assertOthers,
  type BatchResult,
  batchCounts,
  batchOutputs,
  batchText,
} from './apply-batch.ts';
import { type Apply, applyHere } from './apply-work.ts';
import { type Command, type CommandCall, choiceOption, EXIT, stringOption, UsageError } from './command.ts';
import { configChoices, configHelp, configOptions } from './config-options.ts';
import {
  EDIT_CHOICES,
  EDIT_HELP,
  EDIT_OPTIONS,
  LOOK_HELP,
  readEdit,
  readTranscription,
} from './edit-options.ts';
import {
  assertAbsent,
  assertOutput,
  assertWritableFolder,
  isOverwriting,
  OVERWRITE_OPTION,
} from './output-file.ts';
import { printJson, printNotes } from './print.ts';
import { ProgressLine } from './progress-line.ts';
import { readServer, SERVER_HELP, SERVER_OPTION } from './server-option.ts';

export const apply: Command = {
  usage:
    'SOURCE … (--template TEMPLATE | --style style.json | --preset NAME | --cube look.cube) (-o OUT.mp4 | -o DIR/)',
  help: `Renders SOURCE in the style of a template, of a Style DNA from an earlier result, or of a preset. It ends with a list of
the changes, and prints the output's path. Each of several sources becomes a file of the same name in DIR: the template is
measured once, a failed source does not stop the others, and existing outputs are skipped.

Options
${LOOK_HELP}
  -o, --output FILE     the MP4 to write (OUT.mp4, in an existing folder); it appears when it is finished and verified.
                        Several sources: a folder
${configHelp(['quality'])}
${EDIT_HELP}
      --comparison FILE also write SOURCE and the result side by side, as MP4
      --artifacts DIR   also write the other files of a job: report.html, style.json, grade.cube
                        (the 3D LUT), timeline.otio and timeline.xml (for editing programs), poster.jpg, filmstrip.jpg,
                        captions.srt, speech.srt
      --overwrite       replace existing files; without it they are an error, or skipped with several sources
      --encoder E       software (x264, default), auto, nvenc, qsv, vaapi or videotoolbox: a hardware encoder is faster, with
                        larger files at the same quality; it is tried first, and x264 replaces it if the trial fails
${SERVER_HELP}
      --json            print the result as one JSON object: {output, seconds, files, summary, warnings, …}; of several
                        sources {results}

Exit code 3 also if one of several sources failed.

Examples
  styledna apply holiday.mp4 --template trailer.mp4 -o holiday-styled.mp4 --strength 0.8,color=0.4
  styledna apply holiday.mp4 --preset golden-hour -o holiday-golden.mp4
  styledna apply day1/*.mp4 --template trailer.mp4 -o styled/
  styledna preview holiday.mp4 --template trailer.mp4 -o before-after.png    # before rendering`,
  options: {
    ...EDIT_OPTIONS,
    output: { type: 'string', short: 'o' },
    ...configOptions(['quality']),
    comparison: { type: 'string' },
    artifacts: { type: 'string' },
    ...OVERWRITE_OPTION,
    encoder: { type: 'string' },
    ...SERVER_OPTION,
    json: { type: 'boolean' },
  },
  choices: { ...EDIT_CHOICES, ...configChoices(['quality']), encoder: ENCODER_CHOICES },
  async run(call) {
    const [source] = call.positionals;
    if (source === undefined)
      throw new UsageError('This command takes one or more SOURCE; it got none', { field: 'SOURCE' });
    const output = stringOption(call, 'output');
    if (output === undefined)
      throw new UsageError('Name the file for the result: -o OUT.mp4', { field: '--output' });
    const isNamedFolder = output.endsWith('/') || output.endsWith(sep);
    const isFolder = isNamedFolder || (await stat(output).catch(() => null))?.isDirectory() === true;
    const server = readServer(call);
    const encoder = choiceOption(call, 'encoder', ENCODER_CHOICES);
    if (server !== null && encoder !== undefined)
      throw new UsageError('--encoder is for work on this machine; a service has its own setting, ENCODER');
    const doIt =
      server === null
        ? applyHere(
            new Studio({
              transcription: readTranscription(call),
              ...(encoder === undefined ? {} : { encoder }),
            }),
          )
        : await applyByService(server);
    if (call.positionals.length > 1 || isNamedFolder) {
      if (isFolder) return applyAll(call, doIt, output);
      throw new UsageError(`Several sources need an output folder: -o DIR/; got ${output}`, { file: output });
    }
    return applyOne(call, doIt, source, output);
  },
};

async function applyByService(server: string): Promise<Apply> {
  const { clientOf } = await import('./server-client.ts');
  const { applyThere } = await import('./remote-apply.ts');
  return applyThere(clientOf(server));
}

async function applyOne(call: CommandCall, doIt: Apply, source: string, output: string): Promise<number> {
  const { edit, inputs } = await readEdit(call, source);
  await assertOutput(call, output, 'video', inputs);
  const beside = await readBeside(call, output, inputs);
  const startedAt = performance.now();
  const line = new ProgressLine('Rendering');
  const { summary, warnings, files, figures } = await doIt(
    { ...edit, output, ...beside, overwrite: isOverwriting(call) },
    { signal: call.signal, onProgress: (fraction) => line.update(fraction) },
  ).finally(() => line.end());
  const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(1));
  const written = await writtenFiles(files);
  if (call.values['json'] === true) {
    printJson({ output, ...figures, seconds, files: written, summary, warnings });
    return EXIT.done;
  }
  printNotes(warnings);
  if (summary !== null) console.error(appliedText(summary, seconds, written));
  console.log(output);
  return EXIT.done;
}

async function applyAll(call: CommandCall, doIt: Apply, folder: string): Promise<number> {
  for (const name of ['comparison', 'artifacts'])
    if (call.values[name] !== undefined) throw new UsageError(`--${name} is for one SOURCE`);
  const sources = call.positionals;
  const { edit, inputs } = await readEdit(call, sources[0]);
  const outputs = batchOutputs(sources, folder);
  await assertOthers(outputs, [...sources, ...inputs]);
  await assertWritableFolder(folder, { make: true });
  const look = await measuredOnce(call, edit);
  const overwrite = isOverwriting(call);
  const works = sources.map((source, index) => ({
    ...edit,
    source,
    look,
    output: outputs[index],
    overwrite,
  }));
  const isJson = call.values['json'] === true;
  const results = await applyBatch(doIt, works, {
    overwrite,
    signal: call.signal,
    onResult: (result) => {
      if (isJson) return;
      (result.state === 'done' ? console.log : console.error)(batchText(result));
      if (result.state !== 'done') return;
      printNotes(result.applied.warnings, '  ');
    },
  });
  if (isJson) printJson({ results: results.map(resultJson) });
  else console.error(batchCounts(results));
  return results.some(({ state }) => state === 'failed') ? EXIT.refused : EXIT.done;
}

/** The template of a batch is measured once; a service caches it. */
async function measuredOnce(call: CommandCall, { look }: Edit): Promise<Edit['look']> {
  if (look === null || !('template' in look) || readServer(call) !== null) return look;
  const line = new ProgressLine('Measuring the template');
  const measured = await new Studio()
    .analyze(look.template, { signal: call.signal, onProgress: (fraction) => line.update(fraction) })
    .finally(() => line.end());
  return measured.kind === 'clip' ? { ...look, measured } : look;
}

function resultJson(result: BatchResult) {
  if (result.state !== 'done') return result;
  const { applied, ...rest } = result;
  return { ...rest, ...applied.figures, summary: applied.summary, warnings: applied.warnings };
}

/** Options for additional outputs. Throws as `assertOutput`. */
async function readBeside(call: CommandCall, output: string, inputs: readonly string[]) {
  const comparison = stringOption(call, 'comparison');
  const artifacts = stringOption(call, 'artifacts');
  if (comparison !== undefined) {
    if (resolve(comparison) === resolve(output))
      throw new UsageError('--comparison and --output name the same file');
    await assertOutput(call, comparison, 'video', inputs);
  }
  if (artifacts !== undefined) {
    await assertWritableFolder(artifacts);
    const { ARTIFACT_NAMES } = await import('../pipeline/stages/artifacts.ts');
    await assertAbsent(
      ARTIFACT_NAMES.map((name) => join(artifacts, name)),
      isOverwriting(call),
    );
  }
  return {
    ...(comparison === undefined ? {} : { comparison }),
    ...(artifacts === undefined ? {} : { artifacts }),
  };
}
