/**
 * StyleDNA's tools for agents, by the Model Context Protocol over standard input and output. Loaded only by `styledna
 * mcp`.
 */
import { once } from 'node:events';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { StyleDnaClient } from '../client/client.ts';
import { VERSION } from '../package/version.ts';
import { addTools } from './tools.ts';

/** An agent waits for each response: an unreachable service is reported soon. */
const PATIENCE = { patienceSeconds: 20, retries: 2 };

const INSTRUCTIONS = `StyleDNA measures the style of a template video (color, cuts, motion, sound) and renders another video in it.
Usual way: list_presets or analyze a template; preview on the source and look at the picture; apply; get_job until it is completed;
fetch_results. An edit from many takes: storyboard, look at it, pin or ban, then edit_videos. Videos are paths of local files, or the video_id of an earlier answer, which saves uploading again.`;

/** Serves until the client closes the connection or the signal aborts. */
export async function serveMcp(baseUrl: string, signal: AbortSignal): Promise<void> {
  const client = new StyleDnaClient({ baseUrl, ...PATIENCE });
  const handle = serveStdio(() => {
    const server = new McpServer(
      { name: 'styledna', title: 'StyleDNA', version: VERSION },
      { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
    );
    addTools(server, client, baseUrl);
    return server;
  });
  await once(process.stdin, 'end', { signal }).catch((error) => {
    if (!signal.aborted) throw error;
  });
  await handle.close();
}
