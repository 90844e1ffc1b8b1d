/** Which well takes which of the files that were dropped together. */

export type WellName = 'source' | 'look';

export interface Dropped<File> {
  readonly source: File | null;
  readonly look: File | null;
  readonly leftOut: readonly File[];
}

interface Named {
  readonly name: string;
  /** As the browser guesses it; empty: unknown. */
  readonly type: string;
}

const STYLE_FILE = /\.json$/i;
const PICTURE = /^image\//;

export function isStyleFile({ name }: Named): boolean {
  return STYLE_FILE.test(name);
}

/**
 * `on`: the well on which they were dropped. It takes one file; another goes into the other well, if that is empty. Of several
 * pairs the first that suits both wells.
 */
export function sortDropped<File extends Named>(
  files: readonly File[],
  on: WellName,
  isOtherEmpty: boolean,
): Dropped<File> {
  const other = on === 'source' ? 'look' : 'source';
  const own = files.filter((file) => suits(file, on));
  const pairs = own.map((first) => ({
    first,
    second: files.find((file) => file !== first && suits(file, other)),
  }));
  const pair = isOtherEmpty ? pairs.find(({ second }) => second !== undefined) : undefined;
  // What suits nothing is refused in the well, with the reason.
  const first = pair?.first ?? own[0] ?? files[0] ?? null;
  const second = pair?.second ?? null;
  const leftOut = files.filter((file) => file !== first && file !== second);
  return on === 'source'
    ? { source: first, look: second, leftOut }
    : { source: second, look: first, leftOut };
}

function suits(file: Named, well: WellName): boolean {
  return well === 'look' || !(isStyleFile(file) || PICTURE.test(file.type));
}
