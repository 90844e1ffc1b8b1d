import type { StageName } from '../../../src/domain/stage.ts';

/** Each stage in an editor's words, in the order in which they run. */
export const STAGE_WORDS: Readonly<Record<StageName, string>> = {
  video_analysis: 'Watching',
  audio_analysis: 'Listening',
  motion_analysis: 'Following the camera',
  style_extraction: 'Describing the style',
  style_application: 'Planning the edit',
  rendering: 'Rendering',
};
