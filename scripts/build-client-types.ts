/**
 * Generates `src/client/api-types.ts` from the OpenAPI document: the types of requests and responses, without zod and
 * Node. A test compares the file; after a change of the interface run `npm run build:client`.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '../src/http/routes/openapi.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly items?: Schema | false;
  readonly prefixItems?: readonly Schema[];
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly description?: string;
  readonly schema: Schema;
}

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { operationId: string; parameters: readonly Parameter[] }>>>
  >;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
export const CLIENT_TYPES = fileURLToPath(new URL('../src/client/api-types.ts', import.meta.url));

/** Names with another meaning in TypeScript. */
const RENAMED: Readonly<Record<string, string>> = { Error: 'ErrorAnswer' };

const HEAD = `/**
 * What the service's operations take and give. Made from its OpenAPI document by \`npm run build:client\`: do not edit.
 * Answers may have more fields than these, of a later version of the service.
 */
`;

/** The whole file, formatted. */
export function clientTypes(): string {
  const document = openApiDocument('0.0.0', 'http://localhost') as unknown as Document;
  const schemas = Object.entries(document.components.schemas).map(([id, schema]) => declaration(id, schema));
  const queries = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId, parameters }) => queryOf(operationId, parameters));
  return formatted([HEAD, ...schemas, ...queries.filter((text) => text !== null)].join('\n'));
}

function declaration(id: string, schema: Schema): string {
  const comment = commentOf(schema);
  return schema.properties === undefined
    ? `${comment}export type ${nameOf(id)} = ${typeOf(schema)};`
    : `${comment}export interface ${nameOf(id)} ${typeOf(schema)}`;
}

function queryOf(operationId: string, parameters: readonly Parameter[]): string | null {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  if (query.length === 0) return null;
  const properties = Object.fromEntries(
    query.map(({ name, description, schema }) => [
      name,
      description === undefined ? schema : { ...schema, description },
    ]),
  );
  const name = `${operationId[0].toUpperCase()}${operationId.slice(1)}Query`;
  return `export interface ${name} ${typeOf({ properties })}`;
}

function nameOf(id: string): string {
  return RENAMED[id] ?? id;
}

function commentOf({ description }: Schema): string {
  return description === undefined ? '' : `/** ${description.replaceAll('*/', '* /')} */\n`;
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref.split('/').at(-1)!);
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ');
  if (schema.properties !== undefined) return objectOf(schema);
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return arrayOf(schema);
    case 'object':
      return recordOf(schema);
    default:
      return 'unknown';
  }
}

/**
 * Objects are open in the document, so that they can grow. In the client's types they are closed, so that misspelt
 * fields are errors.
 */
function objectOf({ properties = {}, required = [] }: Schema): string {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    return `${commentOf(schema)}${name}${isRequired ? '' : '?'}: ${typeOf(schema)}${isRequired ? '' : ' | undefined'};`;
  });
  return `{\n${fields.join('\n')}\n}`;
}

function arrayOf({ items, prefixItems }: Schema): string {
  if (prefixItems !== undefined) return `[${prefixItems.map(typeOf).join(', ')}]`;
  return `(${typeOf(items || {})})[]`;
}

function recordOf({ additionalProperties, propertyNames }: Schema): string {
  const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
  return propertyNames?.enum === undefined
    ? `Record<string, ${value}>`
    : `Partial<Record<${typeOf(propertyNames)}, ${value}>>`;
}

function formatted(text: string): string {
  const words = ['check', '--write', '--stdin-file-path', CLIENT_TYPES];
  const run = spawnSync(`${ROOT}node_modules/.bin/biome`, words, {
    cwd: ROOT,
    input: text,
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(`biome could not format the types: ${run.stderr}`);
  return run.stdout;
}

if (import.meta.main) {
  const before = readFileSync(CLIENT_TYPES, { encoding: 'utf8', flag: 'a+' });
  const now = clientTypes();
  if (now !== before) writeFileSync(CLIENT_TYPES, now);
  console.log(`src/client/api-types.ts ${now === before ? 'is as it was' : 'is written'}`);
}
