/** The reference of the interface as one HTML page, made from the OpenAPI document. */
import { escapeText, type Markup, markup } from '../../report/markup.ts';
import { type OpenApiDocument, type Row, rowsByTag } from './document.ts';
import { operationSection, webhookSection } from './operation-section.ts';
import { inline, schemaFields } from './schema-fields.ts';

/** Placeholder of the base address in the examples. */
const BASE = '<var data-base></var>';

/**
 * `root`: the relative path from the page to the root of the service, such as `./`. Relative, so that it is
 * right under every path of a proxy.
 */
export function referencePage(document: OpenApiDocument, root: string): string {
  const { info, components } = document;
  const groups = rowsByTag(document);
  const webhook: Row = { ...document.webhooks['job-ended'].post, method: 'POST', path: '' };
  const base = escapeText(document.servers[0].url);
  const page = markup`<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Reference of the StyleDNA API">
<title>API reference: ${info.title}</title>
<link rel="icon" href="${root}icon.svg">
<link rel="stylesheet" href="${root}docs/reference.css">
<script type="module" src="${root}docs/reference.js"></script>
</head>
<body>
<a class="skip" href="#main">To the operations</a>
<header class="top">
<a class="brand" href="${root}">${info.title}</a>
<p>API reference <span class="soft">${info.version}</span></p>
<div class="languages" role="group" aria-label="Language of the examples" hidden><button type="button" data-choose="curl" aria-pressed="true">curl</button><button type="button" data-choose="typescript" aria-pressed="false">TypeScript</button></div>
<a href="${root}api/v1/openapi.json">openapi.json</a>
</header>
<div class="columns">
<nav aria-label="Operations"><details class="contents" open><summary>Contents</summary>
<input type="search" id="find" hidden placeholder="Find" aria-label="Find an operation" autocomplete="off">
<ul><li><a href="#start">Start here</a></li></ul>
${groups.map(({ tag, rows }) => markup`<h2>${tag.name}</h2><ul>${rows.map(contentsItem)}${tag.name === 'Webhooks' && markup`<li><a href="#${webhook.operationId}">What a webhook brings</a></li>`}</ul>`)}
<h2>Schemas</h2><ul>${Object.keys(components.schemas).map((name) => markup`<li><a href="#${name}">${name}</a></li>`)}</ul>
</details></nav>
<main id="main" tabindex="-1">
${introduction(document)}
${groups.map(
  ({
    tag,
    rows,
  }) => markup`<div class="group"><h2>${tag.name}</h2><p class="lead">${inline(tag.description)}</p></div>
${rows.map((row) => operationSection(row, components.schemas))}${tag.name === 'Webhooks' && webhookSection(webhook, components.schemas)}`,
)}
<div class="group"><h2>Schemas</h2><p class="lead">What operations take and give. Answers may gain fields; what a reader does not know it leaves alone.</p></div>
${Object.entries(components.schemas).map(
  ([name, schema]) =>
    markup`<section class="schema" id="${name}"><h3>${name}</h3>${schema.description !== undefined && markup`<p>${inline(schema.description)}</p>`}${schemaFields(schema)}</section>`,
)}
</main>
</div>
</body>
</html>
`;
  return page.text.replaceAll(BASE, `<var data-base>${base}</var>`);
}

function contentsItem({ operationId, method, path, summary }: Row): Markup {
  return markup`<li data-words="${[operationId, method, path, summary].join(' ').toLowerCase()}"><a href="#${operationId}">${summary}</a></li>`;
}

function introduction({ info }: OpenApiDocument): Markup {
  return markup`<section class="operation" id="start" aria-labelledby="start-name">
<div class="description">
<h1 id="start-name">From a video to its result</h1>
<p>${inline(info.description)}</p>
<ol class="steps">
<li>Upload the source, and the template: <a href="#uploadVideo">uploadVideo</a>, or <a href="#createUpload">in pieces</a>.</li>
<li><a href="#createJob">Create a job</a> with both, or with a <a href="#listPresets">preset</a>.</li>
<li>Wait: by <a href="#getJobResult">asking for the result</a>, by <a href="#watchJob">events</a>, or by a <a href="#jobEnded">webhook</a>.</li>
<li><a href="#getOutput">Download</a> the output and its <a href="#getArtifact">other files</a>.</li>
</ol>
<p>Every example here is for this service, and <b>Run</b> asks it: what you upload and create is really there. Ids that answers bring are filled in where they are needed next.</p>
<p>The service itself has no login. Behind an authentication proxy, requests carry its <code>Authorization</code>.</p>
</div>
<div class="tried">
<figure class="sample" data-language="curl"><figcaption>curl <button type="button" class="copy" hidden>Copy</button></figcaption><pre tabindex="0"><code>curl -F file=@holiday.mp4 <var data-base></var>/api/v1/videos/upload
curl -H 'Content-Type: application/json' \\
  -d '{"video_id": "VIDEO_ID", "preset": "noir"}' <var data-base></var>/api/v1/jobs
curl '<var data-base></var>/api/v1/jobs/JOB_ID/result?wait=60'
curl --location --output output.mp4 <var data-base></var>/api/v1/jobs/JOB_ID/output</code></pre></figure>
<figure class="sample" data-language="typescript"><figcaption>TypeScript <button type="button" class="copy" hidden>Copy</button></figcaption><pre tabindex="0"><code>import { StyleDnaClient } from 'styledna/client';

const baseUrl = '<var data-base></var>';
const client = new StyleDnaClient({ baseUrl });
const source = await client.upload(file).done;
const { video_id } = source;
const job = await client.createJob({ video_id, preset: 'noir' });
const result = await client.waitForJob(job.job_id);
console.log(result.output_video_url);</code></pre></figure>
</div>
</section>`;
}
