import { StyleDnaError } from './error.ts';

/** Far above any answer of the service: a page of jobs with styles takes some MB. */
const MAX_BYTES = 1 << 26;

/** The text of an answer. Throws UNEXPECTED_ANSWER above `MAX_BYTES`. */
export async function responseText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder();
  const texts: string[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return texts.join('') + decoder.decode();
    bytes += value.length;
    if (bytes > MAX_BYTES) {
      await reader.cancel().catch(() => {});
      throw unexpectedResponse(response, `it is longer than ${MAX_BYTES} bytes`);
    }
    texts.push(decoder.decode(value, { stream: true }));
  }
}

export function unexpectedResponse({ status }: Pick<Response, 'status'>, detail: string): StyleDnaError {
  const message = `The answer (${status}) is not from this service`;
  return new StyleDnaError({ code: 'UNEXPECTED_ANSWER', message, detail, status });
}
