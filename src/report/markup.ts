/** Text that is HTML, SVG, CSS or a script already: `markup` alone makes it of what comes from outside. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Part = Markup | string | number | null | undefined | false | readonly Part[];

/** A template of HTML or SVG: what is put in is escaped, unless it is markup itself; null and false are nothing. */
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
 * Safe between tags and in quoted attributes. Control characters, which HTML forbids, and those that turn the
 * direction of text, which let a name pass for another, become the replacement character.
 */
export function escapeText(text: string): string {
  return (
    text
      .replace(/[&<>"']/g, (character) => ENTITIES[character])
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
  );
}

/** JSON that can stand in a `script` element of any type: it never holds a `<`. */
export function scriptJson(value: unknown): Markup {
  return new Markup(JSON.stringify(value).replaceAll('<', '\\u003c'));
}
