import type { SoundFiles } from '../../render/sound/output-sound.ts';
import type { PlanInput, TaskInput, TaskName } from './tasks.ts';

/** The files that each task reads outside its working folder. Its child sees no others. */
const FILES: { readonly [T in TaskName]: (input: TaskInput<T>) => readonly string[] } = {
  ping: () => [],
  compile: () => [],
  outline: ({ path }) => [path],
  probe: ({ path }) => [path],
  inspect: ({ path }) => [path],
  measure: ({ path }) => [path],
  analyse: ({ path }) => [path],
  video: ({ path }) => [path],
  audio: ({ path }) => [path],
  speechSound: ({ path }) => [path],
  motion: ({ motionLogPath }) => [motionLogPath],
  style: () => [],
  soundStyle: () => [],
  preview: ({ path }) => [path],
  pictures: ({ path }) => [path],
  proxy: ({ sourcePath }) => [sourcePath],
  plan: captionFiles,
  planTakes: ({ captions = [] }) => captions.flatMap((one) => (one === null ? [] : [one.path])),
  // Measurements are in the child's folder.
  planData: ({ sourcePath }) => (sourcePath === null ? [] : [sourcePath]),
  previewPicture: ({ plan, sourcePath, framesPath, hasFrames }) => [
    ...captionFiles(plan),
    sourcePath,
    ...(hasFrames ? [framesPath] : []),
  ],
  compare: ({ sourcePath, renderedPath }) => [sourcePath, renderedPath],
  storyboard: ({ takePaths }) => takePaths,
  draft: timelineFiles,
  segments: timelineFiles,
  sound: timelineFiles,
  tryEncoder: () => [],
  join: ({ segments, sound }) => [
    ...segments.flatMap(({ path, picturesPath }) => [path, picturesPath]),
    ...(sound === null ? [] : [sound.path]),
  ],
  render: timelineFiles,
};

function timelineFiles({ takePaths, musicPath }: SoundFiles): readonly string[] {
  return musicPath === undefined ? takePaths : [...takePaths, musicPath];
}

function captionFiles({ captions }: PlanInput): readonly string[] {
  return captions === null ? [] : [captions.path];
}

export function filesOf<T extends TaskName>(task: T, input: TaskInput<T>): readonly string[] {
  const files: (input: TaskInput<T>) => readonly string[] = FILES[task];
  return files(input);
}
