/** Tools for saved styles. */
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { SavedStyle, StyleDnaClient } from '../client/client.ts';
import { MAX_TEMPLATES } from '../style/model/template-limit.ts';
import { sentVideo } from './sent-video.ts';
import { type Answering, text } from './tool-results.ts';
import { readableStyle } from './wording.ts';

/** `style` of other tools. */
export const style = z.string().optional().describe('style_id of list_styles or save_style');

export function addSavedStyleTools(server: McpServer, client: StyleDnaClient, answering: Answering): void {
  server.registerTool(
    'list_styles',
    {
      title: 'List saved styles',
      description: 'The styles that were saved at the service, newest first.',
      inputSchema: z.object({ name: z.string().optional().describe('Part of the name') }),
      annotations: { readOnlyHint: true },
    },
    answering<{ name?: string | undefined }>(async ({ name: q }, signal) => {
      const { styles, total } = await client.listStyles({ q, page_size: 100 }, { signal });
      return text({ total, styles: styles.map(listedStyle) });
    }),
  );

  server.registerTool(
    'save_style',
    {
      title: 'Save a style',
      description:
        'Makes one style of templates and saves it under a name: of one video its style, of several, such as the videos of one brand, what most have in common. Waits until all are measured.',
      inputSchema: z.object({
        name: z.string().describe('Each saved style has another one'),
        templates: z
          .array(z.string())
          .min(1)
          .max(MAX_TEMPLATES)
          .describe('Videos, images or sound files: paths, http addresses or video_ids'),
      }),
    },
    answering<{ name: string; templates: string[] }>(async ({ name, templates }, signal) => {
      const videoIds = [];
      for (const template of templates) videoIds.push(await sentVideo(client, template, signal));
      const saved = await client.waitForStyle({ name, video_ids: videoIds }, { signal });
      return text({ ...listedStyle(saved), style: readableStyle(saved.style_json) });
    }),
  );
}

function listedStyle({ style_id, name, description, use_count, origin }: SavedStyle): object {
  return { style_id, name, description, use_count, origin };
}
