/** Text that already is HTML, SVG, CSS or a script; only `markup` creates it from external text. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Part = Markup | string | number | null | undefined | false | readonly Part[];

/** A template of HTML or SVG: values are escaped unless they are markup; null and false are omitted. */
export function markup(fixed: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = fixed[0];
  for (const [index, part] of parts.entries()) text += textOf(part) + fixed[index + 1];
  return new Markup(text);
}

function textOf(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escapeText(part);
  let text = '';
  for (const one of part) text += textOf(one);
  return text;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Escapes text for use between tags and in quoted attributes. Control characters, which HTML forbids, and
 * characters that reverse text, which let one name look like another, become the replacement character.
 */
export function escapeText(text: string): string {
  return (
    text
      .replace(/[&<>"']/g, (character) => ENTITIES[character])
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for these characters
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
  );
}

/** JSON for a `script` element of any type: it never contains a `<`. */
export function scriptJson(value: unknown): Markup {
  return new Markup(JSON.stringify(value).replaceAll('<', '\\u003c'));
}
