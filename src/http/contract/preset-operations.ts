import { z } from 'zod';
import { COMPONENT_NAMES } from '../../domain/job-choices.ts';
import { styleJsonSchema } from './contract.ts';
import { operation } from './operation.ts';

const presetSchema = z
  .object({
    preset_id: z.string().describe('`preset` of a new job'),
    name: z.string(),
    description: z.string(),
    components: z
      .array(z.enum(COMPONENT_NAMES))
      .describe('Components of the style; a job with this preset leaves others off unless it sets them'),
    picture_url: z.url().describe('A scene in this look, rendered by this service'),
    clip_url: z.url().describe('A silent clip in this look, whose first frame is the picture'),
    style_json: styleJsonSchema,
  })
  .meta({ id: 'Preset' });

export const listPresets = operation({
  id: 'listPresets',
  method: 'GET',
  path: '/api/v1/presets',
  tag: 'Presets',
  summary: 'List the included styles',
  success: {
    status: 200,
    message: 'Presets listed',
    data: z
      .object({
        presets: z.array(presetSchema),
        plain_picture_url: z.url().describe('The same scene without a look, for comparison'),
      })
      .meta({ id: 'PresetList' }),
  },
  errors: [],
});

export const getPresetPicture = operation({
  id: 'getPresetPicture',
  method: 'GET',
  path: '/api/v1/presets/{preset_id}/picture',
  tag: 'Presets',
  summary: 'Get the picture of a preset',
  params: z.object({ preset_id: z.string().describe('`preset_id` of a preset, or `plain`') }),
  success: { status: 200, contentType: 'image/jpeg', description: 'The picture, 16:9' },
  errors: ['PRESET_NOT_FOUND'],
});

export const getPresetClip = operation({
  id: 'getPresetClip',
  method: 'GET',
  path: '/api/v1/presets/{preset_id}/clip',
  tag: 'Presets',
  summary: 'Get the clip of a preset',
  description: 'Footage of a few seconds in the look of the preset, to be played in a loop.',
  params: z.object({ preset_id: z.string().describe('`preset_id` of a preset') }),
  headers: { Range: 'One byte range; several are answered with the whole file.' },
  success: {
    status: 200,
    contentType: 'video/mp4',
    description: 'The clip, 16:9, without sound; 206 for a range',
  },
  errors: ['PRESET_NOT_FOUND', 'RANGE_NOT_SATISFIABLE'],
});
