/** Examples of videos and imports. */

export const VIDEO = {
  video_id: '019aa3f1-0d52-7c3b-8f42-6d1b5b0e7a01',
  status: 'ready',
  kind: 'video',
  filename: 'holiday.mp4',
  size_bytes: 10485760,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  content_type: 'video/mp4',
  container: 'mp4',
  duration_seconds: 42.5,
  width: 1920,
  height: 1080,
  rotation: 0,
  frame_rate: 29.97,
  video_codec: 'h264',
  audio_codec: 'aac',
  has_audio: true,
  created_at: '2026-01-15T10:00:00.000Z',
  expires_at: null,
  poster_url: 'http://127.0.0.1:8080/api/v1/videos/019aa3f1-0d52-7c3b-8f42-6d1b5b0e7a01/poster',
  filmstrip_url: 'http://127.0.0.1:8080/api/v1/videos/019aa3f1-0d52-7c3b-8f42-6d1b5b0e7a01/filmstrip',
  file_url: 'http://127.0.0.1:8080/api/v1/videos/019aa3f1-0d52-7c3b-8f42-6d1b5b0e7a01/file',
  warnings: [],
};

export const IMPORT = {
  video_id: VIDEO.video_id,
  status: 'importing',
  filename: VIDEO.filename,
  received_bytes: 4194304,
  size_bytes: VIDEO.size_bytes,
  created_at: VIDEO.created_at,
  url: `http://127.0.0.1:8080/api/v1/videos/${VIDEO.video_id}`,
  error: null,
};
