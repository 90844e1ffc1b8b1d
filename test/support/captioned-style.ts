/** A style of the specification's fields that shows captions, and changes nothing of color or pace. */
export const CAPTIONED_STYLE = {
  version: '1.0.0',
  aspect_ratio: '16:9',
  frame_rate: 25,
  cut_frequency: 0,
  motion_intensity: 0.3,
  zoom_usage: 0,
  use_subtitles: true,
  source_duration_seconds: 60,
  created_at: '2026-01-01T00:00:00.000Z',
  extraction_confidence: 1,
  color_grade: { temperature: 0, tint: 0, saturation: 0, contrast: 0, highlights: 0, shadows: 0 },
  subtitle_style: {
    position: 'bottom' as const,
    line_height: 0.07,
    color: '#ffe200',
    outlined: true,
    anchor_y: 0.86,
  },
};
