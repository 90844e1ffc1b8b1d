import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { JobConfig, JobCreateRequest, StyleDnaClient } from '../client/client.ts';
import { jobConfigPatchSchema } from '../domain/job-config.ts';
import { addEditTools } from './edit-tools.ts';
import { fetchFiles } from './fetch-files.ts';
import { sentVideo } from './sent-video.ts';
import { addSavedStyleTools, style } from './style-tools.ts';
import { type Answering, answeringAt, jobAfter, pictureResponse, text, wait } from './tool-results.ts';
import { jobText, styleText } from './wording.ts';

const video = z
  .string()
  .describe('Path of a local video file, its http address, or the video_id of an earlier result');
const edit = {
  source: video,
  template: z
    .string()
    .optional()
    .describe(
      'Video or image with the wanted style: path, http address or video_id. Either this, preset or style',
    ),
  preset: z.string().optional().describe('preset_id of list_presets'),
  style,
  config: jobConfigPatchSchema
    .optional()
    .describe(
      'Settings of the edit, such as {"quality": "low", "components": {"pacing": false}}; a missing field has its default, or the preset\'s value',
    ),
};
const READS = { readOnlyHint: true } as const;

export function addTools(server: McpServer, client: StyleDnaClient, baseUrl: string): void {
  const answering = answeringAt(baseUrl);
  addStyleTools(server, client, answering);
  addSavedStyleTools(server, client, answering);
  addJobTools(server, client, answering);
  addEditTools(server, client, answering);
}

function addStyleTools(server: McpServer, client: StyleDnaClient, answering: Answering): void {
  server.registerTool(
    'list_presets',
    {
      title: 'List presets',
      description: 'The included styles.',
      inputSchema: z.object({}),
      annotations: READS,
    },
    answering<object>(async (_given, signal) => {
      const { presets } = await client.listPresets({ signal });
      return text(presets.map(({ preset_id, name, description }) => ({ preset_id, name, description })));
    }),
  );

  server.registerTool(
    'analyze',
    {
      title: 'Analyze a style',
      description:
        'Measures the Style DNA of a video or image: colors, cuts, motion, sound. Nothing is rendered.',
      inputSchema: z.object({
        video,
        part_seconds: z
          .array(z.number().min(0))
          .length(2)
          .optional()
          .describe('[start, end] of the part to measure; default: all'),
      }),
    },
    answering<{ video: string; part_seconds?: number[] | undefined }>(async (input, signal) => {
      const videoId = await sentVideo(client, input.video, signal);
      // The input's schema guarantees a pair.
      const partSeconds = input.part_seconds as [number, number] | undefined;
      const analysis = await client.waitForAnalysis(videoId, { signal, partSeconds });
      return text(styleText(analysis));
    }),
  );

  server.registerTool(
    'preview',
    {
      title: 'Preview a style on a video',
      description:
        'Draws moments of the source before (above) and after (below) as one picture. Check it before you apply.',
      inputSchema: z.object({
        ...edit,
        at_seconds: z
          .array(z.number().min(0))
          .min(1)
          .max(3)
          .optional()
          .describe('The moments; default: three typical ones'),
      }),
    },
    answering<EditInput & { at_seconds?: number[] | undefined }>(async (input, signal) => {
      const request = await requestOf(client, input, signal);
      const preview = await client.waitForPreview(
        { ...request, at_seconds: input.at_seconds ?? null },
        { signal },
      );
      const { preview_id, video_id, template_video_id, warnings } = preview;
      return pictureResponse(client, preview_id, { video_id, template_video_id, warnings }, signal);
    }),
  );
}

function addJobTools(server: McpServer, client: StyleDnaClient, answering: Answering): void {
  server.registerTool(
    'apply',
    {
      title: 'Apply a style',
      description:
        'Starts rendering the source in the style of a template or preset. Returns a job; get_job shows when it is completed.',
      inputSchema: z.object({ ...edit, wait_seconds: wait.default(0) }),
    },
    answering<EditInput & { wait_seconds: number }>(async (input, signal) => {
      const { job_id } = await client.createJob(await requestOf(client, input, signal), { signal });
      return text(jobText(await jobAfter(client, job_id, input.wait_seconds, signal)));
    }),
  );

  server.registerTool(
    'get_job',
    {
      title: 'Get a job',
      description: 'State, progress and result of a job.',
      inputSchema: z.object({ job_id: z.string(), wait_seconds: wait.default(30) }),
      annotations: READS,
    },
    answering<{ job_id: string; wait_seconds: number }>(async (input, signal) =>
      text(jobText(await jobAfter(client, input.job_id, input.wait_seconds, signal))),
    ),
  );

  server.registerTool(
    'cancel_job',
    {
      title: 'Cancel a job',
      description: 'Stops a queued or processing job.',
      inputSchema: z.object({ job_id: z.string() }),
    },
    answering<{ job_id: string }>(async ({ job_id }, signal) =>
      text(jobText(await client.cancelJob(job_id, { signal }))),
    ),
  );

  server.registerTool(
    'fetch_results',
    {
      title: 'Fetch results',
      description: 'Writes the output video and other files of a completed job to a local folder.',
      inputSchema: z.object({
        job_id: z.string(),
        folder: z.string().describe('Created if missing; existing files of the same names are replaced'),
        files: z
          .array(z.string())
          .optional()
          .describe('output.mp4 and names of artifacts such as grade.cube; default: only output.mp4'),
      }),
    },
    answering<{ job_id: string; folder: string; files?: string[] | undefined }>(async (input, signal) =>
      text({
        written: await fetchFiles(client, input.job_id, input.folder, input.files ?? ['output.mp4'], signal),
      }),
    ),
  );
}

interface EditInput {
  readonly source: string;
  readonly template?: string | undefined;
  readonly preset?: string | undefined;
  readonly style?: string | undefined;
  readonly config?: object | undefined;
}

async function requestOf(client: StyleDnaClient, input: EditInput, signal: AbortSignal) {
  const { preset = null, style = null, template, source } = input;
  return {
    video_id: await sentVideo(client, source, signal),
    template_video_id: template === undefined ? null : await sentVideo(client, template, signal),
    // The service validates the name.
    preset: preset as JobCreateRequest['preset'],
    style_id: style,
    config: (input.config ?? {}) as JobConfig,
  };
}
