/**
 * The header by which a browser names a download (RFC 6266): a name in ASCII, and the real one in UTF-8 (RFC 8187) where it differs.
 * `fileName` may come from a client: no character of it ends the value.
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

/** RFC 8187, section 3.2.1: these stand in a value, though encodeURIComponent leaves them. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
