import { type Command, EXIT, takeArguments } from './command.ts';
import { readServer, SERVER_OPTION } from './server-option.ts';

const DEFAULT_SERVER = 'http://127.0.0.1:8080';

export const mcp: Command = {
  usage: '[--server URL]',
  help: `Lets an agent analyze videos, list presets, preview, apply styles and fetch the results with a running service. The agent
starts this command itself; docs/integration.md has the settings of common agents.

Options
      --server URL   address of the service (default ${DEFAULT_SERVER})

Example, in the agent's settings
  {"mcpServers": {"styledna": {"command": "npx", "args": ["styledna", "mcp"]}}}`,
  options: SERVER_OPTION,
  async run(call) {
    takeArguments(call);
    // Loaded only here, because the SDK takes long to load.
    const { serveMcp } = await import('../mcp/serve.ts');
    await serveMcp(readServer(call) ?? DEFAULT_SERVER, call.signal);
    return EXIT.done;
  },
};
