import { z } from 'zod';
import { Failure, REQUEST_ERRORS, type RequestErrorCode } from '../../domain/errors.ts';
import {
  PARAMETER_EXAMPLES,
  PLAIN_EXAMPLES,
  REQUEST_EXAMPLES,
  RESPONSE_EXAMPLES,
  WEBHOOK_EXAMPLE,
} from '../contract/openapi-examples.ts';
import type { Handler, Operation } from '../contract/operation.ts';
import type * as rows from '../contract/operations.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { TAGS, type Tag } from '../contract/tags.ts';
import { baseUrl, type HttpContext } from '../server/context.ts';
import { errorResponse } from '../server/error-response.ts';

type Json = Record<string, unknown>;

/** Any request may meet these. */
const ALWAYS: readonly RequestErrorCode[] = [
  'MALFORMED_REQUEST',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'HOST_NOT_ALLOWED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
];

export function getOpenApi({ parts }: HttpContext): Handler<typeof rows.getOpenApi> {
  return async ({ request, reply }) => {
    void reply.send(openApiDocument(parts.version, baseUrl(parts, request)));
    return undefined;
  };
}

/** The interface as OpenAPI 3.1, from the operations and schemas that serve it. */
export function openApiDocument(version: string, serverUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const operation of OPERATIONS) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operation as unknown as Operation),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'StyleDNA',
      version,
      description:
        'Measures the style of a template video and renders your video in it. Every success is an envelope (`success`, ' +
        '`message`, `data`), every failure has an `error` with a stable `code`, a `detail` that says what would be right, and ' +
        'whether the same request may succeed later.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl, description: 'This service' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: { 'job-ended': { post: webhook() } },
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        proxy: {
          type: 'http',
          scheme: 'bearer',
          description: 'Only behind an authentication proxy; the service itself has no authentication.',
        },
      },
    },
    security: [{}, { proxy: [] }],
  };
}

function describe(operation: Operation): Json {
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    parameters: parametersOf(operation),
    ...requestBodyOf(operation),
    responses: { ...successOf(operation), ...errorsOf([...operation.errors, ...ALWAYS]) },
  };
}

function parametersOf(operation: Operation): Json[] {
  return [
    ...fieldsOf(operation.params).map(([name, schema]) => parameter('path', name, schema, true)),
    ...fieldsOf(operation.query).map(([name, schema]) => parameter('query', name, schema, false)),
    ...Object.entries(operation.headers ?? {}).map(([name, description]) =>
      parameter('header', name, z.string().describe(description), false),
    ),
  ];
}

function parameter(where: string, name: string, schema: z.ZodType, required: boolean): Json {
  // Of a query value, the output is what it must be: its input is always text.
  const { $schema: _, description, ...rest } = z.toJSONSchema(schema, { io: 'output' });
  const example = where === 'query' ? undefined : PARAMETER_EXAMPLES[name];
  return {
    in: where,
    name,
    required,
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { example }),
    schema: rest,
  };
}

function fieldsOf(schema: z.ZodType): [string, z.ZodType][] {
  return schema instanceof z.ZodObject ? Object.entries(schema.shape as Record<string, z.ZodType>) : [];
}

function requestBodyOf(operation: Operation): Json {
  if (operation.consumes === null) return {};
  const schema =
    operation.consumes === 'multipart/form-data'
      ? {
          type: 'object',
          required: ['file'],
          properties: { file: { ...BYTES, contentMediaType: 'video/*', description: 'The video' } },
        }
      : operation.consumes === 'application/json'
        ? reference(operation.body)
        : bodyOf(operation.consumes);
  const also = (operation.alsoConsumes ?? []).map((type) => [type, { schema }]);
  const first = { schema, ...examples(REQUEST_EXAMPLES[operation.id]) };
  return {
    requestBody: { required: true, content: { [operation.consumes]: first, ...Object.fromEntries(also) } },
  };
}

/** OpenAPI 3.1 needs no schema for bytes; generators make a `File` or `Blob` of this one of OpenAPI 3.0. */
const BYTES = { type: 'string', format: 'binary' } as const;

function bodyOf(contentType: string): Json {
  if (contentType.startsWith('text/')) return { type: 'string' };
  return contentType === 'application/json' ? { type: 'object' } : BYTES;
}

function successOf({ id, method, success, headers: requestHeaders = {} }: Operation): Json {
  if ('contentType' in success) {
    const example = PLAIN_EXAMPLES[id] === undefined ? {} : { example: PLAIN_EXAMPLES[id] };
    const content = { [success.contentType]: { schema: bodyOf(success.contentType), ...example } };
    return {
      200: { description: success.description, headers: { 'X-Request-Id': TEXT_HEADER }, content },
      ...conditional(requestHeaders, content),
    };
  }
  const headers = {
    'X-Request-Id': TEXT_HEADER,
    ...(method === 'POST' && success.status === 201 ? { Location: TEXT_HEADER } : {}),
  };
  if (!('data' in success)) {
    return { 204: { description: success.description, headers: { 'X-Request-Id': TEXT_HEADER } } };
  }
  const schema = envelopeOf(success.data);
  const content = { 'application/json': { schema, ...examples(RESPONSE_EXAMPLES[id]) } };
  const accepted = success.accepted === undefined ? {} : { 202: acceptedOf(success.accepted, content) };
  return { [success.status]: { description: success.message, headers, content }, ...accepted };
}

/** Additional answers of a file, by headers of the request. */
function conditional(requestHeaders: object, content: Json): Json {
  const headers = { 'X-Request-Id': TEXT_HEADER };
  const range = { ...headers, 'Content-Range': TEXT_HEADER };
  const location = { ...headers, Location: TEXT_HEADER };
  return {
    ...('Last-Event-ID' in requestHeaders
      ? { 204: { description: 'The last event was `done`', headers } }
      : {}),
    ...('Range' in requestHeaders
      ? { 206: { description: 'The part that `Range` asks for', headers: range, content } }
      : {}),
    ...('Range' in requestHeaders
      ? { 302: { description: 'Where the storage serves the file itself, for a while', headers: location } }
      : {}),
    ...('If-None-Match' in requestHeaders ? { 304: { description: 'The file is the same', headers } } : {}),
  };
}

/** The same shape, and when to look again. */
function acceptedOf(message: string, content: Json): Json {
  const headers = { 'X-Request-Id': TEXT_HEADER, 'Retry-After': TEXT_HEADER };
  return { description: message, headers, content };
}

const TEXT_HEADER = { schema: { type: 'string' } };

function envelopeOf(data: z.ZodType): Json {
  return {
    type: 'object',
    required: ['success', 'message', 'data'],
    properties: { success: { const: true }, message: { type: 'string' }, data: reference(data) },
  };
}

function examples(named: Readonly<Record<string, unknown>> | undefined): Json {
  if (named === undefined) return {};
  return { examples: Object.fromEntries(Object.entries(named).map(([name, value]) => [name, { value }])) };
}

function errorsOf(codes: readonly RequestErrorCode[]): Json {
  const byStatus = Map.groupBy(new Set(codes), (code) => REQUEST_ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, group]) => [
        status,
        {
          description: group.map((code) => `\`${code}\`: ${REQUEST_ERRORS[code].message}`).join('. '),
          headers: { 'X-Request-Id': TEXT_HEADER },
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Error' },
              ...examples(Object.fromEntries(group.map((code) => [code, errorExample(code)]))),
            },
          },
        },
      ]),
  );
}

function errorExample(code: RequestErrorCode): unknown {
  const fields = code === 'VALIDATION_ERROR' ? [{ path: 'video_id', message: 'is required' }] : [];
  const detail = fields.length > 0 ? 'video_id: is required' : REQUEST_ERRORS[code].message;
  return errorResponse(new Failure(code, detail, { fields }), '019aa3f2-4c1e-7d0a-9b51-0c6f6f1f2e11').body;
}

const WEBHOOK_HEADERS = {
  'webhook-id': 'The same for every try of a delivery: what has been seen may be left alone.',
  'webhook-timestamp': 'When this try was signed, in seconds since 1970.',
  'webhook-signature': '`v1,` and HMAC-SHA256 over `id.timestamp.body` in base64; one for each secret.',
  'webhook-event': 'As `type` in the body.',
};

function webhook(): Json {
  const { data } = OPERATIONS.find(({ id }) => id === 'getJobResult')!.success as { data: z.ZodType };
  const envelope = envelopeOf(data);
  const schema = {
    ...envelope,
    required: ['success', 'message', 'data', 'type', 'timestamp'],
    properties: {
      ...(envelope['properties'] as Json),
      type: { enum: ['job.completed', 'job.failed', 'job.cancelled'] },
      timestamp: { type: 'string', format: 'date-time', description: 'When the job ended' },
    },
  };
  return {
    operationId: 'jobEnded',
    tags: ['Webhooks' satisfies Tag],
    summary: 'Sent to `webhook_url` when a job is completed, failed or cancelled',
    description:
      'Signed as [Standard Webhooks](https://www.standardwebhooks.com) says; `verifyWebhook` of the client checks it.',
    parameters: Object.entries(WEBHOOK_HEADERS).map(([name, description]) =>
      parameter('header', name, z.string().describe(description), true),
    ),
    requestBody: {
      required: true,
      content: { 'application/json': { schema, ...examples({ completed: WEBHOOK_EXAMPLE }) } },
    },
    responses: {
      '2XX': { description: 'Received' },
      410: { description: 'Not wanted any more: no further tries' },
      default: { description: 'Tried again after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h' },
    },
  };
}

function reference(schema: z.ZodType): Json {
  const id = z.globalRegistry.get(schema)?.id;
  if (id === undefined) throw new TypeError('A schema of the interface has no id');
  return { $ref: `#/components/schemas/${id}` };
}

function componentSchemas(): Json {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    // As a client may send it, and may get it from a later version: no closed objects.
    io: 'input',
    override: ({ jsonSchema }) => {
      defaultInWords(jsonSchema);
      boundTuple(jsonSchema);
    },
    uri: (id) => `#/components/schemas/${id}`,
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _schema, $id: _id, ...schema }]) => [id, schema]),
  );
}

/**
 * Moves a field's default into its description. By the keyword openapi-typescript takes a field as required, and clients that fill in
 * defaults would overrule a preset.
 */
function defaultInWords(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.default === undefined) return;
  const words = `Default: \`${JSON.stringify(schema.default)}\``;
  schema.description = schema.description === undefined ? words : `${schema.description}. ${words}`;
  delete schema.default;
}

/** Tuples have a fixed length, and `items` beside `prefixItems`, which many tools require of every array. */
function boundTuple(schema: z.core.JSONSchema.BaseSchema): void {
  const { prefixItems } = schema;
  if (prefixItems === undefined) return;
  schema.items = schema.items || prefixItems[0];
  schema.minItems = prefixItems.length;
  schema.maxItems = prefixItems.length;
}
