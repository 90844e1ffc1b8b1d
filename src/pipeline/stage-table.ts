import type { RunStage, StageName } from '../stage.ts';
import { fileFailure } from '../storage/file-failure.ts';
import { audioAnalysis } from './audio-analysis.ts';
import { motionAnalysis } from './motion-analysis.ts';
import { rendering } from './rendering.ts';
import type { Stage, StageTools } from './stage-tools.ts';
import { styleApplication } from './style-application.ts';
import { styleExtraction } from './style-extraction.ts';
import { videoAnalysis } from './video-analysis.ts';

/** Every stage of `stage.ts`, and what does it. */
const STAGES = {
  video_analysis: videoAnalysis,
  audio_analysis: audioAnalysis,
  motion_analysis: motionAnalysis,
  style_extraction: styleExtraction,
  style_application: styleApplication,
  rendering,
} as const satisfies Record<StageName, Stage>;

/** The six stages as the worker sees them: names. Trouble with the files of the work is a foreseen failure. */
export function stageRunner(tools: StageTools): RunStage {
  return async (work) => {
    try {
      return await STAGES[work.stage](tools, work);
    } catch (error) {
      throw fileFailure(error);
    }
  };
}
