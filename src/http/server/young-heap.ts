import { setFlagsFromString } from 'node:v8';

/**
 * Fixes V8's space for new objects at its initial size. Under load it would grow to 64 MB, and its freed
 * pages are never returned: 242 MB after 750 downloads (Node 24).
 */
export function limitYoungHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
