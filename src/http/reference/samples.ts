/** Samples of an operation. Values that a reader fills in are in `var` elements, which the page's script replaces. */
import { type Markup, markup } from '../../report/markup.ts';
import { type Parameter, type Row, requestOf, responseType } from './document.ts';

const FILE_NAMES: Readonly<Record<string, string>> = {
  'video/mp4': 'output.mp4',
  'image/jpeg': 'picture.jpg',
  'text/html': 'report.html',
  'text/vtt': 'captions.vtt',
  'application/octet-stream': 'file',
};

/** A value that a reader may change: `kind` is its place in the request, or the form of a body, `name` its name there. */
const value = (kind: string, name: string, shown: string): Markup =>
  markup`<var data-${kind}="${name}">${shown}</var>`;

/** Headers without which the request means something else; the others a reader may add. */
export function isNeeded({ in: where, name }: Parameter): boolean {
  return where === 'header' && /^(Tus-|Upload-(Length|Metadata|Offset))/.test(name);
}

export function curlSample(row: Row): Markup {
  const request = requestOf(row);
  const path = row.path
    .split(/(\{\w+\})/)
    .map((part) => (part.startsWith('{') ? pathValue(part.slice(1, -1), row) : part));
  const options: Markup[] = [];
  if (row.method !== 'GET') options.push(markup`-X ${row.method}`);
  for (const parameter of row.parameters.filter(isNeeded))
    options.push(markup`-H '${parameter.name}: ${value('header', parameter.name, parameter.example ?? '')}'`);
  if (request !== null) options.push(...bodyOptions(request.type, bodyText(row)));
  options.push(...fileOptions(responseType(row)));
  const query = row.parameters.some((parameter) => parameter.in === 'query') && value('query', 'url', '');
  const lines = options.map((option) => markup` \\\n  ${option}`);
  return markup`curl '<var data-base></var>${path}${query}'${lines}`;
}

function bodyOptions(type: string, text: string): Markup[] {
  if (type === 'multipart/form-data') return [markup`-F file=@holiday.mp4`];
  const header = markup`-H 'Content-Type: ${type}'`;
  if (type === 'application/json') return [header, markup`-d '${value('body', 'json', text)}'`];
  return [header, markup`--data-binary @${type.startsWith('text/') ? 'captions.vtt' : 'piece'}`];
}

function fileOptions(type: string | null): Markup[] {
  if (type === 'text/event-stream') return [markup`--no-buffer`];
  const name = FILE_NAMES[type ?? ''];
  return name === undefined ? [] : [markup`--location --output ${name}`];
}

/** The first example of the request, as it is typed. */
export function bodyText(row: Row): string {
  const example = Object.values(requestOf(row)?.body.examples ?? {})[0]?.value;
  return typeof example === 'string' ? example : JSON.stringify(example ?? {}, null, 2);
}

function pathValue(name: string, row: Row): Markup {
  const example = row.parameters.find((parameter) => parameter.name === name)?.example ?? name;
  return value('path', name, example);
}

/** One call of the client, which the sample names `client`. */
export function typescriptSample(row: Row): Markup {
  const ids = row.parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name }) => markup`'${pathValue(name, row)}'`);
  const special = SPECIAL[row.operationId]?.(ids[0], row);
  if (special !== undefined) return special;
  const request = requestOf(row);
  const query = row.parameters.some((parameter) => parameter.in === 'query');
  const type = responseType(row);
  const isFile = type !== null && type !== 'application/json';
  const last =
    request !== null
      ? value('body', 'object', bodyText(row))
      : query && !isFile && value('query', 'object', '');
  const call = markup`await client.${row.operationId}(${commaed([...ids, ...(last === false ? [] : [last])])})`;
  if (!isFile) return markup`const ${resultName(row)} = ${call};`;
  return markup`const response = ${call};\nconst bytes = await response.arrayBuffer();`;
}

/** Operations for which the client does more than one request. */
const SPECIAL: Readonly<Record<string, (id: Markup | undefined, row: Row) => Markup>> = {
  uploadVideo: () => markup`// openAsBlob is of node:fs; in a page the file is input.files[0]
const file = await openAsBlob('holiday.mp4');
const video = await client.uploadVideo(file, { filename: 'holiday.mp4' });`,
  createUpload: () => markup`// openAsBlob is of node:fs; in a page the file is input.files[0]
const file = await openAsBlob('holiday.mp4');
const video = await client.upload(file, {
  filename: 'holiday.mp4',
  onProgress: ({ sentBytes, totalBytes }) => console.log(sentBytes / totalBytes),
}).done;`,
  appendUpload: (
    id,
  ) => markup`// client.upload(file) sends all pieces by itself, and goes on after a broken connection.
const offsetBytes = await client.appendUpload(${id}, piece, 0);`,
  deleteUpload: (id) => markup`await client.deleteUpload(${id});`,
  putCaptions: (id) =>
    markup`const captions = await client.putCaptions(${id}, await readFile('captions.vtt', 'utf8'));`,
  createAnalysis: (id) => markup`const { style_json, report_url } = await client.waitForAnalysis(${id});`,
  createPreview: (
    _id,
    row,
  ) => markup`const preview = await client.waitForPreview(${value('body', 'object', bodyText(row))});
const picture = await client.getPreviewFile(preview.preview_id);`,
  getJobResult: (id) => markup`const result = await client.waitForJob(${id});
console.log(result.output_video_url);`,
  watchJob: (id) => markup`for await (const { type, job } of client.watchJob(${id})) {
  console.log(type, job.current_stage, job.progress_percent);
}`,
};

/** `getJob` gives a job, `createPreview` a preview. */
function resultName({ operationId }: Row): string {
  const noun = operationId.replace(/^[a-z]+/, '');
  return noun === '' ? 'result' : noun[0].toLowerCase() + noun.slice(1);
}

function commaed(parts: readonly Markup[]): readonly (Markup | string)[] {
  return parts.flatMap((part, at) => (at === 0 ? [part] : [', ', part]));
}
