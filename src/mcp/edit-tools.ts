/** Tools for edits from many takes. */
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { EditRequest, JobConfig, JobCreateRequest, StyleDnaClient } from '../client/client.ts';
import { editSchema } from '../domain/edit-options.ts';
import { focusPointSchema, jobConfigPatchSchema } from '../domain/job-config.ts';
import { sentVideo } from './sent-video.ts';
import { style } from './style-tools.ts';
import { type Answering, jobAfter, pictureResponse, text, wait } from './tool-results.ts';
import { editText, jobText } from './wording.ts';

const seconds = z.number().min(0);
const range = z.array(seconds).length(2).describe('[from, to] in seconds of the take');
const take = z
  .string()
  .describe('Path of a local video or photo, its http address, or the video_id of an earlier result');
const { role } = editSchema.shape.takes.unwrap().element.shape;
const { sound, duration, order, rhythm, titles, lengths, replan } = editSchema.shape;

const edit = {
  takes: z
    .array(
      z.object({
        file: take,
        exclude: z.array(range).optional(),
        must_use: z.boolean().optional(),
        role: role.optional(),
      }),
    )
    .min(1)
    .describe('Videos and photos to choose from, in order; at most 50'),
  template: z
    .string()
    .optional()
    .describe(
      'The reel with the wanted rhythm and look: path, http address or video_id. Either this, preset or style',
    ),
  preset: z.string().optional().describe('preset_id of list_presets'),
  style,
  music: z.string().optional().describe('The song to cut to: path, http address or video_id'),
  music_start_seconds: seconds.optional().describe('Where the edit begins in the song; default: automatic'),
  sound: sound.unwrap().optional().describe(sound.description!),
  duration: duration.unwrap().optional().describe(duration.description!),
  order: order.unwrap().optional().describe(order.description!),
  rhythm: rhythm.unwrap().optional().describe(rhythm.description!),
  pins: z
    .array(
      z.object({
        slot: z.int().min(0),
        file: take,
        start_seconds: seconds.optional(),
        focus: focusPointSchema.optional(),
      }),
    )
    .optional()
    .describe(
      'Slots that must show a take: numbers from 0 as in a storyboard; focus: the point that crops keep in view',
    ),
  lengths: z
    .array(z.object({ slot: z.int().min(0), beats: z.int() }))
    .optional()
    .describe(lengths.description!),
  bans: z
    .array(z.object({ file: take, range }))
    .optional()
    .describe('Parts that must not be shown'),
  replan: replan.unwrap().optional().describe(replan.description!),
  titles: titles.unwrap().optional().describe(titles.description!),
  config: jobConfigPatchSchema.optional().describe('As for apply'),
};

type EditGiven = z.output<z.ZodObject<typeof edit>>;

export function addEditTools(server: McpServer, client: StyleDnaClient, answering: Answering): void {
  server.registerTool(
    'storyboard',
    {
      title: 'Plan an edit',
      description:
        'Plans an edit from many takes without rendering: one picture of all slots, and for each its take, reasons and alternatives. Check it, pin or ban, plan again, then call edit_videos.',
      inputSchema: z.object(edit),
    },
    answering<EditGiven>(async (input, signal) => {
      const request = await editRequestOf(client, input, signal);
      const preview = await client.waitForPreview({ ...request, kind: 'storyboard' }, { signal });
      const plan = preview.edit == null ? null : editText(preview.edit);
      return pictureResponse(client, preview.preview_id, { plan, warnings: preview.warnings }, signal);
    }),
  );

  server.registerTool(
    'edit_videos',
    {
      title: 'Edit many takes into one video',
      description:
        'Starts rendering an edit: takes and photos cut to a song in the rhythm and look of a template. Returns a job; get_job shows when it is completed and what each slot shows.',
      inputSchema: z.object({
        ...edit,
        revises: z.string().optional().describe('job_id of the edit that this one changes'),
        wait_seconds: wait.default(0),
      }),
    },
    answering<EditGiven & { revises?: string | undefined; wait_seconds: number }>(async (input, signal) => {
      const request = await editRequestOf(client, input, signal);
      const revising = { ...request, edit: { ...request.edit, revises: input.revises ?? null } };
      const { job_id } = await client.createJob(revising, { signal });
      return text(jobText(await jobAfter(client, job_id, input.wait_seconds, signal)));
    }),
  );
}

async function editRequestOf(client: StyleDnaClient, input: EditGiven, signal: AbortSignal) {
  const ids = new Map<string, string>();
  const idOf = async (file: string): Promise<string> => {
    const id = ids.get(file) ?? (await sentVideo(client, file, signal));
    ids.set(file, id);
    return id;
  };
  const takes = [];
  for (const { file, ...options } of input.takes) takes.push({ video_id: await idOf(file), ...options });
  const pins = [];
  for (const { file, ...pin } of input.pins ?? []) pins.push({ video_id: await idOf(file), ...pin });
  const bans = [];
  for (const ban of input.bans ?? []) bans.push({ video_id: await idOf(ban.file), range: ban.range });
  const {
    music,
    music_start_seconds: start = null,
    template,
    sound,
    duration,
    order,
    rhythm,
    titles,
    lengths,
    replan,
  } = input;
  const edit = {
    ...{ takes, pins, lengths, bans, replan, sound, duration, order, rhythm, titles },
    music: music === undefined ? null : { video_id: await idOf(music), start_seconds: start },
  };
  return {
    video_id: takes[0].video_id,
    template_video_id: template === undefined ? null : await idOf(template),
    // The service validates the name.
    preset: (input.preset ?? null) as JobCreateRequest['preset'],
    style_id: input.style ?? null,
    config: (input.config ?? {}) as JobConfig,
    // The input's schema guarantees that ranges are pairs.
    edit: edit as EditRequest,
  };
}
