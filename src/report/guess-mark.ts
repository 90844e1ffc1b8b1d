import { type Markup, markup } from './markup.ts';
import { percent } from './wording.ts';

/** Confidence below which a finding is shown as a guess; above it no confidence is shown. */
const MIN_CERTAIN = 0.5;

export function isGuess(confidence: number | null): boolean {
  return confidence !== null && confidence > 0 && confidence < MIN_CERTAIN;
}

/** A mark beside the heading of a card whose findings are guesses; otherwise nothing. */
export function guessMark(confidence: number | null): Markup | null {
  if (!isGuess(confidence)) return null;
  return markup`<span class="doubt">a guess, ${percent(confidence!)} sure</span>`;
}

/** `about 112 BPM`, `perhaps rock`. */
export function hedged(value: string, confidence: number | null): string {
  if (!isGuess(confidence)) return value;
  return /^[+−]?\d/.test(value)
    ? `about ${value}`
    : `perhaps ${value.slice(0, 1).toLowerCase()}${value.slice(1)}`;
}
