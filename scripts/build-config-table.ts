/**
 * Writes the table of the fields of a job's `config` into docs/integration.md, from the schema. A test compares; after a change of the
 * schema run `npm run build:config-table`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import {
  CONFIG_FIELDS,
  type ConfigField,
  describeField,
  jobConfigPatchSchema,
} from '../src/domain/job-config.ts';

const DOCUMENT = fileURLToPath(new URL('../docs/integration.md', import.meta.url));
const BLOCK = /(<!-- fields of a config: npm run build:config-table -->\n)[\s\S]*?(<!-- end -->)/;

interface ValueSchema {
  readonly type?: string;
  /** The forms of the value; one of them is `null`. */
  readonly anyOf?: readonly ValueSchema[];
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: object;
}

function valuesOf(field: ConfigField): string {
  return formOf(z.toJSONSchema(jobConfigPatchSchema.shape[field], { io: 'input' }) as ValueSchema);
}

function formOf({ type, anyOf, enum: words, minimum, maximum, properties }: ValueSchema): string {
  if (anyOf !== undefined) {
    const forms = anyOf.filter((form) => form.type !== 'null').map(formOf);
    return [...new Set(forms)].join(', or ');
  }
  if (words !== undefined) return quoted(words);
  if (properties !== undefined) return `an object: ${quoted(Object.keys(properties))}`;
  if (type === 'boolean') return '`true`, `false`';
  if (type === 'array') return 'a list';
  if (minimum === undefined) return 'an object';
  return `${type === 'integer' ? 'a whole number, ' : ''}${minimum} to ${maximum}`;
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ');
}

function configTable(): string {
  const rows = CONFIG_FIELDS.map(
    (field) => `| \`${field}\` | ${valuesOf(field)} | ${describeField(field)} |`,
  );
  return ['| field | values | what it does |', '|---|---|---|', ...rows, ''].join('\n');
}

/** The current and the generated document. */
export function configDocument(): { readonly current: string; readonly wanted: string } {
  const current = readFileSync(DOCUMENT, 'utf8');
  return { current, wanted: current.replace(BLOCK, (_, start, end) => `${start}${configTable()}${end}`) };
}

if (import.meta.main) writeFileSync(DOCUMENT, configDocument().wanted);
