import { type PreviewPicture, Studio } from '../library.ts';
import { type Command, type CommandCall, EXIT, stringOption, takeArguments, UsageError } from './command.ts';
import { EDIT_HELP, EDIT_OPTIONS, LOOK_HELP, readEdit, STRENGTH_HELP } from './edit-options.ts';
import { assertOther, assertWritable } from './output-file.ts';
import { ProgressLine } from './progress-line.ts';

export const preview: Command = {
  summary: 'See a style on a video before rendering it',
  usage: 'SOURCE (--template TEMPLATE | --style style.json | --preset NAME) -o OUT.png',
  help: `Draws frames of SOURCE as they are and, below or beside them, in the colours that apply would give them, as one picture.

Options
${LOOK_HELP}
      --at LIST         moments of SOURCE in seconds, at most nine, such as 1.5,4; default: three that are typical of it
  -o, --output FILE     where to write it: OUT.png, or OUT.jpg (a tenth of the size)
${STRENGTH_HELP}
${EDIT_HELP}
      --json            print {output, width, height, moments, warnings} as one JSON object; of each moment where it stands
                        in the picture (before, after), when the output shows it and which part of it (framing)

Examples
  styledna preview holiday.mp4 --template trailer.mp4 -o before-after.png
  styledna preview holiday.mp4 --preset noir --strength 0.5 --at 2,7.5,31 -o noir.jpg`,
  options: {
    ...EDIT_OPTIONS,
    at: { type: 'string' },
    output: { type: 'string', short: 'o' },
    json: { type: 'boolean' },
  },
  async run(call) {
    const [source] = takeArguments(call, 'SOURCE') as [string];
    const output = stringOption(call, 'output');
    if (output === undefined) throw new UsageError('Say where to write the picture: -o OUT.png');
    const { edit, inputs } = await readEdit(call, source);
    const moments = readMoments(call);
    await assertWritable(output, 'picture');
    await assertOther(output, inputs);
    const line = new ProgressLine('Measuring');
    const picture = await new Studio()
      .preview({ ...edit, ...moments, output }, { signal: call.signal, onProgress: line.update })
      .finally(() => line.end());
    if (call.values['json'] === true) console.log(JSON.stringify(asJson(output, picture)));
    else {
      for (const { message } of picture.warnings) console.error(`Note: ${message}`);
      console.log(output);
    }
    return EXIT.done;
  },
};

/** As the service names them. */
function asJson(output: string, { moments, ...picture }: PreviewPicture) {
  const named = moments.map(({ atSeconds, outputSeconds, ...rest }) => ({
    at_seconds: atSeconds,
    output_seconds: outputSeconds,
    ...rest,
  }));
  return { output, ...picture, moments: named };
}

function readMoments(call: CommandCall): { readonly atSeconds?: readonly number[] } {
  const list = stringOption(call, 'at');
  if (list === undefined) return {};
  const words = list.split(',').map((word) => word.trim());
  const bad = words.find((word) => !/^\d+(\.\d+)?$/.test(word));
  if (bad !== undefined)
    throw new UsageError(
      `--at takes seconds apart by commas, such as 1.5,4; "${bad}" is no number of seconds`,
    );
  return { atSeconds: words.map(Number) };
}
