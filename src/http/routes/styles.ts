import { Failure } from '../../domain/errors.ts';
import type { SavedStyle } from '../../saved-styles/saved-style.ts';
import { stylePictureBlobKey } from '../../storage/blob-names.ts';
import { contentDisposition } from '../../storage/content-disposition.ts';
import type { Handler } from '../contract/operation.ts';
import type * as operations from '../contract/style-operations.ts';
import { savedStyleResponse } from '../contract/style-response.ts';
import { baseUrl, type HttpContext } from '../server/context.ts';
import { displayName } from '../server/file-name.ts';
import { listingResponse, listRequest } from '../server/paging.ts';
import { sendStoredFile } from '../server/stored-file.ts';

export function listStyles({ parts }: HttpContext): Handler<typeof operations.listStyles> {
  return async ({ query, request }) => {
    const base = baseUrl(parts, request);
    const listing = await parts.styles.list(listRequest(query, query.q ? { text: query.q } : {}));
    const styles = listing.items.map((style) => savedStyleResponse(style, base));
    return { data: { styles, ...listingResponse(listing, query) } };
  };
}

export function getStyle({ parts }: HttpContext): Handler<typeof operations.getStyle> {
  return async ({ params, request }) => ({
    data: savedStyleResponse(await parts.styles.get(params.style_id), baseUrl(parts, request)),
  });
}

export function renameStyle({ parts }: HttpContext): Handler<typeof operations.renameStyle> {
  return async ({ params, body, request }) => ({
    data: savedStyleResponse(await parts.styles.rename(params.style_id, body.name), baseUrl(parts, request)),
  });
}

export function deleteStyle({ parts }: HttpContext): Handler<typeof operations.deleteStyle> {
  return async ({ params }) => {
    await parts.styles.remove(params.style_id);
    return { data: { style_id: params.style_id, deleted: true } };
  };
}

export function getStylePicture(context: HttpContext): Handler<typeof operations.getStylePicture> {
  return async ({ params, request, reply }) => {
    const style = await context.parts.styles.get(params.style_id);
    if (!style.hasPicture) throw new Failure('ARTIFACT_NOT_FOUND', 'The saved style has no picture');
    const blobKey = stylePictureBlobKey(style.styleId);
    const artifact = { name: 'picture.jpg', blobKey, contentType: 'image/jpeg', sizeBytes: 0 };
    const fileName = `${fileStem(style)}.jpg`;
    const file = { artifact, fileName, sha256: null, missingCode: 'ARTIFACT_NOT_FOUND' } as const;
    await sendStoredFile(context, file, false, request, reply);
    return undefined;
  };
}

export function getStyleFile({ parts }: HttpContext): Handler<typeof operations.getStyleFile> {
  return async ({ params, reply }) => {
    const saved = await parts.styles.get(params.style_id);
    await reply
      .headers({ 'content-disposition': contentDisposition(`${fileStem(saved)}.json`, true) })
      .type('application/json')
      .send(`${JSON.stringify({ ...saved.style, name: saved.name }, null, 2)}\n`);
    return undefined;
  };
}

function fileStem({ name }: SavedStyle): string {
  return displayName(name.replaceAll(/[/\\]/g, '-'));
}
