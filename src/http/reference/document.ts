/** The parts of an OpenAPI 3.1 document that the reference page reads. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema | false;
  readonly prefixItems?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly format?: string;
}

export interface Parameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly required: boolean;
  readonly description?: string;
  readonly example?: string;
  readonly schema: Schema;
}

export interface Body {
  readonly schema: Schema;
  readonly example?: string;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface DescribedResponse {
  readonly description: string;
  readonly content?: Readonly<Record<string, Body>>;
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Body>> };
  readonly responses: Readonly<Record<string, DescribedResponse>>;
}

export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: DescribedOperation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** An operation with its address. */
export interface Row extends DescribedOperation {
  /** In capitals. */
  readonly method: string;
  readonly path: string;
}

/** All operations, each once, by tag in the document's order. */
export function rowsByTag(
  document: OpenApiDocument,
): { readonly tag: OpenApiDocument['tags'][0]; readonly rows: Row[] }[] {
  const rows = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      ...described,
      method: method.toUpperCase(),
      path,
    })),
  );
  return document.tags.map((tag) => ({ tag, rows: rows.filter(({ tags }) => tags[0] === tag.name) }));
}

/** The request's first body, and its content type. */
export function requestOf({
  requestBody,
}: DescribedOperation): { readonly type: string; readonly body: Body } | null {
  const first = Object.entries(requestBody?.content ?? {})[0];
  return first === undefined ? null : { type: first[0], body: first[1] };
}

/** The content type of a success: null when there is no body. */
export function responseType({ responses }: DescribedOperation): string | null {
  const success = responses[200] ?? responses[201] ?? responses[204];
  return Object.keys(success?.content ?? {})[0] ?? null;
}

export function schemaName({ $ref }: Schema): string | null {
  return $ref?.split('/').at(-1) ?? null;
}
