/** An id as a part of a path. */
export function part(id: string): string {
  return encodeURIComponent(id);
}
