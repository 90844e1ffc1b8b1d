/** The files that come with a result, as people call them and in the order in which people want them. */
const FILES: Readonly<Record<string, readonly [name: string, use: string]>> = {
  output: ['Video', 'MP4, plays everywhere'],
  'report.html': ['Report', 'what was measured, as pictures'],
  'grade.cube': ['LUT', 'the colours, for any editor'],
  'timeline.otio': ['Timeline (OTIO)', 'for DaVinci Resolve and Kdenlive'],
  'timeline.xml': ['Timeline (XML)', 'for Premiere Pro and DaVinci Resolve'],
  'style.json': ['Style DNA', 'the style itself: drop it here as a look'],
  'captions.srt': ['Captions', 'SubRip'],
  'speech.srt': ['Spoken words', 'in the source’s time, SubRip'],
  'comparison.mp4': ['Before and after', 'side by side, MP4'],
  'poster.jpg': ['Poster', 'a still, JPEG'],
  'filmstrip.jpg': ['Filmstrip', 'twelve stills in a row, JPEG'],
};
const ORDER = Object.keys(FILES);

export interface FileWords {
  readonly name: string;
  readonly use: string;
}

export function fileWords(name: string): FileWords {
  const [words, use] = FILES[name] ?? [name, ''];
  return { name: words, use };
}

/** Those without a place come last, as they came. */
export function inOrder<File extends { readonly name: string }>(files: readonly File[]): readonly File[] {
  const place = ({ name }: File) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  return [...files].sort((a, b) => place(a) - place(b));
}
