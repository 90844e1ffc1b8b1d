import { visibleJson } from '../received/visible-text.ts';
import { Studio } from '../studio.ts';
import type { Style } from '../style/model/schema.ts';
import { type Command, EXIT, stringOption, takeArguments } from './command.ts';
import { assertOutput, OVERWRITE_OPTION, overwriteHelp, writeWhole } from './output-file.ts';
import { RANGE_HELP, RANGE_OPTION, readPart } from './part-options.ts';
import { ProgressLine } from './progress-line.ts';
import type { Measuring } from './remote-style.ts';
import { readServer, SERVER_HELP, SERVER_OPTION } from './server-option.ts';

export const extract: Command = {
  usage: 'TEMPLATE [-o style.json] [--range A-B] [--overwrite] [--server URL]',
  help: `Measures a template (a video, an image or a sound file) and writes its Style DNA (StyleJSON 1.0.0).

Options
  -o, --output FILE   the file to write; default: standard output
${RANGE_HELP}
${overwriteHelp('FILE')}
${SERVER_HELP}

Example
  styledna extract template.mp4 -o style.json
  styledna apply mine.mp4 --style style.json -o mine-styled.mp4`,
  options: { output: { type: 'string', short: 'o' }, ...RANGE_OPTION, ...OVERWRITE_OPTION, ...SERVER_OPTION },
  async run(call) {
    const [path] = takeArguments(call, 'TEMPLATE') as [string];
    const output = stringOption(call, 'output');
    if (output !== undefined) await assertOutput(call, output, 'style', [path]);
    const line = new ProgressLine('Measuring');
    const options: Measuring = {
      ...{ signal: call.signal, partSeconds: readPart(call, 'range') },
      onProgress: (fraction) => line.update(fraction),
    };
    const server = readServer(call);
    const style = await (server === null
      ? new Studio().extract(path, options)
      : extractThere(server, path, options)
    ).finally(() => line.end());
    const text = `${visibleJson(style, 2)}\n`;
    if (output === undefined) process.stdout.write(text);
    else {
      await writeWhole(output, text);
      console.error(`Wrote ${output}`);
    }
    return EXIT.done;
  },
};

async function extractThere(server: string, path: string, options: Measuring): Promise<Style> {
  const { clientOf } = await import('./server-client.ts');
  const { styleThere } = await import('./remote-style.ts');
  return (await styleThere(clientOf(server), path, options)).style;
}
