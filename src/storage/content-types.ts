/** Types of stored files that browsers may show: types that probes detect, and types of artifacts. */
const INLINE_TYPES = [
  ...['video/mp4', 'video/quicktime', 'video/3gpp', 'video/webm', 'video/x-matroska', 'video/x-msvideo'],
  ...['video/mp2t', 'video/mpeg', 'video/x-flv', 'video/ogg', 'video/x-ms-asf'],
  ...['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'],
  ...['audio/mpeg', 'audio/mp4', 'audio/aac', 'audio/flac', 'audio/wav', 'audio/ogg'],
  ...['application/json', 'text/plain', 'application/x-subrip', 'text/vtt', 'text/html'],
];
const UNKNOWN_TYPE = 'application/octet-stream';
/** Types that browsers only save: XML of the XHTML namespace can contain scripts, and few browsers show HEIC. */
const ATTACHMENT_TYPES = ['application/xml', 'image/heic', UNKNOWN_TYPE];

/** Whether a stored file can have this type; the only parameter allowed is `charset=utf-8`. */
export function isStoredType(contentType: string): boolean {
  return (
    [...INLINE_TYPES, ...ATTACHMENT_TYPES].includes(withoutParameters(contentType)) &&
    /^[a-z0-9/.+-]+(?:; charset=utf-8)?$/.test(contentType)
  );
}

/**
 * Content type of a stored file's response. Rows can come from an import: a type that a browser could execute
 * and that this service never stores is served as bytes to save. HTML pages are reports of jobs, never
 * uploads.
 */
export function servedAs(
  contentType: string,
  blobKey: string,
): { readonly type: string; readonly isInline: boolean } {
  const isUploadedPage = contentType.startsWith('text/html') && blobKey.startsWith('videos/');
  const isInline =
    isStoredType(contentType) && INLINE_TYPES.includes(withoutParameters(contentType)) && !isUploadedPage;
  return { type: isInline ? contentType : UNKNOWN_TYPE, isInline };
}

function withoutParameters(contentType: string): string {
  return contentType.split(';', 1)[0];
}
