import { Failure } from '../../domain/errors.ts';
import type { Storyboard } from '../../domain/preview.ts';
import type { StageWork } from '../../domain/stage.ts';
import type { StageTools } from './stage-tools.ts';

/** Plans an edit and draws its slots as one picture into the working folder. */
export async function drawStoryboard(
  _tools: StageTools,
  _work: StageWork,
  _folder: string,
): Promise<Storyboard> {
  throw new Failure('INPUT_UNSUPPORTED', 'This version cannot plan an edit from many takes');
}
