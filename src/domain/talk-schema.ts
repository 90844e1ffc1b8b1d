/** The form of the choices for a talk, apart from the rules about them, which media processes load without schemas. */
import { z } from 'zod';
import { TALK_MODES, type TalkOptions } from './talk-options.ts';

/** More than a person marks by hand in a talk of an hour. */
const MAX_RANGES = 1000;
const RANGE_FORM = 'must be [start, end] in seconds of the source, the end after the start';
const TALK_KEYS: readonly string[] = ['mode', 'keep', 'remove'];
const TALK_FORM = 'must be "auto", "on", "off", or an object with mode, keep and remove';

const seconds = z.number(RANGE_FORM).min(0, RANGE_FORM);
const ranges = z
  .array(z.tuple([seconds, seconds], RANGE_FORM).refine(([start, end]) => end > start, RANGE_FORM))
  .max(MAX_RANGES);

/** A mode alone, or with ranges. */
export const talkSchema = z
  .union(
    [
      z.enum(TALK_MODES),
      z
        .looseObject({
          mode: z.enum(TALK_MODES).optional(),
          keep: ranges.optional(),
          remove: ranges.optional(),
        })
        .refine((talk) => Object.keys(talk).every((key) => TALK_KEYS.includes(key)), TALK_FORM),
    ],
    { error: TALK_FORM },
  )
  .transform(
    (talk): TalkOptions =>
      typeof talk === 'string'
        ? { mode: talk, keep: [], remove: [] }
        : { mode: talk.mode ?? 'auto', keep: talk.keep ?? [], remove: talk.remove ?? [] },
  );
