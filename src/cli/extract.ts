import { ADJUSTMENT_NAMES } from '../domain/adjustment-names.ts';
import { adjustmentsSchema } from '../domain/adjustments.ts';
import { visibleJson } from '../received/visible-text.ts';
import { Studio } from '../studio.ts';
import { adjustedStyle } from '../style/model/adjusted-style.ts';
import { outlierWords, partWord } from '../style/model/outlier-words.ts';
import type { Style } from '../style/model/schema.ts';
import { ADJUST_OPTION, readAdjust } from './adjust-options.ts';
import { type Command, type CommandCall, EXIT, stringOption, UsageError } from './command.ts';
import { assertOutput, OVERWRITE_OPTION, overwriteHelp, writeWhole } from './output-file.ts';
import { RANGE_HELP, RANGE_OPTION, readPart } from './part-options.ts';
import { printNotes } from './print.ts';
import { ProgressLine } from './progress-line.ts';
import type { Measuring } from './remote-style.ts';
import { readServer, SERVER_HELP, SERVER_OPTION } from './server-option.ts';

export const extract: Command = {
  usage: 'TEMPLATE [TEMPLATE …] [-o style.json] [--range A-B] [--adjust LIST] [--overwrite] [--server URL]',
  help: `Measures a template (a video, an image or a sound file) and writes its Style DNA (StyleJSON 1.0.0).
Up to ten templates, such as the videos of one brand, give one style: what most of them have in common.

Options
  -o, --output FILE   the file to write; default: standard output
${RANGE_HELP}; of one template
      --adjust LIST   dials that change the style, from -1 to 1: ${ADJUSTMENT_NAMES.join(', ')}
${overwriteHelp('FILE')}
${SERVER_HELP}

Examples
  styledna extract template.mp4 -o style.json
  styledna apply mine.mp4 --style style.json -o mine-styled.mp4
  styledna extract brand/*.mp4 -o brand.json
  styledna extract template.mp4 --adjust warmth=0.3,cuts=-0.5 -o calmer.json`,
  options: {
    output: { type: 'string', short: 'o' },
    ...RANGE_OPTION,
    ...ADJUST_OPTION,
    ...OVERWRITE_OPTION,
    ...SERVER_OPTION,
  },
  async run(call) {
    const paths = templatesOf(call);
    const output = stringOption(call, 'output');
    if (output !== undefined) await assertOutput(call, output, 'style', paths);
    const adjust = adjustmentsSchema.parse(readAdjust(call) ?? {});
    const line = new ProgressLine('Measuring');
    const options: Measuring = {
      ...{ signal: call.signal, partSeconds: readPart(call, 'range') },
      onProgress: (fraction) => line.update(fraction),
    };
    const measured = await styleOf(paths, readServer(call), options).finally(() => line.end());
    const style = adjustedStyle(measured, adjust);
    const text = `${visibleJson(style, 2)}\n`;
    if (output === undefined) process.stdout.write(text);
    else {
      await writeWhole(output, text);
      console.error(`Wrote ${output}`);
    }
    printConsensus(style);
    return EXIT.done;
  },
};

function templatesOf(call: CommandCall): readonly string[] {
  const { positionals } = call;
  if (positionals.length === 0)
    throw new UsageError('This command takes TEMPLATE; it got 0 argument(s)', { field: 'TEMPLATE' });
  if (positionals.length > 1 && stringOption(call, 'range') !== undefined)
    throw new UsageError(`--range is the part of one template; there are ${positionals.length}`);
  return positionals;
}

async function styleOf(paths: readonly string[], server: string | null, options: Measuring): Promise<Style> {
  const [path] = paths as [string];
  if (server === null)
    return paths.length === 1
      ? new Studio().extract(path, options)
      : new Studio().extractCommon(paths, options);
  const { clientOf } = await import('./server-client.ts');
  const { styleThere } = await import('./remote-style.ts');
  const client = clientOf(server);
  if (paths.length === 1) return (await styleThere(client, path, options)).style;
  const { commonStyle } = await import('../pipeline/direct/direct-templates.ts');
  return commonStyle(
    paths,
    options.onProgress,
    async (file, onProgress) => (await styleThere(client, file, { ...options, onProgress })).style,
  );
}

/** How far several templates agree, and which of them differ. */
function printConsensus(style: Style): void {
  const { consensus, confidence = {} } = style;
  if (consensus === undefined) return;
  const parts = Object.entries(confidence).map(
    ([part, value]) => `${partWord(part)} ${Number(value).toFixed(2)}`,
  );
  const count = consensus.templates.reduce((sum, { weight }) => sum + weight, 0);
  console.error(`${count} templates; confidence that all have it: ${parts.join(', ')}`);
  printNotes(outlierWords(style).map((message) => ({ message })));
}
