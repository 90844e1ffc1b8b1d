/** The files of a result, with common names, in the order of their use. */
const FILES: Readonly<Record<string, readonly [name: string, use: string]>> = {
  'report.html': ['Report', 'what was measured and decided, as one page'],
  'style.json': ['Style DNA', 'the style itself: drop it here as a look'],
  'captions.srt': ['Captions', 'as shown in the result, SubRip'],
  'speech.srt': ['Spoken words', 'in the time of your video, SubRip'],
  'comparison.mp4': ['Before and after', 'your video and the result side by side, MP4'],
  'poster.jpg': ['Poster', 'one moment of the result, JPEG'],
  'filmstrip.jpg': ['Filmstrip', 'twelve moments of the result in a row, JPEG'],
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

/** Unknown files are last, in their own order. */
export function inOrder<File extends { readonly name: string }>(files: readonly File[]): readonly File[] {
  const place = ({ name }: File) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  return [...files].sort((a, b) => place(a) - place(b));
}
