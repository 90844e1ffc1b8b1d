import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { clipOf, PLAIN_PICTURE, pictureOf } from '../../presets/preset-pictures.ts';
import { PRESETS, presetNamed } from '../../presets/presets.ts';
import type { Handler } from '../contract/operation.ts';
import type * as operations from '../contract/preset-operations.ts';
import { baseUrl, type HttpContext } from '../server/context.ts';
import { requestedRange } from '../server/stored-file.ts';

const PLAIN = 'plain';
/** Pictures change with the program only. */
const CACHE = 'public, max-age=3600';

export function listPresets({ parts }: HttpContext): Handler<typeof operations.listPresets> {
  return async ({ request }) => {
    const url = (id: string, file: 'picture' | 'clip') =>
      `${baseUrl(parts, request)}/api/v1/presets/${id}/${file}`;
    const presets = PRESETS.map(({ id, style, components, ...named }) => ({
      preset_id: id,
      ...named,
      components: [...components],
      picture_url: url(id, 'picture'),
      clip_url: url(id, 'clip'),
      style_json: style,
    }));
    return { data: { presets, plain_picture_url: url(PLAIN, 'picture') } };
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

export function getPresetClip(): Handler<typeof operations.getPresetClip> {
  return async ({ params, request, reply }) => {
    const file = clipOf(presetNamed(params.preset_id));
    const [clip, { mtime: lastModified }] = await Promise.all([readFile(file), stat(file)]);
    const etag = `"${createHash('sha256').update(clip).digest('hex')}"`;
    void reply.type('video/mp4').headers({ 'accept-ranges': 'bytes', 'cache-control': CACHE, etag });
    // Safari plays only files that it can request in ranges.
    const range = requestedRange(request, clip.length, { etag, lastModified }, reply);
    if (range === null) {
      await reply.send(clip);
      return undefined;
    }
    const { start, end } = range;
    void reply.code(206).header('content-range', `bytes ${start}-${end}/${clip.length}`);
    await reply.send(clip.subarray(start, end + 1));
    return undefined;
  };
}
