/**
 * Instructions to open a job's files in editing programs. The supported parts of an edit: docs/editors.md.
 */
import type { EditRequest } from '../../../src/client/api-types.ts';
import { counted } from './quantity.ts';

export interface EditorFile {
  /** Name of the artifact. */
  readonly name: string;
  readonly title: string;
  readonly use: string;
  readonly imports: readonly Import[];
}

interface Import {
  readonly program: string;
  readonly steps: string;
}

/** Menus as in DaVinci Resolve 18 to 20, Premiere Pro 25, Final Cut Pro 10.6 and later, and Kdenlive 25.04 and later. */
const FILES: readonly EditorFile[] = [
  {
    name: 'timeline.otio',
    title: 'Timeline (OTIO)',
    use: 'cuts, transitions and sound on tracks',
    imports: [
      { program: 'DaVinci Resolve', steps: 'File › Import › Timeline' },
      { program: 'Kdenlive', steps: 'File › OpenTimelineIO Import' },
    ],
  },
  {
    name: 'timeline.xml',
    title: 'Timeline (Final Cut XML)',
    use: 'the same, with framing as keyframes',
    imports: [
      { program: 'Premiere Pro', steps: 'File › Import' },
      {
        program: 'DaVinci Resolve',
        steps: 'File › Import › Timeline, with Mismatched Resolution Files at “Center crop with no resizing”',
      },
      {
        program: 'Final Cut Pro',
        steps: 'import it in DaVinci Resolve, export it there as FCPXML, then File › Import › XML',
      },
    ],
  },
  {
    name: 'grade.cube',
    title: 'LUT (.cube)',
    use: 'the colors, for Rec. 709 pictures',
    imports: [
      {
        program: 'DaVinci Resolve',
        steps:
          'Project Settings › Color Management › Open LUT Folder, put it there, Update Lists; then LUT in the menu of the clip’s node',
      },
      { program: 'Premiere Pro', steps: 'Lumetri Color › Creative › Look › Browse' },
      { program: 'Final Cut Pro', steps: 'Effects › Color › Custom LUT' },
      { program: 'Kdenlive', steps: 'Effects › Apply LUT' },
    ],
  },
];
const NAMES = FILES.map(({ name }) => name);

export function isForEditors(name: string): boolean {
  return NAMES.includes(name);
}

/** The files of the job, in the order in which an editor needs them. */
export function editorFiles(names: readonly string[], isOfManyTakes: boolean): readonly EditorFile[] {
  return FILES.filter(({ name }) => names.includes(name)).map((file) =>
    isOfManyTakes && file.name === 'grade.cube'
      ? { ...file, use: 'the colors of the first take that is shown; each take has its own' }
      : file,
  );
}

/** Timelines name the files that they are cut from, and hold none of them. */
export function filesToBring(sourceName: string | null, edit: EditRequest | null): string {
  if (edit === null) return sourceName ?? 'the video that it was made from';
  const takes = counted(edit.takes?.length ?? 1, 'take');
  return edit.music == null ? takes : `${takes} and the song`;
}
