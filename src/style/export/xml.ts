/** An XML element; its children are elements, or one text. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[] | string;
}

/** A value that becomes the text of an element: a number is written with at most six decimals. */
type Text = string | number | boolean;

export function element(
  name: string,
  children: readonly XmlElement[] | Text,
  attributes: Readonly<Record<string, string>> = {},
): XmlElement {
  return { name, attributes, children: Array.isArray(children) ? children : textOf(children as Text) };
}

/** The text of the element and all below it, two spaces for each level. */
export function writeXml({ name, attributes, children }: XmlElement, indent = ''): string {
  const named = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  const start = `${indent}<${name}${named.join('')}`;
  if (typeof children === 'string') return `${start}>${escaped(children)}</${name}>`;
  if (children.length === 0) return `${start}/>`;
  const inner = children.map((child) => writeXml(child, `${indent}  `));
  return [`${start}>`, ...inner, `${indent}</${name}>`].join('\n');
}

function textOf(value: Text): string {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return typeof value === 'number' ? String(Number(value.toFixed(6))) : value;
}

/** Characters that XML 1.0 forbids are left out. */
function escaped(text: string): string {
  return [...text]
    .filter((character) => /[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.test(character))
    .join('')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
