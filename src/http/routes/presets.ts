import { readFile } from 'node:fs/promises';
import { PLAIN_PICTURE, pictureOf } from '../../presets/preset-pictures.ts';
import { PRESETS, presetNamed } from '../../presets/presets.ts';
import type { Handler } from '../contract/operation.ts';
import type * as operations from '../contract/preset-operations.ts';
import { baseUrl, type HttpContext } from '../server/context.ts';

const PLAIN = 'plain';
/** Pictures change with the program only. */
const CACHE = 'public, max-age=3600';

export function listPresets({ parts }: HttpContext): Handler<typeof operations.listPresets> {
  return async ({ request }) => {
    const pictureUrl = (id: string) => `${baseUrl(parts, request)}/api/v1/presets/${id}/picture`;
    const presets = PRESETS.map(({ id, style, components, ...named }) => ({
      preset_id: id,
      ...named,
      components: [...components],
      picture_url: pictureUrl(id),
      style_json: style,
    }));
    return { data: { presets, plain_picture_url: pictureUrl(PLAIN) } };
  };
}

export function getPresetPicture(): Handler<typeof operations.getPresetPicture> {
  return async ({ params, reply }) => {
    const { preset_id: id } = params;
    const picture = await readFile(id === PLAIN ? PLAIN_PICTURE : pictureOf(presetNamed(id)));
    await reply.headers({ 'cache-control': CACHE }).type('image/jpeg').send(picture);
    return undefined;
  };
}
