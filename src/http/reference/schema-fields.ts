/** Schemas as lists of fields that a reader understands without knowing JSON Schema. */
import { Markup, markup } from '../../report/markup.ts';
import { type Parameter, type Schema, schemaName } from './document.ts';

/** Larger ones are nothing that a reader would count to. */
const LARGEST_SHOWN = 1e15;

export function schemaFields(schema: Schema): Markup {
  const required = schema.required ?? [];
  return markup`<ul class="fields">${Object.entries(schema.properties ?? {}).map(([name, field]) =>
    fieldItem(name, field, required.includes(name)),
  )}</ul>`;
}

export function parameterFields(parameters: readonly Parameter[]): Markup {
  return markup`<ul class="fields">${parameters.map(({ name, schema, description, required }) =>
    fieldItem(name, description === undefined ? schema : { ...schema, description }, required),
  )}</ul>`;
}

function fieldItem(name: string, schema: Schema, isRequired: boolean): Markup {
  const inner = innerObject(schema);
  return markup`<li><code class="name">${name}</code> <span class="type">${typeText(schema)}${limitText(schema)}</span>${
    isRequired ? markup` <span class="needed">required</span>` : defaultText(schema)
  }${schema.description !== undefined && markup`<p>${inline(schema.description)}</p>`}${
    inner &&
    markup`<details><summary>Fields of <code>${name}</code></summary>${schemaFields(inner)}</details>`
  }</li>`;
}

/** The object that a field is, or is a list of. */
function innerObject(schema: Schema): Schema | null {
  if (schema.properties !== undefined) return schema;
  if (schema.items) return innerObject(schema.items);
  const inner = schema.anyOf?.map(innerObject).find((one) => one !== null);
  return inner ?? null;
}

function typeText(schema: Schema): Markup {
  const name = schemaName(schema);
  if (name !== null) return markup`<a href="#${name}">${name}</a>`;
  if (schema.enum !== undefined)
    return joined(schema.enum.map((one) => markup`<code>${JSON.stringify(one)}</code>`));
  if (schema.const !== undefined) return markup`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.anyOf !== undefined) return joined(schema.anyOf.map(typeText));
  if (Array.isArray(schema.type)) return joined(schema.type.map((type) => markup`${type}`));
  if (schema.prefixItems !== undefined) return markup`list of ${schema.prefixItems.length}`;
  if (schema.items) return markup`list of ${typeText(schema.items)}`;
  if (schema.format === 'date-time') return markup`time`;
  if (schema.format === 'uri') return markup`URL`;
  return markup`${String(schema.type ?? 'anything')}`;
}

function joined(parts: readonly Markup[]): Markup {
  return new Markup(parts.map(({ text }) => text).join(' or '));
}

function limitText({ minimum, maximum, maxLength }: Schema): string {
  const most = maximum !== undefined && maximum < LARGEST_SHOWN ? maximum : undefined;
  if (minimum !== undefined && most !== undefined) return `, ${minimum} to ${most}`;
  if (minimum !== undefined) return `, from ${minimum}`;
  if (most !== undefined) return `, up to ${most}`;
  return maxLength === undefined ? '' : `, up to ${maxLength} characters`;
}

function defaultText({ default: usual }: Schema): Markup | false {
  if (usual === undefined || typeof usual === 'object') return false;
  return markup` <span class="type">default <code>${JSON.stringify(usual)}</code></span>`;
}

/** Code between backticks, links as in Markdown; nothing else. */
export function inline(text: string): Markup {
  const parts = text.split(/(`[^`]+`|\[[^\]]+\]\([^)]+\))/);
  return markup`${parts.map((part) => {
    const link = /^\[([^\]]+)\]\((https:[^)]+)\)$/.exec(part);
    if (link !== null) return markup`<a href="${link[2]}">${link[1]}</a>`;
    return part.startsWith('`') && part.length > 2 ? markup`<code>${part.slice(1, -1)}</code>` : part;
  })}`;
}
