/** Types of files that are stored: what probes find, and what jobs leave. Browsers show these. */
const SHOWN_TYPES = [
  ...['video/mp4', 'video/quicktime', 'video/3gpp', 'video/webm', 'video/x-matroska', 'video/x-msvideo'],
  ...['video/mp2t', 'video/mpeg', 'video/x-flv', 'video/ogg', 'video/x-ms-asf'],
  ...['image/jpeg', 'image/png', 'image/webp'],
  ...['application/json', 'text/plain', 'application/x-subrip', 'text/vtt', 'text/html'],
];
const UNKNOWN_TYPE = 'application/octet-stream';
/** Never shown: a browser runs scripts in XML of the XHTML namespace. */
const SAVED_TYPES = ['application/xml', UNKNOWN_TYPE];

/** Whether a file of ours can have this type, parameters aside. */
export function isStoredType(contentType: string): boolean {
  const [bare] = contentType.split(';', 1);
  return (
    [...SHOWN_TYPES, ...SAVED_TYPES].includes(bare) && /^[a-z0-9/.+-]+(?:; charset=utf-8)?$/.test(contentType)
  );
}

/**
 * How a stored file is served. Rows can come from an import: a type that browsers could run, and that is not of ours, is served as
 * bytes to save. Pages are reports of jobs, never what somebody uploaded.
 */
export function servedAs(
  contentType: string,
  blobKey: string,
): { readonly type: string; readonly isShown: boolean } {
  const isPage = contentType.startsWith('text/html');
  const isKnown = isStoredType(contentType) && !SAVED_TYPES.includes(contentType);
  if (isKnown && !(isPage && blobKey.startsWith('videos/'))) return { type: contentType, isShown: true };
  return { type: UNKNOWN_TYPE, isShown: false };
}
