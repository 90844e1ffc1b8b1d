import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeSubRip } from '../../style/captions/file.ts';
import type { PlannedEdit } from '../engine/direct-results.ts';
import type { RenderedPlan } from './render-plan.ts';

/** Artifacts of an output; not every output has all of them. */
export const ARTIFACT_NAMES = [
  'style.json',
  'report.html',
  'grade.cube',
  'timeline.otio',
  'timeline.xml',
  'captions.srt',
  'speech.srt',
  'poster.jpg',
  'filmstrip.jpg',
  'comparison.mp4',
] as const;

/** An artifact in a working folder. */
export interface ArtifactFile {
  readonly name: (typeof ARTIFACT_NAMES)[number];
  readonly contentType: string;
  readonly path: string;
}

/**
 * The artifacts of an output; texts are written into the working folder. `style` is null if none could be extracted, `report` if none
 * could be drawn.
 */
export async function artifactFiles(
  folder: string,
  { plan, rendered }: { readonly plan: PlannedEdit; readonly rendered: RenderedPlan },
  style: unknown,
  report: string | null,
): Promise<readonly ArtifactFile[]> {
  const files: ArtifactFile[] = [];
  for (const { name, contentType, text } of textArtifacts(plan, style, report)) {
    const path = join(folder, `artifact-${name}`);
    await writeFile(path, text);
    files.push({ name, contentType, path });
  }
  files.push({ name: 'poster.jpg', contentType: 'image/jpeg', path: rendered.posterPath });
  files.push({ name: 'filmstrip.jpg', contentType: 'image/jpeg', path: rendered.filmstripPath });
  if (rendered.comparisonPath !== null)
    files.push({ name: 'comparison.mp4', contentType: 'video/mp4', path: rendered.comparisonPath });
  return files;
}

function textArtifacts(plan: PlannedEdit, style: unknown, report: string | null) {
  const all: (Omit<ArtifactFile, 'path'> & { readonly text: string | null })[] = [
    {
      name: 'style.json',
      contentType: 'application/json',
      text: style === null ? null : JSON.stringify(style, null, 2),
    },
    { name: 'report.html', contentType: 'text/html; charset=utf-8', text: report },
    { name: 'grade.cube', contentType: 'text/plain', text: plan.cube },
    { name: 'timeline.otio', contentType: 'application/json', text: plan.otio },
    { name: 'timeline.xml', contentType: 'application/xml', text: plan.finalCutXml },
    { name: 'speech.srt', contentType: 'application/x-subrip', text: plan.speech },
    {
      name: 'captions.srt',
      contentType: 'application/x-subrip',
      text: plan.timeline.captions.length === 0 ? null : writeSubRip(plan.timeline.captions),
    },
  ];
  return all.flatMap(({ text, ...rest }) => (text === null ? [] : [{ ...rest, text }]));
}
