import { z } from 'zod';
import { DIRECTIONS, TRANSITION_TYPES } from '../../analysis/facts.ts';
import { EDIT_REASON_CODES } from './edit-reasons.ts';

const seconds = z.number().min(0);
const range = z.tuple([seconds, seconds]).describe('`[from, to]` in seconds of the take');

const reasonSchema = z
  .object({
    code: z.enum(EDIT_REASON_CODES),
    values: z.record(z.string(), z.union([z.number(), z.string()])).optional(),
  })
  .meta({
    id: 'EditReason',
    description: 'A reason as data. Ranks (`motion` to `lightness`) have `rank` and `wanted`, 0 to 1',
  });

const choiceFields = {
  video_id: z.string(),
  source_start_seconds: seconds.describe('In the take'),
  source_end_seconds: seconds,
  fit: z.number().min(0).max(1).describe('Comparable within one slot'),
  reasons: z.array(z.string()).describe('Why, in words'),
  reason_codes: z
    .array(reasonSchema)
    .optional()
    .describe('The same as codes with values. Left out in results of earlier versions'),
};

const choiceSchema = z.object(choiceFields).meta({ id: 'EditSlotChoice' });

const roleSchema = z.enum(['talk', 'b_roll']);

const talkSchema = z
  .object({
    removed_seconds: seconds.describe('Of all takes that speak'),
    b_roll_seconds: seconds.describe('In which B-roll is seen'),
    b_roll_share: z.number().min(0).max(1).describe('Of the output'),
  })
  .meta({ id: 'EditTalk', description: 'A talk from several takes.' });

const slotSchema = z
  .object({
    start_seconds: seconds.describe('In the output'),
    end_seconds: seconds,
    beat: z.int().min(0).nullable().describe('Number of the song’s beat at its start; null: off the beat'),
    on_beat: z.boolean(),
    ...choiceFields,
    transition_in: z
      .object({
        type: z.enum(TRANSITION_TYPES),
        duration_seconds: seconds,
        direction: z.enum(DIRECTIONS).optional(),
      })
      .nullable()
      .describe('Null: a cut'),
    template_slot: z.int().min(0).describe('Slot of the template that it follows'),
    pinned: z.boolean(),
    beats_changed: z
      .int()
      .optional()
      .describe('Beats by which `lengths` made it longer, or shorter if negative'),
    focus: z
      .object({ x: z.number(), y: z.number() })
      .nullable()
      .optional()
      .describe('Point that its pin keeps in view; null: chosen'),
    alternatives: z.array(choiceSchema).describe('Other choices for the slot: a pin takes one'),
    role: roleSchema
      .optional()
      .describe('Of a talk: a speaker is seen, or B-roll over the talk. Left out: the edit is no talk'),
  })
  .meta({ id: 'EditSlot' });

const musicSchema = z
  .object({
    beats: z.array(
      z.object({
        at_seconds: seconds,
        is_downbeat: z.boolean().describe('First of a bar'),
        is_phrase_start: z.boolean().describe('First of a phrase, mostly of four or eight bars'),
      }),
    ),
    sections: z.array(
      z.object({
        start_seconds: seconds,
        end_seconds: seconds,
        energy: z.number().min(0).max(1).describe('Relative to the loudest section of the song'),
      }),
    ),
  })
  .meta({ id: 'EditMusic', description: 'The part of the song that an edit plays, in times of the output.' });

export const editResultSchema = z
  .object({
    duration_seconds: seconds,
    music_start_seconds: seconds.nullable().describe('Where the song begins; null: there is none'),
    music: musicSchema
      .nullable()
      .optional()
      .describe(
        'Beats and sections of the song; null: there is none. Left out in results of earlier versions',
      ),
    slots: z.array(slotSchema),
    takes: z.array(
      z
        .object({
          video_id: z.string(),
          used: z.array(range),
          passed_over: z.array(
            z.object({
              range,
              reason: z.string(),
              reason_code: reasonSchema
                .optional()
                .describe('The same as code. Left out in results of earlier versions'),
            }),
          ),
          role: roleSchema.optional().describe('In a talk; left out: the edit is no talk'),
          removed_seconds: seconds
            .optional()
            .describe('Of a take that speaks in a talk: the sum of `passed_over`'),
          left_out: z.string().optional().describe('Why the file cannot be used; present only if it cannot'),
        })
        .meta({ id: 'EditTake' }),
    ),
    talk: talkSchema.optional().describe('Left out: the edit is no talk'),
    revises: z.string().nullable().describe('The job that this one changes; null: none'),
  })
  .meta({ id: 'EditResult', description: 'The plan of an edit, slot by slot.' });
