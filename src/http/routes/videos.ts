import { Failure } from '../../domain/errors.ts';
import { importFailure } from '../../videos/import-failure.ts';
import type { Video, VideoFilter, VideoService, VideoState } from '../../videos/video.ts';
import type { Handler } from '../contract/operation.ts';
import type * as operations from '../contract/operations.ts';
import { baseUrl, type HttpContext } from '../server/context.ts';
import { listingResponse, listRequest } from '../server/paging.ts';
import { importResponse, videoResponse } from './video-response.ts';

export function listVideos({ parts }: HttpContext): Handler<typeof operations.listVideos> {
  return async ({ query, request }) => {
    const base = baseUrl(parts, request);
    const filter: VideoFilter = {
      ...(query.kind === undefined ? {} : { kind: query.kind }),
      ...(query.q ? { text: query.q } : {}),
    };
    const listing = await parts.videos.list(listRequest(query, filter));
    return {
      data: {
        videos: listing.items.map((video) => videoResponse(video, base)),
        ...listingResponse(listing, query),
      },
    };
  };
}

export function getVideo({ parts }: HttpContext): Handler<typeof operations.getVideo> {
  return async ({ params, request }) => {
    const base = baseUrl(parts, request);
    const found = await parts.videos.get(params.video_id);
    if (found.state === 'import') return { data: importResponse(found.import, base) };
    return { data: videoResponse(presentOne(found, params.video_id), base) };
  };
}

/** Throws VIDEO_EXPIRED, VIDEO_NOT_FOUND, VIDEO_IMPORTING, IMPORT_FAILED. */
export async function presentVideo(videos: VideoService, videoId: string): Promise<Video> {
  return presentOne(await videos.get(videoId), videoId);
}

function presentOne(found: VideoState, videoId: string): Video {
  switch (found.state) {
    case 'import':
      throw importFailure(found.import);
    case 'present':
      return found.video;
    case 'expired':
      throw new Failure('VIDEO_EXPIRED', `The video expired ${found.expiredAt.toISOString()}`);
    case 'unknown':
      throw new Failure('VIDEO_NOT_FOUND', `There is no video ${JSON.stringify(videoId)}`);
  }
}

export function deleteVideo({ parts }: HttpContext): Handler<typeof operations.deleteVideo> {
  return async ({ params }) => {
    await parts.videos.remove(params.video_id);
    return { data: { video_id: params.video_id, deleted: true } };
  };
}
