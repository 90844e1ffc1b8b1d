/** Types of stored files that browsers may show: those that probes find and those of artifacts. */
const SHOWN_TYPES = [
  ...['video/mp4', 'video/quicktime', 'video/3gpp', 'video/webm', 'video/x-matroska', 'video/x-msvideo'],
  ...['video/mp2t', 'video/mpeg', 'video/x-flv', 'video/ogg', 'video/x-ms-asf'],
  ...['image/jpeg', 'image/png', 'image/webp', 'image/avif'],
  ...['audio/mpeg', 'audio/mp4', 'audio/aac', 'audio/flac', 'audio/wav', 'audio/ogg'],
  ...['application/json', 'text/plain', 'application/x-subrip', 'text/vtt', 'text/html'],
];
const UNKNOWN_TYPE = 'application/octet-stream';
/** Types that browsers only save: XML of the XHTML namespace can hold scripts, HEIC is shown by few. */
const SAVED_TYPES = ['application/xml', 'image/heic', UNKNOWN_TYPE];

/** Whether a stored file can have this type; its only parameter is `charset=utf-8`. */
export function isStoredType(contentType: string): boolean {
  return (
    [...SHOWN_TYPES, ...SAVED_TYPES].includes(withoutParameters(contentType)) &&
    /^[a-z0-9/.+-]+(?:; charset=utf-8)?$/.test(contentType)
  );
}

/**
 * How a stored file is served. Rows can come from an import: a type that a browser could run and that no stored file of ours has is
 * served as bytes to save. Pages are reports of jobs, never uploads.
 */
export function servedAs(
  contentType: string,
  blobKey: string,
): { readonly type: string; readonly isShown: boolean } {
  const isUploadedPage = contentType.startsWith('text/html') && blobKey.startsWith('videos/');
  const isShown =
    isStoredType(contentType) && SHOWN_TYPES.includes(withoutParameters(contentType)) && !isUploadedPage;
  return { type: isShown ? contentType : UNKNOWN_TYPE, isShown };
}

function withoutParameters(contentType: string): string {
  return contentType.split(';', 1)[0];
}
