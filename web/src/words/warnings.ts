/** Warnings of the service for people: its own sentences, with the names of settings as this page has them. */

import type { Quality } from '../../../src/domain/job-choices.ts';
import { QUALITY_NAMES } from './quality.ts';
import { withWholeQuantities } from './quantity.ts';

interface Warning {
  readonly code: string;
  readonly message: string;
}

/** A sentence about the key of a request to change. */
const ABOUT_A_KEY = /^(?:Set|Reduce) (?:[a-z_]+\.)*[a-z_]+\b(?: to\b|,)/;
/** The setting to change on this page instead; empty: it has none. */
const ADVICE: Readonly<Record<string, string>> = {
  CROP_CUTS: 'Choose Framing: Fit under More to show the whole picture.',
  SIZE_CAPPED: 'Choose a higher quality for all lines.',
  UPSCALED: 'A smaller size is as sharp, and a smaller file.',
  OUTPUT_SMALL: 'Choose a larger size, or Shape of the look: Keep mine.',
  TALK_PROPOSED: 'Choose Leave out under Parts of the talk.',
  TALK_TAKE_SILENT: '',
  PACING_LIMITED: 'Choose Faster rhythm by: Cut out under More to shorten it.',
  SOURCE_DEVELOPED: 'Switch Color off if its pale colors are intended.',
  LOOK_LIMITED: 'Set the strength of Color to 100 % for the whole look.',
  LOOK_UNSURE: 'Lower the strength of Color for a weaker look.',
  LOUDNESS_LIMITED: 'Set the strength of Sound to 100 % for the look’s own loudness.',
};

export const ADVISED_WARNINGS: readonly string[] = Object.keys(ADVICE);

export function warningText({ code, message }: Warning): string {
  const sentences = message.split(/(?<=\.) (?=[A-Z])/).map((sentence) => {
    const own = ABOUT_A_KEY.test(sentence) ? (ADVICE[code] ?? sentence) : sentence;
    return own === '' || /[.!?]$/.test(own) ? own : `${own}.`;
  });
  // Slots and takes have numbers from 0 in the interface, and from 1 on the page.
  const text = sentences
    .filter((sentence) => sentence !== '')
    .join(' ')
    .replace(
      /\bquality "(low|medium|high|ultra)"/g,
      (_, name: Quality) => `the quality ${QUALITY_NAMES[name]}`,
    )
    .replace(/\bslot (\d+)/g, (_, number: string) => `shot ${Number(number) + 1}`)
    .replace(/\btake (\d+(?:, \d+)*)/g, (_, numbers: string) => {
      const shown = numbers.split(', ').map((number) => Number(number) + 1);
      return `take ${shown.join(', ')}`;
    });
  return withWholeQuantities(text);
}
