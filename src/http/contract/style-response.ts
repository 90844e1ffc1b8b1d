import type { SavedStyle } from '../../saved-styles/saved-style.ts';
import { styleSentence } from '../../style/model/style-sentence.ts';

/** A saved style as clients read it. `baseUrl` has no slash at its end. */
export function savedStyleResponse(saved: SavedStyle, baseUrl: string) {
  const { styleId, name, style, origin } = saved;
  const url = `${baseUrl}/api/v1/styles/${styleId}`;
  return {
    style_id: styleId,
    status: 'ready' as const,
    name,
    description: styleSentence(style),
    origin: {
      kind: origin.kind,
      videos:
        origin.kind === 'videos'
          ? origin.videos.map(({ videoId, filename }) => ({ video_id: videoId, filename }))
          : [],
      job_id: origin.kind === 'job' ? origin.jobId : null,
    },
    use_count: saved.useCount,
    created_at: saved.createdAt.toISOString(),
    updated_at: saved.updatedAt.toISOString(),
    picture_url: saved.hasPicture ? `${url}/picture` : null,
    file_url: `${url}/file`,
    style_json: style,
  };
}
