import { counted } from './quantity.ts';

/** The name of an edit of many takes: its first title, else what it is made of. */
export function editName(titles: readonly { readonly text: string }[], takes: number): string {
  const title = titles
    .map(({ text }) => text.trim().replaceAll(/\s*\n\s*/g, ' '))
    .find((text) => text !== '');
  return title ?? (takes === 0 ? 'Reel' : `Reel of ${counted(takes, 'take')}`);
}
