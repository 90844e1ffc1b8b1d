import { type Markup, markup } from '../../report/markup.ts';
import { type Parameter, type Row, requestOf, responseType, type Schema, schemaName } from './document.ts';
import { bodyText, curlSample, isNeeded, typescriptSample } from './samples.ts';
import { inline, parameterFields, schemaFields } from './schema-fields.ts';

type Schemas = Readonly<Record<string, Schema>>;

/** One operation: request, answer, samples, and a form that sends requests to this service. */
export function operationSection(row: Row, schemas: Schemas): Markup {
  const { operationId, method, path, summary, description } = row;
  return markup`<section class="operation" id="${operationId}" aria-labelledby="${operationId}-name">
<div class="description">
<h3 id="${operationId}-name">${summary}</h3>
<p class="address"><span class="method">${method}</span> <code>${breakable(path)}</code></p>
${description !== undefined && markup`<p>${inline(description)}</p>`}
${parameters(row, 'path', 'In the path')}${parameters(row, 'query', 'Query')}
${requestFields(row, schemas)}
${parameters(row, 'header', 'Headers')}
<h4>Answers</h4>${responseList(row)}
</div>
<div class="tried">
${sample(row, 'curl', 'curl', curlSample(row))}
${sample(row, 'typescript', 'TypeScript', typescriptSample(row))}
${runForm(row)}
${exampleResponse(row)}
</div>
</section>`;
}

/** The webhook: received instead of sent. */
export function webhookSection(row: Row, schemas: Schemas): Markup {
  const request = requestOf(row)!;
  return markup`<section class="operation" id="${row.operationId}" aria-labelledby="${row.operationId}-name">
<div class="description">
<h3 id="${row.operationId}-name">What a webhook brings</h3>
<p class="address"><span class="method">POST</span> <code>webhook_url</code></p>
<p>${inline(row.summary)}. ${inline(row.description ?? '')}</p>
${parameters(row, 'header', 'Headers')}
<h4>Body</h4>${schemaFields(resolved(request.body.schema, schemas))}
<h4>What your answer means</h4>${responseList(row)}
</div>
<div class="tried">
<figure class="sample" data-language="typescript"><figcaption>TypeScript <button type="button" class="copy" hidden>Copy</button></figcaption><pre tabindex="0"><code>import { verifyWebhook } from 'styledna/client';

// body: the received bytes; secrets: of getWebhookSecret
const event = await verifyWebhook(body, request.headers, secrets);
console.log(event.type, event.data.job_id);</code></pre></figure>
<details><summary>Example</summary><pre tabindex="0"><code>${JSON.stringify(Object.values(request.body.examples ?? {})[0]?.value, null, 2)}</code></pre></details>
</div>
</section>`;
}

function parameters(row: Row, where: Parameter['in'], title: string): Markup | false {
  const those = row.parameters.filter((parameter) => parameter.in === where);
  return those.length > 0 && markup`<h4>${title}</h4>${parameterFields(those)}`;
}

function requestFields(row: Row, schemas: Schemas): Markup | null {
  const request = requestOf(row);
  if (request === null) return null;
  const schema = resolved(request.body.schema, schemas);
  const types = Object.keys(row.requestBody?.content ?? {}).map((type) => markup`<code>${type}</code> `);
  return markup`<h4>Body: ${types}</h4>${schema.properties !== undefined && schemaFields(schema)}`;
}

function resolved(schema: Schema, schemas: Schemas): Schema {
  const name = schemaName(schema);
  return name === null ? schema : (schemas[name] ?? schema);
}

function responseList({ responses }: Row): Markup {
  return markup`<ul class="answers">${Object.entries(responses).map(([status, { description, content }]) => {
    const [type, body] = Object.entries(content ?? {})[0] ?? [];
    const name = body && schemaName(body.schema.properties?.['data'] ?? body.schema);
    const isSuccess = status.startsWith('2');
    return markup`<li><span class="status" data-kind="${status[0]}">${status}</span> <span>${inline(description)}${
      isSuccess && name && markup`: <a href="#${name}">${name}</a>`
    }${isSuccess && type !== undefined && type !== 'application/json' && markup` (<code>${type}</code>)`}</span></li>`;
  })}</ul>`;
}

function sample(row: Row, language: string, title: string, code: Markup): Markup {
  return markup`<figure class="sample" data-language="${language}"><figcaption>${title} <button type="button" class="copy" hidden aria-label="Copy ${title} of ${row.summary}">Copy</button></figcaption><pre tabindex="0"><code>${code}</code></pre></figure>`;
}

/** Hidden until its script has loaded. */
function runForm(row: Row): Markup {
  const request = requestOf(row);
  const inputs = (isWanted: (parameter: Parameter) => boolean) =>
    row.parameters.filter(isWanted).map((parameter) => parameterInput(row, parameter));
  const first = inputs((parameter) => parameter.in !== 'header' || isNeeded(parameter));
  const headers = inputs((parameter) => parameter.in === 'header' && !isNeeded(parameter));
  return markup`<form class="run" hidden data-method="${row.method}" data-path="${row.path}" data-consumes="${request?.type ?? ''}" data-answers="${responseType(row) ?? ''}">
${first.length > 0 && markup`<div class="inputs">${first}</div>`}
${request !== null && bodyInput(row, request.type)}
${headers.length > 0 && markup`<details><summary>Headers</summary><div class="inputs">${headers}</div></details>`}
<div class="actions"><button type="submit" class="go"${row.method === 'DELETE' && markup` data-deletes`}>${row.method === 'DELETE' ? 'Run, and delete' : 'Run'}</button><button type="button" class="stop" hidden>Stop</button></div>
<div class="outcome" role="status"></div>
</form>`;
}

function parameterInput(row: Row, parameter: Parameter): Markup {
  const { name, schema, in: where, required } = parameter;
  const id = `${row.operationId}-${name}`;
  const label = markup`<label for="${id}">${name}</label>`;
  const common = markup`id="${id}" name="${name}" data-in="${where}"${required && markup` required`}`;
  if (schema.enum !== undefined) {
    const options = schema.enum.map((one) => markup`<option>${String(one)}</option>`);
    return markup`<p>${label}<select ${common}><option value=""></option>${options}</select></p>`;
  }
  const given = isNeeded(parameter) ? (parameter.example ?? '') : '';
  const hint = String(schema.default ?? (where === 'path' ? 'fill in' : ''));
  return markup`<p>${label}<input ${common} value="${given}" placeholder="${hint}" autocomplete="off" spellcheck="false"></p>`;
}

function bodyInput(row: Row, type: string): Markup {
  const id = `${row.operationId}-body`;
  if (type !== 'application/json' && !type.startsWith('text/'))
    return markup`<p><label for="${id}">file</label><input type="file" id="${id}" name="body" required></p>`;
  const named = Object.entries(requestOf(row)?.body.examples ?? {});
  const choices = named.map(([name, { value }]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    return markup`<button type="button" class="choice" data-text="${text}">${name}</button>`;
  });
  return markup`<p><label for="${id}">body</label><textarea id="${id}" name="body" rows="7" spellcheck="false">${bodyText(row)}</textarea></p>
${named.length > 1 && markup`<p class="choices"><span>Examples</span> ${choices}</p>`}`;
}

function exampleResponse({ responses }: Row): Markup | null {
  const content = (responses[200] ?? responses[201])?.content ?? {};
  const body = Object.values(content)[0];
  const value = body?.example ?? Object.values(body?.examples ?? {})[0]?.value;
  if (value === undefined) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return markup`<details><summary>Example answer</summary><pre tabindex="0"><code>${text}</code></pre></details>`;
}

/** An address may break after each slash. */
function breakable(path: string): (Markup | string)[] {
  return path.split(/(?<=\/)/).flatMap((part, at) => (at === 0 ? [part] : [markup`<wbr>`, part]));
}
