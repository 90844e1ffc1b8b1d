/**
 * The `Content-Disposition` header (RFC 6266) that names a download: an ASCII name, and the real name in
 * UTF-8 (RFC 8187) if it differs. `fileName` may come from a client: none of its characters can end the
 * value.
 */
export function contentDisposition(fileName: string, isDownload: boolean): string {
  const type = isDownload ? 'attachment' : 'inline';
  const ascii = fileName
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[^A-Za-z0-9._-]/gu, '_');
  const plain = `${type}; filename="${ascii}"`;
  return ascii === fileName ? plain : `${plain}; filename*=UTF-8''${encoded(fileName)}`;
}

/** RFC 8187, section 3.2.1: these characters must be encoded, but encodeURIComponent does not encode them. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
