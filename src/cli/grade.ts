import { Failure } from '../domain/errors.ts';
import type { JobConfigInput } from '../domain/job-config.ts';
import { Studio } from '../studio.ts';
import { type Command, EXIT, stringOption, takeArguments, UsageError } from './command.ts';
import { EDIT_CHOICES, EDIT_HELP, EDIT_OPTIONS, LOOK_HELP, readEdit } from './edit-options.ts';
import { assertOutput, OVERWRITE_OPTION, overwriteHelp, writeWhole } from './output-file.ts';
import { printJson, printNotes } from './print.ts';
import { ProgressLine } from './progress-line.ts';

/** Only these warnings concern a LUT. */
const ABOUT_COLOR = /^(COLOR|LOOK|GRADE)_/;

export const grade: Command = {
  usage: 'SOURCE (--template TEMPLATE | --style style.json | --preset NAME | --cube look.cube) -o look.cube',
  help: `Fits the colors of a look to SOURCE, as apply does, and writes the grade as a .cube file that DaVinci Resolve,
Premiere Pro, Final Cut Pro and FFmpeg read: the same LUT that apply uses, and that a job returns as grade.cube. It is
for BT.709 pictures; convert an HDR recording to SDR first. It is fitted to the content of the output, so use the same
options as for apply. From a LUT with a 1D table (--cube) it has the same kind: FFmpeg reads a 1D table with lut1d, and
DaVinci Resolve reads one before a 3D table.

Options
${LOOK_HELP}
  -o, --output FILE     the file to write; default: standard output
${overwriteHelp('FILE')}
${EDIT_HELP}
      --json            print {output, warnings} as one JSON object, or {cube, warnings} without -o

Examples
  styledna grade holiday.mp4 --template trailer.mp4 -o look.cube
  ffmpeg -i holiday.mp4 -vf lut3d=look.cube:interp=tetrahedral graded.mp4`,
  options: {
    ...EDIT_OPTIONS,
    output: { type: 'string', short: 'o' },
    ...OVERWRITE_OPTION,
    json: { type: 'boolean' },
  },
  choices: EDIT_CHOICES,
  async run(call) {
    const [source] = takeArguments(call, 'SOURCE') as [string];
    const output = stringOption(call, 'output');
    const { edit, inputs } = await readEdit(call, source);
    if (output !== undefined) await assertOutput(call, output, 'lut', inputs);
    if (isColorStrengthZero(edit.config))
      throw new UsageError('At --strength 0 colors stay as they are: there is no LUT to write');
    const line = new ProgressLine('Measuring');
    const { cube, warnings: all } = await new Studio()
      // A LUT has no captions, so nothing is transcribed.
      .plan(
        { ...edit, config: { ...edit.config, captions: 'auto' } },
        { signal: call.signal, onProgress: line.update },
      )
      .finally(() => line.end());
    if (cube === null)
      throw new Failure(
        'INPUT_UNSUPPORTED',
        'This style leaves the colors as they are: there is no LUT to write',
      );
    const warnings = all.filter(({ code }) => ABOUT_COLOR.test(code));
    const json = call.values['json'] === true;
    if (!json) printNotes(warnings);
    if (output !== undefined) await writeWhole(output, cube);
    if (json) printJson(output === undefined ? { cube, warnings } : { output, warnings });
    else if (output === undefined) process.stdout.write(cube);
    else console.log(output);
    return EXIT.done;
  },
};

/** Whether the options set the strength of colors to 0, or leave colors out. */
function isColorStrengthZero({ components, style_strength }: JobConfigInput = {}): boolean {
  const color = components?.color ?? true;
  return color !== false && (color === true ? style_strength : color) === 0;
}
