/** Examples of proxies. */
import { VIDEO } from './video-examples.ts';

const PROXY = {
  video_id: VIDEO.video_id,
  kind: 'video',
  status: 'completed',
  progress_percent: 100,
  file_url: `http://127.0.0.1:8080/api/v1/videos/${VIDEO.video_id}/proxy/file`,
  ...{ width: 960, height: 540, frame_rate: 30000 / 1001 },
  ...{ duration_seconds: 42.509, has_sound: true, error: null },
};

const ok = (message: string, data: object) => ({ success: true, message, data });

export const PROXY_RESPONSES = {
  createProxy: {
    made: ok('Proxy found', PROXY),
    queued: ok('Proxy queued', {
      ...{ ...PROXY, status: 'queued', progress_percent: 0, file_url: null, width: null, height: null },
      ...{ frame_rate: null, duration_seconds: null, has_sound: null },
    }),
  },
  getProxy: { completed: ok('Proxy found', PROXY) },
  deleteProxy: { deleted: ok('Proxy deleted', { video_id: VIDEO.video_id, deleted: true }) },
};
