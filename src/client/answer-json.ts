import { type JsonLimits, parseJson } from '../untrusted/json.ts';

/** Of a page of 100 jobs with the beats of an hour each; parsing takes a quarter of a second. */
const LIMITS: JsonLimits = { depth: 64, values: 2_000_000 };

/** Null for an answer that is not JSON, or has more than any of the service. */
export function answerJson(text: string): unknown {
  try {
    return parseJson(text, LIMITS);
  } catch {
    return null;
  }
}
