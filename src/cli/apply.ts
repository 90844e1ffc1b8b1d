import { resolve } from 'node:path';
import { Studio } from '../library.ts';
import { type Command, type CommandCall, EXIT, stringOption, takeArguments, UsageError } from './command.ts';
import { EDIT_HELP, EDIT_OPTIONS, LOOK_HELP, readEdit, STRENGTH_HELP } from './edit-options.ts';
import { assertOther, assertWritable, assertWritableFolder } from './output-file.ts';
import { ProgressLine } from './progress-line.ts';

export const apply: Command = {
  summary: 'Render a video in the style of a template',
  usage: 'SOURCE (--template TEMPLATE | --style style.json | --preset NAME | --cube look.cube) -o OUT.mp4',
  help: `Renders SOURCE in the style of a template, of a Style DNA from an earlier result, or of a preset.

Options
${LOOK_HELP}
  -o, --output FILE     the MP4 to write (OUT.mp4, in a folder that is there); it appears when it is finished and verified
  -q, --quality Q       low, medium (default), high or ultra
${STRENGTH_HELP}
${EDIT_HELP}
      --comparison FILE also write SOURCE and the result side by side, as MP4
      --artifacts DIR   also write what a job of the service leaves beside its output: report.html, style.json, grade.cube
                        (the 3D LUT), timeline.otio (for editing programs), poster.jpg, filmstrip.jpg, captions.srt; files of
                        these names in DIR are replaced
      --json            print the result as one JSON object

Example
  styledna apply holiday.mp4 --template trailer.mp4 -o holiday-styled.mp4 --strength 0.8,color=0.4
  styledna apply holiday.mp4 --preset golden-hour -o holiday-golden.mp4
  styledna preview holiday.mp4 --template trailer.mp4 -o before-after.png    # to look before rendering`,
  options: {
    ...EDIT_OPTIONS,
    output: { type: 'string', short: 'o' },
    quality: { type: 'string', short: 'q' },
    comparison: { type: 'string' },
    artifacts: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(call) {
    const [source] = takeArguments(call, 'SOURCE') as [string];
    const output = stringOption(call, 'output');
    if (output === undefined) throw new UsageError('Say where to write the result: -o OUT.mp4');
    const { edit, inputs } = await readEdit(call, source);
    await assertWritable(output, 'video');
    await assertOther(output, inputs);
    const beside = await readBeside(call, output, inputs);
    const line = new ProgressLine('Rendering');
    const result = await new Studio()
      .apply({ ...edit, output, ...beside }, { signal: call.signal, onProgress: line.update })
      .finally(() => line.end());
    if (call.values['json'] === true)
      console.log(
        JSON.stringify({ output, ...result.output, summary: result.summary, warnings: result.warnings }),
      );
    else {
      for (const { message } of result.warnings) console.error(`Note: ${message}`);
      console.log(output);
    }
    return EXIT.done;
  },
};

/** What else is to be written. Throws as `assertWritable`. */
async function readBeside(call: CommandCall, output: string, inputs: readonly string[]) {
  const comparison = stringOption(call, 'comparison');
  const artifacts = stringOption(call, 'artifacts');
  if (comparison !== undefined) {
    if (resolve(comparison) === resolve(output))
      throw new UsageError('--comparison and --output name the same file');
    await assertWritable(comparison, 'video');
    await assertOther(comparison, inputs);
  }
  if (artifacts !== undefined) await assertWritableFolder(artifacts);
  return {
    ...(comparison === undefined ? {} : { comparison }),
    ...(artifacts === undefined ? {} : { artifacts }),
  };
}
