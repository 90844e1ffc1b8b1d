import type { StageName } from '../../../src/domain/stage.ts';

/** What each stage does, as an editor would say it. In the order in which they run. */
export const STAGE_WORDS: Readonly<Record<StageName, string>> = {
  video_analysis: 'Watching',
  audio_analysis: 'Listening',
  motion_analysis: 'Following the camera',
  style_extraction: 'Describing the style',
  style_application: 'Planning the edit',
  rendering: 'Rendering',
};
