import { z } from 'zod';
import { Failure, REQUEST_ERRORS, type RequestErrorCode } from '../../errors.ts';
import { REQUEST_EXAMPLES, RESPONSE_EXAMPLES } from '../contract/openapi-examples.ts';
import type { Handler, Operation } from '../contract/operation.ts';
import type * as rows from '../contract/operations.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { baseUrl, type HttpContext } from '../server/context.ts';
import { errorAnswer } from '../server/error-answer.ts';

type Json = Record<string, unknown>;

/** Any request may meet these. */
const ALWAYS: readonly RequestErrorCode[] = [
  'MALFORMED_REQUEST',
  'UNAUTHORIZED',
  'FORBIDDEN',
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
      description: 'Measures the style of a template video and renders your video in it.',
    },
    servers: [{ url: serverUrl }],
    paths,
    webhooks: { jobEnded: { post: webhook() } },
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        proxy: {
          type: 'http',
          scheme: 'bearer',
          description: 'Only where an authentication proxy stands in front; the service itself has none.',
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
    ...Object.entries(operation.headers ?? {}).map(([name, description]) => ({
      in: 'header',
      name,
      required: false,
      description,
      schema: { type: 'string' },
    })),
  ];
}

function parameter(where: string, name: string, schema: z.ZodType, required: boolean): Json {
  // Of a query value, the output is what it must be: its input is always text.
  const { $schema: _, description, ...rest } = z.toJSONSchema(schema, { io: 'output' });
  return { in: where, name, required, ...(description === undefined ? {} : { description }), schema: rest };
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
          properties: { file: { type: 'string', contentMediaType: 'video/*', description: 'The video' } },
        }
      : operation.consumes === 'application/json'
        ? reference(operation.body)
        : { type: 'string', format: 'binary' };
  const content = { schema, ...examples(REQUEST_EXAMPLES[operation.id]) };
  const types = [operation.consumes, ...(operation.alsoConsumes ?? [])];
  return {
    requestBody: { required: true, content: Object.fromEntries(types.map((type) => [type, content])) },
  };
}

function successOf({ id, method, success }: Operation): Json {
  if ('contentType' in success) {
    const content = { [success.contentType]: { schema: {} } };
    return { 200: { description: success.description, headers: { 'X-Request-Id': TEXT_HEADER }, content } };
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
  return errorAnswer(new Failure(code, detail, { fields }), '019aa3f2-4c1e-7d0a-9b51-0c6f6f1f2e11').body;
}

function webhook(): Json {
  const { data } = OPERATIONS.find(({ id }) => id === 'getJobResult')!.success as { data: z.ZodType };
  return {
    summary: 'Sent to `webhook_url` when a job is completed, failed or cancelled',
    description:
      'Signed as Standard Webhooks says: `webhook-id`, `webhook-timestamp`, `webhook-signature`. Beside the envelope the body has `type` (`job.completed`, `job.failed`, `job.cancelled`) and `timestamp` (when the job ended).',
    requestBody: { required: true, content: { 'application/json': { schema: envelopeOf(data) } } },
    responses: { '2XX': { description: 'Received' } },
  };
}

function reference(schema: z.ZodType): Json {
  const id = z.globalRegistry.get(schema)?.id;
  if (id === undefined) throw new TypeError('A schema of the interface has no id');
  return { $ref: `#/components/schemas/${id}` };
}

function componentSchemas(): Json {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    // As a client may send it, and may get it from a later version: no closed objects, defaults not required.
    io: 'input',
    uri: (id) => `#/components/schemas/${id}`,
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _schema, $id: _id, ...schema }]) => [id, schema]),
  );
}
