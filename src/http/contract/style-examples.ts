import { VIDEO } from './video-examples.ts';

export const STYLE = {
  version: '1.0.0',
  aspect_ratio: '16:9',
  frame_rate: 24,
  cut_frequency: 0.31,
  motion_intensity: 0.42,
  zoom_usage: 0.1,
  use_subtitles: false,
  tempo_bpm: 120,
  created_at: '2026-01-15T10:01:30.000Z',
  source_duration_seconds: 61.2,
  extraction_confidence: 0.87,
  color_grade: { temperature: 12, tint: -3, saturation: 18, contrast: 9, highlights: -5, shadows: 4 },
};

export const STYLE_ID = '019aa3f4-6b2d-7c1a-8f3e-5d9b7a1c4e66';
const URL = `http://127.0.0.1:8080/api/v1/styles/${STYLE_ID}`;

const SAVED = {
  style_id: STYLE_ID,
  status: 'ready',
  name: 'Our brand',
  description: 'Vivid color, a change of shot every 3.2 s, 120 BPM',
  origin: { kind: 'videos', videos: [{ video_id: VIDEO.video_id, filename: VIDEO.filename }], job_id: null },
  use_count: 3,
  created_at: '2026-01-15T10:05:00.000Z',
  updated_at: '2026-01-15T10:05:00.000Z',
  picture_url: `${URL}/picture`,
  file_url: `${URL}/file`,
  style_json: STYLE,
};

export const STYLE_REQUESTS = {
  createStyle: {
    templates: {
      name: 'Our brand',
      video_ids: [
        VIDEO.video_id,
        '019aa3f1-9e0c-7b6e-a0d7-2f3c9d5e8b02',
        '019aa3f1-a1b2-7c3d-8e4f-5a6b7c8d9e0f',
      ],
    },
    style: { name: 'Our brand', style_json: STYLE },
    job: { name: 'Our brand', job_id: '019aa3f2-4c1e-7d0a-9b51-0c6f6f1f2e11' },
  },
  renameStyle: { name: { name: 'Our brand, 2027' } },
};

const answer = (message: string, data: object) => ({ success: true, message, data });

export const STYLE_RESPONSES = {
  createStyle: {
    saved: answer('Style saved', SAVED),
    measuring: answer('Templates are being measured', {
      status: 'measuring',
      progress_percent: 40,
      analyses: [
        {
          video_id: VIDEO.video_id,
          filename: VIDEO.filename,
          status: 'processing',
          progress_percent: 40,
          error: null,
          url: `http://127.0.0.1:8080/api/v1/videos/${VIDEO.video_id}/analysis`,
        },
      ],
    }),
  },
  listStyles: {
    page: answer('Styles listed', { styles: [SAVED], total: 1, page: 1, page_size: 10, next_cursor: null }),
  },
  getStyle: { style: answer('Style found', SAVED) },
  renameStyle: { renamed: answer('Style renamed', { ...SAVED, name: 'Our brand, 2027' }) },
  deleteStyle: { deleted: answer('Style deleted', { style_id: STYLE_ID, deleted: true }) },
};
