import type { StoredResponse } from '../../idempotency/idempotency.ts';
import type { VideoImport } from '../../videos/video.ts';
import type { Handler } from '../contract/operation.ts';
import type { importVideo as operation } from '../contract/operations.ts';
import { baseUrl, type HttpContext } from '../server/context.ts';
import { displayName } from '../server/file-name.ts';
import { claim, idempotencyKey, releaseOnFailure, sendReplay } from '../server/idempotency.ts';
import { refuseWhenDraining } from '../server/readiness.ts';
import { fairQueueClient } from './job-creation.ts';
import { importResponse } from './video-response.ts';

const POLL = { 'retry-after': '1' };

export function importVideo({ parts, reserve }: HttpContext): Handler<typeof operation> {
  return async ({ body, request, reply }) => {
    refuseWhenDraining(parts);
    await reserve.assertFree(0);
    const base = baseUrl(parts, request);
    const response = (made: VideoImport): StoredResponse => ({
      status: 202,
      body: { success: true, message: 'Import begun', data: importResponse(made, base) },
    });
    const key = idempotencyKey(request, request.body);
    const stored = key === null ? null : await claim(parts.idempotency, key);
    if (stored !== null) {
      sendReplay(reply, stored, locationOf((stored.body as { data: { video_id: string } }).data.video_id));
      return undefined;
    }
    const filename = displayName(body.filename ?? lastPart(body.url));
    const creation = { url: body.url, filename, client: fairQueueClient(request, {}) };
    const made = await releaseOnFailure(parts.idempotency, key, () =>
      parts.imports.create(creation, key === null ? null : { key, response }),
    );
    return {
      data: importResponse(made, base),
      accepted: true,
      headers: { location: locationOf(made.videoId), ...POLL },
    };
  };
}

/** The last segment of the path, decoded. */
function lastPart(address: string): string | undefined {
  const part = URL.parse(address)?.pathname.split('/').at(-1);
  try {
    return part === undefined ? undefined : decodeURIComponent(part);
  } catch {
    return part;
  }
}

function locationOf(videoId: string): string {
  return `/api/v1/videos/${videoId}`;
}
