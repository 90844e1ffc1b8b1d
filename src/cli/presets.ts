import { AUTHORED } from '../presets/authored.ts';
import { type Command, EXIT, takeArguments } from './command.ts';
import { printJson } from './print.ts';

export const presets: Command = {
  usage: '[--json]',
  help: `Lists the presets: styles to start from without a template.

Options
      --json   one JSON array: {id, name, description, components, style}; style is a Style DNA, so it can be
               changed and used by: styledna apply --style

Examples
  styledna presets
  styledna presets --json | jq '.[] | select(.id == "noir").style' > mine.json
  styledna apply holiday.mp4 --preset noir -o holiday-noir.mp4`,
  options: { json: { type: 'boolean' } },
  async run(call) {
    takeArguments(call);
    if (call.values['json'] === true) {
      // Loaded here, because the schema that validates presets takes a tenth of a second to load.
      const { PRESETS } = await import('../presets/presets.ts');
      printJson(PRESETS);
      return EXIT.done;
    }
    const width = Math.max(...AUTHORED.map(({ id }) => id.length));
    for (const { id, description } of AUTHORED) console.log(`${id.padEnd(width)}  ${description}`);
    return EXIT.done;
  },
};
