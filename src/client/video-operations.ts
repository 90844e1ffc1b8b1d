import type * as api from './api-types.ts';
import { newKey } from './idempotency-key.ts';
import type { AnalysisOptions, CreateOptions, FileOptions, WaitOptions } from './options.ts';
import { part } from './path-part.ts';
import { ended, imported, POLL_MS } from './polling.ts';
import { sleep } from './sleep.ts';
import { type CallOptions, type ClientOptions, type Query, Transport } from './transport.ts';
import { creationHeaders, ResumableUpload, TUS, UPLOADS, type UploadOptions } from './upload.ts';

const VIDEOS = '/api/v1/videos';

function partQuery(seconds: AnalysisOptions['partSeconds']): Query {
  return seconds === undefined ? {} : { start_seconds: seconds[0], end_seconds: seconds[1] };
}

/** The part of the client that is about videos: uploads, pictures, captions, analyses. */
export class VideoOperations {
  protected readonly transport: Transport;

  constructor(options: ClientOptions) {
    this.transport = new Transport(options);
  }

  /** Sends a file in pieces that survive a broken connection, with progress; `await client.upload(file).done`. */
  upload(file: Blob, options: UploadOptions = {}): ResumableUpload {
    return new ResumableUpload(this.transport, file, options);
  }

  /** Sends a file in one request. */
  uploadVideo(
    file: Blob,
    { filename, idempotencyKey, ...options }: CreateOptions & { readonly filename?: string } = {},
  ): Promise<api.Video> {
    const form = new FormData();
    form.append('file', file, filename ?? (file as Partial<File>).name ?? 'video');
    return this.transport.data({
      method: 'POST',
      path: `${VIDEOS}/upload`,
      body: form,
      headers: { 'idempotency-key': idempotencyKey ?? newKey() },
      options,
      isRepeatable: true,
      timeoutSeconds: null,
    });
  }

  listVideos(query: api.ListVideosQuery = {}, options?: CallOptions): Promise<api.VideoList> {
    return this.get(VIDEOS, options, query);
  }

  /** Throws VIDEO_IMPORTING while it is imported, and the error of a failed import. */
  async getVideo(videoId: string, options?: CallOptions): Promise<api.Video> {
    return imported(await this.getVideoOrImport(videoId, options));
  }

  /** The video, or how far its import is: distinguished by `status`. */
  getVideoOrImport(videoId: string, options?: CallOptions): Promise<api.VideoOrImport> {
    return this.get(`${VIDEOS}/${part(videoId)}`, options);
  }

  /** Lets the service fetch a file. A job may be created on the `video_id` at once. */
  importVideo(
    request: api.VideoImportRequest,
    { idempotencyKey, ...options }: CreateOptions = {},
  ): Promise<api.VideoImport> {
    return this.transport.data({
      method: 'POST',
      path: `${VIDEOS}/import`,
      json: request,
      headers: { 'idempotency-key': idempotencyKey ?? newKey() },
      options,
      isRepeatable: true,
    });
  }

  /** Lets the service fetch a file and waits for it. Throws the error of a failed import. */
  async waitForImport(
    request: api.VideoImportRequest,
    { onUpdate, ...options }: CreateOptions & WaitOptions<api.VideoImport> = {},
  ): Promise<api.Video> {
    let now: api.VideoOrImport = await this.importVideo(request, options);
    while (now.status === 'importing') {
      onUpdate?.(now);
      await sleep(POLL_MS, options.signal);
      now = await this.getVideoOrImport(now.video_id, options);
    }
    return imported(now);
  }

  /** The bytes as they were uploaded. */
  getVideoFile(videoId: string, options?: FileOptions): Promise<Response> {
    return this.file(`${VIDEOS}/${part(videoId)}/file`, options);
  }

  videoFileUrl(videoId: string): string {
    return this.transport.url(`${VIDEOS}/${part(videoId)}/file`);
  }

  /** A JPEG of at most 640 pixels on the longer side. */
  getVideoPoster(videoId: string, options?: CallOptions): Promise<Response> {
    return this.file(`${VIDEOS}/${part(videoId)}/poster`, options);
  }

  videoPosterUrl(videoId: string): string {
    return this.transport.url(`${VIDEOS}/${part(videoId)}/poster`);
  }

  /** Twelve tiles in a row, one JPEG; of an image one tile. */
  getVideoFilmstrip(videoId: string, options?: CallOptions): Promise<Response> {
    return this.file(`${VIDEOS}/${part(videoId)}/filmstrip`, options);
  }

  videoFilmstripUrl(videoId: string): string {
    return this.transport.url(`${VIDEOS}/${part(videoId)}/filmstrip`);
  }

  deleteVideo(videoId: string, options?: CallOptions): Promise<api.DeletedVideo> {
    return this.transport.data({ method: 'DELETE', path: `${VIDEOS}/${part(videoId)}`, options });
  }

  /** SubRip or WebVTT. */
  putCaptions(videoId: string, captions: string | Blob, options?: CallOptions): Promise<api.Captions> {
    return this.transport.data({
      method: 'PUT',
      path: `${VIDEOS}/${part(videoId)}/captions`,
      body: captions,
      headers: { 'content-type': 'text/vtt' },
      options,
    });
  }

  getCaptions(videoId: string, options?: CallOptions): Promise<Response> {
    return this.file(`${VIDEOS}/${part(videoId)}/captions`, options);
  }

  deleteCaptions(videoId: string, options?: CallOptions): Promise<api.DeletedCaptions> {
    return this.transport.data({ method: 'DELETE', path: `${VIDEOS}/${part(videoId)}/captions`, options });
  }

  createAnalysis(videoId: string, { partSeconds, ...options }: AnalysisOptions = {}): Promise<api.Analysis> {
    const path = `${VIDEOS}/${part(videoId)}/analysis`;
    const query = partQuery(partSeconds);
    return this.transport.data({ method: 'POST', path, query, options, isRepeatable: true });
  }

  getAnalysis(videoId: string, { partSeconds, ...options }: AnalysisOptions = {}): Promise<api.Analysis> {
    return this.get(`${VIDEOS}/${part(videoId)}/analysis`, options, partQuery(partSeconds));
  }

  getAnalysisReport(videoId: string, { partSeconds, ...options }: AnalysisOptions = {}): Promise<Response> {
    return this.file(`${VIDEOS}/${part(videoId)}/analysis/report`, options, partQuery(partSeconds));
  }

  /** Requests a video's Style DNA and waits for it. Throws the error of a failed analysis. */
  async waitForAnalysis(
    videoId: string,
    { onUpdate, ...options }: WaitOptions<api.Analysis> & AnalysisOptions = {},
  ): Promise<api.Analysis> {
    const first = await this.createAnalysis(videoId, options);
    return ended('analysis', first, () => this.getAnalysis(videoId, options), { onUpdate, ...options });
  }

  createProxy(videoId: string, options?: CallOptions): Promise<api.Proxy> {
    const path = `${VIDEOS}/${part(videoId)}/proxy`;
    return this.transport.data({ method: 'POST', path, options, isRepeatable: true });
  }

  getProxy(videoId: string, options?: CallOptions): Promise<api.Proxy> {
    return this.get(`${VIDEOS}/${part(videoId)}/proxy`, options);
  }

  /** MP4, of an image JPEG, of a sound file M4A. */
  getProxyFile(videoId: string, options?: FileOptions): Promise<Response> {
    return this.file(`${VIDEOS}/${part(videoId)}/proxy/file`, options);
  }

  proxyFileUrl(videoId: string): string {
    return this.transport.url(`${VIDEOS}/${part(videoId)}/proxy/file`);
  }

  deleteProxy(videoId: string, options?: CallOptions): Promise<api.DeletedProxy> {
    return this.transport.data({ method: 'DELETE', path: `${VIDEOS}/${part(videoId)}/proxy`, options });
  }

  /** Requests a proxy and waits for it. Throws the error of its failure. */
  async waitForProxy(
    videoId: string,
    { onUpdate, ...options }: WaitOptions<api.Proxy> = {},
  ): Promise<api.Proxy> {
    const first = await this.createProxy(videoId, options);
    return ended('proxy', first, () => this.getProxy(videoId, options), { onUpdate, ...options });
  }

  // Resumable uploads, piece by piece; `upload` does all of it.

  createUpload(lengthBytes: number, filename: string, options?: CallOptions): Promise<api.Upload> {
    const headers = creationHeaders(lengthBytes, filename);
    return this.transport.data({ method: 'POST', path: UPLOADS, headers, options });
  }

  getUpload(uploadId: string, options?: CallOptions): Promise<api.Upload> {
    return this.get(`${UPLOADS}/${part(uploadId)}`, options);
  }

  /** Resolves with how many bytes have arrived. */
  async appendUpload(
    uploadId: string,
    piece: Blob,
    offsetBytes: number,
    options?: CallOptions,
  ): Promise<number> {
    const response = await this.transport.response({
      method: 'PATCH',
      path: `${UPLOADS}/${part(uploadId)}`,
      body: piece,
      headers: {
        ...TUS,
        'upload-offset': String(offsetBytes),
        'content-type': 'application/offset+octet-stream',
      },
      options,
      timeoutSeconds: null,
    });
    return Number(response.headers.get('upload-offset'));
  }

  async deleteUpload(uploadId: string, options?: CallOptions): Promise<void> {
    const path = `${UPLOADS}/${part(uploadId)}`;
    await this.transport.response({ method: 'DELETE', path, headers: TUS, options });
  }

  protected get<T>(path: string, options?: CallOptions, query: object = {}): Promise<T> {
    return this.transport.data({ method: 'GET', path, query: query as Query, options });
  }

  protected file(
    path: string,
    { range, ...options }: FileOptions = {},
    query: Query = {},
  ): Promise<Response> {
    const headers = range === undefined ? {} : { range };
    return this.transport.response({
      method: 'GET',
      path,
      query,
      headers,
      options,
      isFile: true,
      timeoutSeconds: null,
    });
  }
}
