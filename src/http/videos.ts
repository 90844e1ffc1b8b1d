import { Failure } from '../errors.ts';
import type { HttpContext } from './context.ts';
import type { Handler } from './operation.ts';
import type * as operations from './operations.ts';
import { listingResponse, listRequest } from './paging.ts';
import { videoResponse } from './video-response.ts';

export function listVideos({ parts }: HttpContext): Handler<typeof operations.listVideos> {
  return async ({ query }) => {
    const listing = await parts.videos.list(listRequest(query, {}));
    return { data: { videos: listing.items.map(videoResponse), ...listingResponse(listing, query) } };
  };
}

export function getVideo({ parts }: HttpContext): Handler<typeof operations.getVideo> {
  return async ({ params }) => {
    const found = await parts.videos.get(params.video_id);
    switch (found.state) {
      case 'present':
        return { data: videoResponse(found.video) };
      case 'expired':
        throw new Failure('VIDEO_EXPIRED', `The video expired ${found.expiredAt.toISOString()}`);
      case 'unknown':
        throw new Failure('VIDEO_NOT_FOUND', `There is no video ${JSON.stringify(params.video_id)}`);
    }
  };
}

export function deleteVideo({ parts }: HttpContext): Handler<typeof operations.deleteVideo> {
  return async ({ params }) => {
    await parts.videos.remove(params.video_id);
    return { data: { video_id: params.video_id, deleted: true } };
  };
}
