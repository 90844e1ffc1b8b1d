import { type Style, styleSchema } from '../style/model/schema.ts';
import { check } from '../untrusted/check.ts';
import { withVisibleLines } from './visible-text.ts';

/** The Style DNA of an analysis; null if the answer has none. */
export function receivedStyle(analysis: object): Style | null {
  const style = check(styleSchema, (analysis as { readonly style_json?: unknown }).style_json);
  return style.success ? withVisibleLines(style.data) : null;
}
