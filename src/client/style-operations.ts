import type * as api from './api-types.ts';
import { StyleDnaError } from './error.ts';
import { newKey } from './idempotency-key.ts';
import type { CreateOptions, FileOptions, WaitOptions } from './options.ts';
import { part } from './path-part.ts';
import { POLL_MS } from './polling.ts';
import { sleep } from './sleep.ts';
import type { CallOptions } from './transport.ts';
import { VideoOperations } from './video-operations.ts';

const STYLES = '/api/v1/styles';

/** The part of the client for saved styles. */
export class StyleOperations extends VideoOperations {
  /** With templates that are not measured, nothing is saved yet: send it again, or use `waitForStyle`. */
  createStyle(
    request: api.StyleCreateRequest,
    { idempotencyKey = newKey(), strict: _strict, ...options }: CreateOptions = {},
  ): Promise<api.StyleCreation> {
    const headers = { 'idempotency-key': idempotencyKey };
    return this.transport.data({
      ...{ method: 'POST', path: STYLES, json: request, headers, options },
      isRepeatable: true,
    });
  }

  /** Saves a style, and waits until its templates are measured. Throws INVALID_VIDEO for one that cannot be. */
  async waitForStyle(
    request: api.StyleCreateRequest,
    { onUpdate, ...options }: WaitOptions<api.StyleMeasuring> = {},
  ): Promise<api.SavedStyle> {
    for (;;) {
      const made = await this.createStyle(request, options);
      if (made.status === 'ready') return made;
      assertMeasuring(made);
      onUpdate?.(made);
      await sleep(POLL_MS, options.signal);
    }
  }

  listStyles(query: api.ListStylesQuery = {}, options?: CallOptions): Promise<api.SavedStyleList> {
    return this.get(STYLES, options, query);
  }

  getStyle(styleId: string, options?: CallOptions): Promise<api.SavedStyle> {
    return this.get(`${STYLES}/${part(styleId)}`, options);
  }

  renameStyle(
    styleId: string,
    request: api.StyleRenameRequest,
    options?: CallOptions,
  ): Promise<api.SavedStyle> {
    const path = `${STYLES}/${part(styleId)}`;
    return this.transport.data({ method: 'PATCH', path, json: request, options, isRepeatable: true });
  }

  /** Jobs that were created with it have their own copy. */
  deleteStyle(styleId: string, options?: CallOptions): Promise<api.DeletedStyle> {
    return this.transport.data({ method: 'DELETE', path: `${STYLES}/${part(styleId)}`, options });
  }

  getStylePicture(styleId: string, options?: FileOptions): Promise<Response> {
    return this.file(`${STYLES}/${part(styleId)}/picture`, options);
  }

  stylePictureUrl(styleId: string): string {
    return this.transport.url(`${STYLES}/${part(styleId)}/picture`);
  }

  /** StyleJSON with the name: `style_json` of `createStyle` accepts it. */
  getStyleFile(styleId: string, options?: CallOptions): Promise<Response> {
    return this.file(`${STYLES}/${part(styleId)}/file`, options);
  }

  styleFileUrl(styleId: string): string {
    return this.transport.url(`${STYLES}/${part(styleId)}/file`);
  }
}

/** Throws UNEXPECTED_ANSWER, where repeating would never end. */
function assertMeasuring({ status }: { readonly status: unknown }): void {
  if (status === 'measuring') return;
  throw new StyleDnaError({
    code: 'UNEXPECTED_ANSWER',
    message: 'The style is not from this service',
    detail: 'it is neither ready nor being measured',
  });
}
