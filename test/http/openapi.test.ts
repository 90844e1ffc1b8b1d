import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { REQUEST_ERRORS } from '../../src/domain/errors.ts';
import { errorSchema } from '../../src/http/contract/contract.ts';
import { REQUEST_EXAMPLES, RESPONSE_EXAMPLES } from '../../src/http/contract/openapi-examples.ts';
import { OPERATIONS } from '../../src/http/contract/operations.ts';
import { openApiDocument } from '../../src/http/routes/openapi.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document
const document = JSON.parse(JSON.stringify(openApiDocument('1.2.3', 'http://x'))) as any;

/** Every value under a key, anywhere in the document. */
function* everyValue(node: unknown, key: string): Generator<unknown> {
  if (typeof node !== 'object' || node === null) return;
  for (const [name, value] of Object.entries(node)) {
    if (name === key) yield value;
    yield* everyValue(value, key);
  }
}

test('it is OpenAPI 3.1, and every reference leads somewhere', () => {
  assert.equal(document.openapi, '3.1.0');
  const references = [...everyValue(document, '$ref')] as string[];
  assert.ok(references.length > 50);
  for (const reference of references) {
    assert.match(reference, /^#\/components\/schemas\/\w+$/);
    assert.ok(document.components.schemas[reference.split('/').at(-1)!], reference);
  }
});

test('the paths of the specification are there, and each operation has a name of its own', () => {
  for (const [method, path] of [
    ['get', '/api/v1/health'],
    ['post', '/api/v1/videos/upload'],
    ['post', '/api/v1/jobs'],
    ['get', '/api/v1/jobs/{job_id}'],
    ['get', '/api/v1/jobs/{job_id}/result'],
    ['get', '/api/v1/jobs'],
  ] as const) {
    assert.ok(document.paths[path]?.[method], `${method} ${path}`);
  }
  const ids = [...everyValue(document.paths, 'operationId')];
  assert.equal(new Set(ids).size, OPERATIONS.length);
});

test('parameters of paths are declared, queries keep their limits', () => {
  for (const [path, methods] of Object.entries(document.paths as Record<string, Record<string, never>>)) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    for (const { parameters } of Object.values(methods) as { parameters: { in: string; name: string }[] }[]) {
      const declared = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      assert.deepEqual(declared, named, path);
    }
  }
  const { parameters } = document.paths['/api/v1/jobs'].get;
  const { schema } = parameters.find(({ name }: { name: string }) => name === 'page_size');
  assert.deepEqual(schema, { type: 'integer', default: 10, minimum: 1, maximum: 100 });
});

test('fields with a default may be left out of a request, at every depth', () => {
  for (const { parameters } of everyOperation()) {
    for (const parameter of parameters)
      if ('default' in parameter.schema) assert.equal(parameter.required, false, parameter.name);
  }
  // Generators take a field of a component as required by the keyword, and fill it in: defaults are in the descriptions.
  assert.deepEqual([...everyValue(document.components.schemas, 'default')], []);
  const { JobConfig, PreviewCreateRequest } = document.components.schemas;
  assert.deepEqual([JobConfig.required, JobConfig.properties.components.required], [undefined, undefined]);
  assert.deepEqual(PreviewCreateRequest.required, ['video_id']);
  for (const [name, { description }] of Object.entries<{ description: string }>(JobConfig.properties))
    if (name !== 'components') assert.match(description, /default/i, name);
});

// biome-ignore lint/suspicious/noExplicitAny: a JSON document
function everyOperation(): any[] {
  return Object.values(document.paths as Record<string, object>).flatMap((methods) => Object.values(methods));
}

test('files are binary, so that generated clients take and give them as files', () => {
  const form = document.paths['/api/v1/videos/upload'].post.requestBody.content['multipart/form-data'];
  assert.equal(form.schema.properties.file.format, 'binary');
  const { content } = document.paths['/api/v1/jobs/{job_id}/output'].get.responses[200];
  assert.deepEqual(content['video/mp4'].schema, { type: 'string', format: 'binary' });
});

test('answers may grow: no object of theirs is closed', () => {
  assert.ok(![...everyValue(document.components.schemas, 'additionalProperties')].includes(false));
});

test('every code of the catalogue is documented with its status', () => {
  const text = JSON.stringify(document.paths);
  // Sent before there is an operation.
  const elsewhere = ['ROUTE_NOT_FOUND', 'METHOD_NOT_ALLOWED', 'HEADERS_TOO_LARGE'];
  for (const code of Object.keys(REQUEST_ERRORS)) {
    if (!elsewhere.includes(code)) assert.ok(text.includes(`"code":"${code}"`), code);
  }
});

describe('examples hold to the schemas', () => {
  test('there is one for every body that is text, and for everything in a path', () => {
    for (const { operationId, requestBody, responses, parameters } of everyOperation()) {
      const [type, request] = Object.entries<Record<string, unknown>>(requestBody?.content ?? {})[0] ?? [];
      if (type === 'application/json' || type?.startsWith('text/'))
        assert.ok(request!['examples'], `${operationId}: the request`);
      const answer = (responses[200] ?? responses[201])?.content?.['application/json'];
      if (operationId !== 'getOpenApi' && answer !== undefined)
        assert.ok(answer.examples ?? answer.example, `${operationId}: the answer`);
      for (const parameter of parameters)
        if (parameter.in === 'path') assert.ok(parameter.example, `${operationId}: ${parameter.name}`);
    }
  });

  for (const operation of OPERATIONS) {
    for (const [name, value] of Object.entries(REQUEST_EXAMPLES[operation.id] ?? {})) {
      test(`${operation.id}, request: ${name}`, () => void operation.body.parse(value));
    }
    for (const [name, value] of Object.entries(RESPONSE_EXAMPLES[operation.id] ?? {})) {
      const { data } = operation.success as unknown as { data: z.ZodObject | z.ZodUnion<z.ZodObject[]> };
      const strict = 'options' in data ? z.union(data.options.map((one) => one.strict())) : data.strict();
      test(`${operation.id}, answer: ${name}`, () => {
        strict.parse((value as { data: unknown }).data);
      });
    }
  }

  test('errors', () => {
    for (const responses of everyValue(document.paths, 'responses')) {
      for (const [status, response] of Object.entries(responses as object)) {
        if (Number(status) < 400) continue;
        const { examples } = response.content['application/json'];
        for (const { value } of Object.values(examples) as { value: { error: { code: string } } }[]) {
          errorSchema.parse(value);
          const { code } = value.error;
          assert.equal(REQUEST_ERRORS[code as keyof typeof REQUEST_ERRORS].status, Number(status));
        }
      }
    }
  });
});
