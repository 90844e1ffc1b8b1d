import { z } from 'zod';
import { TRANSITION_TYPES } from '../../analysis/facts.ts';
import { AUTOMATIC_COMPONENTS } from '../../domain/job-choices.ts';
import { REMOVAL_REASONS } from './talk.ts';

const count = z.int().min(0);
const seconds = z.number().min(0);

/** Moments of an output that a player can jump to. Cuts of the source are not listed: they were there before. */
const EDIT_MOMENT_KINDS = [
  'punch_in',
  'punch_out',
  'transition',
  'left_out',
  'push_in',
  'follow',
  'steady',
  'captions',
] as const;

const editMomentSchema = z
  .object({
    at_seconds: seconds.describe('In the output'),
    kind: z.enum(EDIT_MOMENT_KINDS),
    text: z.string().describe('In words, such as "punch-in 1.16× on the beat"'),
    source_seconds: seconds.describe('Where the same picture is in the source'),
  })
  .meta({ id: 'EditMoment' });

const removalSchema = z
  .object({
    start_seconds: seconds.describe('In the source'),
    end_seconds: seconds,
    at_seconds: seconds.describe('In the output'),
    reason: z
      .enum(REMOVAL_REASONS)
      .describe(
        '`pause`: was longer than the style\'s; `retake`: is said again right after it; `filler`: a word such as "um" between pauses; `requested`: in `talk.remove`',
      ),
    certainty: z.number().min(0).max(1),
  })
  .meta({ id: 'TalkRemoval' });

const pictureSchema = z.object({
  width: count,
  height: count,
  frame_rate: z.number().min(0),
  duration_seconds: seconds,
});

/** The changes to a source, as data and in words: from the plan and from measurements of the verified output. */
export const editSummarySchema = z
  .object({
    text: z.string().describe('All of it in one line of words'),
    source: pictureSchema,
    output: pictureSchema,
    cuts: z.object({
      of_source: count.describe('Hard cuts that the source has already'),
      added: count.describe('Cuts between framings, and over omitted parts'),
      on_beat_share: z
        .number()
        .min(0)
        .max(1)
        .nullable()
        .describe('Of all hard cuts of the output, within 70 ms of a beat; null: no beats, or no cuts'),
    }),
    punch_ins: z.object({
      count,
      on_beat: count.nullable().describe('Null: there are no beats'),
      median_zoom: z.number().min(1).nullable().describe('Null: there are none'),
    }),
    push_ins: count.describe('Shots with a slow push-in'),
    transitions: z
      .partialRecord(z.enum(TRANSITION_TYPES).exclude(['cut']), count)
      .describe('Those that were made, by type'),
    framing: z.object({
      manner: z.enum(['kept', 'crop', 'pad']),
      aspect_ratio: z.string(),
      follows: z.enum(['speaker', 'face', 'subject']).nullable().describe('Null: framings do not move'),
    }),
    stabilised_seconds: seconds,
    left_out_seconds: seconds,
    talk: z
      .object({
        removed_seconds: seconds,
        median_pause_seconds: z
          .object({ before: seconds, after: seconds })
          .nullable()
          .describe('Null: there are no pauses'),
        removals: z.array(removalSchema).describe('In the order of the source'),
        proposals: z
          .array(removalSchema)
          .optional()
          .describe('Likely second attempts, which stay; `talk.remove` leaves one out. Left out: none'),
        curve: z
          .object({
            start_seconds: seconds.describe('In the source'),
            step_seconds: z.number().positive(),
            percents: z.array(z.int().min(0).max(100)).max(1200),
          })
          .optional()
          .describe('How far the voice rises above its background, to draw. Left out: not measured'),
      })
      .optional()
      .describe('What was left out of a talk, and what could be. Left out: nothing'),
    captions: count,
    loudness: z
      .object({
        before_lufs: z.number().nullable(),
        after_lufs: z.number().nullable(),
        change_lu: z.number().nullable(),
      })
      .nullable()
      .describe('Integrated, ITU-R BS.1770-4; null: no sound'),
    color_strength: z.number().min(0).max(1).nullable().describe('Null: colors stay as they are'),
    not_followed: z
      .array(
        z.object({
          component: z.enum(AUTOMATIC_COMPONENTS),
          source: z.string().describe('As the output has it, such as "9:16" or "24"'),
          style: z.string().describe('As the style has it'),
        }),
      )
      .optional()
      .describe(
        'Components at `auto` that were left as the source has them, because following the style would do harm; `true` follows it. Left out: none',
      ),
    entries: z.array(editMomentSchema).describe('In the order of the output'),
  })
  .meta({ id: 'EditSummary', description: 'Changes, from the plan and the verified output.' });

export type EditMoment = z.infer<typeof editMomentSchema>;
export type EditSummary = z.infer<typeof editSummarySchema>;
export type MadeTransition = keyof EditSummary['transitions'];
