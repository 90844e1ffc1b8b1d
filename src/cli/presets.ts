import { PRESETS } from '../presets/presets.ts';
import { type Command, EXIT, takeArguments } from './command.ts';

export const presets: Command = {
  summary: 'List the styles that come with StyleDNA',
  usage: '[--json]',
  help: `Lists the presets: styles to start from without a template.

Options
      --json   one JSON array: {id, name, description, components, style}; style is a Style DNA, so it can be
               changed and given to: styledna apply --style

Examples
  styledna presets
  styledna presets --json | jq '.[] | select(.id == "noir").style' > mine.json
  styledna apply holiday.mp4 --preset noir -o holiday-noir.mp4`,
  options: { json: { type: 'boolean' } },
  async run(call) {
    takeArguments(call);
    if (call.values['json'] === true) console.log(JSON.stringify(PRESETS));
    else {
      const width = Math.max(...PRESETS.map(({ id }) => id.length));
      for (const { id, description } of PRESETS) console.log(`${id.padEnd(width)}  ${description}`);
    }
    return EXIT.done;
  },
};
