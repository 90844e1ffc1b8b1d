import { unexpectedResponse } from './response-text.ts';

const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

interface Request {
  readonly url: string;
  readonly headers: Headers;
  readonly signal: AbortSignal | null;
}

/** Throws UNEXPECTED_ANSWER for a redirect: followed, it would send a request and what it holds to any address. */
export function assertNoRedirect(response: Response): void {
  // A browser hides the status and the address.
  const isHidden = response.type === 'opaqueredirect';
  if (!isHidden && !REDIRECTS.includes(response.status)) return;
  const place = response.headers.get('location');
  const to = place === null ? 'another address' : JSON.stringify(place.slice(0, 200));
  throw unexpectedResponse(response, `it redirects to ${to}; give the address of the service itself`);
}

/**
 * Follows the redirects to a file, which a service with its files in S3 sends. Only to http and https, never
 * from https to http, and without headers for the service. Browsers follow by themselves.
 */
export async function followed(send: typeof fetch, first: Response, request: Request): Promise<Response> {
  const { headers, signal } = request;
  if (first.type === 'opaqueredirect') return send(request.url, { headers, signal });
  let response = first;
  let url = request.url;
  for (let hops = 0; REDIRECTS.includes(response.status); hops++) {
    await response.body?.cancel().catch(() => {});
    const next = URL.parse(response.headers.get('location') ?? '', url);
    const isWeaker = url.startsWith('https:') && next?.protocol !== 'https:';
    if (next === null || !/^https?:$/.test(next.protocol) || isWeaker || hops === MAX_REDIRECTS)
      assertNoRedirect(response);
    const isOwn = next!.origin === new URL(request.url).origin;
    const range = headers.get('range');
    url = next!.href;
    response = await send(url, {
      headers: isOwn ? headers : range === null ? {} : { range },
      signal,
      redirect: 'manual',
    });
  }
  return response;
}
